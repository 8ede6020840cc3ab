// All files under a folder, by relative path, to compare whole runs byte for byte.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "io/scratch_folder.hpp"

namespace rumple {

// Tests of runs write a checkpoint after every step, each of which waits for the disk; memory keeps files as
// well.
class RunScratch {
  public:
    RunScratch() {
        std::error_code none;
        const std::filesystem::path memory = "/dev/shm";
        const bool usable =
            std::filesystem::is_directory(memory, none) && ::access(memory.c_str(), W_OK) == 0;
        std::string pattern =
            ((usable ? memory : std::filesystem::temp_directory_path()) / "rumple-run-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~RunScratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    RunScratch(const RunScratch&) = delete;
    RunScratch& operator=(const RunScratch&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
    const std::filesystem::path& path() const { return folder_; }

  private:
    std::filesystem::path folder_;
};

// Without timing.json, the one file that may differ between equal runs.
inline std::map<std::string, std::string> contents_of(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().filename() != "timing.json")
            files[entry.path().lexically_relative(folder).string()] = slurp(entry.path());
    return files;
}

inline void expect_same_files(const std::filesystem::path& a, const std::filesystem::path& b) {
    const auto files_a = contents_of(a), files_b = contents_of(b);
    for (const auto& [name, bytes] : files_a) {
        const auto found = files_b.find(name);
        ASSERT_NE(found, files_b.end()) << name << " is missing in " << b;
        EXPECT_TRUE(found->second == bytes) << name << " differs";
    }
    EXPECT_EQ(files_a.size(), files_b.size());
}

}  // namespace rumple
