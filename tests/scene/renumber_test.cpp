// Cloths of files get numbers that follow them, and everything that a scene says of vertices still means the
// file's.
#include <gtest/gtest.h>

#include <algorithm>
#include <rumple/io/obj.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/scene/cloth_source.hpp>

#include "scene/sample_scenes.hpp"
#include "shuffled_mesh.hpp"

namespace rumple {
namespace {

using nlohmann::json;

class Renumber : public SceneFolder {
  protected:
    json cloth(const std::string& name, const TriMesh& mesh) const {
        write_obj(folder / (name + ".obj"), mesh);
        return {{"name", name}, {"mesh", {{"file", name + ".obj"}}}, {"material", "cotton"}};
    }
    static json document(const json& cloths, const json& handles = json::array()) {
        return {{"rumple", 1},
                {"cloths", cloths},
                {"handles", handles},
                {"phases", {{{"name", "fall"}, {"duration", 0.1}}}}};
    }
    Scene built(const json& document) const { return build(document, "", folder); }
};

std::vector<Vec3d> held_by(const Scene& scene, std::size_t handle) {
    std::vector<Vec3d> all, held;
    for (const SceneCloth& cloth : scene.cloths)
        all.insert(all.end(), cloth.reference.begin(), cloth.reference.end());
    for (int v : scene.handles[handle].vertices) held.push_back(all[static_cast<std::size_t>(v)]);
    return held;
}

std::vector<Vec3d> sorted(std::vector<Vec3d> points) {
    std::sort(points.begin(), points.end(),
              [](Vec3d a, Vec3d b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
    return points;
}

const TriMesh kTube = make_tube(12, 20, 0.05, 0.3, Layout::alternating);

TEST_F(Renumber, NumbersAtRandomAreReplacedAndTheFilesRemembered) {
    const TriMesh file = shuffled(kTube).mesh;
    const Scene scene = built(document(json::array({cloth("tube", file)})));
    const SceneCloth& tube = scene.cloths[0];
    ASSERT_TRUE(tube.numbering.changes());
    EXPECT_LT(mean_stride(tube.mesh), 0.2 * mean_stride(file));
    const TriMesh back = renumbered(tube.mesh, inverse(tube.numbering));
    EXPECT_EQ(back.triangles, file.triangles);
    EXPECT_EQ(back.positions, file.positions);
    EXPECT_EQ(in_old_order<Vec3d>(tube.reference, tube.numbering.vertices), file.positions);
}

TEST_F(Renumber, GoodNumbersAndThoseOfGeneratorsStay) {
    EXPECT_FALSE(built(document(json::array({cloth("tube", kTube)}))).cloths[0].numbering.changes());
    // two rows so long that other numbers would be much nearer to each other
    const json mesh{{"generator", "grid"}, {"nx", 200}, {"ny", 2}, {"width", 1}, {"height", 0.01}};
    const json strip{{"name", "strip"}, {"mesh", mesh}, {"material", "cotton"}};
    const TriMesh grid = make_grid(200, 2, 1, 0.01, Layout::right);
    const Scene generated = built(document(json::array({strip})));
    EXPECT_FALSE(generated.cloths[0].numbering.changes());
    EXPECT_EQ(generated.cloths[0].mesh.triangles, grid.triangles);
    EXPECT_TRUE(built(document(json::array({cloth("strip", grid)}))).cloths[0].numbering.changes());
}

TEST_F(Renumber, SelectionsMeanTheFilesVertices) {
    const TriMesh file = shuffled(kTube).mesh;
    const json selections = {{{"vertices", {17, 3, 101}}}, {{"boundary", 0}}, {{"boundary", 1}}};
    json handles = json::array();
    for (const json& select : selections)
        handles.push_back({{"name", "h" + std::to_string(handles.size())},
                           {"cloth", "tube"},
                           {"from_start", false},
                           {"select", select}});
    // another cloth on either side: numbers of the model are not those of a cloth
    const TriMesh sheet = make_grid(4, 4, 1, 1, Layout::right);
    handles.push_back({{"name", "last"}, {"cloth", "after"}, {"select", {{"vertices", {5}}}}});
    const Scene scene =
        built(document({cloth("before", sheet), cloth("tube", file), cloth("after", sheet)}, handles));
    ASSERT_TRUE(scene.cloths[1].numbering.changes());
    for (const SceneHandle& handle : scene.handles)
        EXPECT_TRUE(std::is_sorted(handle.vertices.begin(), handle.vertices.end()));
    EXPECT_EQ(sorted(held_by(scene, 0)),
              sorted({file.positions[3], file.positions[17], file.positions[101]}));
    EXPECT_EQ(held_by(scene, 3), std::vector<Vec3d>{sheet.positions[5]});
    // loops are counted by their lowest vertex in the file
    const auto on_border = [](Vec3d x) { return std::min(x.z, 0.3 - x.z) < 1e-9; };
    const auto lowest = std::find_if(file.positions.begin(), file.positions.end(), on_border);
    for (const Vec3d& x : held_by(scene, 1)) EXPECT_NEAR(x.z, lowest->z, 1e-9);
    for (const Vec3d& x : held_by(scene, 2)) EXPECT_NEAR(x.z, 0.3 - lowest->z, 1e-9);
    EXPECT_EQ(scene.handles[1].vertices.size(), 12u);
}

TEST_F(Renumber, ImperfectionGoesByTheFilesVertices) {
    const TriMesh file = shuffled(kTube).mesh;
    json tube = cloth("tube", file);
    tube["imperfection"] = {{"amplitude", 1e-3}, {"seed", 4}};
    const Scene scene = built(document(json::array({tube})));
    TriMesh expected = file;
    add_imperfection(expected, {1e-3, 4, ImperfectionDirection::normal});
    const SceneCloth& built_tube = scene.cloths[0];
    EXPECT_EQ(in_old_order<Vec3d>(built_tube.mesh.positions, built_tube.numbering.vertices),
              expected.positions);
}

}  // namespace
}  // namespace rumple
