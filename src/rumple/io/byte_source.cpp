#include <rumple/io/byte_source.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/io/file_handle.hpp>
#include <utility>

namespace rumple {
namespace {

class FileSource : public ByteSource {
  public:
    explicit FileSource(FileHandle file) : file_(std::move(file)) {}
    std::uint64_t size() const override { return file_.size(); }
    void read_at(std::uint64_t offset, std::span<char> into) const override { file_.read_at(offset, into); }
    const std::string& name() const override { return file_.name(); }

  private:
    FileHandle file_;
};

class MemorySource : public ByteSource {
  public:
    MemorySource(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}
    std::uint64_t size() const override { return bytes_.size(); }
    void read_at(std::uint64_t offset, std::span<char> into) const override {
        if (offset > bytes_.size() || into.size() > bytes_.size() - offset)
            throw InputError(name_, fmt::format("it ends at byte {}, too early", bytes_.size()));
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    }
    const std::string& name() const override { return name_; }

  private:
    std::string bytes_, name_;
};

}  // namespace

std::unique_ptr<const ByteSource> file_source(const std::filesystem::path& path) {
    return std::make_unique<FileSource>(FileHandle::open_to_read(path));
}

std::unique_ptr<const ByteSource> memory_source(std::string bytes, std::string name) {
    return std::make_unique<MemorySource>(std::move(bytes), std::move(name));
}

}  // namespace rumple
