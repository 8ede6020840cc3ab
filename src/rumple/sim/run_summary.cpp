#include <rumple/core/version.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/sim/run_summary.hpp>

namespace rumple {
namespace {

std::vector<std::string> phases_with(const Scene& scene, const ObstacleTimeline& timeline,
                                     std::size_t obstacle) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < scene.phases.size(); ++k)
        if (scene.phases[k].steps > 0 && timeline.present(static_cast<int>(k))[obstacle])
            names.push_back(scene.phases[k].name);
    return names;
}

std::vector<RunSummary::Obstacle> obstacles_of(const Scene& scene) {
    std::vector<RunSummary::Obstacle> obstacles;
    const ObstacleTimeline timeline(scene);
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
        const SceneObstacle& from = scene.obstacles[i];
        obstacles.push_back({from.name, from.kind, from.mesh.positions.size(), from.mesh.triangles.size(),
                             from.changes(), from.mass, phases_with(scene, timeline, i)});
    }
    return obstacles;
}

}  // namespace

RunSummary summary_of(const Scene& scene, const std::string& scene_hash) {
    RunSummary summary;
    summary.program.version = version();
    summary.program.source = source_hash();
    summary.scene = scene.name;
    summary.variant = scene.variant;
    summary.scene_hash = scene_hash;
    for (const SceneCloth& cloth : scene.cloths)
        summary.cloths.push_back({cloth.name, cloth.material.name, cloth.mesh.positions.size(),
                                  cloth.mesh.triangles.size(), cloth.rest.hinges.size()});
    if (!scene.obstacles.empty()) summary.obstacles = obstacles_of(scene);
    summary.cameras = scene.cameras;
    summary.output_rate = scene.output_rate;
    if (scene.has_contact())
        summary.contact = {
            scene.contact.cloth_on_cloth, scene.contact.thickness, scene.contact.friction, {}, {}};
    summary.warnings = scene.warnings;
    return summary;
}

}  // namespace rumple
