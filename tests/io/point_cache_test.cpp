#include <chrono>
#include <limits>
#include <rumple/core/error.hpp>
#include <rumple/io/point_cache.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

using Frame = std::vector<Vec3d>;

// Numbers a float can hold, so that what is read must equal what was written.
Frame sample_frame(int number, std::size_t points = 2) {
    Frame frame;
    for (std::size_t i = 0; i < points; ++i)
        frame.push_back({0.5 * number, -1.25 - static_cast<double>(i),
                         static_cast<double>(0.1f * static_cast<float>(number))});
    return frame;
}

std::string pc2_bytes(const std::string& points, const std::string& samples, const std::string& data) {
    return std::string("POINTCACHE2\0", 12) + std::string("\1\0\0\0", 4) + points +
           std::string("\0\0\0\0\0\0\x80\x3F", 8) + samples + data;  // start 0, rate 1
}

std::string refusal(const std::filesystem::path& path, const std::string& bytes) {
    spill(path, bytes);
    return error_of<InputError>([&] { PointCacheReader reader(path); });
}

TEST(Pc2, WritesExactlyTheBytesOfTheFormat) {
    const ScratchFolder folder;
    Pc2Writer writer = Pc2Writer::create(folder / "a.pc2", 1, 2.0, 0.5);
    writer.append(Frame{{1.5, -2.0, 0.0}});
    EXPECT_EQ(slurp(folder / "a.pc2"), std::string("POINTCACHE2\0"
                                                   "\1\0\0\0\1\0\0\0"
                                                   "\0\0\0\x40\0\0\0\x3F\1\0\0\0"
                                                   "\0\0\xC0\x3F\0\0\0\xC0\0\0\0\0",
                                                   44));
}

TEST(Pc2, RoundTripKeepsFramesAndTimes) {
    const ScratchFolder folder;
    Pc2Writer writer = Pc2Writer::create(folder / "a.pc2", 2, 10, 0.5);
    for (int i = 0; i < 4; ++i) writer.append(sample_frame(i));
    const PointCacheReader reader(folder / "a.pc2");
    EXPECT_EQ(reader.format(), PointCacheFormat::kPc2);
    EXPECT_EQ(reader.frame_count(), 4u);
    EXPECT_EQ(reader.vertex_count(), 2u);
    EXPECT_EQ(reader.sample_times(), (std::vector<double>{10, 10.5, 11, 11.5}));
    for (int i : {3, 0, 2, 1}) EXPECT_EQ(reader.read_frame(static_cast<std::size_t>(i)), sample_frame(i));
    expect_says(error_of<InputError>([&] { reader.read_frame(4); }), {"a.pc2", "no frame 4", "it has 4"});
}

TEST(Pc2, CanBeReadWhileItGrows) {
    const ScratchFolder folder;
    Pc2Writer writer = Pc2Writer::create(folder / "a.pc2", 2);
    EXPECT_EQ(PointCacheReader(folder / "a.pc2").frame_count(), 0u);
    for (std::size_t i = 0; i < 3; ++i) {
        writer.append(sample_frame(static_cast<int>(i)));
        const PointCacheReader reader(folder / "a.pc2");
        ASSERT_EQ(reader.frame_count(), i + 1);
        EXPECT_EQ(reader.read_frame(i), sample_frame(static_cast<int>(i)));
    }
}

TEST(Pc2, FrameCutByAKillIsNotCounted) {
    const ScratchFolder folder;
    {
        Pc2Writer writer = Pc2Writer::create(folder / "a.pc2", 2);
        writer.append(sample_frame(0));
    }
    spill(folder / "a.pc2", slurp(folder / "a.pc2") + "half a frame");
    EXPECT_EQ(PointCacheReader(folder / "a.pc2").frame_count(), 1u);
    Pc2Writer writer = Pc2Writer::reopen(folder / "a.pc2", 1);
    EXPECT_EQ(std::filesystem::file_size(folder / "a.pc2"), 32u + 24u);
}

TEST(Pc2, ReopenedCacheEqualsOneWrittenInOneGo) {
    const ScratchFolder folder;
    {
        Pc2Writer whole = Pc2Writer::create(folder / "whole.pc2", 2, 3, 2);
        for (int i = 0; i < 5; ++i) whole.append(sample_frame(i));
        Pc2Writer killed = Pc2Writer::create(folder / "resumed.pc2", 2, 3, 2);
        for (int i = 0; i < 4; ++i) killed.append(sample_frame(i + (i == 3 ? 100 : 0)));
    }
    Pc2Writer resumed = Pc2Writer::reopen(folder / "resumed.pc2", 3);
    EXPECT_EQ(resumed.frame_count(), 3u);
    EXPECT_EQ(PointCacheReader(folder / "resumed.pc2").frame_count(), 3u);
    EXPECT_EQ(std::filesystem::file_size(folder / "resumed.pc2"), 32u + 3 * 24u);
    resumed.append(sample_frame(3));
    resumed.append(sample_frame(4));
    EXPECT_EQ(slurp(folder / "resumed.pc2"), slurp(folder / "whole.pc2"));
}

TEST(Pc2, ReopenRefusesACacheThatIsTooShortOrNoCache) {
    const ScratchFolder folder;
    Pc2Writer::create(folder / "a.pc2", 2).append(sample_frame(0));
    const std::string before = slurp(folder / "a.pc2");
    expect_says(error_of<InputError>([&] { Pc2Writer::reopen(folder / "a.pc2", 2); }),
                {"a.pc2", "1 whole frames", "2 are needed"});
    EXPECT_EQ(slurp(folder / "a.pc2"), before);
    expect_says(error_of<InputError>([&] { Pc2Writer::reopen(folder / "none.pc2", 0); }), {"no such file"});
}

TEST(Pc2, NothingThatIsNotFiniteIsWritten) {
    const ScratchFolder folder;
    Pc2Writer writer = Pc2Writer::create(folder / "a.pc2", 2);
    writer.append(sample_frame(0));
    const std::string before = slurp(folder / "a.pc2");
    for (double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e39}) {
        Frame frame = sample_frame(1);
        frame[1].z = bad;
        expect_says(error_of<SimulationError>([&] { writer.append(frame); }),
                    {"a.pc2", "frame 1", "vertex 1"});
    }
    EXPECT_THROW(writer.append(sample_frame(1, 3)), std::logic_error);
    EXPECT_EQ(slurp(folder / "a.pc2"), before);
    writer.append(sample_frame(1));
    EXPECT_EQ(PointCacheReader(folder / "a.pc2").read_frame(1), sample_frame(1));
}

TEST(Pc2, FullDiskLeavesTheWholeFramesReadableAndCanGoOn) {
    const ScratchFolder folder;
    Pc2Writer writer = Pc2Writer::create(folder / "a.pc2", 2);
    writer.append(sample_frame(0));
    std::string message;
    {
        const FileSizeLimit limit(70);  // in the middle of the second frame
        message = error_of<SimulationError>([&] { writer.append(sample_frame(1)); });
    }
    expect_says(message, {"a.pc2", "File too large"});
    const PointCacheReader reader(folder / "a.pc2");
    EXPECT_EQ(reader.frame_count(), 1u);
    EXPECT_EQ(reader.read_frame(0), sample_frame(0));
    writer.append(sample_frame(1));
    EXPECT_EQ(PointCacheReader(folder / "a.pc2").read_frame(1), sample_frame(1));
}

TEST(Pc2, UnwritablePlaceIsAnInputError) {
    const ScratchFolder folder;
    spill(folder / "file", "x");
    expect_says(error_of<InputError>([&] { Pc2Writer::create(folder / "file" / "a.pc2", 2); }),
                {"file/a.pc2", "Not a directory"});
    EXPECT_THROW(Pc2Writer::create(folder / "a.pc2", 0), InputError);
    EXPECT_THROW(Pc2Writer::create(folder / "a.pc2", 1, 0, 0), InputError);
    EXPECT_THROW(Pc2Writer::create(folder / "a.pc2", 1, std::numeric_limits<double>::quiet_NaN()),
                 InputError);
}

TEST(Pc2, HeadersThatLieAreRefusedAtOnce) {
    const ScratchFolder folder;
    const auto path = folder / "a.pc2";
    const std::string two("\2\0\0\0", 4), one("\1\0\0\0", 4), zero("\0\0\0\0", 4),
        huge("\xff\xff\xff\x7f", 4), negative("\xff\xff\xff\xff", 4), frame(12, '\0');
    const auto begin = std::chrono::steady_clock::now();
    expect_says(refusal(path, pc2_bytes(one, two, frame)),
                {"a.pc2", "claims 2 frames of 1 points", "holds 1"});
    expect_says(refusal(path, pc2_bytes(huge, one, frame)), {"a.pc2", "2147483647 points", "holds 0"});
    expect_says(refusal(path, pc2_bytes(one, huge, frame)), {"a.pc2", "2147483647 frames"});
    expect_says(refusal(path, pc2_bytes(huge, huge, frame)), {"a.pc2", "2147483647 frames"});
    expect_says(refusal(path, pc2_bytes(negative, one, frame)), {"a.pc2", "-1 points"});
    expect_says(refusal(path, pc2_bytes(one, negative, frame)), {"a.pc2", "-1 frames"});
    expect_says(refusal(path, pc2_bytes(zero, one, frame)), {"a.pc2", "0 points"});
    expect_says(refusal(path, pc2_bytes(one, one, frame).substr(0, 31)), {"a.pc2", "cut at byte 31"});
    expect_says(refusal(path, ""), {"a.pc2", "is empty"});
    expect_says(refusal(path, "POINT"), {"a.pc2", "not a point cache"});
    std::string version = pc2_bytes(one, one, frame);
    version[12] = 2;
    expect_says(refusal(path, version), {"a.pc2", "version 2"});
    std::string rate = pc2_bytes(one, one, frame);
    rate[26] = rate[27] = '\xff';
    expect_says(refusal(path, rate), {"a.pc2", "sample rate"});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(Pc2, NanInAFrameIsRefusedWithItsPlace) {
    const ScratchFolder folder;
    const std::string two("\2\0\0\0", 4), one("\1\0\0\0", 4);
    spill(folder / "a.pc2",
          pc2_bytes(two, one, std::string(16, '\0') + std::string("\0\0\xC0\x7F\0\0\0\0", 8)));
    const PointCacheReader reader(folder / "a.pc2");
    expect_says(error_of<InputError>([&] { reader.read_frame(0); }), {"a.pc2", "frame 0", "vertex 1"});
}

// Two frames of one point at 0 and 0.5 s: (1.5, -2, 0) and (1, 256, -1).
const std::string kMddBytes(
    "\0\0\0\2\0\0\0\1"
    "\0\0\0\0\x3F\0\0\0"
    "\x3F\xC0\0\0\xC0\0\0\0\0\0\0\0"
    "\x3F\x80\0\0\x43\x80\0\0\xBF\x80\0\0",
    40);

TEST(Mdd, ReadsHandMadeBigEndianBytes) {
    const ScratchFolder folder;
    spill(folder / "a.MDD", kMddBytes);
    const PointCacheReader reader(folder / "a.MDD");
    EXPECT_EQ(reader.format(), PointCacheFormat::kMdd);
    EXPECT_EQ(reader.vertex_count(), 1u);
    EXPECT_EQ(reader.sample_times(), (std::vector<double>{0, 0.5}));
    EXPECT_EQ(reader.read_frame(0), (Frame{{1.5, -2, 0}}));
    EXPECT_EQ(reader.read_frame(1), (Frame{{1, 256, -1}}));
}

TEST(Mdd, WritesExactlyTheBytesOfTheFormat) {
    const ScratchFolder folder;
    write_mdd(folder / "a.mdd", std::vector<double>{0, 0.5},
              std::vector<Frame>{{{1.5, -2, 0}}, {{1, 256, -1}}});
    EXPECT_EQ(slurp(folder / "a.mdd"), kMddBytes);
}

TEST(Mdd, BadFrameLeavesTheOldFile) {
    const ScratchFolder folder;
    spill(folder / "a.mdd", kMddBytes);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> times{0, 1};
    expect_says(error_of<SimulationError>([&] {
                    write_mdd(folder / "a.mdd", times, std::vector<Frame>{{{0, 0, 0}}, {{0, nan, 0}}});
                }),
                {"a.mdd", "frame 1", "vertex 0"});
    EXPECT_THROW(write_mdd(folder / "a.mdd", times, std::vector<Frame>{{{0, 0, 0}}, {}}), std::logic_error);
    EXPECT_THROW(write_mdd(folder / "a.mdd", times, std::vector<Frame>{{{0, 0, 0}}}), std::logic_error);
    EXPECT_THROW(write_mdd(folder / "a.mdd", std::vector<double>{nan}, std::vector<Frame>{{{0, 0, 0}}}),
                 InputError);
    EXPECT_EQ(slurp(folder / "a.mdd"), kMddBytes);
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(Mdd, HeadersThatLieAreRefusedAtOnce) {
    const ScratchFolder folder;
    const auto path = folder / "a.mdd";
    const auto begin = std::chrono::steady_clock::now();
    const auto with_header = [](const char* header) { return std::string(header, 8) + kMddBytes.substr(8); };
    expect_says(refusal(path, with_header("\x7f\xff\xff\xff\0\0\0\1")),
                {"a.mdd", "2147483647 frames", "40 bytes"});
    expect_says(refusal(path, with_header("\0\0\0\2\x7f\xff\xff\xff")), {"a.mdd", "2147483647 points"});
    expect_says(refusal(path, with_header("\xff\xff\xff\xff\0\0\0\1")), {"a.mdd", "-1 frames"});
    expect_says(refusal(path, with_header("\0\0\0\2\xff\xff\xff\xff")), {"a.mdd", "-1 points"});
    expect_says(refusal(path, with_header("\0\0\0\1\0\0\0\1")), {"a.mdd", "1 frames of 1 points"});
    expect_says(refusal(path, kMddBytes.substr(0, 39)), {"a.mdd", "39 bytes"});
    expect_says(refusal(path, kMddBytes + "x"), {"a.mdd", "41 bytes"});
    expect_says(refusal(path, "\1\2\3"), {"a.mdd", "cut at byte 3"});
    std::string time = kMddBytes;
    time[12] = '\x7f';
    time[13] = '\xc0';
    expect_says(refusal(path, time), {"a.mdd", "time of frame 1"});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(PointCache, FileThatIsNoCacheIsRefused) {
    const ScratchFolder folder;
    expect_says(refusal(folder / "a.bin", kMddBytes), {"a.bin", "not a point cache", ".mdd"});
    expect_says(error_of<InputError>([&] { PointCacheReader reader(folder / "none.mdd"); }),
                {"no such file"});
}

}  // namespace
}  // namespace rumple
