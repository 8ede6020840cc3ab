// rumple info: what kind of file this is, and what is in it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <rumple/core/bounds.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/gltf.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/mesh/validate.hpp>
#include <rumple/modeling/size_check.hpp>
#include <rumple/sim/run_archive.hpp>

#include "commands.hpp"
#include "describe_scene.hpp"
#include "find_scene.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

constexpr double kRoom = 5;  // m: no person and no garment is as large

void add(Bounds& bounds, std::span<const Vec3d> points) {
    for (const Vec3d& p : points) bounds.add(p);
}

std::string text_of(const Bounds& box) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m", box.low.x, box.low.y,
                       box.low.z, box.high.x, box.high.y, box.high.z);
}

double area_of(const TriMesh& mesh) {
    double area = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d x = mesh.positions[static_cast<std::size_t>(a)];
        area += 0.5 * norm(cross(mesh.positions[static_cast<std::size_t>(b)] - x,
                                 mesh.positions[static_cast<std::size_t>(c)] - x));
    }
    return area;
}

void print_mesh(const std::string& path) {
    std::vector<std::string> warnings;
    const TriMesh mesh = read_mesh(path, &warnings);
    const Bounds box = bounds_of(mesh.positions);
    fmt::print("{}: mesh\n  vertices   {}\n  triangles  {}\n", path, mesh.positions.size(),
               mesh.triangles.size());
    if (mesh.has_uvs()) fmt::print("  uvs        {}\n", mesh.uvs.size());
    if (!mesh.positions.empty()) fmt::print("  box        {}\n", text_of(box));
    fmt::print("  area       {:.6g} m2\n", area_of(mesh));
    try {
        for (const std::string& warning : validate_mesh(mesh, path)) warnings.push_back(warning);
    } catch (const InputError& error) {
        warnings.push_back(fmt::format("it cannot be simulated: {}", error.what()));
    }
    // A person, or what a person wears, is smaller: which unit would make it one?
    if (const SizeFinding size = check_body_size(mesh.positions, path);
        norm(box.size()) > kRoom && size.known && !size.fits)
        warnings.push_back("as a standing person, " + size.message);
    for (const std::string& warning : warnings) fmt::print("  warning: {}\n", warning);
}

void print_animated_body(const std::string& path) {
    const GltfModel body = GltfModel::read(path);
    const TriMesh& mesh = body.mesh();
    fmt::print("{}: glTF\n  vertices   {}\n  triangles  {}\n  box        {}, Z up\n", path,
               mesh.positions.size(), mesh.triangles.size(), text_of(bounds_of(mesh.positions)));
    for (const std::string& clip : body.clip_names())
        fmt::print("  clip       \"{}\", {:.6g} s\n", clip, body.clip_duration(clip));
    if (body.clip_names().empty()) fmt::print("  clips      none: it does not move\n");
    for (const std::string& warning : body.warnings()) fmt::print("  warning: {}\n", warning);
}

void print_cache(const std::string& path) {
    const PointCacheReader cache(path);
    const bool pc2 = cache.format() == PointCacheFormat::kPc2;
    fmt::print("{}: {} point cache\n  points  {}\n  frames  {}\n", path, pc2 ? "PC2" : "MDD",
               cache.vertex_count(), cache.frame_count());
    if (cache.frame_count() == 0) return;
    fmt::print("  times   {:.6g} to {:.6g} {}\n", cache.sample_times().front(), cache.sample_times().back(),
               pc2 ? "frames" : "s");
    Bounds box;
    std::vector<Vec3d> positions;
    for (std::size_t i = 0; i < cache.frame_count(); ++i) {
        cache.read_frame(i, positions);
        add(box, positions);
    }
    fmt::print("  box     {} (all frames)\n", text_of(box));
}

void print_checkpoint(const std::string& path) {
    const Checkpoint checkpoint = read_checkpoint(path);
    const State& state = checkpoint.sim.state;
    const Bounds box = bounds_of(state.x);
    fmt::print("{}: checkpoint, version {}\n  scene hash     {}\n  vertices       {}\n  hinges         {}\n",
               path, kCheckpointVersion, checkpoint.scene_hash, state.x.size(), state.bending.size());
    fmt::print("  phase          {}, {} steps done in it\n", checkpoint.sim.phase,
               checkpoint.sim.step_in_phase);
    fmt::print(
        "  steps          {}\n  time           {:.6g} s\n  material time  {:.6g} s\n  frames         {}\n",
        state.step, state.time, state.material_time, checkpoint.record.frames);
    if (!state.x.empty()) fmt::print("  box            {}\n", text_of(box));
}

// The runs in a folder that is none: those of the variants of a scene.
std::string what_to_name_in(const fs::path& folder) {
    std::vector<std::string> runs;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_directory() && RunArchive::is_run(entry.path())) runs.push_back(entry.path().string());
    if (runs.empty()) return "name a file, or the folder of a run";
    std::ranges::sort(runs);
    return fmt::format("name one of the runs in it: {}", fmt::join(runs, ", "));
}

void print_info(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        const RunArchive run(path);
        if (!run.has_checkpoint()) throw InputError(path, "is a folder", what_to_name_in(path));
        return print_checkpoint(run.layout().checkpoint().string());
    }
    const std::string extension = fs::path(path).extension().string();
    if (is_checkpoint(path)) return print_checkpoint(path);
    if (is_mesh_file(path)) return print_mesh(path);
    if (extension == ".glb" || extension == ".gltf") return print_animated_body(path);
    if (extension == ".json" || !fs::exists(path, ignored)) {
        fmt::print("{}", describe(build_scenes({path, {}, {}})));
        return;
    }
    try {
        print_cache(path);
    } catch (const InputError&) {
        if (extension == ".pc2" || extension == ".mdd") throw;
        throw InputError(path, "this kind of file is not known",
                         "meshes (OBJ, PLY), animated bodies (glTF), caches (PC2, MDD), checkpoints and "
                         "scenes (JSON) are");
    }
}

}  // namespace

void add_info_command(CLI::App& program) {
    auto path = std::make_shared<std::string>();
    CLI::App* command = program.add_subcommand("info", "Show what kind of file this is, and what is in it");
    command
        ->add_option("FILE", *path, "mesh, animated body, cache, checkpoint, scene, or the folder of a run")
        ->required();
    command->callback([path] { print_info(*path); });
}

}  // namespace rumple
