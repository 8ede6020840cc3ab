// Solids by rule are closed, face outwards and measure what they should.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/mesh/solids.hpp>
#include <rumple/mesh/validate.hpp>

namespace rumple {
namespace {

constexpr double kPi = std::numbers::pi;

double volume(const TriMesh& mesh) {
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        sum += dot(mesh.positions[std::size_t(a)],
                   cross(mesh.positions[std::size_t(b)], mesh.positions[std::size_t(c)])) /
               6;
    return sum;
}

void expect_closed(const TriMesh& mesh) {
    EXPECT_TRUE(validate_mesh(mesh, "solid").empty());  // no loose vertices, one piece, neighbours agree
    std::map<std::pair<int, int>, int> walks;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) ++walks[{t[k], t[(k + 1) % 3]}];
    for (const auto& [edge, count] : walks) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(walks.contains({edge.second, edge.first}));
    }
}

TEST(Solids, BoxIsClosedAndHasItsVolume) {
    const TriMesh box = make_box({0.1, 0.2, 0.3});
    expect_closed(box);
    EXPECT_EQ(box.triangles.size(), 12u);
    EXPECT_NEAR(volume(box), 0.006, 1e-15);
}

TEST(Solids, SphereIsClosedRoundAndEven) {
    const TriMesh sphere = make_sphere(0.1, 0.0125);
    expect_closed(sphere);
    for (const Vec3d& x : sphere.positions) EXPECT_NEAR(norm(x), 0.1, 1e-12);
    EXPECT_NEAR(volume(sphere), 4.0 / 3 * kPi * 1e-3, 0.01 * 4.0 / 3 * kPi * 1e-3);
    EXPECT_LT(sphere.positions.size(), 1000u);
    for (const auto& t : sphere.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const double edge =
                norm(sphere.positions[std::size_t(t[k])] - sphere.positions[std::size_t(t[(k + 1) % 3])]);
            EXPECT_LT(edge, 0.015);
            EXPECT_GT(edge, 0.007);
        }
}

TEST(Solids, RoundOnesAreClosedAndHaveTheirVolume) {
    const TriMesh cylinder = make_cylinder(0.05, 0.4, 0.005), capsule = make_capsule(0.05, 0.2, 0.005);
    const TriMesh pot = make_container(0.1, 0.3, 0.005, 0.01);
    for (const TriMesh* mesh : {&cylinder, &capsule, &pot}) expect_closed(*mesh);
    const auto expect_volume = [](const TriMesh& mesh, double exact) {
        EXPECT_NEAR(volume(mesh), exact, 0.01 * exact);
    };
    expect_volume(cylinder, kPi * 0.05 * 0.05 * 0.4);
    expect_volume(capsule, kPi * 0.05 * 0.05 * (0.2 + 4.0 / 3 * 0.05));
    expect_volume(pot, kPi * (0.105 * 0.105 * 0.305 - 0.1 * 0.1 * 0.3));
}

TEST(Solids, InsideOfAPotIsFree) {
    const TriMesh pot = make_container(0.1, 0.3, 0.005, 0.01);
    for (const Vec3d& x : pot.positions) {
        const double r = std::hypot(x.x, x.y);
        EXPECT_TRUE(x.z <= 0 || r > 0.1 - 1e-12) << x.z << " " << r;
    }
    EXPECT_THROW(make_container(0.1, 0.3, 0, 0.01), InputError);
    EXPECT_THROW(make_sphere(-1, 0.1), InputError);
    EXPECT_THROW(make_box({0.1, 0, 0.1}), InputError);
}

TEST(ValidateObstacle, TellsOfOddSurfacesAndRefusesOnlyWhatCannotBeTouched) {
    TriMesh fan = make_box({1, 1, 1});
    EXPECT_TRUE(validate_obstacle(fan, "fan").empty());
    fan.positions.push_back({3, 3, 3});
    fan.triangles.push_back({0, 2, 8});  // a third triangle at an edge
    EXPECT_EQ(validate_obstacle(fan, "fan").size(), 1u);
    EXPECT_THROW(validate_mesh(fan, "fan"), InputError);
    fan.triangles.push_back({0, 0, 1});
    EXPECT_THROW(validate_obstacle(fan, "fan"), InputError);
}

}  // namespace
}  // namespace rumple
