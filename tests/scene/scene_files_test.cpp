// Scenes, meshes and materials that stand in files: where they are looked for, and what is said when they are
// bad.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

constexpr const char* kSquare =
    "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\n"
    "vt 0 0\nvt 0.1 0\nvt 0.1 0.1\nvt 0 0.1\n"
    "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";

class SceneFiles : public SceneFolder {
  protected:
    static json document(const json& mesh, const json& material = "cotton",
                         const std::string& rest = "auto") {
        return {{"rumple", 1},
                {"cloths", {{{"name", "cloth"}, {"mesh", mesh}, {"material", material}, {"rest", rest}}}},
                {"phases", {{{"name", "fall"}, {"duration", 0.1}}}}};
    }
    std::string said(const json& doc) const { return complaint(doc, folder); }
    std::string said_of_mesh(const std::string& obj, const std::string& rest = "auto") const {
        write("m.obj", obj);
        return said(document({{"file", "m.obj"}}, "cotton", rest));
    }
    std::string m_obj() const { return (folder / "m.obj").string(); }
};

TEST_F(SceneFiles, SceneFileKnowsItsNameAndFolder) {
    const auto path = write("fall.json", document({{"file", "square.obj"}}).dump());
    write("square.obj", kSquare);
    const SceneFile file = load_scene_file(path);
    EXPECT_EQ(file.name, path.string());
    EXPECT_EQ(file.folder, folder);
    const Scene scene = build_scene(file, expand_variants(file).front());
    EXPECT_EQ(scene.name, "fall");
    EXPECT_EQ(scene.cloths[0].mesh.positions.size(), 4u);
}

TEST_F(SceneFiles, MissingEmptyOrBrokenSceneIsSaid) {
    const auto refusal = [](const std::filesystem::path& path) -> std::string {
        try {
            load_scene_file(path);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    for (const auto& path :
         {folder / "none.json", write("empty.json", ""), write("broken.json", "{\n\"rumple\": }"), folder}) {
        EXPECT_EQ(refusal(path).rfind(path.string() + ":", 0), 0u) << refusal(path);
    }
    EXPECT_EQ(refusal(folder / "broken.json")
                  .rfind((folder / "broken.json").string() + ":2:11: not JSON; unexpected '}'", 0),
              0u)
        << refusal(folder / "broken.json");
}

TEST_F(SceneFiles, MeshIsScaledAndTurnedUpright) {
    write("m.obj", kSquare);
    const Scene scene =
        build(document({{"file", "m.obj"}, {"scale", 0.5}, {"uv_scale", 0.5}, {"up", "y"}}, "cotton", "uv"),
              "", folder);
    const Vec3d x = scene.cloths[0].mesh.positions[2];  // (0.1, 0.1, 0) in the file: y is up there
    EXPECT_DOUBLE_EQ(x.x, 0.05);
    EXPECT_DOUBLE_EQ(x.y, 0);
    EXPECT_DOUBLE_EQ(x.z, 0.05);
    double area = 0;
    for (double a : scene.cloths[0].rest.area) area += a;
    EXPECT_DOUBLE_EQ(area, 0.0025);
}

TEST_F(SceneFiles, PathsStayInTheScenesFolderOrAreAbsolute) {
    std::filesystem::create_directories(folder / "scenes/meshes");
    write("m.obj", kSquare);
    write("scenes/meshes/m.obj", kSquare);
    const auto said_in_scenes = [&](const std::string& file) {
        return complaint(document({{"file", file}}), folder / "scenes");
    };
    EXPECT_EQ(said_in_scenes("meshes/m.obj"), "");
    EXPECT_EQ(said_in_scenes("meshes/../meshes/m.obj"), "");
    EXPECT_EQ(said_in_scenes(m_obj()), "");
    EXPECT_EQ(said_in_scenes("../m.obj"),
              "twist.json: cloths[0].mesh.file: \"../m.obj\" is outside the scene's folder; put the file "
              "beside the "
              "scene, or give its absolute path");
    EXPECT_EQ(said_in_scenes("meshes/../../m.obj"),
              "twist.json: cloths[0].mesh.file: \"meshes/../../m.obj\" is outside the scene's folder; put "
              "the file "
              "beside the scene, or give its absolute path");
    EXPECT_EQ(
        said_in_scenes("m.obj"),
        fmt::format(
            "twist.json: cloths[0].mesh.file: there is no file \"{}\"; paths start from the scene's folder",
            (folder / "scenes/m.obj").string()));
}

TEST_F(SceneFiles, BadMeshesAreRefusedWithTheirFile) {
    const std::string nan = said_of_mesh("v 0 0 0\nv nan 0 0\nv 0 0.1 0\nf 1 2 3\n");
    EXPECT_EQ(nan.rfind(m_obj() + ":2", 0), 0u) << nan;
    for (const char* obj :
         {"v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nv 0 -0.1 0\nf 1 2 3\nf 2 1 4\nf 1 2 5\n",  // three at an
                                                                                                // edge
          "v 0 0 0\nv 0.1 0 0\nv 0.2 0 0\nf 1 2 3\n",                                           // no area
          "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\nf 1 2 3\n",  // the same twice
          "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 9\n",           // no such vertex
          "v 0 0 0\n"})                                         // no triangles
        EXPECT_EQ(said_of_mesh(obj).rfind(m_obj(), 0), 0u) << obj << said_of_mesh(obj);
}

TEST_F(SceneFiles, UvsNotInMetresAreRefusedOnlyWhenAskedFor) {
    const std::string obj = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n";
    EXPECT_EQ(said_of_mesh(obj, "uv").rfind(m_obj(), 0), 0u);
    EXPECT_NE(said_of_mesh(obj, "uv").find("metres"), std::string::npos) << said_of_mesh(obj, "uv");
    EXPECT_EQ(said_of_mesh(obj, "auto"), "");
    const Scene scene = build(document({{"file", "m.obj"}}), "", folder);
    ASSERT_FALSE(scene.warnings.empty());
    EXPECT_NE(scene.warnings[0].find("the rest shape is the 3D mesh instead"), std::string::npos)
        << scene.warnings[0];
}

TEST_F(SceneFiles, UnreferencedVertexIsKeptWithAWarning) {
    write("m.obj", std::string(kSquare) + "v 1 1 1\n");
    const Scene scene = build(document({{"file", "m.obj"}}), "", folder);
    EXPECT_EQ(scene.cloths[0].mesh.positions.size(), 5u);
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_NE(scene.warnings[0].find(m_obj()), std::string::npos);
}

TEST_F(SceneFiles, MaterialFileMayStartFromAPresetAndBeOverridden) {
    write("m.obj", kSquare);
    write("mine.json", R"({"preset": "denim", "density": 0.3, "friction": {"tau": 20}})");
    const Scene scene = build(
        document({{"file", "m.obj"}}, {{"file", "mine.json"}, {"friction", {{"eps_0", 0.2}}}}), "", folder);
    const Material& material = scene.cloths[0].material;
    EXPECT_EQ(material.density, 0.3);
    EXPECT_EQ(material.friction.tau, 20);
    EXPECT_EQ(material.friction.eps_0, 0.2);
    EXPECT_EQ(material.bending, 1.2e-4);
}

TEST_F(SceneFiles, BadMaterialsAreRefusedWithTheirPlace) {
    write("m.obj", kSquare);
    const auto said_of = [&](const json& material) { return said(document({{"file", "m.obj"}}, material)); };
    EXPECT_EQ(said_of({{"density", 0.1}}),
              "twist.json: cloths[0].material: says too little; give one of preset, file");
    EXPECT_EQ(
        said_of({{"file", "none.json"}}).rfind("twist.json: cloths[0].material.file: there is no file", 0),
        0u);
    write("bad.json", R"({"preset": "denim", "densty": 0.3})");
    const std::string unknown = said_of({{"file", "bad.json"}});
    EXPECT_EQ(unknown.rfind((folder / "bad.json").string() + ": ", 0), 0u) << unknown;
    EXPECT_NE(unknown.find("did you mean \"density\"?"), std::string::npos) << unknown;
    const std::string crossed = said_of({{"preset", "cotton"}, {"friction", {{"eps_inf", 0.01}}}});
    EXPECT_EQ(crossed.rfind("twist.json: cloths[0].material: ", 0), 0u) << crossed;
}

}  // namespace
}  // namespace rumple
