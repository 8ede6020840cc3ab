#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <rumple/contact/intersections.hpp>
#include <rumple/contact/penetration.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/start_check.hpp>

namespace rumple {

namespace {

using BodyPair = std::pair<int, int>;

// What of a cloth is inside an obstacle.
struct Inside {
    int vertices = 0;
    double depth = 0;  // m, the largest
};

std::map<BodyPair, Inside> inside_obstacles(const contact::Surface& surface,
                                            const std::vector<Vec3d>& positions,
                                            const std::vector<std::uint8_t>& active) {
    contact::Penetration penetration(surface);
    penetration.place(Threads(1), positions, active);
    std::map<BodyPair, Inside> inside;
    for (const int v : penetration.find(Threads(1))) {
        const contact::NearestFace face = penetration.nearest(v, HUGE_VAL);
        if (face.triangle < 0 || face.height >= 0) continue;
        Inside& here = inside[{surface.body_of_vertex[static_cast<std::size_t>(v)],
                               surface.body_of_triangle[static_cast<std::size_t>(face.triangle)]}];
        ++here.vertices;
        here.depth = std::max(here.depth, -face.height);
    }
    return inside;
}

std::string warning_of(const std::string& cloth, const std::string& obstacle, int pairs,
                       const Inside& inside) {
    const std::string begin =
        fmt::format("{} and {} cross each other as the scene begins: {} pair{} of triangles", cloth, obstacle,
                    pairs, pairs == 1 ? "" : "s");
    if (inside.vertices == 0)
        return fmt::format("{}, no vertex is inside: move {} out, or refine its mesh there", begin, cloth);
    return fmt::format(
        "{}; {} {} of {} inside, at most {:.2g} mm deep: they are pushed out; where folds stay, widen {} or "
        "move it out",
        begin, inside.vertices, inside.vertices == 1 ? "vertex" : "vertices", cloth, 1e3 * inside.depth,
        cloth);
}

}  // namespace

std::vector<std::string> warn_of_crossings(const Scene& scene) {
    if (!scene.has_contact()) return {};
    std::vector<contact::BodyMesh> bodies;
    std::vector<std::string> names;
    std::vector<Vec3d> positions;
    std::vector<std::uint8_t> active;
    const auto add = [&](contact::BodyKind kind, const std::string& name, const TriMesh& mesh, bool there) {
        bodies.push_back({kind, static_cast<int>(mesh.positions.size()), mesh.triangles});
        names.push_back(name);
        positions.insert(positions.end(), mesh.positions.begin(), mesh.positions.end());
        active.push_back(there ? 1 : 0);
    };
    for (const SceneCloth& cloth : scene.cloths) add(contact::BodyKind::cloth, cloth.name, cloth.mesh, true);
    const ObstacleTimeline timeline(scene);
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i)
        add(scene.obstacles[i].mass > 0 ? contact::BodyKind::rigid_body : contact::BodyKind::obstacle,
            scene.obstacles[i].name, scene.obstacles[i].mesh, timeline.present(0)[i] != 0);

    const contact::Surface surface = contact::make_surface(bodies);
    std::map<BodyPair, int> crossings;  // by bodies
    for (const auto& [a, b] : contact::intersecting_triangles(Threads(1), surface, positions, active))
        ++crossings[{surface.body_of_triangle[static_cast<std::size_t>(a)],
                     surface.body_of_triangle[static_cast<std::size_t>(b)]}];
    if (crossings.empty()) return {};
    std::map<BodyPair, Inside> inside = inside_obstacles(surface, positions, active);
    std::vector<std::string> warnings;
    for (const auto& [pair, count] : crossings) {
        const auto cloths = static_cast<int>(scene.cloths.size());
        if (pair.second < cloths && !scene.contact.cloth_on_cloth) continue;
        const std::string& one = names[static_cast<std::size_t>(pair.first)];
        const std::string& other = names[static_cast<std::size_t>(pair.second)];
        if (pair.first == pair.second)
            warnings.push_back(
                fmt::format("{} crosses itself as the scene begins: {} pairs of triangles; contact cannot "
                            "separate them: change its mesh",
                            one, count));
        else if (pair.second < cloths)
            warnings.push_back(
                fmt::format("{} and {} cross each other as the scene begins: {} pairs of triangles; contact "
                            "cannot separate them: move one of them",
                            one, other, count));
        else
            warnings.push_back(warning_of(one, other, count, inside[pair]));
    }
    return warnings;
}

}  // namespace rumple
