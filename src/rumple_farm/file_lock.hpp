// A lock on a file, for processes of several machines that share a file system.
//
// Locks of byte ranges, not flock() on a folder: NFS and Lustre carry them from one machine to another, and
// give them up for a machine that is lost. They belong to the open file and end with the process.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

namespace rumple::farm {

class FileLock {
  public:
    // Makes the file if need be. Nothing: another process has it, and kept it for `patience`. InputError: the
    // file cannot be made. A file system without locks gives a lock that excludes nobody.
    static std::optional<FileLock> take(const std::filesystem::path& path,
                                        std::chrono::milliseconds patience = {});
    // Asks without locking. A file that is not there is not taken.
    static bool is_taken(const std::filesystem::path& path);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock();

    void write(std::string_view text);  // into the file, for who finds it taken

  private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}

    int descriptor_ = -1;
};

}  // namespace rumple::farm
