#include <io/sample_mesh.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/mesh_file.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

TEST(MeshFile, ExtensionChoosesTheFormat) {
    const ScratchFolder folder;
    write_mesh(folder / "a.obj", awkward_mesh());
    write_mesh(folder / "a.PLY", awkward_mesh());
    EXPECT_TRUE(slurp(folder / "a.PLY").starts_with("ply\n"));
    expect_same_mesh(read_mesh(folder / "a.obj"), awkward_mesh());
    expect_same_mesh(read_mesh(folder / "a.PLY"), awkward_mesh());
}

TEST(MeshFile, UnknownExtensionIsRefusedAndTheKnownOnesAreNamed) {
    const ScratchFolder folder;
    spill(folder / "a.stl", "x");
    expect_says(error_of<InputError>([&] { read_mesh(folder / "a.stl"); }),
                {"a.stl", "'.stl'", ".obj", ".ply"});
    expect_says(error_of<InputError>([&] { write_mesh(folder / "new.fbx", awkward_mesh()); }),
                {"new.fbx", "'.fbx'", ".obj", ".ply"});
    expect_says(error_of<InputError>([&] { read_mesh(folder / "a"); }), {"without an extension", ".obj"});
    EXPECT_EQ(folder.file_count(), 1);
    EXPECT_FALSE(is_mesh_file("a.stl"));
    EXPECT_TRUE(is_mesh_file("a.Obj"));
}

TEST(MeshFile, WarningsArePassedOn) {
    const ScratchFolder folder;
    std::vector<std::string> warnings;
    write_mesh(folder / "a.ply", mesh_with_seam(), &warnings);
    EXPECT_EQ(warnings.size(), 1u);
    spill(folder / "quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    read_mesh(folder / "quad.obj", &warnings);
    EXPECT_EQ(warnings.size(), 2u);
}

}  // namespace
}  // namespace rumple
