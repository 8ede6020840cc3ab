#include <fmt/format.h>

#include <map>
#include <rumple/contact/intersections.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/start_check.hpp>

namespace rumple {

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
    std::map<std::pair<int, int>, int> crossings;  // by bodies
    for (const auto& [a, b] : contact::intersecting_triangles(Threads(1), surface, positions, active))
        ++crossings[{surface.body_of_triangle[static_cast<std::size_t>(a)],
                     surface.body_of_triangle[static_cast<std::size_t>(b)]}];
    std::vector<std::string> warnings;
    for (const auto& [pair, count] : crossings) {
        const auto cloths = static_cast<int>(scene.cloths.size());
        if (pair.second < cloths && !scene.contact.cloth_on_cloth) continue;
        const std::string& one = names[static_cast<std::size_t>(pair.first)];
        const std::string& other = names[static_cast<std::size_t>(pair.second)];
        warnings.push_back(
            pair.first == pair.second
                ? fmt::format("{} crosses itself as the scene begins: {} pairs of triangles", one, count)
                : fmt::format("{} and {} cross each other as the scene begins: {} pairs of triangles", one,
                              other, count));
    }
    return warnings;
}

}  // namespace rumple
