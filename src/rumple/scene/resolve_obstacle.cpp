#include <fmt/format.h>

#include <rumple/core/bounds.hpp>
#include <rumple/mesh/validate.hpp>
#include <rumple/scene/resolve_cloth.hpp>
#include <rumple/scene/resolve_obstacle.hpp>

namespace rumple {

namespace {

constexpr double kThickestInEdges = 1, kThickInEdges = 0.5;  // mean edge lengths: refused above; warned above
constexpr double kLargest = 1000, kSmallest = 1e-3;          // m across

void require_size(const Place& place, const TriMesh& mesh) {
    const double across = norm(bounds_of(mesh.positions).size());
    if (across > kLargest)
        place.fail(fmt::format("the obstacle measures {:.4g} m across", across),
                   "lengths are in metres: was it made in centimetres (scale 0.01) or millimetres (0.001)?");
    if (across < kSmallest)
        place.fail(fmt::format("the obstacle measures {:.4g} m across", across),
                   "lengths are in metres: was it scaled down twice, or made in kilometres?");
}

// Makes or reads the surface of an obstacle, whatever its source.
class SurfaceMaker {
  public:
    SurfaceMaker(const Place& place, std::vector<std::string>& warnings)
        : place_(place), warnings_(warnings) {}

    ObstacleSurface operator()(const ObstacleShape& shape) const {
        return make_surface(shape, place_.at("shape").where());
    }
    ObstacleSurface operator()(const TriMesh& mesh) const {
        return {.mesh = mesh, .name = place_.at("mesh").where()};
    }
    ObstacleSurface operator()(const MeshFile& file) const {
        return {.mesh = load_mesh(place_.at("mesh").at("file"), file, warnings_), .name = file.file.string()};
    }
    ObstacleSurface operator()(const ObstacleSurface& surface) const { return surface; }

  private:
    const Place& place_;
    std::vector<std::string>& warnings_;
};

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

SceneObstacle resolve_obstacle(const ObstacleDescription& description, std::vector<std::string>& warnings) {
    const ObstacleOptions& options = description.options;
    ObstacleSurface surface = std::visit(SurfaceMaker(description.place, warnings), description.source);
    warnings.insert(warnings.end(), surface.warnings.begin(), surface.warnings.end());
    SceneObstacle obstacle;
    obstacle.name = description.name;
    obstacle.kind = surface.kind;
    obstacle.mesh = std::move(surface.mesh);
    obstacle.mesh.uvs.clear();  // nothing needs them
    obstacle.mesh.uv_triangles.clear();
    for (Vec3d& x : obstacle.mesh.positions) x = options.place.apply(x);
    if (surface.clip) obstacle.clip = placed(*surface.clip, options.place);
    const auto found = validate_obstacle(obstacle.mesh, surface.name);
    warnings.insert(warnings.end(), found.begin(), found.end());
    require_size(description.place, obstacle.mesh);

    obstacle.friction = options.friction;
    obstacle.thickness = options.thickness;
    obstacle.from_start = options.present;
    obstacle.mass = options.mass;
    obstacle.slider = options.slider;
    if (obstacle.mass > 0 && obstacle.clip)
        description.place.at("rigid_body")
            .fail("what has mass cannot follow a clip", "a rigid body is rigid");
    obstacle.moves = obstacle.clip && obstacle.clip->times.size() > 1;
    return obstacle;
}

void check_thickness(const Place& place, const ContactSettings& settings, double mean_edge,
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
