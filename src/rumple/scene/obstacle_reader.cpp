#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/io/mesh_file.hpp>
#include <rumple/mesh/validate.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/obstacle_reader.hpp>
#include <rumple/scene/placement.hpp>

namespace rumple {

namespace {

constexpr NumberRange kThickness{0, 0.1, true, "m"};
constexpr NumberRange kFriction{0, 10, false, "(a ratio of forces)"};
constexpr double kThickestInEdges = 1, kThickInEdges = 0.5;  // mean edge lengths: refused above; warned above
constexpr double kLargest = 1000, kSmallest = 1e-3;          // m across

void require_size(const JsonPlace& place, const TriMesh& mesh) {
    Vec3d low = mesh.positions.front(), high = low;
    for (const Vec3d& x : mesh.positions)
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], x[a]);
            high[a] = std::max(high[a], x[a]);
        }
    const double across = norm(high - low);
    if (across > kLargest)
        place.fail(fmt::format("the obstacle measures {:.4g} m across", across),
                   "lengths are in metres: was it made in centimetres (scale 0.01) or millimetres (0.001)?");
    if (across < kSmallest)
        place.fail(fmt::format("the obstacle measures {:.4g} m across", across),
                   "lengths are in metres: was it scaled down twice, or made in kilometres?");
}

void read_weight(const JsonPlace& place, SceneObstacle& obstacle) {
    place.require_keys("weight");
    if (obstacle.clip) place.fail("what has mass cannot follow a cache", "a weight is rigid");
    obstacle.mass = place.at("mass").number({0, 1e5, true, "kg"});
    const auto guide = place.find("guide");
    if (!guide || guide->value().is_null()) return;
    obstacle.guided = true;
    obstacle.guide = guide->direction();
}

// Samples as they come from a file, put where the obstacle stands.
std::shared_ptr<const ObstacleClip> placed(const ObstacleClip& clip, const Placement& placement) {
    ObstacleClip there = clip;
    there.sample = [sample = clip.sample, placement](std::size_t i) {
        std::vector<Vec3d> positions = sample(i);
        for (Vec3d& x : positions) x = placement.apply(x);
        return positions;
    };
    return std::make_shared<const ObstacleClip>(std::move(there));
}

}  // namespace

FileAxes read_axes(const JsonPlace& place) {
    return {place.number_or("scale", 1, {0, 1e6, true}), place.choice_or("up", 0, {"z", "y"}) == 1};
}

ObstacleSurface read_obstacle_mesh(const JsonPlace& place, const std::filesystem::path& folder) {
    place.require_keys("obstacle_mesh");
    const std::filesystem::path path = resolve_file(place.at("file"), folder);
    const FileAxes axes = read_axes(place);
    ObstacleSurface surface;
    surface.kind = "mesh";
    surface.name = path.string();
    surface.mesh = read_mesh(path, &surface.warnings);
    for (Vec3d& x : surface.mesh.positions) x = axes.apply(x);
    return surface;
}

ReadObstacle read_obstacle(const JsonPlace& place, const std::filesystem::path& folder,
                           AssetCache& asset_cache) {
    place.require_keys("obstacle");
    ReadObstacle read;
    SceneObstacle& obstacle = read.obstacle;
    obstacle.name = place.at("name").name();
    const std::string source = place.one_of({"shape", "mesh", "cache", "body"});
    ObstacleSurface surface = source == "shape"  ? read_shape(place.at(source))
                              : source == "mesh" ? read_obstacle_mesh(place.at(source), folder)
                              : source == "body" ? read_body(place.at(source), folder, asset_cache)
                                                 : read_clip(place.at(source), folder);
    const Placement placement = read_placement(place);
    obstacle.kind = surface.kind;
    obstacle.mesh = std::move(surface.mesh);
    obstacle.mesh.uvs.clear();  // nobody needs them
    obstacle.mesh.uv_triangles.clear();
    for (Vec3d& x : obstacle.mesh.positions) x = placement.apply(x);
    if (surface.clip) obstacle.clip = placed(*surface.clip, placement);
    read.warnings = std::move(surface.warnings);
    const auto warnings = validate_obstacle(obstacle.mesh, surface.name);
    read.warnings.insert(read.warnings.end(), warnings.begin(), warnings.end());
    require_size(place, obstacle.mesh);

    obstacle.friction = place.number_or("friction", obstacle.friction, kFriction);
    obstacle.thickness = place.number_or("thickness", obstacle.thickness, kThickness);
    if (const auto present = place.find("present")) obstacle.from_start = present->flag();
    if (const auto weight = place.find("weight")) read_weight(*weight, obstacle);
    obstacle.moves = obstacle.clip && obstacle.clip->times.size() > 1;
    return read;
}

ContactSettings read_contact(const JsonPlace& place) {
    place.require_keys("contact");
    ContactSettings settings;
    if (const auto self = place.find("self")) settings.cloth_on_cloth = self->flag();
    settings.thickness = place.number_or("thickness", settings.thickness, kThickness);
    settings.friction = place.number_or("friction", settings.friction, kFriction);
    settings.stiffness = place.number_or("stiffness", settings.stiffness, {0, 1e12, true, "Pa/m"});
    return settings;
}

void check_thickness(const JsonPlace& place, const ContactSettings& settings, double mean_edge,
                     std::vector<std::string>& warnings) {
    if (!settings.cloth_on_cloth || settings.thickness <= kThickInEdges * mean_edge) return;
    const std::string what =
        fmt::format("a thickness of {:.4g} mm is {:.2g} of the cloth's mean edge, {:.4g} mm",
                    1e3 * settings.thickness, settings.thickness / mean_edge, 1e3 * mean_edge);
    const std::string remedy = fmt::format(
        "at most half of it lets cloth fold freely: \"contact\": {{\"thickness\": {:.2g}}}", 0.4 * mean_edge);
    if (settings.thickness > kThickestInEdges * mean_edge) place.fail(what, remedy);
    warnings.push_back(fmt::format("{}: {}; {}", place.where(), what, remedy));
}

}  // namespace rumple
