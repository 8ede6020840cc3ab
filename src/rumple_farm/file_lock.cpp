#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <rumple/core/error.hpp>
#include <rumple_farm/file_lock.hpp>
#include <thread>
#include <utility>

namespace rumple::farm {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPause{20};

struct flock whole_file() {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    return range;
}

}  // namespace

std::optional<FileLock> FileLock::take(const fs::path& path, std::chrono::milliseconds patience) {
    FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (lock.descriptor_ < 0)
        throw InputError(path.string(), "the file cannot be written", "choose another folder");
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
        struct flock range = whole_file();
        if (::fcntl(lock.descriptor_, F_OFD_SETLK, &range) == 0) return lock;
        if (errno != EAGAIN && errno != EACCES && errno != EINTR) return lock;
        if (std::chrono::steady_clock::now() >= end) return std::nullopt;
        std::this_thread::sleep_for(kPause);
    }
}

bool FileLock::is_taken(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return false;
    struct flock range = whole_file();
    const bool taken = ::fcntl(file, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
    ::close(file);
    return taken;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void FileLock::write(std::string_view text) {
    const bool written = ::ftruncate(descriptor_, 0) == 0 &&
                         ::pwrite(descriptor_, text.data(), text.size(), 0) == std::ssize(text);
    (void)written;  // the lock holds without it
}

}  // namespace rumple::farm
