// rumple measure: how wrinkled a mesh is, against a rest mesh or against flat cloth; or what intersects in
// the frames of a run.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/mesh/validate.hpp>

#include "commands.hpp"
#include "run_intersections.hpp"

namespace rumple {
namespace {

struct MeasureArguments {
    std::string mesh, rest;
    bool json = false, intersections = false;
};

TriMesh read_checked(const std::string& path, std::vector<std::string>& warnings) {
    TriMesh mesh = read_mesh(path, &warnings);
    for (const std::string& warning : validate_mesh(mesh, path)) warnings.push_back(path + ": " + warning);
    return mesh;
}

WrinkleMeasures measure(const MeasureArguments& arguments, std::vector<std::string>& warnings) {
    const TriMesh mesh = read_checked(arguments.mesh, warnings);
    if (arguments.rest.empty()) {
        const RestShape rest = make_rest_shape(mesh, {}, arguments.mesh);
        const std::vector<double> flat(rest.hinges.size(), 0.0);
        return measure_wrinkles(rest, mesh.triangles, mesh.positions, flat);
    }
    const TriMesh reference = read_checked(arguments.rest, warnings);
    if (reference.triangles != mesh.triangles || reference.positions.size() != mesh.positions.size())
        throw InputError(
            arguments.rest,
            fmt::format("its {} vertices and {} triangles are not those of {} ({} and {}, in this order)",
                        reference.positions.size(), reference.triangles.size(), arguments.mesh,
                        mesh.positions.size(), mesh.triangles.size()),
            "the rest mesh is the same mesh in another shape");
    const RestShape rest = make_rest_shape(reference, {}, arguments.rest);
    warnings.insert(warnings.end(), rest.warnings.begin(), rest.warnings.end());
    MeasureExtras extras;
    extras.reference = reference.positions;
    return measure_wrinkles(rest, mesh.triangles, mesh.positions, hinge_angles(rest, reference.positions),
                            extras);
}

void print_measures(const MeasureArguments& arguments) {
    std::vector<std::string> warnings;
    const WrinkleMeasures measures = measure(arguments, warnings);
    for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
    if (arguments.json) {
        nlohmann::ordered_json json;
        json["mesh"] = arguments.mesh;
        json["reference"] = arguments.rest.empty() ? "flat" : arguments.rest;
        for (const MeasureEntry& entry : entries(measures))
            json["measures"][std::string(entry.name)] = {{"value", entry.value}, {"unit", entry.unit}};
        fmt::print("{}\n", json.dump(2));
        return;
    }
    fmt::print("{}, against {}\n", arguments.mesh, arguments.rest.empty() ? "flat cloth" : arguments.rest);
    for (const MeasureEntry& entry : entries(measures))
        fmt::print("  {:<20} {:>12.6g} {}\n", entry.name, entry.value, entry.unit);
}

void print_intersections(const MeasureArguments& arguments) {
    const std::vector<FrameIntersections> frames = run_intersections(arguments.mesh);
    nlohmann::ordered_json json;
    json["run"] = arguments.mesh;
    json["frames"] = frames.size();
    json["intersecting"] = nlohmann::json::array();
    std::int64_t cloth = 0, obstacles = 0;
    for (const FrameIntersections& f : frames) {
        cloth += f.cloth;
        obstacles += f.obstacles;
        if (f.cloth + f.obstacles == 0) continue;
        json["intersecting"].push_back({{"frame", f.frame}, {"cloth", f.cloth}, {"obstacles", f.obstacles}});
        if (!arguments.json)
            fmt::print("  frame {:>5}  cloth with cloth {:>5}  with obstacles {:>5}\n", f.frame, f.cloth,
                       f.obstacles);
    }
    json["cloth"] = cloth;
    json["obstacles"] = obstacles;
    if (arguments.json)
        fmt::print("{}\n", json.dump(2));
    else
        fmt::print("{}: {} frames, intersecting pairs of triangles: {} of cloth, {} with obstacles\n",
                   arguments.mesh, frames.size(), cloth, obstacles);
}

}  // namespace

void add_measure_command(CLI::App& program) {
    auto arguments = std::make_shared<MeasureArguments>();
    CLI::App* command = program.add_subcommand(
        "measure", "Measure the wrinkles of a mesh, or count what intersects in a run");
    command->add_option("MESH", arguments->mesh, "OBJ or PLY file; with --intersections the folder of a run")
        ->required();
    command->add_option("--rest", arguments->rest, "the same mesh before it wrinkled (default: flat cloth)");
    command->add_flag("--intersections", arguments->intersections,
                      "count the pairs of triangles that intersect, by frame of a run");
    command->add_flag("--json", arguments->json, "as JSON");
    command->callback([arguments] {
        arguments->intersections ? print_intersections(*arguments) : print_measures(*arguments);
    });
}

}  // namespace rumple
