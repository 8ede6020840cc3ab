// Bytes that can be read at any place: those of a file, which stay on the disk, or those of a text in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace rumple {

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    virtual std::uint64_t size() const = 0;  // now: a file may grow
    // Fills `into`; InputError if the source ends before that.
    virtual void read_at(std::uint64_t offset, std::span<char> into) const = 0;
    virtual const std::string& name() const = 0;  // for messages
};

// InputError: missing, a folder, no permission.
std::unique_ptr<const ByteSource> file_source(const std::filesystem::path& path);
std::unique_ptr<const ByteSource> memory_source(std::string bytes, std::string name);

}  // namespace rumple
