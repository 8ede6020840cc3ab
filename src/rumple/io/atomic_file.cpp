#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <span>
#include <system_error>

namespace rumple {
namespace {

namespace fs = std::filesystem;

// A new name is on the disk only once its folder is.
void sync_folder_of(const fs::path& file) {
    sync_folder(file.parent_path().empty() ? fs::path(".") : file.parent_path());
}

}  // namespace

// Some file systems cannot sync a folder (EINVAL): a rename is still atomic there, so that is no failure.
void sync_folder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;  // a folder that may be written but not listed
    const int status = ::fsync(descriptor);
    const int code = errno;
    ::close(descriptor);
    if (status != 0 && code != EINVAL && code != EINTR)
        throw SimulationError(folder.string() +
                              ": the folder cannot be brought to the disk: " + errno_text(code));
}

AtomicFile::AtomicFile(const fs::path& path) : target_(path) {
    std::error_code ignored;
    // A link stays a link: the file it points to is replaced.
    if (fs::is_symlink(target_, ignored)) {
        const fs::path real = fs::weakly_canonical(target_, ignored);
        if (!ignored && !real.empty()) target_ = real;
    }
    const fs::file_status old = fs::status(target_, ignored);
    if (fs::is_directory(old)) throw InputError(path.string(), "is a folder", "name a file to write");
    // Renaming over a device would replace the device itself.
    if (fs::exists(old) && !fs::is_regular_file(old))
        throw InputError(path.string(), "is not a regular file", "name a file to write");
    if (target_.filename().empty())
        throw InputError(path.string(), "has no file name", "name a file to write");

    for (int attempt = 0; !file_; ++attempt) {
        temporary_ = target_.parent_path() /
                     fmt::format(".{}.{}-{}.tmp", target_.filename().string(), ::getpid(), attempt);
        file_ = FileHandle::create_new(temporary_, path);
    }
    if (fs::exists(old)) {
        try {
            file_->set_permissions(static_cast<unsigned>(old.permissions() & fs::perms::mask));
        } catch (...) {
            fs::remove(temporary_, ignored);  // no destructor runs for a constructor that throws
            throw;
        }
    }
}

AtomicFile::~AtomicFile() {
    std::error_code ignored;
    if (!committed_) fs::remove(temporary_, ignored);
}

void AtomicFile::write(std::string_view bytes) {
    file_->write_at(written_, bytes);
    written_ += bytes.size();
}

void AtomicFile::commit() {
    file_->sync();
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
        throw SimulationError(file_->name() + ": cannot take its name: " + errno_text(errno));
    committed_ = true;
    sync_folder_of(target_);
}

void take_name(const fs::path& part, const fs::path& path) {
    FileHandle::open_to_write(part).sync();
    if (std::rename(part.c_str(), path.c_str()) != 0)
        throw SimulationError(path.string() + ": cannot take its name: " + errno_text(errno));
    sync_folder_of(path);
}

void write_atomically(const fs::path& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

std::string read_file(const fs::path& path, std::uint64_t max_bytes, const HeadCheck& check) {
    const FileHandle file = FileHandle::open_to_read(path);
    const std::uint64_t size = file.size();
    if (size == 0) throw InputError(path.string(), "the file is empty");
    if (size > max_bytes)
        throw InputError(path.string(),
                         fmt::format("the file has {} bytes; at most {} are read", size, max_bytes));
    std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size, kHeadBytes)), '\0');
    file.read_at(0, bytes);
    if (check) check(bytes, path.string());
    const std::size_t head = bytes.size();
    bytes.resize(static_cast<std::size_t>(size));
    file.read_at(head, std::span(bytes).subspan(head));
    return bytes;
}

void require_text(std::string_view head, const std::string& name) {
    if (head.find('\0') != std::string_view::npos)
        throw InputError(name, "this is not text", "is it the right file?");
}

}  // namespace rumple
