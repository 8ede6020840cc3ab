// What is left of a pose is told apart from folds that have nothing to do with it.
#include <gtest/gtest.h>

#include <cmath>
#include <experiments/pose_memory.hpp>
#include <numeric>
#include <rumple/mesh/generators.hpp>

namespace rumple {
namespace {

struct Sheet {
    TriMesh mesh = make_equilateral_grid(0.2, 0.2, 0.01);
    RestShape rest = make_rest_shape(mesh, {}, "sheet");
    std::vector<int> all = [this] {
        std::vector<int> v(mesh.positions.size());
        std::iota(v.begin(), v.end(), 0);
        return v;
    }();

    std::vector<double> none() const { return std::vector<double>(rest.hinges.size(), 0); }
    // A pattern of signs without rule; two seeds have nothing to do with each other.
    std::vector<double> folds(unsigned seed, double size) const {
        std::vector<double> angle = none();
        for (double& a : angle) {
            seed = seed * 1664525u + 1013904223u;
            a = (seed >> 31) != 0 ? size : -size;
        }
        return angle;
    }
    PoseMemory of(const PoseAngles& a) const { return pose_memory(rest, mesh.triangles, a, all); }
};

TEST(PoseMemory, ShareOfThePoseIsFound) {
    const Sheet sheet;
    const std::vector<double> pose = sheet.folds(1, 0.8);
    std::vector<double> after = pose;
    for (double& a : after) a *= 0.25;
    const PoseMemory m = sheet.of({sheet.none(), pose, sheet.none(), after});
    EXPECT_NEAR(m.share, 0.25, 1e-12);
    EXPECT_NEAR(m.left, 0.0625 * m.pose, 1e-12 * m.pose);
    EXPECT_NEAR(m.change, m.left, 1e-12 * m.pose);
}

TEST(PoseMemory, FoldsThatWereNotInThePoseDoNotCount) {
    const Sheet sheet;
    const std::vector<double> pose = sheet.folds(1, 0.8), drape = sheet.folds(2, 0.8);
    const PoseMemory m = sheet.of({sheet.none(), pose, sheet.none(), drape});
    EXPECT_NEAR(m.change, m.pose, 1e-12 * m.pose);
    EXPECT_LT(std::abs(m.share), 0.1);
    EXPECT_LT(m.left, 0.01 * m.change);
}

TEST(PoseMemory, ABendTheOtherWayIsNoMemory) {
    const Sheet sheet;
    const std::vector<double> pose = sheet.folds(1, 0.8);
    std::vector<double> after = pose;
    for (double& a : after) a = -a;
    const PoseMemory m = sheet.of({sheet.none(), pose, sheet.none(), after});
    EXPECT_NEAR(m.share, -1, 1e-12);
    EXPECT_EQ(m.left, 0);
}

TEST(PoseMemory, AnEmptyRegionHasNone) {
    const Sheet sheet;
    const std::vector<double> pose = sheet.folds(1, 0.8);
    const PoseMemory m =
        pose_memory(sheet.rest, sheet.mesh.triangles, {sheet.none(), pose, sheet.none(), pose}, {});
    EXPECT_EQ(m.share, 0);
    EXPECT_EQ(m.pose, 0);
}

}  // namespace
}  // namespace rumple
