// An open file that closes itself: reads and writes at a place, whole or with an error that names the file.
//
// Positioned calls (pread, pwrite) keep no cursor, so a failed write changes nothing in the handle and can be
// repeated. What the user can fix before a run (a missing or unwritable place) is an InputError; what fails
// under way (disk full, device error) is a SimulationError.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rumple {

class FileHandle {
  public:
    // A regular file that exists. InputError: missing, a directory, a device, no permission.
    static FileHandle open_to_read(const std::filesystem::path& path);
    static FileHandle open_to_write(const std::filesystem::path& path);
    // A new, empty file; nothing if the name is taken. InputError: the place cannot be written.
    // Messages name `shown`, the file the user asked for, when `path` is a temporary stand-in for it.
    static std::optional<FileHandle> create_new(const std::filesystem::path& path,
                                                const std::filesystem::path& shown);

    FileHandle(FileHandle&& other) noexcept;
    FileHandle& operator=(FileHandle&& other) noexcept;
    ~FileHandle();

    std::uint64_t size() const;
    // Fills `into`; InputError if the file ends before that.
    void read_at(std::uint64_t offset, std::span<char> into) const;
    void write_at(std::uint64_t offset, std::string_view bytes);
    void truncate(std::uint64_t size);
    void set_permissions(unsigned mode);
    // Waits until the bytes are on the disk.
    void sync();

    const std::string& name() const { return name_; }

  private:
    FileHandle(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
    static FileHandle open_existing(const std::filesystem::path& path, int flags);

    int descriptor_;
    std::string name_;
};

// The text of an errno value, e.g. "No space left on device".
std::string errno_text(int code);

}  // namespace rumple
