#include <rumple/scene/selection.hpp>

#include <gtest/gtest.h>

#include <rumple/mesh/generators.hpp>
#include <rumple/scene/selection_reader.hpp>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

// Of a tube of 8 x 5 vertices, radius 1 m, height 2 m, with a fine seam at i = 0.
class SelectionTest : public testing::Test {
  protected:
    std::vector<int> select(const json& selection) const { return select_from(selection, tube); }
    std::vector<int> select_from(const json& selection, const TriMesh& mesh) const {
        const JsonPlace place(selection, "s.json", "select");
        return select_vertices(place, read_selector(place), {mesh, mesh.positions, {}});
    }
    std::string complaint_about(const json& selection) const {
        try {
            select(selection);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    std::vector<int> row(int j) const {
        std::vector<int> some;
        for (int i = 0; i < 8; ++i) some.push_back(8 * j + i);
        return some;
    }

    TriMesh tube = make_tube(8, 5, 1, 2, Layout::right);
};

TEST_F(SelectionTest, RingIsALevelAlongAnAxis) {
    EXPECT_EQ(select({{"ring", "top"}}), row(4));
    EXPECT_EQ(select({{"ring", "bottom"}}), row(0));
    EXPECT_EQ(select({{"ring", {{"at", 0.5}}}}), row(1));
    EXPECT_EQ(select({{"ring", {{"axis", {0, 0, -2}}, {"at", "top"}}}}), row(0));
    EXPECT_EQ(select({{"ring", {{"at", 0.4}, {"tolerance", 0.11}}}}), row(1));
    EXPECT_EQ(select({{"ring", {{"axis", {1, 0, 0}}, {"at", "top"}}}}), (std::vector<int>{0, 8, 16, 24, 32}));
}

TEST_F(SelectionTest, RingThatMissesSaysWhereTheNearestVertexIs) {
    EXPECT_EQ(
        complaint_about({{"ring", {{"at", 0.4}}}}),
        "s.json: select.ring: selects no vertex; along its axis the cloth reaches from 0 to 2 m, and the "
        "vertex nearest to 0.4 m is at 0.5 m (tolerance 0.000346 m)");
}

TEST_F(SelectionTest, BoxIncludesItsFacesAndMayBeOpen) {
    EXPECT_EQ(select({{"box", {{"min", {nullptr, nullptr, 2}}}}}), row(4));
    EXPECT_EQ(select({{"box", {{"max", {nullptr, nullptr, 0}}}}}), row(0));
    EXPECT_EQ(select({{"box", {{"min", {0.9, -0.1, 0.4}}, {"max", {1.1, 0.1, 1.6}}}}}),
              (std::vector<int>{8, 16, 24}));
    EXPECT_EQ(select({{"box", json::object()}}).size(), 40u);
}

TEST_F(SelectionTest, BoxThatMissesSaysWhereTheClothIs) {
    EXPECT_EQ(complaint_about({{"box", {{"min", {5, nullptr, nullptr}}}}}),
              "s.json: select.box: selects no vertex; the cloth reaches from (-1, -1, 0) to (1, 1, 2) m");
    EXPECT_EQ(complaint_about({{"box", {{"min", {0, 0, 1}}, {"max", {1, 1, 0}}}}}),
              "s.json: select.box: its min is beyond its max");
}

TEST_F(SelectionTest, BoundaryLoopsAreOrderedByTheirLowestVertex) {
    EXPECT_EQ(select({{"boundary", 0}}), row(0));
    EXPECT_EQ(select({{"boundary", 1}}), row(4));
    EXPECT_EQ(select({{"boundary", "all"}}).size(), 16u);
    EXPECT_EQ(complaint_about({{"boundary", 2}}),
              "s.json: select.boundary: the cloth has 2 boundary loops; give \"all\" or 0 to 1");
    EXPECT_EQ(boundary_loops(make_grid(4, 3, 1, 1, Layout::right)),
              (std::vector<std::vector<int>>{{0, 1, 2, 3, 4, 7, 8, 9, 10, 11}}));
}

TEST_F(SelectionTest, UvRangeFindsAVertexByAnyOfItsUvs) {
    // the seam i = 0 has u = 0 and u = the whole turn
    const double turn = 16 * std::sin(std::acos(-1.0) / 8);
    EXPECT_EQ(select({{"uv", {{"u", {turn - 0.01, nullptr}}}}}), (std::vector<int>{0, 8, 16, 24, 32}));
    EXPECT_EQ(select({{"uv", {{"u", {0, 0}}, {"v", {nullptr, 0.5}}}}}), (std::vector<int>{0, 8}));
    EXPECT_EQ(select({{"uv", {{"v", {2, 2}}}}}), row(4));
}

TEST_F(SelectionTest, UvRangeThatMissesSaysWhatThereIs) {
    EXPECT_EQ(complaint_about({{"uv", {{"v", {3, 4}}}}}),
              "s.json: select.uv: selects no vertex; u reaches from 0 to 6.12293 and v from 0 to 2 m");
    TriMesh bare = tube;
    bare.uvs.clear();
    bare.uv_triangles.clear();
    EXPECT_THROW(select_from({{"uv", {{"v", {0, 1}}}}}, bare), InputError);
}

TEST_F(SelectionTest, ListedVerticesAreSortedAndChecked) {
    EXPECT_EQ(select({{"vertices", {7, 3, 7}}}), (std::vector<int>{3, 7}));
    EXPECT_EQ(complaint_about({{"vertices", {3, 40}}}),
              "s.json: select.vertices[1]: there is no vertex 40; the cloth's vertices are 0 to 39");
    EXPECT_EQ(complaint_about({{"vertices", {-1}}}),
              "s.json: select.vertices[0]: there is no vertex -1; the cloth's vertices are 0 to 39");
    EXPECT_EQ(complaint_about({{"vertices", json::array()}}),
              "s.json: select.vertices: selects no vertex; the cloth's vertices are 0 to 39");
}

TEST_F(SelectionTest, NearTakesTheNearestFew) {
    EXPECT_EQ(select({{"near", {{"point", {2, 0, 0}}}}}), (std::vector<int>{0}));
    EXPECT_EQ(select({{"near", {{"point", {2, 0.01, 0}}, {"count", 2}}}}), (std::vector<int>{0, 8}));
}

TEST_F(SelectionTest, SaysWhatSelectionsThereAre) {
    EXPECT_EQ(complaint_about(json::object()),
              "s.json: select: says too little; give one of box, ring, boundary, uv, vertices, near, set");
    EXPECT_EQ(complaint_about({{"rings", "top"}}),
              "s.json: select: unknown key \"rings\"; did you mean \"ring\"?");
    EXPECT_EQ(complaint_about({{"ring", "top"}, {"boundary", 0}}),
              "s.json: select: has both \"ring\" and \"boundary\"; give one of them");
}

TEST_F(SelectionTest, IsMadeBeforeTheImperfection) {
    nlohmann::json document =
        twist_with("cloths.tube.imperfection", {{"amplitude", 0.01}, {"direction", "z"}});
    EXPECT_EQ(build(document).handles[0].vertices.size(), 16u);
}

}  // namespace
}  // namespace rumple
