// rumple convert: meshes and point caches from one format to another; a frame of a cache to a mesh; a run, a
// cache or a mesh to one file with the whole animation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/sim/run_animation.hpp>

#include "commands.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
    std::string in, out, mesh;
    int frame = -1, every = 1;
    double fps = 30;
    bool frame_given = false, fps_given = false, every_given = false;
};

std::string extension_of(const std::string& path) {
    std::string extension = fs::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

bool is_cache_file(const std::string& path) {
    return extension_of(path) == ".pc2" || extension_of(path) == ".mdd";
}

void warn(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
}

void convert_mesh(const ConvertArguments& arguments) {
    std::vector<std::string> warnings;
    const TriMesh mesh = read_mesh(arguments.in, &warnings);
    write_mesh(arguments.out, mesh, &warnings);
    warn(warnings);
}

// Topology comes from --mesh, or from the OBJ or PLY file beside the cache.
TriMesh topology_for(const ConvertArguments& arguments, std::vector<std::string>& warnings) {
    if (!arguments.mesh.empty()) return read_mesh(arguments.mesh, &warnings);
    if (const auto beside = mesh_beside(arguments.in)) return read_mesh(*beside, &warnings);
    throw InputError(arguments.in,
                     "a cache has no triangles, and no OBJ or PLY file of its name lies beside it",
                     "name the mesh with --mesh");
}

void convert_frame(const ConvertArguments& arguments) {
    const PointCacheReader cache(arguments.in);
    std::vector<std::string> warnings;
    TriMesh mesh = topology_for(arguments, warnings);
    if (mesh.positions.size() != cache.vertex_count())
        throw InputError(arguments.in, fmt::format("the cache has {} points, its mesh has {} vertices",
                                                   cache.vertex_count(), mesh.positions.size()));
    if (cache.frame_count() == 0) throw InputError(arguments.in, "the cache has no frames");
    mesh.positions = cache.read_frame(arguments.frame_given ? static_cast<std::size_t>(arguments.frame)
                                                            : cache.frame_count() - 1);
    write_mesh(arguments.out, mesh, &warnings);
    warn(warnings);
}

// First frame and frames between samples of a PC2 file for these times [s]: it can only say evenly spaced
// ones.
std::pair<double, double> even_spacing(const std::vector<double>& times, double fps,
                                       const std::string& name) {
    if (times.empty()) return {0, 1};
    const auto tidy = [](double frames) {  // times are floats: 0.0333333 s at 30 frames a second is frame 1
        return std::abs(frames - std::round(frames)) < 1e-3 ? std::round(frames) : frames;
    };
    const double first = times.front();
    const double spacing =
        times.size() == 1 ? 1 / fps : (times.back() - first) / static_cast<double>(times.size() - 1);
    for (std::size_t i = 0; i < times.size(); ++i)
        if (!(spacing > 0) || std::abs(times[i] - first - spacing * static_cast<double>(i)) > 1e-3 * spacing)
            throw InputError(name,
                             fmt::format("its times are not evenly spaced (frame {} at {} s)", i, times[i]),
                             "PC2 cannot keep such times");
    return {tidy(first * fps), tidy(spacing * fps)};
}

void write_pc2(const PointCacheReader& cache, const ConvertArguments& arguments) {
    const bool from_pc2 = cache.format() == PointCacheFormat::kPc2;
    const auto [start, rate] = from_pc2 ? std::pair(cache.start_frame(), cache.frames_per_sample())
                                        : even_spacing(cache.sample_times(), arguments.fps, arguments.in);
    // Under another name until it is whole.
    const fs::path out(arguments.out), part = fs::path(arguments.out + ".part");
    try {
        Pc2Writer writer = Pc2Writer::create(part, cache.vertex_count(), start, rate);
        std::vector<Vec3d> positions;
        for (std::size_t i = 0; i < cache.frame_count(); ++i) {
            cache.read_frame(i, positions);
            writer.append(positions);
        }
        take_name(part, out);
    } catch (...) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw;
    }
}

void convert_cache(const ConvertArguments& arguments) {
    std::error_code ignored;
    if (fs::equivalent(arguments.in, arguments.out, ignored))
        throw InputError(arguments.out, "is the file to convert itself", "name another file");
    const PointCacheReader cache(arguments.in);
    if (extension_of(arguments.out) == ".pc2") return write_pc2(cache, arguments);
    std::vector<double> times = cache.sample_times();
    if (cache.format() == PointCacheFormat::kPc2)
        for (double& time : times) time /= arguments.fps;
    write_mdd(arguments.out, times, cache.vertex_count(),
              [&](std::size_t i, std::vector<Vec3d>& positions) { cache.read_frame(i, positions); });
}

void convert_animation(const ConvertArguments& arguments) {
    AnimationOptions options;
    if (arguments.fps_given) options.rate = arguments.fps;
    if (!arguments.mesh.empty()) options.mesh = arguments.mesh;
    options.every = static_cast<std::size_t>(arguments.every);
    write_animation(arguments.out, open_animation(arguments.in, options));
}

void convert(const ConvertArguments& arguments) {
    if (is_animation_file(arguments.out)) {
        if (arguments.frame_given)
            throw InputError("--frame", "belongs to the conversion of a cache to a mesh");
        return convert_animation(arguments);
    }
    if (arguments.every_given) throw InputError("--every", "belongs to the conversion to .glb or .usda");
    const bool from_cache = is_cache_file(arguments.in), to_cache = is_cache_file(arguments.out);
    for (const auto& [file, cache] :
         {std::pair(arguments.in, from_cache), std::pair(arguments.out, to_cache)})
        if (!cache && !is_mesh_file(file))
            throw InputError(file, "this kind of file is not known",
                             "OBJ and PLY meshes, PC2 and MDD caches are; to write, GLB and USDA too");
    if (arguments.frame_given && (!from_cache || to_cache))
        throw InputError("--frame", "belongs to the conversion of a cache to a mesh");
    if (from_cache && to_cache)
        convert_cache(arguments);
    else if (from_cache)
        convert_frame(arguments);
    else if (!to_cache)
        convert_mesh(arguments);
    else
        throw InputError(arguments.out, "a single mesh makes no cache", "name an OBJ or PLY file");
}

}  // namespace

void add_convert_command(CLI::App& program) {
    auto arguments = std::make_shared<ConvertArguments>();
    CLI::App* command = program.add_subcommand(
        "convert", "Convert OBJ <-> PLY, PC2 <-> MDD, a frame of a cache to a mesh, or a run to GLB or USDA");
    command->add_option("IN", arguments->in, "OBJ, PLY, PC2 or MDD file, or the folder of a run")->required();
    command->add_option("OUT", arguments->out, "file to write; its extension chooses the format")->required();
    CLI::Option* frame = command
                             ->add_option("--frame", arguments->frame,
                                          "cache to mesh: which frame, counted from 0 (default: the last)")
                             ->check(CLI::NonNegativeNumber);
    command->add_option("--mesh", arguments->mesh,
                        "of a cache: the triangles (default: the mesh beside the cache)");
    CLI::Option* fps = command
                           ->add_option("--fps", arguments->fps,
                                        "frames a second, where PC2 counts frames and others seconds (a run "
                                        "knows its own)")
                           ->check(CLI::PositiveNumber)
                           ->capture_default_str();
    CLI::Option* every =
        command->add_option("--every", arguments->every, "to GLB or USDA: only every N-th frame")
            ->check(CLI::Range(1, 1000000));
    command->callback([arguments, frame, fps, every] {
        arguments->frame_given = frame->count() > 0;
        arguments->fps_given = fps->count() > 0;
        arguments->every_given = every->count() > 0;
        convert(*arguments);
    });
}

}  // namespace rumple
