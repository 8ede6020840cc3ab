// All files under a folder, by relative path, to compare whole runs byte for byte.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "scratch_folder.hpp"

namespace rumple {

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
    for (const auto& [name, bytes] : files_b)
        EXPECT_TRUE(files_a.contains(name)) << name << " is only in " << b;
}

}  // namespace rumple
