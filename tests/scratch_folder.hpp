// A folder of its own for a test, removed afterwards; files and whole folders to compare; a disk that is
// full; and the message of an expected error.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace rumple {

// In memory where that can be had: whoever writes a checkpoint after every step waits for the disk each time.
class ScratchFolder {
  public:
    ScratchFolder() {
        std::error_code none;
        const std::filesystem::path memory = "/dev/shm";
        const bool usable =
            std::filesystem::is_directory(memory, none) && ::access(memory.c_str(), W_OK) == 0;
        std::string pattern =
            ((usable ? memory : std::filesystem::temp_directory_path()) / "rumple-test-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
    auto file_count() const {
        return std::distance(std::filesystem::directory_iterator(folder_),
                             std::filesystem::directory_iterator());
    }

  private:
    std::filesystem::path folder_;
};

inline std::string slurp(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void spill(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

// While it lives, no file may grow beyond `bytes`: a disk that is full, even for root.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        handler_ = ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        ::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit old_{};
    void (*handler_)(int) = nullptr;
};

// The text of the error of type E that `act` throws; fails the test if it throws none.
template <class E, class Act>
std::string error_of(Act&& act) {
    try {
        act();
    } catch (const E& error) {
        return error.what();
    }
    ADD_FAILURE() << "no error of the expected type was thrown";
    return "";
}

// A claim about a message: it holds every one of `parts`, and is one line.
inline void expect_says(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

}  // namespace rumple
