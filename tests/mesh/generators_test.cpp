// Generated meshes have the counts, sizes, windings and shapes their header promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <rumple/mesh/validate.hpp>

namespace rumple {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr Layout kLayouts[] = {Layout::right, Layout::alternating, Layout::equilateral};

Vec3d corner(const TriMesh& m, std::size_t t, std::size_t k) {
    return m.positions[std::size_t(m.triangles[t][k % 3])];
}
Vec3d normal(const TriMesh& m, std::size_t t) {
    return cross(corner(m, t, 1) - corner(m, t, 0), corner(m, t, 2) - corner(m, t, 0));
}
double area(const TriMesh& m) {
    double sum = 0;
    for (std::size_t t = 0; t < m.triangles.size(); ++t) sum += 0.5 * norm(normal(m, t));
    return sum;
}
// V - E + F: 1 for a disc or rectangle, 0 for a tube
int euler(const TriMesh& m) {
    const int interior = int(find_hinges(m).size()), walks = 3 * int(m.triangles.size());
    return int(m.positions.size()) - (walks - interior) + int(m.triangles.size());
}
double smallest_angle(const TriMesh& m) {
    double least = kPi;
    for (std::size_t t = 0; t < m.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d a = corner(m, t, k + 1) - corner(m, t, k), b = corner(m, t, k + 2) - corner(m, t, k);
            least = std::min(least, std::atan2(norm(cross(a, b)), dot(a, b)));
        }
    return least;
}

TEST(Grid, HasTheExactAreaEulerNumberAndFront) {
    for (const Layout layout : kLayouts)
        for (const int nx : {2, 3, 6})
            for (const int ny : {2, 3, 4, 7}) {
                const TriMesh m = make_grid(nx, ny, 0.3, 0.2, layout);
                EXPECT_NEAR(area(m), 0.06, 1e-15);
                EXPECT_EQ(euler(m), 1);
                EXPECT_TRUE(validate_mesh(m, "grid").empty());
                for (std::size_t t = 0; t < m.triangles.size(); ++t) EXPECT_GT(normal(m, t).z, 0);
            }
}

TEST(Grid, CountsAndHingesAreThoseOfTheLayout) {
    for (const Layout layout : {Layout::right, Layout::alternating}) {
        const TriMesh m = make_grid(5, 4, 1, 1, layout);
        EXPECT_EQ(m.positions.size(), 20u);
        EXPECT_EQ(m.triangles.size(), 24u);
        EXPECT_EQ(find_hinges(m).size(), 12u + 4 * 2 + 3 * 3);  // diagonals, inner rows, inner columns
    }
    const TriMesh m = make_grid(5, 4, 1, 1, Layout::equilateral);
    EXPECT_EQ(m.positions.size(), 5u + 6 + 5 + 6);
    EXPECT_EQ(m.triangles.size(), 3u * 9);
    EXPECT_EQ(find_hinges(m).size(), 3u * 8 + 5 + 4);  // inside the strips, two inner rows
}

TEST(Grid, IsCentredWithUvsFromZeroAndWarpAlongX) {
    for (const Layout layout : kLayouts) {
        const TriMesh m = make_grid(4, 5, 0.3, 0.2, layout);
        EXPECT_EQ(m.positions.front(), (Vec3d{-0.15, -0.1, 0}));
        EXPECT_EQ(m.positions.back(), (Vec3d{0.15, 0.1, 0}));
        for (std::size_t v = 0; v < m.positions.size(); ++v) {
            EXPECT_DOUBLE_EQ(m.uvs[v].x, m.positions[v].x + 0.15);
            EXPECT_DOUBLE_EQ(m.uvs[v].y, m.positions[v].y + 0.1);
        }
    }
}

TEST(Grid, DiagonalsFollowTheLayout) {
    const auto has_edge = [](const TriMesh& m, int a, int b) {
        const auto hinges = find_hinges(m);
        return std::any_of(hinges.begin(), hinges.end(),
                           [&](const Hinge& h) { return std::minmax(h.x0, h.x1) == std::minmax(a, b); });
    };
    const TriMesh right = make_grid(3, 3, 1, 1, Layout::right);
    for (const int a : {0, 1, 3, 4}) EXPECT_TRUE(has_edge(right, a, a + 4));
    const TriMesh alternating = make_grid(3, 3, 1, 1, Layout::alternating);
    for (const int a : {0, 4}) EXPECT_TRUE(has_edge(alternating, a, a + 4));
    for (const int a : {1, 3}) EXPECT_TRUE(has_edge(alternating, a + 1, a + 3));
}

TEST(Grid, EquilateralTrianglesAreEquilateralWhereTheSizesFit) {
    const double edge = 0.01, row = edge * std::numbers::sqrt3 / 2;
    const TriMesh m = make_equilateral_grid(8 * edge, 6 * row, edge);
    EXPECT_EQ(m.positions.size(), std::size_t(4 * 9 + 3 * 10));
    int whole = 0, half = 0;
    for (std::size_t t = 0; t < m.triangles.size(); ++t) {
        const double a = 0.5 * norm(normal(m, t)), full = edge * row / 2;
        if (std::abs(a - full / 2) < 1e-12) {
            ++half;
            continue;
        }
        ++whole;
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(norm(corner(m, t, k + 1) - corner(m, t, k)), edge, 1e-15);
    }
    EXPECT_EQ(half, 2 * 6);
    EXPECT_EQ(whole, 6 * 15);
    EXPECT_EQ(equilateral_rows(9, 8 * edge, 6 * row), 7);
}

TEST(Tube, HasTheCountsAreaEulerNumberAndFront) {
    for (const Layout layout : kLayouts)
        for (const int around : {3, 8, 9}) {
            const int up = 5;
            const double r = 0.04, height = 0.11;
            const TriMesh m = make_tube(around, up, r, height, layout);
            EXPECT_EQ(m.positions.size(), std::size_t(around * up));
            EXPECT_EQ(m.uvs.size(), std::size_t((around + 1) * up));
            EXPECT_EQ(m.triangles.size(), std::size_t(2 * around * (up - 1)));
            EXPECT_EQ(euler(m), 0);
            EXPECT_TRUE(validate_mesh(m, "tube").empty());
            const double chord = 2 * r * std::sin(kPi / around), sagitta = r * (1 - std::cos(kPi / around));
            const double slant = layout == Layout::equilateral ? std::hypot(height / 4, sagitta) : height / 4;
            EXPECT_NEAR(area(m), around * chord * 4 * slant, 1e-15);
            for (std::size_t t = 0; t < m.triangles.size(); ++t) {
                const Vec3d c = (1.0 / 3) * (corner(m, t, 0) + corner(m, t, 1) + corner(m, t, 2));
                EXPECT_GT(dot(normal(m, t), Vec3d{c.x, c.y, 0}), 0);
            }
        }
}

TEST(Tube, IsTheReferenceMeshInTheRightLayout) {
    const TriMesh m = make_tube(64, 28, 0.04, 0.11, Layout::right);
    EXPECT_EQ(m.positions.size(), 1792u);
    EXPECT_EQ(m.positions[0], (Vec3d{0.04, 0, 0}));
    EXPECT_GT(m.positions[1].y, 0);  // counter-clockwise seen from above
    EXPECT_DOUBLE_EQ(m.positions[64 * 27].z, 0.11);
    // the first quad: (0,0) (1,0) (1,1) (0,1), cut from (0,0) to (1,1)
    EXPECT_EQ(m.triangles[0], (std::array{0, 1, 65}));
    EXPECT_EQ(m.triangles[1], (std::array{0, 65, 64}));
    // the last quad of the first row closes the tube in 3D and stays open in UV
    EXPECT_EQ(m.triangles[126], (std::array{63, 0, 64}));
    EXPECT_EQ(m.uv_triangles[126], (std::array{63, 64, 64 + 65}));
    EXPECT_DOUBLE_EQ(m.uvs[64].x, 64 * 2 * 0.04 * std::sin(kPi / 64));
    EXPECT_DOUBLE_EQ(m.uvs[65 * 27].y, 0.11);
}

TEST(Disc, EquilateralRingsHaveTheirCountsAndThePolygonsArea) {
    for (const int rings : {1, 2, 5, 12}) {
        const TriMesh m = make_disc(0.1, 0.1 / rings, Layout::equilateral);
        EXPECT_EQ(m.positions.size(), std::size_t(1 + 3 * rings * (rings + 1)));
        EXPECT_EQ(m.triangles.size(), std::size_t(6 * rings * rings));
        const int sides = 6 * rings;
        EXPECT_NEAR(area(m), 0.5 * 0.01 * sides * std::sin(2 * kPi / sides), 1e-15);
        EXPECT_GT(smallest_angle(m), 43 * kPi / 180);
    }
}

TEST(Disc, IsRoundAndFrontsUpwardsInEveryLayout) {
    for (const Layout layout : kLayouts)
        for (const double edge : {0.5, 0.05, 0.013}) {
            const TriMesh m = make_disc(0.1, edge, layout);
            EXPECT_EQ(euler(m), 1);
            EXPECT_TRUE(validate_mesh(m, "disc").empty());
            double rim = 0;
            for (const Vec3d& x : m.positions) rim = std::max(rim, norm(x));
            EXPECT_NEAR(rim, 0.1, 1e-15);
            for (std::size_t t = 0; t < m.triangles.size(); ++t) EXPECT_GT(normal(m, t).z, 0);
        }
}

TEST(Disc, IsNearlyUniformInEveryLayout) {
    for (const Layout layout : kLayouts)
        for (const double edge : {0.02, 0.013, 0.006}) {
            const TriMesh m = make_disc(0.1, edge, layout);
            EXPECT_GT(smallest_angle(m), 23 * kPi / 180);
            double sum = 0, least_area = 1, most_area = 0;
            for (std::size_t t = 0; t < m.triangles.size(); ++t) {
                least_area = std::min(least_area, norm(normal(m, t)));
                most_area = std::max(most_area, norm(normal(m, t)));
                for (std::size_t k = 0; k < 3; ++k) {
                    const double length = norm(corner(m, t, k + 1) - corner(m, t, k));
                    EXPECT_GT(length, edge / 1.6);
                    EXPECT_LT(length, edge * 1.6);
                    sum += length;
                }
            }
            EXPECT_LT(most_area / least_area, 2.6);
            EXPECT_NEAR(sum / (3 * double(m.triangles.size())), edge, 0.12 * edge);
        }
}

TEST(Generators, RejectSizesThatMakeNoMesh) {
    EXPECT_THROW(make_grid(1, 5, 1, 1, Layout::right), InputError);
    EXPECT_THROW(make_grid(5, 1, 1, 1, Layout::equilateral), InputError);
    EXPECT_THROW(make_grid(5, 5, 0, 1, Layout::right), InputError);
    EXPECT_THROW(make_grid(5, 5, 1, std::nan(""), Layout::right), InputError);
    EXPECT_THROW(make_tube(2, 5, 1, 1, Layout::right), InputError);
    EXPECT_THROW(make_tube(8, 1, 1, 1, Layout::right), InputError);
    EXPECT_THROW(make_tube(8, 5, -1, 1, Layout::right), InputError);
    EXPECT_THROW(make_disc(1, 0, Layout::right), InputError);
    EXPECT_THROW(make_equilateral_grid(1, 1, 0), InputError);
}

}  // namespace
}  // namespace rumple
