#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/scene/scene_check.hpp>

namespace rumple {

namespace {

// Fails in the words of one part of a scene.
class Part {
  public:
    Part(const Scene& scene, std::string path) : place_(fmt::format("scene \"{}\": {}", scene.name, path)) {}

    void require(bool fits, const std::string& fault, const std::string& remedy = "") const {
        if (!fits) throw InputError(place_, fault, remedy);
    }
    void require_count(std::size_t have, std::size_t want, const char* what, const char* of) const {
        require(have == want, fmt::format("it has {} {}", have, what),
                fmt::format("there is one for each of the {} {}", want, of));
    }
    void require_indices(const std::vector<int>& list, std::size_t count, const char* what) const {
        for (int i : list)
            require(i >= 0 && static_cast<std::size_t>(i) < count, fmt::format("there is no {} {}", what, i),
                    fmt::format("the scene has {}", count));
    }

  private:
    std::string place_;
};

void check_cloth(const Part& part, const SceneCloth& cloth) {
    const std::size_t vertices = cloth.mesh.positions.size(), triangles = cloth.mesh.triangles.size();
    part.require(vertices > 0 && triangles > 0, "its mesh is empty");
    part.require_count(cloth.reference.size(), vertices, "reference positions", "vertices");
    part.require_count(cloth.rest.area.size(), triangles, "rest areas", "triangles");
    part.require_count(cloth.rest.gradient.size(), triangles, "rest gradients", "triangles");
    for (const auto& triangle : cloth.mesh.triangles)
        part.require_indices({triangle.begin(), triangle.end()}, vertices, "vertex");
    for (const auto& [name, list] : cloth.sets) part.require_indices(list, vertices, "vertex");
    for (const auto* list : {&cloth.rest.hinge_length, &cloth.rest.hinge_height, &cloth.rest.hinge_angle})
        part.require_count(list->size(), cloth.rest.hinges.size(), "rest values", "hinges");
}

void check_phase(const Part& part, const Phase& phase, const Scene& scene) {
    const std::size_t handles = scene.handles.size(), obstacles = scene.obstacles.size();
    part.require(phase.steps >= 0 && phase.h > 0, "its steps or their length are negative");
    part.require(!phase.recovery || (phase.recovery->h > 0 && phase.recovery->material_time > 0),
                 "its recovery has no time or no step");
    part.require_count(phase.motions.size(), handles, "motions", "handles");
    part.require_count(phase.commands.size(), obstacles, "commands", "obstacles");
    std::size_t vertices = 0;
    for (const SceneCloth& cloth : scene.cloths) vertices += cloth.mesh.positions.size();
    for (const Forget& forget : phase.forget) part.require_indices(forget.vertices, vertices, "vertex");
    part.require_indices(phase.grab, handles, "handle");
    part.require_indices(phase.release, handles, "handle");
    part.require_indices(phase.activate, obstacles, "obstacle");
    part.require_indices(phase.deactivate, obstacles, "obstacle");
}

}  // namespace

void check_scene(const Scene& scene) {
    const Part whole(scene, "cloths and phases");
    whole.require(!scene.cloths.empty(), "there is no cloth", "a scene has at least one");
    whole.require(!scene.phases.empty(), "there is no phase", "a scene has at least one");
    whole.require(scene.recovery_phase < static_cast<int>(scene.phases.size()),
                  fmt::format("there is no phase {} to measure recovery from", scene.recovery_phase));
    std::size_t vertices = 0;
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        check_cloth(Part(scene, fmt::format("cloths[{}]", i)), scene.cloths[i]);
        vertices += scene.cloths[i].mesh.positions.size();
    }
    for (std::size_t i = 0; i < scene.handles.size(); ++i) {
        const Part part(scene, fmt::format("handles[{}]", i));
        part.require(!scene.handles[i].vertices.empty(), "it holds no vertex");
        part.require_indices(scene.handles[i].vertices, vertices, "vertex");
        if (scene.handles[i].attach >= 0)
            part.require_indices({scene.handles[i].attach}, scene.obstacles.size(), "obstacle");
    }
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
        const SceneObstacle& obstacle = scene.obstacles[i];
        const Part part(scene, fmt::format("obstacles[{}]", i));
        part.require(!obstacle.mesh.positions.empty(), "its mesh is empty");
        part.require(!obstacle.clip || (!obstacle.clip->times.empty() && obstacle.clip->sample),
                     "its clip has no samples");
    }
    for (std::size_t k = 0; k < scene.phases.size(); ++k)
        check_phase(Part(scene, fmt::format("phases[{}]", k)), scene.phases[k], scene);
}

}  // namespace rumple
