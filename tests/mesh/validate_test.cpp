// Each defect of a user's mesh is refused, or warned of, in a sentence that names the place.
#include <gtest/gtest.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/validate.hpp>

namespace rumple {
namespace {

TriMesh grid() { return make_grid(4, 3, 0.3, 0.2, Layout::right); }

std::string refusal(const TriMesh& m) {
    try {
        validate_mesh(m, "skirt.obj");
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

TEST(ValidateMesh, AcceptsAGoodMeshWithoutAWord) {
    EXPECT_TRUE(validate_mesh(grid(), "skirt.obj").empty());
    TriMesh plain = grid();
    plain.uvs.clear(), plain.uv_triangles.clear();
    EXPECT_TRUE(validate_mesh(plain, "skirt.obj").empty());
}

TEST(ValidateMesh, RefusesAMeshWithoutTriangles) {
    EXPECT_TRUE(says(refusal(TriMesh{}), {"skirt.obj: ", "no triangles"}));
    TriMesh points = grid();
    points.triangles.clear();
    EXPECT_TRUE(says(refusal(points), {"no triangles"}));
}

TEST(ValidateMesh, RefusesIndicesOutOfRange) {
    TriMesh m = grid();
    m.triangles[4][1] = 12;
    EXPECT_TRUE(says(refusal(m), {"triangle 4", "vertex 12", "0 to 11"}));
    m.triangles[4][1] = -1;
    EXPECT_TRUE(says(refusal(m), {"triangle 4", "vertex -1"}));
    m = grid();
    m.uv_triangles[2][0] = 99;
    EXPECT_TRUE(says(refusal(m), {"triangle 2", "UV 99"}));
    m = grid();
    m.uv_triangles.pop_back();
    EXPECT_TRUE(says(refusal(m), {"11 of 12 triangles have UVs"}));
}

TEST(ValidateMesh, RefusesCoordinatesThatAreNotFinite) {
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
        for (int k = 0; k < 3; ++k) {
            TriMesh m = grid();
            m.positions[7][k] = bad;
            EXPECT_TRUE(says(refusal(m), {"skirt.obj: vertex 7", "finite"}));
        }
    TriMesh m = grid();
    m.uvs[3].y = std::nan("");
    EXPECT_TRUE(says(refusal(m), {"UV 3", "finite"}));
}

TEST(ValidateMesh, RefusesTrianglesWithoutArea) {
    TriMesh m = grid();
    m.triangles[6] = {3, 5, 3};
    EXPECT_TRUE(says(refusal(m), {"triangle 6", "vertex 3 twice"}));
    m.triangles[6] = {3, 5, 5};
    EXPECT_TRUE(says(refusal(m), {"triangle 6", "vertex 5 twice"}));
    m = grid();
    m.positions[1] = m.positions[0];  // triangle 0 uses both
    EXPECT_TRUE(says(refusal(m), {"triangle 0", "no area"}));
    m = grid();
    m.positions[1] = 0.5 * (m.positions[0] + m.positions[5]);  // on the diagonal of the first quad
    EXPECT_TRUE(says(refusal(m), {"triangle 0", "no area"}));
}

TEST(ValidateMesh, RefusesTheSameTriangleTwiceWhicheverWayItTurns) {
    TriMesh m = grid();
    m.uvs.clear(), m.uv_triangles.clear();
    const auto t = m.triangles[2];
    m.triangles.push_back({t[1], t[2], t[0]});
    EXPECT_TRUE(says(refusal(m), {"triangles 2 and 12", "same three vertices"}));
    m.triangles.back() = {t[1], t[0], t[2]};
    EXPECT_TRUE(says(refusal(m), {"triangles 2 and 12", "same three vertices"}));
}

TEST(ValidateMesh, RefusesAnEdgeWithThreeTriangles) {
    TriMesh m = grid();
    m.uvs.clear(), m.uv_triangles.clear();
    m.positions.push_back({0, 0, 0.1});
    m.triangles.push_back({0, 5, 12});  // on the first quad's diagonal
    EXPECT_TRUE(
        says(refusal(m), {"skirt.obj: ", "vertices 0 and 5", "3 triangles: 0, 1, 12", "at most two"}));
}

TEST(ValidateMesh, RefusesNeighboursThatFaceDifferentSides) {
    TriMesh m = grid();
    std::swap(m.triangles[1][0], m.triangles[1][1]);
    EXPECT_TRUE(says(refusal(m), {"triangles 0 and 1", "vertices 0 and 5", "same direction", "flip"}));
}

TEST(ValidateMesh, WarnsOfUnreferencedVertices) {
    TriMesh m = grid();
    m.positions.insert(m.positions.end(), 7,
                       Vec3d{1000, 0, 0});  // far away, but not part of the cloth's size
    const auto warnings = validate_mesh(m, "skirt.obj");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(says(warnings[0], {"skirt.obj: 7 vertices", "kept", "12, 13, 14, 15, 16, ..."}));
}

TEST(ValidateMesh, WarnsOfPartsThatTouchInAPoint) {
    TriMesh m;
    m.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}};
    m.triangles = {{0, 1, 2}, {0, 3, 4}};
    const auto warnings = validate_mesh(m, "bow tie");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(says(warnings[0], {"at 1 vertices", "single point", "from 0: 0)"}));
}

TEST(ValidateMesh, WarnsOfSeparatePieces) {
    TriMesh m = grid();
    const TriMesh other = grid();
    for (Vec3d x : other.positions) m.positions.push_back(x + Vec3d{1, 0, 0});
    for (auto t : other.triangles) m.triangles.push_back({t[0] + 12, t[1] + 12, t[2] + 12});
    m.uvs.clear(), m.uv_triangles.clear();
    const auto warnings = validate_mesh(m, "skirt.obj");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(says(warnings[0], {"2 separate pieces"}));
}

TEST(ValidateMesh, WarnsOfSizesThatSuggestOtherUnits) {
    for (const double scale : {1000.0, 1e-3}) {
        TriMesh m = grid();
        for (Vec3d& x : m.positions) x *= scale;
        const auto warnings = validate_mesh(m, "skirt.obj");
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_TRUE(says(warnings[0], {"metres", scale > 1 ? "361 m" : "0.000361 m"}));
    }
}

}  // namespace
}  // namespace rumple
