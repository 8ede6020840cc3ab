// Loop subdivision against what is known exactly.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <rumple/mesh/generators.hpp>
#include <rumple_render/hem_distance.hpp>
#include <rumple_render/subdivision.hpp>

namespace rumple {
namespace {

TEST(Subdivision, CountsAreExact) {
    const TriMesh grid = make_grid(5, 4, 1, 1, Layout::alternating);  // 20 vertices, 24 triangles, 43 edges
    const SmoothMesh one = smooth_mesh(grid.positions, grid.triangles, grid.positions, {1, 180});
    EXPECT_EQ(one.triangles.size(), 4 * grid.triangles.size());
    EXPECT_EQ(one.levels[0].edges.size(), 43u);
    EXPECT_EQ(one.positions.size(), 20u + 43u);
    const SmoothMesh two = smooth_mesh(grid.positions, grid.triangles, grid.positions, {2, 180});
    EXPECT_EQ(two.triangles.size(), 16 * grid.triangles.size());
    // Euler: V - E + F = 1 for a disc; each level E' = 2E + 3F.
    EXPECT_EQ(two.positions.size(), 63u + 2 * 43 + 3 * 24);
    const SmoothMesh none = smooth_mesh(grid.positions, grid.triangles, grid.positions, {0, 180});
    EXPECT_EQ(none.positions.size(), grid.positions.size());
    EXPECT_EQ(none.triangles, grid.triangles);
}

TEST(Subdivision, APlaneStaysThatPlaneAndKeepsItsAreaAndCorners) {
    TriMesh grid = make_grid(6, 6, 1, 1, Layout::right);
    for (Vec3d& p : grid.positions) p.z = 0.25 * p.x - 0.5 * p.y + 2;
    const SmoothMesh fine = smooth_mesh(grid.positions, grid.triangles, grid.positions, {2, 180});
    double area = 0;
    for (const auto& [a, b, c] : fine.triangles) {
        const Vec3d x = fine.positions[std::size_t(a)];
        const Vec3d n = cross(fine.positions[std::size_t(b)] - x, fine.positions[std::size_t(c)] - x);
        EXPECT_GT(n.z, 0);  // no triangle turned over
        area += norm(n) / 2;
    }
    for (const Vec3d& p : fine.positions) EXPECT_NEAR(p.z, 0.25 * p.x - 0.5 * p.y + 2, 1e-12);
    EXPECT_NEAR(area, std::sqrt(1 + 0.0625 + 0.25), 1e-12);
}

// In the regular interior (valence 6) Loop's surface is the box spline of three directions, which reproduces
// linear functions: vertices and midpoints of an even grid stay in place.
TEST(Subdivision, TheInteriorOfARegularPatchStaysInPlace) {
    const TriMesh grid = make_grid(9, 9, 1, 1, Layout::right);
    const SmoothMesh fine = smooth_mesh(grid.positions, grid.triangles, grid.positions, {1, 180});
    for (const int v : {4 * 9 + 4, 3 * 9 + 5}) {
        const Vec3d d = fine.positions[std::size_t(v)] - grid.positions[std::size_t(v)];
        EXPECT_LT(norm(d), 1e-12);
    }
}

// Loop's masks on a quadratic function over a regular patch: the limit of z = x^2 on a grid with spacing h is
// x^2 + h^2 / 6 times the mean of cos^2 over the six neighbours' distances, by hand: sum over neighbours of
// (x^2) is 6 x^2 + 4 h^2 here (neighbours at +-h twice, 0 once each way), and the limit weight is 1/12.
TEST(Subdivision, LimitMaskOnAQuadraticIsExact) {
    TriMesh grid = make_grid(9, 9, 1, 1, Layout::right);
    const double h = 0.125;
    for (Vec3d& p : grid.positions) p.z = p.x * p.x;
    const LoopLevel level = loop_level(grid.triangles, 81, nullptr);
    const std::vector<char> corner = corners_of(level, grid.positions);
    const std::vector<Vec3d> limit = loop_limit(level, grid.positions, corner);
    const Vec3d p = grid.positions[4 * 9 + 5];
    EXPECT_NEAR(limit[4 * 9 + 5].z, p.z + 4 * h * h / 12, 1e-12);
    // The limit is the same before and after a level.
    const std::vector<Vec3d> once = loop_positions(level, grid.positions, corner);
    const LoopLevel next = loop_level(level.triangles, int(once.size()), &level);
    const std::vector<Vec3d> later = loop_limit(next, once, corner);
    for (std::size_t v = 0; v < limit.size(); ++v) EXPECT_LT(norm(limit[v] - later[v]), 1e-12) << v;
}

// What the filter keeps of a wave along a regular mesh, against the formula.
TEST(Subdivision, FilterKeepsLongWavesAndTakesTheShortestAway) {
    constexpr int kSide = 25;
    constexpr std::array kPasses{0.5, -0.53};
    for (const Layout layout : {Layout::right, Layout::alternating})
        for (const double period : {2.0, 3.0, 6.0, 24.0}) {
            TriMesh grid = make_grid(kSide, kSide, 1, 1, layout);
            const LoopLevel level = loop_level(grid.triangles, kSide * kSide, nullptr);
            const std::vector<char> corner = corners_of(level, grid.positions);
            const std::vector<double> weights = edge_weights(level, grid.triangles, grid.positions);
            const double w = 2 * std::numbers::pi / period;
            for (int v = 0; v < kSide * kSide; ++v)
                grid.positions[std::size_t(v)].z = std::cos(w * (v % kSide));
            const std::vector<Vec3d> out = without_steps(level, grid.positions, weights, corner, kPasses);
            const double k = (1 - std::cos(w)) / 2;  // two of four neighbours lie one step along the wave
            for (const std::size_t v : {kSide * (kSide / 2) + 12, kSide * (kSide / 2) + 13})
                EXPECT_NEAR(out[v].z, (1 - 0.5 * k) * (1 + 0.53 * k) * grid.positions[v].z, 1e-12) << period;
            EXPECT_EQ(out[5].z, grid.positions[5].z);  // at the border
        }
}

// A sharp fold askew to a grid: found along its crest, and only there it is filtered.
TEST(Subdivision, SharpCreasesAreFiltered) {
    constexpr int kSide = 41;
    TriMesh sheet = make_grid(kSide, kSide, 1, 1, Layout::right);
    const std::vector<Vec3d> rest = sheet.positions;
    const Vec3d across = normalized(Vec3d{1, 0.37, 0});
    for (Vec3d& p : sheet.positions) p.z = 0.8 * std::abs(dot(p, across));
    const LoopLevel level = loop_level(sheet.triangles, kSide * kSide, nullptr);
    const std::vector<double> share = creased(level, sheet.triangles, sheet.positions, {20, 50});
    for (std::size_t v = 0; v < rest.size(); ++v) {
        const double away = std::abs(dot(rest[v], across));
        if (away < 0.005) {
            EXPECT_GT(share[v], 0.5) << v;
        }
        if (away > 0.08) {
            EXPECT_EQ(share[v], 0) << v;
        }
    }
    const auto kept = smooth_mesh(sheet.positions, sheet.triangles, rest, {0, 180, false}).positions;
    const auto harder = smooth_mesh(sheet.positions, sheet.triangles, rest, {0, 180, true}).positions;
    double most = 0;
    for (std::size_t v = 0; v < rest.size(); ++v) {
        most = std::max(most, std::abs(harder[v].z - kept[v].z));
        if (std::abs(dot(rest[v], across)) > 0.25) {
            EXPECT_NEAR(harder[v].z, kept[v].z, 2e-4) << v;
        }
    }
    EXPECT_GT(most, 1e-3);
}

// A fold askew to a grid, whose heights step up and down every five vertices along it: averaged along it
// alone, most of the steps go, and the fold loses little of its height.
TEST(Subdivision, StepsAlongACreaseGoAndTheCreaseStays) {
    constexpr int kSide = 61;
    constexpr double kEdge = 1.0 / (kSide - 1), kStep = 0.3 * kEdge;
    TriMesh sheet = make_grid(kSide, kSide, 1, 1, Layout::right);
    const Vec3d along = normalized(Vec3d{1, 0.25, 0}), across{-along.y, along.x, 0};
    const auto step = [&](Vec3d p) { return std::sin(2 * std::numbers::pi * dot(p, along) / (5 * kEdge)); };
    const auto fold = [&](Vec3d p) { return -1.2 * std::abs(dot(p, across)); };
    for (Vec3d& p : sheet.positions)
        p.z = fold(p) + (std::abs(dot(p, across)) < 2 * kEdge ? kStep * step(p) : 0);
    const LoopLevel level = loop_level(sheet.triangles, kSide * kSide, nullptr);
    const std::vector<char> corner = corners_of(level, sheet.positions);
    const std::vector<double> share = creased(level, sheet.triangles, sheet.positions, {18, 45});
    const auto out = along_creases(level, sheet.triangles, sheet.positions, corner, share);
    double steps = 0, squares = 0, lost = 0;
    int count = 0;
    for (const Vec3d p : out) {
        if (std::abs(dot(p, across)) > kEdge || std::abs(dot(p, along)) > 0.3) continue;
        steps += (p.z - fold(p)) * step(p);
        squares += step(p) * step(p);
        lost += fold(p) - p.z;
        ++count;
    }
    ASSERT_GT(count, 30);
    EXPECT_LT(std::abs(steps / squares), 0.4 * kStep);
    EXPECT_LT(std::abs(lost / count), 0.25 * kEdge);
}

// A border depends on nothing but itself: the cubic B-spline of its vertices, so that hems stay where they
// are.
TEST(Subdivision, ABorderFollowsItsBSplineWhateverTheInteriorDoes) {
    TriMesh tube = make_tube(24, 5, 0.1, 0.2, Layout::right);
    const LoopLevel level = loop_level(tube.triangles, int(tube.positions.size()), nullptr);
    const std::vector<char> corner = corners_of(level, tube.positions);
    const std::vector<Vec3d> a = loop_positions(level, tube.positions, corner);
    std::vector<char> border(tube.positions.size());
    for (const LoopEdge& e : level.edges)
        if (e.sharp) border[std::size_t(e.a)] = border[std::size_t(e.b)] = 1;
    std::vector<Vec3d> moved = tube.positions;
    for (std::size_t v = 0; v < moved.size(); ++v)
        if (!border[v]) moved[v] += Vec3d{0.01, -0.02, 0.03};
    const std::vector<Vec3d> b = loop_positions(level, moved, corner);
    int checked = 0;
    for (std::size_t v = 0; v < border.size(); ++v)
        if (border[v]) {
            EXPECT_EQ(a[v], b[v]);
            ++checked;
        }
    EXPECT_EQ(checked, 48);
    const double turn = 2 * std::numbers::pi / 24;  // 3/4 + 1/4 cos on a regular polygon
    for (std::size_t v = 0; v < border.size(); ++v)
        if (border[v]) {
            EXPECT_NEAR(std::hypot(a[v].x, a[v].y), 0.1 * (0.75 + 0.25 * std::cos(turn)), 1e-9);
        }
}

TEST(Subdivision, CornersOfASheetAndEdgesOfABoxStay) {
    const TriMesh sheet = make_grid(4, 4, 1, 1, Layout::alternating);
    const SmoothMesh fine = smooth_mesh(sheet.positions, sheet.triangles, sheet.positions, {2, 180});
    for (const int v : {0, 3, 12, 15})
        EXPECT_EQ(fine.positions[std::size_t(v)], sheet.positions[std::size_t(v)]) << v;
    // A cube of eight vertices: every edge is a crease, every vertex a corner.
    const std::vector<Vec3d> x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                               {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    const Triangles t{{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                      {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    const SmoothMesh box = smooth_mesh(x, t, x, {2, 45});
    for (const Vec3d& p : box.positions) {
        const double off = std::min({p.x, p.y, p.z, 1 - p.x, 1 - p.y, 1 - p.z});
        EXPECT_NEAR(off, 0, 1e-12);
    }
    for (std::size_t v = 0; v < 8; ++v) EXPECT_EQ(box.positions[v], x[v]);
}

// The smooth surface passes much closer to the vertices than Loop's own would.
TEST(Subdivision, CurvedClothDoesNotShrink) {
    const TriMesh tube = make_tube(24, 9, 0.1, 0.2, Layout::right);
    const SmoothMesh fine = smooth_mesh(tube.positions, tube.triangles, tube.positions, {2, 180});
    double worst = 0;
    for (const Vec3d& p : fine.positions) worst = std::max(worst, std::abs(std::hypot(p.x, p.y) - 0.1));
    EXPECT_LT(worst, 0.0004);  // a facet's middle is 0.0009 inside
}

TEST(Subdivision, EdgesOfThreeTrianglesAreCreases) {
    const std::vector<Vec3d> x{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
    const Triangles t{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
    const SmoothMesh fine = smooth_mesh(x, t, x, {2, 180});
    EXPECT_EQ(fine.triangles.size(), 48u);
    for (const Vec3d& p : fine.positions) EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
}

TEST(Subdivision, ValuesAndCornersFollow) {
    const TriMesh grid = make_grid(3, 3, 1, 1, Layout::right);
    const SmoothMesh fine = smooth_mesh(grid.positions, grid.triangles, grid.positions, {1, 180});
    std::vector<float> x;
    std::vector<std::array<float, 3>> corners;
    for (const Vec3d& p : grid.positions) x.push_back(float(p.x));
    for (const auto& [a, b, c] : grid.triangles)
        corners.push_back({x[std::size_t(a)], x[std::size_t(b)], x[std::size_t(c)]});
    append_midpoints(fine.levels[0], x);
    corners = split_corners(corners);
    ASSERT_EQ(x.size(), fine.positions.size());
    for (std::size_t t = 0; t < corners.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_FLOAT_EQ(corners[t][i], x[std::size_t(fine.triangles[t][i])]);
}

TEST(Hem, DistancesFromTheBorderAreExact) {
    const TriMesh sheet = make_grid(11, 11, 1, 1, Layout::alternating);
    const std::vector<float> d = border_distances(sheet.positions, sheet.triangles, 0.25);
    Vec3d low = sheet.positions[0];
    for (const Vec3d& p : sheet.positions) low = {std::min(low.x, p.x), std::min(low.y, p.y), 0};
    for (std::size_t v = 0; v < d.size(); ++v) {
        const Vec3d p = sheet.positions[v] - low;
        const double expected = std::min({p.x, p.y, 1 - p.x, 1 - p.y, 0.25});
        EXPECT_NEAR(d[v], expected, 1e-6) << v;
    }
}

}  // namespace
}  // namespace rumple
