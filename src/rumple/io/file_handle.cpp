#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <rumple/core/error.hpp>
#include <rumple/io/file_handle.hpp>
#include <system_error>
#include <utility>

namespace rumple {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what, int code) {
    throw SimulationError(name + ": " + what + ": " + errno_text(code));
}

}  // namespace

std::string errno_text(int code) { return std::generic_category().message(code); }

FileHandle FileHandle::open_existing(const std::filesystem::path& path, int flags) {
    // O_NONBLOCK: opening a named pipe must fail below, not wait for its other end.
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        const int code = errno;
        if (code == ENOENT) throw InputError(path.string(), "there is no such file");
        if (code == EISDIR) throw InputError(path.string(), "is a folder", "a file is needed here");
        throw InputError(path.string(), "cannot be opened: " + errno_text(code));
    }
    FileHandle file(descriptor, path.string());
    struct stat info {};
    if (::fstat(descriptor, &info) != 0) fail(file.name_, "cannot be examined", errno);
    if (S_ISDIR(info.st_mode)) throw InputError(path.string(), "is a folder", "a file is needed here");
    if (!S_ISREG(info.st_mode)) throw InputError(path.string(), "is not a regular file");
    return file;
}

FileHandle FileHandle::open_to_read(const std::filesystem::path& path) {
    return open_existing(path, O_RDONLY);
}

FileHandle FileHandle::open_to_write(const std::filesystem::path& path) {
    return open_existing(path, O_RDWR);
}

std::optional<FileHandle> FileHandle::create_new(const std::filesystem::path& path,
                                                 const std::filesystem::path& shown) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        const int code = errno;
        if (code == EEXIST) return std::nullopt;
        throw InputError(shown.string(), "cannot be written: " + errno_text(code),
                         "name a place in a folder that exists and can be written");
    }
    return FileHandle(descriptor, shown.string());
}

FileHandle::FileHandle(FileHandle&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(name_, other.name_);
    return *this;
}

FileHandle::~FileHandle() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t FileHandle::size() const {
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) fail(name_, "cannot be examined", errno);
    return static_cast<std::uint64_t>(info.st_size);
}

void FileHandle::read_at(std::uint64_t offset, std::span<char> into) const {
    while (!into.empty()) {
        const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
        if (got < 0) {
            if (errno == EINTR) continue;
            fail(name_, "cannot be read", errno);
        }
        if (got == 0)
            throw InputError(name_, "the file ends at byte " + std::to_string(offset) + ", " +
                                        std::to_string(into.size()) + " bytes too early");
        into = into.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
}

void FileHandle::write_at(std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (put < 0) {
            if (errno == EINTR) continue;
            fail(name_, "cannot be written", errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
        offset += static_cast<std::uint64_t>(put);
    }
}

void FileHandle::truncate(std::uint64_t size) {
    if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(name_, "cannot be cut", errno);
}

void FileHandle::set_permissions(unsigned mode) {
    if (::fchmod(descriptor_, static_cast<mode_t>(mode)) != 0)
        fail(name_, "cannot keep the permissions of the file it replaces", errno);
}

void FileHandle::sync() {
    while (::fsync(descriptor_) != 0)
        if (errno != EINTR) fail(name_, "cannot be brought to the disk", errno);
}

}  // namespace rumple
