// Animations for other programs, read back: glTF by our own reader, USD by its text.
#include <rumple/io/animation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/gltf.hpp>
#include <rumple/io/gltf_document.hpp>
#include <rumple/mesh/generators.hpp>
#include <sstream>

#include "io/sample_mesh.hpp"
#include "scratch_folder.hpp"

namespace rumple {
namespace {

// As a cache would give it: single precision.
Vec3d rounded(Vec3d p) { return {double(float(p.x)), double(float(p.y)), double(float(p.z))}; }

constexpr std::size_t kFrames = 4;

std::vector<Vec3d> moved(const TriMesh& mesh, std::size_t frame) {
    std::vector<Vec3d> x;
    for (const Vec3d& p : mesh.positions)
        x.push_back(
            rounded({p.x + 0.1 * double(frame), p.y, p.z + 0.03 * std::sin(7 * p.x + double(frame))}));
    return x;
}

Animation waving(TriMesh mesh) {
    Animation animation;
    animation.name = "a-wave";
    animation.rate = 25;
    animation.time_codes = {0, 1, 2, 3};
    animation.meshes.push_back(
        {"flag-1", "cotton", mesh, [mesh](std::size_t i, std::vector<Vec3d>& x) { x = moved(mesh, i); }});
    animation.meshes.push_back({"pole", "", make_tube(6, 2, 0.1, 1, Layout::right)});
    return animation;
}

// The positions of a frame as a glTF viewer computes them, in metres, Z up.
std::vector<Vec3d> frame_of(const GltfDocument& file, std::size_t frame) {
    const auto& primitive = file.element("meshes", 0).at("primitives").at(0);
    auto x = file.read(primitive.at("attributes").at("POSITION"), 3, "positions");
    const auto weights =
        file.read(file.element("animations", 0).at("samplers").at(0).at("output"), 1, "weights");
    for (std::size_t k = 1; k < kFrames; ++k) {
        const double w = weights.values.at(frame * (kFrames - 1) + k - 1);
        EXPECT_EQ(w, k == frame ? 1 : 0);
        const auto move = file.read(primitive.at("targets").at(k - 1).at("POSITION"), 3, "target");
        for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] += w * move.values[i];
    }
    std::vector<Vec3d> result;
    for (std::size_t i = 0; i < x.rows; ++i) result.push_back({x.at(i, 0), -x.at(i, 2), x.at(i, 1)});
    return result;
}

TEST(GlbWriter, EveryFrameReadsBack) {
    const ScratchFolder folder;
    const TriMesh mesh = make_grid(5, 4, 1.5, 1, Layout::right);
    write_glb(folder / "wave.glb", waving(mesh));
    const GltfDocument file(folder / "wave.glb");
    for (std::size_t i = 0; i < kFrames; ++i) {
        const std::vector<Vec3d> read = frame_of(file, i), wanted = moved(mesh, i);
        ASSERT_EQ(read.size(), wanted.size());
        for (std::size_t v = 0; v < read.size(); ++v) EXPECT_LT(norm(read[v] - wanted[v]), 1e-7);
    }
    const auto times = file.read(file.element("animations", 0).at("samplers").at(0).at("input"), 1, "times");
    EXPECT_FLOAT_EQ(float(times.values.at(3)), 3.0f / 25);
    EXPECT_EQ(file.element("materials", 0).at("name"), "cotton");
    EXPECT_EQ(file.element("nodes", 0).at("name"), "flag-1");
    EXPECT_EQ(file.element("nodes", 1).at("name"), "pole");
    EXPECT_FALSE(file.element("meshes", 1).at("primitives").at(0).contains("targets"));
}

TEST(GlbWriter, OurReaderOfBodiesReadsTheFirstFrame) {
    const ScratchFolder folder;
    const TriMesh mesh = make_grid(5, 4, 1.5, 1, Layout::right);
    Animation animation = waving(mesh);
    animation.meshes.pop_back();
    write_glb(folder / "wave.glb", animation);
    const GltfModel model = GltfModel::read(folder / "wave.glb");
    EXPECT_EQ(model.mesh().triangles, mesh.triangles);
    ASSERT_EQ(model.mesh().positions.size(), mesh.positions.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        EXPECT_LT(norm(model.mesh().positions[v] - moved(mesh, 0)[v]), 1e-7);
}

TEST(GlbWriter, SeamsSplitVerticesBehindTheirOwn) {
    const ScratchFolder folder;
    const TriMesh mesh = mesh_with_seam();
    write_glb(folder / "seam.glb", waving(mesh));
    const GltfDocument file(folder / "seam.glb");
    const std::vector<Vec3d> read = frame_of(file, 2);
    ASSERT_EQ(read.size(), 6U);
    for (std::size_t v = 0; v < 4; ++v) EXPECT_LT(norm(read[v] - moved(mesh, 2)[v]), 1e-7);
    const auto& primitive = file.element("meshes", 0).at("primitives").at(0);
    const auto corners = file.read_indices(primitive.at("indices"), 6, "corners");
    const auto uvs = file.read(primitive.at("attributes").at("TEXCOORD_0"), 2, "uvs");
    for (std::size_t c = 0; c < 6; ++c) {
        const int v = mesh.triangles[c / 3][c % 3], uv = mesh.uv_triangles[c / 3][c % 3];
        EXPECT_LT(norm(read[corners[c]] - moved(mesh, 2)[std::size_t(v)]), 1e-7);
        EXPECT_FLOAT_EQ(float(uvs.at(corners[c], 0)), float(mesh.uvs[std::size_t(uv)].x));
        EXPECT_FLOAT_EQ(float(uvs.at(corners[c], 1)), float(1 - mesh.uvs[std::size_t(uv)].y));
    }
}

// The vectors of the text after `head`, up to the end of the line.
std::vector<Vec3d> vectors_after(const std::string& text, std::size_t& at, const std::string& head) {
    at = text.find(head, at);
    EXPECT_NE(at, std::string::npos) << head;
    std::string line = text.substr(at + head.size(), text.find('\n', at) - at - head.size());
    for (char& c : line)
        if (c == '[' || c == ']' || c == '(' || c == ')' || c == ',') c = ' ';
    std::istringstream in(line);
    std::vector<Vec3d> values;
    for (Vec3d v; in >> v.x >> v.y >> v.z;) values.push_back(v);
    return values;
}

TEST(UsdaWriter, EveryFrameReadsBackToTheBit) {
    const ScratchFolder folder;
    const TriMesh mesh = make_grid(5, 4, 1.5, 1, Layout::right);
    write_usda(folder / "wave.usda", waving(mesh));
    const std::string text = read_file(folder / "wave.usda");
    std::size_t at = text.find("point3f[] points.timeSamples");
    for (std::size_t i = 0; i < kFrames; ++i) {
        const std::vector<Vec3d> read = vectors_after(text, at, std::to_string(i) + ": "),
                                 wanted = moved(mesh, i);
        ASSERT_EQ(read.size(), wanted.size());
        for (std::size_t v = 0; v < read.size(); ++v) EXPECT_EQ(rounded(read[v]), wanted[v]);
    }
    at = text.find("normal3f[] normals.timeSamples");
    for (const Vec3d& n : vectors_after(text, at, "3: ")) EXPECT_NEAR(norm(n), 1, 1e-6);
}

TEST(UsdaWriter, HeaderNamesAndMaterials) {
    const ScratchFolder folder;
    write_usda(folder / "wave.usda", waving(mesh_with_seam()));
    const std::string text = read_file(folder / "wave.usda");
    for (const char* part :
         {"#usda 1.0\n", "defaultPrim = \"a_wave\"", "endTimeCode = 3", "timeCodesPerSecond = 25",
          "metersPerUnit = 1", "upAxis = \"Z\"", "def Mesh \"flag_1\"", "displayName = \"flag-1\"",
          "def Mesh \"pole\"", "rel material:binding = </a_wave/materials/cotton>", "def Material \"cotton\"",
          "int[] faceVertexIndices = [0, 1, 2, 2, 1, 3]", "int[] primvars:st:indices = [0, 1, 2, 3, 4, 5]",
          "interpolation = \"faceVarying\"", "subdivisionScheme = \"none\""})
        EXPECT_NE(text.find(part), std::string::npos) << part;
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
    EXPECT_EQ(std::count(text.begin(), text.end(), '['), std::count(text.begin(), text.end(), ']'));
}

TEST(AnimationWriters, AFrameThatIsNotFiniteLeavesTheOldFile) {
    for (const char* name : {"wave.glb", "wave.usda"}) {
        const ScratchFolder folder;
        write_atomically(folder / name, "old");
        Animation animation = waving(make_grid(5, 4, 1.5, 1, Layout::right));
        const auto good = animation.meshes[0].frame;
        animation.meshes[0].frame = [good](std::size_t i, std::vector<Vec3d>& x) {
            good(i, x);
            if (i == 3) x[7].y = NAN;
        };
        EXPECT_THROW(write_animation(folder / name, animation), SimulationError);
        EXPECT_EQ(read_file(folder / name), "old");
        EXPECT_EQ(folder.file_count(), 1);
    }
}

TEST(AnimationWriters, OtherExtensionsAreRefused) {
    const ScratchFolder folder;
    EXPECT_THROW(write_animation(folder / "wave.fbx", waving(mesh_with_seam())), InputError);
    EXPECT_TRUE(is_animation_file("a/B.GLB"));
    EXPECT_FALSE(is_animation_file("a.obj"));
    EXPECT_EQ(folder.file_count(), 0);
}

}  // namespace
}  // namespace rumple
