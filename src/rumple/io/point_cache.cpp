#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/byte_order.hpp>
#include <rumple/io/point_cache.hpp>
#include <stdexcept>
#include <string_view>

namespace rumple {
namespace {

constexpr auto kLittle = std::endian::little;
constexpr auto kBig = std::endian::big;

constexpr std::string_view kPc2Magic("POINTCACHE2\0", 12);
constexpr std::uint64_t kPc2HeaderBytes = 32;
constexpr std::uint64_t kPc2CountOffset = 28;
constexpr std::uint64_t kMddHeaderBytes = 8;
constexpr std::uint64_t kPointBytes = 12;
constexpr const char* kWhole = "is the file whole?";
constexpr const char* kAgain = "export it again";
constexpr std::size_t kMaxCount = std::numeric_limits<std::int32_t>::max();

bool has_extension(const std::string& name, std::string_view lower_case) {
    std::string extension = std::filesystem::path(name).extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return extension == lower_case;
}

void require_counts(const std::string& name, std::int32_t points, std::int32_t frames) {
    if (points <= 0) throw InputError(name, fmt::format("the header claims {} points", points), kAgain);
    if (frames < 0) throw InputError(name, fmt::format("the header claims {} frames", frames), kAgain);
}

template <std::endian order>
void load_positions(std::span<const char> bytes, std::vector<Vec3d>& positions) {
    const char* at = bytes.data();
    for (Vec3d& p : positions)
        for (int a = 0; a < 3; ++a, at += sizeof(float))
            p[a] = static_cast<double>(load_number<order, float>(at));
}

// A double that is finite may be beyond the range of a float: what counts is what will stand in the file.
template <std::endian order>
void store_positions(std::span<const Vec3d> positions, std::vector<char>& bytes, const std::string& name,
                     std::size_t frame) {
    bytes.resize(positions.size() * kPointBytes);
    char* at = bytes.data();
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (int a = 0; a < 3; ++a, at += sizeof(float)) {
            const auto value = static_cast<float>(positions[i][a]);
            if (!std::isfinite(value))
                throw SimulationError(
                    fmt::format("{}: frame {} not written: vertex {} is not finite", name, frame, i));
            store_number<order>(at, value);
        }
}

void require_frame_size(const std::string& name, std::size_t given, std::size_t wanted) {
    if (given != wanted)
        throw std::logic_error(
            fmt::format("{}: a frame of {} points for a cache of {}", name, given, wanted));
}

float require_finite_float(const std::string& name, double value, const char* what) {
    const auto rounded = static_cast<float>(value);
    if (!std::isfinite(rounded)) throw InputError(name, fmt::format("{} is not finite", what));
    return rounded;
}

}  // namespace

PointCacheReader::PointCacheReader(const std::filesystem::path& path) : PointCacheReader(file_source(path)) {}

PointCacheReader::PointCacheReader(std::unique_ptr<const ByteSource> bytes) : file_(std::move(bytes)) {
    const std::uint64_t size = file_->size();
    if (size == 0) throw InputError(file_->name(), "the file is empty");
    std::array<char, kPc2Magic.size()> magic{};
    file_->read_at(0, std::span(magic).first(std::min<std::uint64_t>(size, magic.size())));
    if (std::string_view(magic.data(), magic.size()) == kPc2Magic)
        read_pc2_header(size);
    else if (has_extension(file_->name(), ".mdd"))
        read_mdd_header(size);
    else
        throw InputError(file_->name(), "is not a point cache",
                         "a PC2 file begins with POINTCACHE2, an MDD file is named .mdd");
}

void PointCacheReader::read_pc2_header(std::uint64_t size) {
    const std::string& name = file_->name();
    format_ = PointCacheFormat::kPc2;
    if (size < kPc2HeaderBytes)
        throw InputError(name, fmt::format("the PC2 header is cut at byte {}", size), kWhole);
    std::array<char, kPc2HeaderBytes> header;
    file_->read_at(0, header);
    const auto version = load_number<kLittle, std::int32_t>(&header[12]);
    const auto points = load_number<kLittle, std::int32_t>(&header[16]);
    const float start = load_number<kLittle, float>(&header[20]);
    const float rate = load_number<kLittle, float>(&header[24]);
    const auto samples = load_number<kLittle, std::int32_t>(&header[28]);
    if (version != 1) throw InputError(name, fmt::format("PC2 version {} is unknown", version), "1 is read");
    require_counts(name, points, samples);
    if (!std::isfinite(start) || !std::isfinite(rate) || rate <= 0)
        throw InputError(name, fmt::format("start {} and sample rate {} make no times", start, rate), kAgain);
    vertices_ = static_cast<std::size_t>(points);
    frames_ = static_cast<std::size_t>(samples);
    // The count was read after `size` was taken, and the file may be growing: look at its size afresh.
    const std::uint64_t room = (std::max(size, file_->size()) - kPc2HeaderBytes) / (vertices_ * kPointBytes);
    if (frames_ > room)
        throw InputError(name,
                         fmt::format("the header claims {} frames of {} points, but the file holds {} whole "
                                     "frames of that size",
                                     frames_, vertices_, room),
                         kWhole);
    data_begin_ = kPc2HeaderBytes;
    start_ = static_cast<double>(start);
    sample_rate_ = static_cast<double>(rate);
    times_.resize(frames_);
    for (std::size_t i = 0; i < frames_; ++i) times_[i] = start_ + sample_rate_ * static_cast<double>(i);
}

void PointCacheReader::read_mdd_header(std::uint64_t size) {
    const std::string& name = file_->name();
    format_ = PointCacheFormat::kMdd;
    if (size < kMddHeaderBytes)
        throw InputError(name, fmt::format("the MDD header is cut at byte {}", size), kWhole);
    std::array<char, kMddHeaderBytes> header;
    file_->read_at(0, header);
    const auto frames = load_number<kBig, std::int32_t>(&header[0]);
    const auto points = load_number<kBig, std::int32_t>(&header[4]);
    require_counts(name, points, frames);
    vertices_ = static_cast<std::size_t>(points);
    frames_ = static_cast<std::size_t>(frames);
    const std::uint64_t frame_bytes = sizeof(float) + vertices_ * kPointBytes;  // with its time
    const std::uint64_t data_bytes = size - kMddHeaderBytes;
    // Two counts below 2^31 times 12: the product could pass 2^64, the quotient cannot.
    if (data_bytes / frame_bytes != frames_ || data_bytes % frame_bytes != 0)
        throw InputError(name,
                         fmt::format("the header claims {} frames of {} points, which does not fit the "
                                     "file's {} bytes",
                                     frames_, vertices_, size),
                         kWhole);
    std::vector<char> bytes(frames_ * sizeof(float));
    file_->read_at(kMddHeaderBytes, bytes);
    times_.resize(frames_);
    for (std::size_t i = 0; i < frames_; ++i) {
        times_[i] = static_cast<double>(load_number<kBig, float>(&bytes[i * sizeof(float)]));
        if (!std::isfinite(times_[i]))
            throw InputError(name, fmt::format("the time of frame {} is not finite", i), kAgain);
    }
    data_begin_ = kMddHeaderBytes + bytes.size();
}

std::vector<Vec3d> PointCacheReader::read_frame(std::size_t frame) const {
    std::vector<Vec3d> positions;
    read_frame(frame, positions);
    return positions;
}

void PointCacheReader::read_frame(std::size_t frame, std::vector<Vec3d>& positions) const {
    if (frame >= frames_)
        throw InputError(file_->name(),
                         fmt::format("there is no frame {}; it has {}, counted from 0", frame, frames_));
    std::vector<char> bytes(vertices_ * kPointBytes);
    file_->read_at(data_begin_ + frame * bytes.size(), bytes);
    positions.resize(vertices_);
    if (format_ == PointCacheFormat::kPc2)
        load_positions<kLittle>(bytes, positions);
    else
        load_positions<kBig>(bytes, positions);
    for (std::size_t i = 0; i < vertices_; ++i)
        if (!std::isfinite(positions[i].x) || !std::isfinite(positions[i].y) ||
            !std::isfinite(positions[i].z))
            throw InputError(file_->name(), fmt::format("frame {}: vertex {} is not finite", frame, i),
                             kAgain);
}

Pc2Writer Pc2Writer::create(const std::filesystem::path& path, std::size_t vertex_count, double start_frame,
                            double frames_per_sample) {
    const std::string name = path.string();
    if (vertex_count == 0 || vertex_count > kMaxCount)
        throw InputError(name, fmt::format("a PC2 cache cannot have {} points", vertex_count));
    const float start = require_finite_float(name, start_frame, "the start frame");
    const float rate = require_finite_float(name, frames_per_sample, "the sample rate");
    if (rate <= 0) throw InputError(name, fmt::format("a sample rate of {}", rate), "it must be above 0");

    std::string header(kPc2Magic);
    append_number<kLittle>(header, std::int32_t{1});
    append_number<kLittle>(header, static_cast<std::int32_t>(vertex_count));
    append_number<kLittle>(header, start);
    append_number<kLittle>(header, rate);
    append_number<kLittle>(header, std::int32_t{0});
    write_atomically(path, header);
    return {FileHandle::open_to_write(path), vertex_count, 0};
}

Pc2Writer Pc2Writer::reopen(const std::filesystem::path& path, std::size_t frames) {
    const PointCacheReader old(path);
    if (old.format() != PointCacheFormat::kPc2) throw InputError(path.string(), "is not a PC2 cache");
    if (frames > old.frame_count())
        throw InputError(path.string(), fmt::format("it has {} whole frames, and {} are needed to go on",
                                                    old.frame_count(), frames));
    Pc2Writer writer(FileHandle::open_to_write(path), old.vertex_count(), frames);
    // The count first: a reader in between finds whole frames.
    writer.write_count(frames);
    writer.file_.truncate(kPc2HeaderBytes + frames * old.vertex_count() * kPointBytes);
    return writer;
}

void Pc2Writer::append(std::span<const Vec3d> positions) {
    require_frame_size(file_.name(), positions.size(), vertices_);
    if (frames_ == kMaxCount) throw SimulationError(file_.name() + ": a PC2 cache can hold no more frames");
    store_positions<kLittle>(positions, buffer_, file_.name(), frames_);
    file_.write_at(kPc2HeaderBytes + frames_ * buffer_.size(), {buffer_.data(), buffer_.size()});
    write_count(frames_ + 1);
    ++frames_;
}

void Pc2Writer::write_count(std::size_t frames) {
    std::array<char, sizeof(std::int32_t)> count;
    store_number<kLittle>(count.data(), static_cast<std::int32_t>(frames));
    file_.write_at(kPc2CountOffset, {count.data(), count.size()});
}

void write_mdd(const std::filesystem::path& path, std::span<const double> times, std::size_t vertex_count,
               const std::function<void(std::size_t, std::vector<Vec3d>&)>& frame) {
    const std::string name = path.string();
    if (vertex_count == 0 || vertex_count > kMaxCount || times.size() > kMaxCount)
        throw InputError(
            name, fmt::format("an MDD cache cannot have {} frames of {} points", times.size(), vertex_count));
    std::string header;
    append_number<kBig>(header, static_cast<std::int32_t>(times.size()));
    append_number<kBig>(header, static_cast<std::int32_t>(vertex_count));
    for (double time : times) append_number<kBig>(header, require_finite_float(name, time, "a frame's time"));

    AtomicFile file(path);
    file.write(header);
    std::vector<Vec3d> positions;
    std::vector<char> bytes;
    for (std::size_t i = 0; i < times.size(); ++i) {
        frame(i, positions);
        require_frame_size(name, positions.size(), vertex_count);
        store_positions<kBig>(positions, bytes, name, i);
        file.write({bytes.data(), bytes.size()});
    }
    file.commit();
}

void write_mdd(const std::filesystem::path& path, std::span<const double> times,
               std::span<const std::vector<Vec3d>> frames) {
    if (times.size() != frames.size())
        throw std::logic_error(
            fmt::format("{}: {} times for {} frames", path.string(), times.size(), frames.size()));
    write_mdd(path, times, frames.empty() ? 0 : frames[0].size(),
              [&](std::size_t i, std::vector<Vec3d>& positions) { positions = frames[i]; });
}

}  // namespace rumple
