// From the description of a scene to a Scene: names become indices, selectors vertices, sources meshes.
#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/suggest.hpp>
#include <rumple/io/animation.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/renumber.hpp>
#include <rumple/scene/resolve_cloth.hpp>
#include <rumple/scene/resolve_obstacle.hpp>
#include <rumple/scene/resolve_phase.hpp>
#include <rumple/scene/run_start.hpp>
#include <rumple/scene/scene_description.hpp>
#include <rumple/scene/selection.hpp>
#include <rumple/scene/start_check.hpp>

namespace rumple {

namespace {

constexpr double kMaxSteps = 1e9;  // of all phases together: steps are counted in int

void require_new_name(const Place& place, const std::string& name, const auto& others, const char* what) {
    for (const auto& other : others)
        if (other.name == name) place.at("name").fail(fmt::format("two {} are called \"{}\"", what, name));
}

std::vector<std::string> checked_formats(const SceneDescription& description) {
    const std::vector<std::string> known(kAnimationFormats.begin(), kAnimationFormats.end());
    for (const std::string& format : description.output_formats)
        if (std::find(known.begin(), known.end(), format) == known.end())
            description.place.at("output").at("formats").fail(fmt::format("\"{}\" is unknown", format),
                                                              suggestion(format, known));
    return description.output_formats;
}

void resolve_obstacles(const SceneDescription& description, Scene& scene) {
    for (const ObstacleDescription& obstacle : description.obstacles) {
        require_new_name(obstacle.place, obstacle.name, scene.obstacles, "obstacles");
        scene.obstacles.push_back(resolve_obstacle(obstacle, scene.warnings));
    }
}

void resolve_cloths(const SceneDescription& description, AssetCache& asset_cache, Scene& scene) {
    for (const ClothDescription& cloth : description.cloths) {
        require_new_name(cloth.place, cloth.name, scene.cloths, "cloths");
        scene.cloths.push_back(resolve_cloth(cloth, scene.obstacles, asset_cache, scene.warnings));
    }
    if (scene.cloths.empty())
        description.place.at("cloths").fail("the list is empty", "a scene has at least one cloth");
    for (const ObstacleDescription& obstacle : description.obstacles)
        require_new_name(obstacle.place, obstacle.name, scene.cloths, "cloths or obstacles");
}

std::size_t cloth_of(const HandleDescription& handle, const Scene& scene) {
    const std::string& name = handle.options.cloth;
    if (!name.empty()) return index_of(handle.place.at("cloth"), name, scene.cloths, "cloth");
    if (scene.cloths.size() > 1)
        handle.place.fail("the key \"cloth\" is missing", "a scene with several cloths says which one");
    return 0;
}

int attached_to(const HandleDescription& handle, const Scene& scene) {
    if (handle.options.attach.empty()) return -1;
    const Place place = handle.place.at("attach");
    const std::size_t i = index_of(place, handle.options.attach, scene.obstacles, "obstacle");
    if (scene.obstacles[i].mass > 0)
        place.fail("a rigid body with mass moves by itself", "attach to an obstacle whose motion is given");
    return static_cast<int>(i);
}

void resolve_handles(const SceneDescription& description, Scene& scene) {
    for (const HandleDescription& from : description.handles) {
        require_new_name(from.place, from.name, scene.handles, "handles");
        SceneHandle handle;
        handle.name = from.name;
        handle.stiffness = from.options.stiffness;
        handle.from_start = from.options.from_start;
        const std::size_t cloth = cloth_of(from, scene);
        SceneCloth& held = scene.cloths[cloth];
        handle.vertices =
            select_vertices(from.place.at("select"), from.select, {held.mesh, held.reference, held.sets});
        handle.attach = attached_to(from, scene);
        int first_vertex = 0;
        for (std::size_t i = 0; i < cloth; ++i)
            first_vertex += static_cast<int>(scene.cloths[i].mesh.positions.size());
        for (int& v : handle.vertices) {
            // What is held from the start is held where it was placed: an imperfection there would stay.
            const auto own = static_cast<std::size_t>(v);
            if (handle.from_start) held.mesh.positions[own] = held.reference[own];
            v += first_vertex;
        }
        scene.handles.push_back(std::move(handle));
    }
}

void resolve_contact(const SceneDescription& description, Scene& scene) {
    if (description.contact)
        scene.contact = *description.contact;
    else if (!scene.obstacles.empty())
        scene.contact = ContactSettings{};
    double finest = scene.cloths.front().rest.mean_edge_length;
    for (const SceneCloth& cloth : scene.cloths) finest = std::min(finest, cloth.rest.mean_edge_length);
    const bool is_default = scene.contact.thickness == ContactSettings{}.thickness;
    check_thickness(is_default ? description.place : description.place.at("contact").at("thickness"),
                    scene.contact, finest, scene.warnings);
}

void resolve_phases(const SceneDescription& description, Scene& scene) {
    double total_steps = 0;
    for (const PhaseDescription& from : description.phases) {
        Phase phase = resolve_phase(from, scene, description.h);
        require_new_name(from.place, phase.name, scene.phases, "phases");
        total_steps += phase.steps;
        scene.phases.push_back(std::move(phase));
    }
    const Place place = description.place.at("phases");
    if (scene.phases.empty()) place.fail("the list is empty", "a scene has at least one phase");
    if (total_steps > kMaxSteps)
        place.fail(fmt::format("{:g} steps are too many", total_steps), "at most 1e9 are possible");
    check_handles(description.phases, scene);
    check_obstacles(description.phases, scene);
}

// Once the phases are known: what moves, and where clips begin.
void finish_obstacles(Scene& scene) {
    if (scene.obstacles.empty()) return;
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i)
        for (const Phase& phase : scene.phases)
            scene.obstacles[i].moves = scene.obstacles[i].moves || phase.commands[i].motion.moves();
    std::vector<Vec3d> all;
    ObstacleTimeline(scene).positions(0, 0, all);
    auto from = all.begin();
    for (SceneObstacle& obstacle : scene.obstacles)
        for (Vec3d& x : obstacle.mesh.positions) x = *from++;
}

int recovery_phase(const SceneDescription& description, const Scene& scene) {
    int last_hold = -1;
    std::vector<std::string> names;
    for (const Phase& phase : scene.phases) {
        if (phase.hold) last_hold = static_cast<int>(names.size());
        names.push_back(phase.name);
    }
    if (description.recovery_from.empty()) return last_hold;
    const auto found = std::find(names.begin(), names.end(), description.recovery_from);
    if (found == names.end())
        description.place.at("recovery_from")
            .fail(fmt::format("\"{}\" is unknown", description.recovery_from),
                  suggestion(description.recovery_from, names));
    return static_cast<int>(found - names.begin());
}

// Once all that names vertices is resolved. Generated meshes and those of a program keep their order.
void renumber_cloths(const SceneDescription& description, Scene& scene) {
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const ClothSource& source = description.cloths[i].source;
        if (std::holds_alternative<MeshFile>(source) || std::holds_alternative<TrousersCut>(source) ||
            std::holds_alternative<TshirtCut>(source))
            renumber_along_cloth(scene, i);
    }
}

// Once cloths have their numbers.
std::shared_ptr<const RunStart> resolve_start(const StartDescription& from, const Scene& scene) {
    const std::shared_ptr<RunStart> start = read_run_start(from.place, from.run);
    require_same_cloths(from.place, *start, scene);
    if (!from.positions) {
        start->x.clear();
        start->v.clear();
    }
    return start;
}

}  // namespace

Scene resolve_scene(const SceneDescription& description, AssetCache& asset_cache) {
    Scene scene;
    scene.name = description.name;
    scene.variant = description.variant;
    scene.gravity = description.gravity;
    scene.mass_damping = description.mass_damping;
    scene.stiffness_damping = description.stiffness_damping;
    scene.stepper = description.stepper;
    scene.output_rate = description.output_rate;
    scene.output_memory = description.output_memory;
    scene.output_formats = checked_formats(description);
    scene.cameras = description.cameras;
    scene.warnings = description.warnings;
    resolve_obstacles(description, scene);
    resolve_cloths(description, asset_cache, scene);
    resolve_handles(description, scene);
    resolve_contact(description, scene);
    resolve_phases(description, scene);
    finish_obstacles(scene);
    for (std::string& warning : warn_of_crossings(scene)) scene.warnings.push_back(std::move(warning));
    scene.recovery_phase = recovery_phase(description, scene);
    renumber_cloths(description, scene);
    if (description.start) scene.start = resolve_start(*description.start, scene);
    return scene;
}

}  // namespace rumple
