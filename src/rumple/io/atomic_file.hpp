// Files that appear whole or not at all, and whole files read in one go.
//
// The bytes go to a temporary file in the same folder, to the disk, and only then take the name over: whoever
// reads the name meets the old file or the new one, never half of one, even after a power cut.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <rumple/io/file_handle.hpp>
#include <string>
#include <string_view>

namespace rumple {

// A file in the making. Without commit() the temporary file is removed and what stood at `path` stays.
class AtomicFile {
  public:
    // InputError: the place cannot be written, or something that is not a regular file stands there.
    explicit AtomicFile(const std::filesystem::path& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    void commit();

  private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::optional<FileHandle> file_;
    std::uint64_t written_ = 0;
    bool committed_ = false;
};

// Waits until the names in a folder are on the disk.
void sync_folder(const std::filesystem::path& folder);

// For files that others wrote under another name: brings `part` to the disk, then lets it take the name
// `path`.
void take_name(const std::filesystem::path& part, const std::filesystem::path& path);

void write_atomically(const std::filesystem::path& path, std::string_view bytes);

inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{2} << 30;
inline constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{64} << 20;  // a scene has some thousands
inline constexpr std::size_t kHeadBytes = 1 << 16;

// Throws an InputError where the first kHeadBytes of a file cannot be those of its kind: what is not worth
// reading is not read, however large it is.
using HeadCheck = std::function<void(std::string_view head, const std::string& name)>;

// The whole file. InputError: missing, a folder, empty, or larger than max_bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes = kMaxFileBytes,
                      const HeadCheck& check = nullptr);
// For files that are text: no byte of it is zero.
void require_text(std::string_view head, const std::string& name);

}  // namespace rumple
