// The rest shape: gradients that see no strain in the rest pose, hinges with exact lengths, heights and
// angles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/core/error.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/rest_shape.hpp>

namespace rumple {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr Layout kLayouts[] = {Layout::right, Layout::alternating, Layout::equilateral};

struct Columns {
    Vec3d u, v;  // images of the material axes: F = [u v]
};

Columns deformation(const RestShape& rest, const TriMesh& m, std::size_t t) {
    Columns f;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d x = m.positions[std::size_t(m.triangles[t][i])];
        f.u += rest.gradient[t][i].x * x;
        f.v += rest.gradient[t][i].y * x;
    }
    return f;
}

void expect_isometry(const RestShape& rest, const TriMesh& m, double tolerance = 1e-11) {
    ASSERT_EQ(rest.area.size(), m.triangles.size());
    ASSERT_EQ(rest.gradient.size(), m.triangles.size());
    for (std::size_t t = 0; t < m.triangles.size(); ++t) {
        const Columns f = deformation(rest, m, t);
        EXPECT_NEAR(dot(f.u, f.u), 1, tolerance);
        EXPECT_NEAR(dot(f.v, f.v), 1, tolerance);
        EXPECT_NEAR(dot(f.u, f.v), 0, tolerance);
    }
}

std::vector<TriMesh> flat_and_rolled_meshes() {
    std::vector<TriMesh> meshes;
    for (const Layout layout : kLayouts) {
        meshes.push_back(make_grid(7, 6, 0.3, 0.2, layout));
        meshes.push_back(make_tube(9, 5, 0.04, 0.11, layout));
        meshes.push_back(make_disc(0.1, 0.02, layout));
    }
    return meshes;
}

std::string message_of(const TriMesh& m, const RestOptions& options) {
    try {
        make_rest_shape(m, options, "shirt");
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

::testing::AssertionResult says(const std::string& text, const std::vector<std::string>& parts) {
    for (const auto& part : parts)
        if (text.find(part) == std::string::npos)
            return ::testing::AssertionFailure() << "\"" << text << "\" lacks \"" << part << "\"";
    return ::testing::AssertionSuccess();
}

TriMesh two_triangles() {
    TriMesh m;
    m.positions = {{0, 0, 0}, {1, 0, 0}, {0.25, 1, 0}, {0.5, -2, 0}};
    m.triangles = {{0, 1, 2}, {1, 0, 3}};
    return m;
}

TEST(RestShape, RestPoseHasNoStrainForEveryLayoutAndSource) {
    for (const TriMesh& m : flat_and_rolled_meshes()) {
        for (const RestSource source : {RestSource::automatic, RestSource::uv, RestSource::mesh})
            for (const Vec3d warp : {Vec3d{0, 0, 1}, Vec3d{1, 2, 0.3}})
                expect_isometry(make_rest_shape(m, {source, RestAngles::automatic, warp}, "m"), m);
        EXPECT_TRUE(make_rest_shape(m, {}, "m").warnings.empty());
    }
}

TEST(RestShape, FlatGridMapsMaterialAxesOntoXAndY) {
    for (const Layout layout : kLayouts) {
        const TriMesh m = make_grid(4, 5, 0.3, 0.2, layout);
        for (const auto source : {RestSource::uv, RestSource::mesh}) {
            const RestShape rest = make_rest_shape(m, {source, RestAngles::automatic, {3, 0, 0}}, "m");
            EXPECT_NEAR(std::accumulate(rest.area.begin(), rest.area.end(), 0.0), 0.06, 1e-15);
            for (std::size_t t = 0; t < m.triangles.size(); ++t) {
                const Columns f = deformation(rest, m, t);
                EXPECT_NEAR(norm(f.u - Vec3d{1, 0, 0}), 0, 1e-12);
                EXPECT_NEAR(norm(f.v - Vec3d{0, 1, 0}), 0, 1e-12);
            }
        }
    }
}

TEST(RestShape, GradientsGiveTheStretchOfADeformedPose) {
    TriMesh m = make_grid(4, 5, 0.3, 0.2, Layout::alternating);
    const RestShape rest = make_rest_shape(m, {}, "m");
    for (Vec3d& x : m.positions) x = {1.5 * x.x + 0.25 * x.y, 0.5 * x.y, 2 * x.x};
    for (std::size_t t = 0; t < m.triangles.size(); ++t) {
        const Columns f = deformation(rest, m, t);
        EXPECT_NEAR(norm(f.u - Vec3d{1.5, 0, 2}), 0, 1e-12);
        EXPECT_NEAR(norm(f.v - Vec3d{0.25, 0.5, 0}), 0, 1e-12);
    }
}

TEST(RestShape, WarpOfATubeRunsAroundWithUvsAndUpWithTheMesh) {
    const TriMesh m = make_tube(16, 4, 0.04, 0.1, Layout::right);
    const RestShape uv = make_rest_shape(m, {}, "m");
    const RestShape mesh = make_rest_shape(m, {RestSource::mesh, RestAngles::automatic, {0, 0, 1}}, "m");
    for (std::size_t t = 0; t < m.triangles.size(); ++t) {
        EXPECT_NEAR(norm(deformation(uv, m, t).v - Vec3d{0, 0, 1}), 0, 1e-11);
        EXPECT_NEAR(norm(deformation(mesh, m, t).u - Vec3d{0, 0, 1}), 0, 1e-11);
    }
}

TEST(RestShape, MirroredUvPanelsAreIsometriesToo) {
    TriMesh m = make_grid(4, 4, 0.3, 0.3, Layout::right);
    const RestShape straight = make_rest_shape(m, {RestSource::uv}, "m");
    for (std::size_t v = 0; v < m.uvs.size(); ++v) m.uvs[v].y = 0.3 - m.uvs[v].y;
    const RestShape rest = make_rest_shape(m, {RestSource::uv}, "m");
    expect_isometry(rest, m);
    for (std::size_t t = 0; t < m.triangles.size(); ++t) {
        EXPECT_NEAR(norm(deformation(rest, m, t).u - Vec3d{1, 0, 0}), 0, 1e-12);
        EXPECT_NEAR(norm(deformation(rest, m, t).v - Vec3d{0, -1, 0}), 0, 1e-12);
        EXPECT_GT(rest.area[t], 0);
    }
    for (std::size_t h = 0; h < rest.hinges.size(); ++h) {
        EXPECT_NEAR(rest.hinge_length[h], straight.hinge_length[h], 1e-15);
        EXPECT_NEAR(rest.hinge_height[h], straight.hinge_height[h], 1e-15);
    }
}

TEST(RestShape, HingeHasExactLengthAndMeanHeight) {
    const RestShape rest = make_rest_shape(two_triangles(), {RestSource::mesh}, "m");
    ASSERT_EQ(rest.hinges.size(), 1u);
    EXPECT_DOUBLE_EQ(rest.hinge_length[0], 1);
    EXPECT_DOUBLE_EQ(rest.hinge_height[0], 1.5);
    EXPECT_DOUBLE_EQ(rest.area[0], 0.5);
    EXPECT_DOUBLE_EQ(rest.area[1], 1);
    const double edges = 2 + std::hypot(0.25, 1) + std::hypot(0.75, 1) + 2 * std::hypot(0.5, 2);
    EXPECT_DOUBLE_EQ(rest.mean_edge_length, edges / 6);
}

TEST(RestShape, SeamOfUnequalPanelsTakesTheMeanLength) {
    TriMesh m = two_triangles();
    m.uvs = {{0, 0}, {1, 0},   {0.25, 1},
             {5, 0}, {5, 1.1}, {3, 0.5}};     // the second panel is 1.1 long at the seam
    m.uv_triangles = {{0, 1, 2}, {4, 3, 5}};  // and lies mirrored elsewhere
    const RestShape rest = make_rest_shape(m, {RestSource::uv}, "m");
    EXPECT_DOUBLE_EQ(rest.hinge_length[0], 1.05);
    EXPECT_DOUBLE_EQ(rest.hinge_height[0], (0.5 + 1.1) / 1.05);
    EXPECT_DOUBLE_EQ(rest.hinge_angle[0], 0);
}

TEST(RestShape, TubeHingesHaveThePolygonAngleConvexOutwardsPositive) {
    for (const Layout layout : {Layout::right, Layout::alternating})
        for (const int around : {3, 9, 64}) {
            const TriMesh m = make_tube(around, 4, 0.04, 0.11, layout);
            const RestShape rest = make_rest_shape(m, {RestSource::uv, RestAngles::mesh}, "m");
            const double chord = 2 * 0.04 * std::sin(kPi / around);
            int upright = 0;
            for (std::size_t h = 0; h < rest.hinges.size(); ++h) {
                const Vec3d e =
                    m.positions[std::size_t(rest.hinges[h].x1)] - m.positions[std::size_t(rest.hinges[h].x0)];
                const bool vertical = std::hypot(e.x, e.y) < 1e-12;
                EXPECT_NEAR(rest.hinge_angle[h], vertical ? 2 * kPi / around : 0, 1e-11);
                if (!vertical) continue;
                ++upright;
                EXPECT_NEAR(rest.hinge_length[h], 0.11 / 3, 1e-15);
                EXPECT_NEAR(rest.hinge_height[h], chord, 1e-14);
            }
            EXPECT_EQ(upright, around * 3);
        }
}

TEST(RestShape, RestAnglesAreFlatWithUvsAndMeasuredWithTheMeshUnlessSaidOtherwise) {
    const TriMesh m = make_tube(8, 3, 0.04, 0.1, Layout::right);
    const auto largest = [&](RestSource source, RestAngles angles) {
        const RestShape rest = make_rest_shape(m, {source, angles}, "m");
        return *std::max_element(rest.hinge_angle.begin(), rest.hinge_angle.end());
    };
    EXPECT_EQ(largest(RestSource::uv, RestAngles::automatic), 0);
    EXPECT_NEAR(largest(RestSource::mesh, RestAngles::automatic), kPi / 4, 1e-12);
    EXPECT_NEAR(largest(RestSource::uv, RestAngles::mesh), kPi / 4, 1e-12);
    EXPECT_EQ(largest(RestSource::mesh, RestAngles::flat), 0);
}

TEST(RestShape, WarpNormalToTheClothFallsBackWithAWarning) {
    TriMesh m = make_grid(4, 4, 0.3, 0.3, Layout::right);
    const RestShape rest = make_rest_shape(m, {RestSource::mesh, RestAngles::automatic, {0, 0, 1}}, "flag");
    ASSERT_EQ(rest.warnings.size(), 1u);
    EXPECT_TRUE(says(rest.warnings[0], {"flag", "18 of 18 triangles", "X axis"}));
    for (std::size_t t = 0; t < m.triangles.size(); ++t)
        EXPECT_NEAR(norm(deformation(rest, m, t).u - Vec3d{1, 0, 0}), 0, 1e-12);

    for (Vec3d& x : m.positions) x = {0, x.x, x.y};  // now the normal is X
    const RestShape upright =
        make_rest_shape(m, {RestSource::mesh, RestAngles::automatic, {1, 0, 0}}, "flag");
    EXPECT_TRUE(says(upright.warnings.at(0), {"Y axis"}));
    expect_isometry(upright, m);
    EXPECT_TRUE(says(message_of(m, {RestSource::mesh, RestAngles::automatic, {0, 0, 0}}), {"shirt", "warp"}));
}

TEST(RestShape, AutomaticTakesUvsInMetresAndOtherwiseTheMeshWithAWarning) {
    TriMesh m = make_tube(12, 4, 0.04, 0.1, Layout::right);
    const auto scaled = [&](double area_factor) {
        TriMesh s = m;
        for (Vec2d& p : s.uvs) p = std::sqrt(area_factor) * p;
        return s;
    };
    for (const double inside : {0.81, 1.0, 1.24}) {
        const RestShape rest = make_rest_shape(scaled(inside), {}, "m");
        EXPECT_TRUE(rest.warnings.empty());
        EXPECT_EQ(rest.hinge_angle[0], 0);
        EXPECT_NO_THROW(make_rest_shape(scaled(inside), {RestSource::uv}, "m"));
    }
    for (const double outside : {0.79, 1.26, 1e4}) {
        const RestShape rest = make_rest_shape(scaled(outside), {}, "m");
        ASSERT_EQ(rest.warnings.size(), 1u);
        EXPECT_TRUE(says(rest.warnings[0], {"3D area", "UV area", "the rest shape is the 3D mesh instead"}));
        expect_isometry(rest, m);
    }
    m.uvs.clear(), m.uv_triangles.clear();
    EXPECT_TRUE(says(make_rest_shape(m, {}, "sock").warnings.at(0), {"sock", "no UVs"}));
}

TEST(RestShape, ExplicitUvsThatCannotServeAreAnErrorWithBothAreas) {
    TriMesh m = make_grid(3, 3, 0.83, 1, Layout::right);
    for (Vec2d& p : m.uvs) p = {2 * p.x / 1.66, p.y};
    for (Vec3d& x : m.positions) x = 0.5 * x;
    EXPECT_TRUE(
        says(message_of(m, {RestSource::uv}), {"shirt: ", "0..1 texture coordinates", "3D area 0.2075 m2",
                                               "UV area 1 m2", "factor of 4.82", "use rest: mesh"}));
    for (Vec2d& p : m.uvs) p = 1000.0 * p;
    EXPECT_TRUE(says(message_of(m, {RestSource::uv}), {"do not look like metres", "UV area 1e+06 m2"}));
    m.uv_triangles.pop_back();
    EXPECT_TRUE(says(message_of(m, {RestSource::uv}), {"7 of 8 triangles have UVs"}));
    m.uv_triangles.clear();
    EXPECT_TRUE(says(message_of(m, {RestSource::uv}), {"no UVs"}));
}

TEST(RestShape, TriangleWithoutAreaIsNamed) {
    TriMesh m = make_grid(3, 3, 1, 1, Layout::right);
    m.uv_triangles[5] = {0, 4, 8};  // on a line
    EXPECT_TRUE(
        says(message_of(m, {RestSource::uv}), {"triangle 5", "no area in its UVs", "use rest: mesh"}));
    m.triangles[3] = {0, 4, 8};
    EXPECT_TRUE(says(message_of(m, {RestSource::mesh}), {"triangle 3", "no area in the mesh"}));
}

TEST(Hinges, WindingFollowsTheDrawing) {
    const auto hinges = find_hinges(two_triangles());
    ASSERT_EQ(hinges.size(), 1u);
    const Hinge& h = hinges[0];
    EXPECT_EQ((std::array{h.x0, h.x1, h.x2, h.x3, h.t0, h.t1}), (std::array{0, 1, 2, 3, 0, 1}));
}

TEST(Hinges, BadEdgesAreNamedWithTheirTriangles) {
    const auto error_of = [](const TriMesh& m) -> std::string {
        try {
            find_hinges(m);
        } catch (const InputError& e) {
            return e.what();
        }
        return "no error";
    };
    TriMesh fin = two_triangles();
    fin.positions.push_back({0.5, 0, 1});
    fin.triangles.push_back({0, 1, 4});
    EXPECT_TRUE(says(error_of(fin), {"vertices 0 and 1", "3 triangles: 0, 1, 2", "at most two"}));
    TriMesh flipped = two_triangles();
    flipped.triangles[1] = {0, 1, 3};
    EXPECT_TRUE(says(error_of(flipped), {"triangles 0 and 1", "vertices 0 and 1", "same direction", "flip"}));
    TriMesh repeated = two_triangles();
    repeated.triangles[1] = {3, 0, 3};
    EXPECT_TRUE(says(error_of(repeated), {"triangle 1", "twice"}));
    EXPECT_TRUE(says(message_of(fin, {RestSource::mesh}), {"shirt: the edge"}));
}

// Every pair of triangles, every pair of their edges.
std::vector<std::array<int, 6>> hinges_by_brute_force(const TriMesh& m) {
    std::vector<std::array<int, 6>> found;
    for (int a = 0; a < int(m.triangles.size()); ++a)
        for (std::size_t i = 0; i < 3; ++i)
            for (int b = a + 1; b < int(m.triangles.size()); ++b)
                for (std::size_t j = 0; j < 3; ++j) {
                    const auto &s = m.triangles[std::size_t(a)], &t = m.triangles[std::size_t(b)];
                    if (s[i] == t[(j + 1) % 3] && s[(i + 1) % 3] == t[j])
                        found.push_back({s[i], s[(i + 1) % 3], s[(i + 2) % 3], t[(j + 2) % 3], a, b});
                }
    return found;
}

TEST(Hinges, AgreeWithBruteForceOnShuffledMeshesWithHoles) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 40; ++trial) {
        auto meshes = flat_and_rolled_meshes();
        TriMesh m = meshes[std::size_t(trial) % meshes.size()];
        std::vector<int> names(m.positions.size());
        std::iota(names.begin(), names.end(), 0);
        std::shuffle(names.begin(), names.end(), random);
        std::shuffle(m.triangles.begin(), m.triangles.end(), random);
        m.triangles.resize(m.triangles.size() * 3 / 4);
        for (auto& t : m.triangles) {
            for (int& v : t) v = names[std::size_t(v)];
            std::rotate(t.begin(), t.begin() + int(random() % 3), t.end());
            if (trial % 2) std::swap(t[0], t[1]);
        }
        std::vector<std::array<int, 6>> found;
        for (const Hinge& h : find_hinges(m)) found.push_back({h.x0, h.x1, h.x2, h.x3, h.t0, h.t1});
        EXPECT_EQ(found, hinges_by_brute_force(m));  // in the same order: by (t0, edge in t0)
    }
}

}  // namespace
}  // namespace rumple
