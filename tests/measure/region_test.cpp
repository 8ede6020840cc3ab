// Measures of a part of a cloth.
#include <gtest/gtest.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/measure/region.hpp>
#include <rumple/mesh/generators.hpp>

namespace rumple {
namespace {

// A sheet that is flat for x < 0 and rolled up with radius r for x > 0.
struct HalfRolled {
    static constexpr double kRadius = 0.05;
    TriMesh mesh = make_grid(61, 21, 0.12, 0.04, Layout::right);
    RestShape rest = make_rest_shape(mesh, {RestSource::uv}, "sheet");
    std::vector<double> flat = std::vector<double>(rest.hinges.size(), 0.0);
    std::vector<int> left, right, all;
    HalfRolled() {
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            Vec3d& x = mesh.positions[v];
            (x.x < -1e-9 ? left : right).push_back(int(v));
            all.push_back(int(v));
            if (x.x > 0)
                x = {kRadius * std::sin(x.x / kRadius), x.y, kRadius * (1 - std::cos(x.x / kRadius))};
        }
    }
    RegionMeasures of(const std::vector<int>& region) const {
        return measure_region(rest, mesh.triangles, mesh.positions, flat, region);
    }
};

TEST(Region, TheWholeClothIsMeasuredAsTheCloth) {
    const HalfRolled sheet;
    const WrinkleMeasures whole =
        measure_wrinkles(sheet.rest, sheet.mesh.triangles, sheet.mesh.positions, sheet.flat);
    const RegionMeasures region = sheet.of(sheet.all);
    EXPECT_NEAR(region.bending_content, whole.bending_content, 1e-9 * whole.bending_content);
    EXPECT_NEAR(region.angle_change_rms, whole.angle_change_rms, 1e-12);
    EXPECT_NEAR(region.area, 0.12 * 0.04, 1e-12);
}

TEST(Region, WrinklesBelongToWhereTheyAre) {
    const HalfRolled sheet;
    EXPECT_NEAR(sheet.of(sheet.left).bending_content, 0, 1e-12);
    const double exact = 1 / (HalfRolled::kRadius * HalfRolled::kRadius);
    EXPECT_NEAR(sheet.of(sheet.right).bending_content / sheet.of(sheet.all).bending_content, 2, 0.1);
    EXPECT_GT(sheet.of(sheet.right).bending_content, 0.8 * exact);
}

TEST(Region, WithoutAHingeIsZero) {
    const HalfRolled sheet;
    EXPECT_EQ(sheet.of({0}).bending_content, 0);
    EXPECT_EQ(sheet.of({}).area, 0);
}

TEST(Region, OfAnotherMeshIsRefused) {
    const HalfRolled sheet;
    const std::span<const Vec3d> x = sheet.mesh.positions;
    const RestShape& rest = sheet.rest;
    const std::vector<double>& flat = sheet.flat;
    const std::vector<double> short_list(flat.size() - 1);
    const std::vector<int> beyond{static_cast<int>(x.size())};
    const auto& triangles = sheet.mesh.triangles;
    EXPECT_THROW(measure_region(rest, triangles, x.first(x.size() - 1), flat, sheet.all), InputError);
    EXPECT_THROW(measure_region(rest, triangles, x, short_list, sheet.all), InputError);
    EXPECT_THROW(measure_region(rest, triangles, x, flat, beyond), InputError);
    EXPECT_THROW(measure_region(rest, triangles, x, flat, sheet.all, short_list), InputError);
}

}  // namespace
}  // namespace rumple
