#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <rumple/contact/impact_zones.hpp>
#include <rumple/core/split_mix.hpp>

namespace rumple::contact {
namespace {

struct Cloud {
    std::vector<Vec3d> x0, x1;
    std::vector<double> inverse_mass;

    explicit Cloud(int vertices) {
        SplitMix64 random(7);
        const auto number = [&] { return random.uniform() - 0.5; };
        for (int v = 0; v < vertices; ++v) {
            x0.push_back({number(), number(), number()});
            x1.push_back(x0.back() + 0.05 * Vec3d{number(), number(), number()});
            inverse_mass.push_back(1 + random.uniform());
        }
    }
    Vec3d momentum(std::span<const int> vertices) const {
        Vec3d sum;
        for (const int v : vertices) {
            const auto i = static_cast<std::size_t>(v);
            sum += (1 / inverse_mass[i]) * (x1[i] - x0[i]);
        }
        return sum;
    }
};

TEST(ImpactZones, KeepMomentumAndDistances) {
    Cloud cloud(8);
    const std::array<int, 4> first{0, 1, 2, 3}, second{3, 4, 5, 6};
    const std::array<int, 7> all{0, 1, 2, 3, 4, 5, 6};
    const Vec3d momentum = cloud.momentum(all), outside = cloud.x1[7];
    ImpactZones zones(8);
    zones.join(first);
    zones.join(second);
    zones.move(cloud.x0, cloud.x1, cloud.inverse_mass);
    EXPECT_TRUE(std::ranges::equal(zones.changed(), all));
    EXPECT_LT(norm(cloud.momentum(all) - momentum), 1e-15);
    EXPECT_EQ(cloud.x1[7], outside);
    for (std::size_t i = 0; i < 7; ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_NEAR(norm(cloud.x1[i] - cloud.x1[j]), norm(cloud.x0[i] - cloud.x0[j]), 1e-14);
}

// A body that turns as a whole is left as it is, up to what the turn differs from its linearisation.
TEST(ImpactZones, FollowATurn) {
    Cloud cloud(4);
    const Vec3d w{0.001, -0.002, 0.0015};
    Vec3d centre;
    double mass = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        centre += (1 / cloud.inverse_mass[i]) * cloud.x0[i];
        mass += 1 / cloud.inverse_mass[i];
    }
    centre *= 1 / mass;
    for (std::size_t i = 0; i < 4; ++i) cloud.x1[i] = cloud.x0[i] + cross(w, cloud.x0[i] - centre);
    const std::vector<Vec3d> linear = cloud.x1;
    ImpactZones zones(4);
    zones.join(std::array<int, 4>{0, 1, 2, 3});
    zones.move(cloud.x0, cloud.x1, cloud.inverse_mass);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(norm(cloud.x1[i] - linear[i]), dot(w, w));
}

TEST(ImpactZones, OfEarlierRoundsStayTogetherWhenTheyAreJoined) {
    Cloud cloud(6);
    ImpactZones zones(6);
    zones.join(std::array<int, 2>{4, 5});
    zones.join(std::array<int, 2>{0, 1});
    zones.move(cloud.x0, cloud.x1, cloud.inverse_mass);
    zones.join(std::array<int, 2>{1, 2});
    zones.move(cloud.x0, cloud.x1, cloud.inverse_mass);
    EXPECT_TRUE(std::ranges::equal(zones.changed(), std::array<int, 3>{0, 1, 2}));
    zones.clear();
    zones.join(std::array<int, 2>{2, 3});
    zones.move(cloud.x0, cloud.x1, cloud.inverse_mass);
    EXPECT_TRUE(std::ranges::equal(zones.changed(), std::array<int, 2>{2, 3}));
}

}  // namespace
}  // namespace rumple::contact
