// Sample points: every box gets its point, every pixel its own pattern.
#include <gtest/gtest.h>

#include <rumple_render/sampling.hpp>
#include <set>

namespace rumple {
namespace {

TEST(Sampling, EveryElementaryBoxHoldsOnePoint) {
    constexpr int kBits = 4, kCount = 1 << kBits;
    for (std::uint32_t pixel = 0; pixel < 50; ++pixel)
        for (int split = 0; split <= kBits; ++split) {  // boxes of 2^-split by 2^(split - bits)
            std::set<std::pair<int, int>> boxes;
            const PixelSampler sampler(pixel, kBits);
            for (std::uint32_t i = 0; i < kCount; ++i) {
                const Point2 p = sampler.at(i, 3);
                boxes.insert({int(p.x * float(1 << split)), int(p.y * float(1 << (kBits - split)))});
            }
            EXPECT_EQ(boxes.size(), std::size_t(kCount)) << pixel << " " << split;
        }
}

TEST(Sampling, OrdersAreBijections) {
    for (int bits = 0; bits <= 10; ++bits)
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            std::set<std::uint32_t> seen;
            for (std::uint32_t i = 0; i < (1u << bits); ++i) seen.insert(permuted(i, bits, seed));
            EXPECT_EQ(seen.size(), std::size_t(1) << bits);
            EXPECT_LT(*seen.rbegin(), 1u << bits);
        }
}

TEST(Sampling, CosineDirectionsHaveTheirMean) {
    const Vec3f n = normalized(Vec3f{0.3f, -0.5f, 0.8f});
    const ShadingFrame frame(n);
    Vec3f sum;
    const PixelSampler sampler(7, 10);
    for (std::uint32_t i = 0; i < 1024; ++i) {
        const Vec3f d = cosine_direction(frame, sampler.at(i, 0));
        EXPECT_NEAR(norm(d), 1, 1e-5);
        EXPECT_GE(dot(d, n), -1e-6);
        sum += (1.0f / 1024) * d;
    }
    EXPECT_NEAR(norm(sum - (2.0f / 3) * n), 0, 0.01);  // mean of a cosine lobe
}

}  // namespace
}  // namespace rumple
