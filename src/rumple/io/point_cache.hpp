// Point caches: the positions of one mesh over time, frame after frame, as PC2 or MDD.
//
// clang-format off
//   PC2, little endian:  "POINTCACHE2\0"  int32 version = 1  int32 points  float start  float sample rate
//                        int32 samples   then samples x points x (float x, y, z)
//   MDD, big endian:     int32 frames  int32 points  float time[frames]  then frames x points x (float x, y, z)
// clang-format on
//
// PC2 keeps a count in front and nothing behind, so it can grow: Pc2Writer writes a frame, then the count,
// and the file can be read up to its last whole frame at any moment. MDD has all its times in front and is
// written whole. Positions are metres, Z up, rounded to float. No number that is not finite reaches a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <rumple/core/vec.hpp>
#include <rumple/io/byte_source.hpp>
#include <rumple/io/file_handle.hpp>
#include <span>
#include <utility>
#include <vector>

namespace rumple {

enum class PointCacheFormat { kPc2, kMdd };

class PointCacheReader {
  public:
    // PC2 by its first bytes, MDD by its extension. A header that does not fit the size of the file is
    // refused (InputError) before memory is taken. A PC2 longer than its count says is one that is still
    // growing: the bytes behind the last counted frame are not looked at.
    explicit PointCacheReader(const std::filesystem::path& path);
    explicit PointCacheReader(std::unique_ptr<const ByteSource> bytes);

    PointCacheFormat format() const { return format_; }
    std::size_t frame_count() const { return frames_; }
    std::size_t vertex_count() const { return vertices_; }
    // One a frame. PC2: in frames, start + i * rate. MDD: in seconds.
    const std::vector<double>& sample_times() const { return times_; }
    double start_frame() const { return start_; }              // PC2
    double frames_per_sample() const { return sample_rate_; }  // PC2

    // InputError: a coordinate is not finite, or the file was cut since it was opened.
    std::vector<Vec3d> read_frame(std::size_t frame) const;
    void read_frame(std::size_t frame, std::vector<Vec3d>& positions) const;  // reuses the memory

  private:
    void read_pc2_header(std::uint64_t size);
    void read_mdd_header(std::uint64_t size);

    std::unique_ptr<const ByteSource> file_;
    PointCacheFormat format_ = PointCacheFormat::kPc2;
    std::size_t frames_ = 0;
    std::size_t vertices_ = 0;
    std::uint64_t data_begin_ = 0;
    double start_ = 0;
    double sample_rate_ = 1;
    std::vector<double> times_;
};

class Pc2Writer {
  public:
    // Replaces what stands at `path`. InputError: the place cannot be written.
    static Pc2Writer create(const std::filesystem::path& path, std::size_t vertex_count,
                            double start_frame = 0, double frames_per_sample = 1);
    // Goes on with a cache from its first `frames` frames; later ones are cut off. InputError: it has fewer.
    static Pc2Writer reopen(const std::filesystem::path& path, std::size_t frames);

    // SimulationError: a coordinate is not finite, or the disk is full; the file then stays as it was.
    void append(std::span<const Vec3d> positions);
    // Waits until all frames are on the disk: before a checkpoint that counts on them.
    void sync() { file_.sync(); }

    std::size_t frame_count() const { return frames_; }
    std::size_t vertex_count() const { return vertices_; }

  private:
    Pc2Writer(FileHandle file, std::size_t vertices, std::size_t frames)
        : file_(std::move(file)), vertices_(vertices), frames_(frames) {}
    void write_count(std::size_t frames);

    FileHandle file_;
    std::size_t vertices_;
    std::size_t frames_;
    std::vector<char> buffer_;
};

// `frame(i, positions)` fills in the positions of frame i; only one frame is in memory at a time.
void write_mdd(const std::filesystem::path& path, std::span<const double> times, std::size_t vertex_count,
               const std::function<void(std::size_t, std::vector<Vec3d>&)>& frame);
void write_mdd(const std::filesystem::path& path, std::span<const double> times,
               std::span<const std::vector<Vec3d>> frames);

}  // namespace rumple
