// From a scene file to a Scene: everything read, checked and resolved.
#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/garment_reader.hpp>
#include <rumple/scene/obstacle_commands.hpp>
#include <rumple/scene/obstacle_reader.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/phase_reader.hpp>
#include <rumple/scene/renumber.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/scene/selection.hpp>
#include <rumple/scene/start_check.hpp>

namespace rumple {

namespace {

constexpr int kVersion = 1;
constexpr double kMaxSteps = 1e9;  // of all phases together: steps are counted in int

const std::vector<std::string_view> kSolvers{"auto", "block_jacobi", "multilevel", "direct"};

// A cloth on its way into the scene, with what handles need of it.
struct ClothInModel {
    std::string name;
    int first_vertex = 0;
};

void require_new_name(const JsonPlace& place, const std::string& name, const auto& others, const char* what) {
    for (const auto& other : others)
        if (other.name == name) place.at("name").fail(fmt::format("two {} are called \"{}\"", what, name));
}

void read_version(const JsonPlace& root) {
    if (!root.has("rumple")) root.fail("the key \"rumple\" is missing", "a scene begins with \"rumple\": 1");
    const JsonPlace version = root.at("rumple");
    if (version.value() != kVersion)
        version.fail(fmt::format("scenes of version {} are unknown", version.value().dump()),
                     fmt::format("this program reads version {}", kVersion));
}

void read_step(const JsonPlace& root, Scene& scene, double& h) {
    const auto step = root.find("step");
    if (!step) return;
    step->require_keys("step");
    h = step->number_or("h", h, kStepRange);
    StepperOptions& options = scene.stepper;
    const NumberRange tolerance{0, 0.1, true, "mean edge lengths"};
    options.tolerance = step->number_or("tolerance", options.tolerance, tolerance);
    options.newton_tolerance = step->number_or("newton_tolerance", options.newton_tolerance, tolerance);
    options.solver = SolverChoice(step->choice_or("solver", 0, kSolvers));
    if (const auto newton = step->find("newton")) {
        if (newton->value().is_string())
            newton->choice({"auto"});
        else
            options.newton_iterations = newton->integer(1, 20);
    }
}

void read_surroundings(const JsonPlace& root, Scene& scene) {
    scene.gravity = root.vector_or("gravity", scene.gravity, {-1000, 1000, false, "m/s2"});
    if (const auto damping = root.find("damping")) {
        damping->require_keys("damping");
        scene.mass_damping = damping->number_or("mass", 0, {0, 1e4, false, "1/s"});
        scene.stiffness_damping = damping->number_or("stiffness", 0, {0, 10, false, "s"});
    }
    if (const auto output = root.find("output")) {
        output->require_keys("output");
        scene.output_rate = output->number_or("rate", scene.output_rate, {0, 1e5, true, "frames/s"});
        if (const auto memory = output->find("memory")) scene.output_memory = memory->flag();
    }
}

std::vector<ClothInModel> read_cloths(const JsonPlace& root, const std::filesystem::path& folder,
                                      const Fitting& fitting, Scene& scene) {
    std::vector<ClothInModel> cloths;
    int first_vertex = 0;
    for (const JsonPlace& place : root.at("cloths").elements()) {
        ReadCloth read = read_cloth(place, folder, fitting);
        require_new_name(place, read.cloth.name, cloths, "cloths");
        scene.warnings.insert(scene.warnings.end(), read.warnings.begin(), read.warnings.end());
        read.cloth.reference = std::move(read.placed);
        cloths.push_back({read.cloth.name, first_vertex});
        first_vertex += static_cast<int>(read.cloth.mesh.positions.size());
        scene.cloths.push_back(std::move(read.cloth));
    }
    if (cloths.empty()) root.at("cloths").fail("the list is empty", "a scene has at least one cloth");
    return cloths;
}

std::size_t cloth_of(const JsonPlace& handle, const std::vector<ClothInModel>& cloths) {
    const auto place = handle.find("cloth");
    if (!place && cloths.size() == 1) return 0;
    if (!place) handle.fail("the key \"cloth\" is missing", "a scene with several cloths says which one");
    const std::string name = place->text();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < cloths.size(); ++i) {
        if (cloths[i].name == name) return i;
        names.push_back(cloths[i].name);
    }
    place->fail(fmt::format("there is no cloth \"{}\"", name), suggestion(name, names));
}

int attached_to(const JsonPlace& place, const Scene& scene) {
    const std::string name = place.text();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
        if (scene.obstacles[i].name == name && scene.obstacles[i].mass > 0)
            place.fail("a weight moves by itself", "attach to an obstacle whose motion is given");
        if (scene.obstacles[i].name == name) return static_cast<int>(i);
        names.push_back(scene.obstacles[i].name);
    }
    place.fail(fmt::format("there is no obstacle \"{}\"", name),
               names.empty() ? "the scene has no obstacles" : suggestion(name, names));
}

void read_handles(const JsonPlace& root, const std::vector<ClothInModel>& cloths, Scene& scene) {
    const auto list = root.find("handles");
    if (!list) return;
    for (const JsonPlace& place : list->elements()) {
        place.require_keys("handle");
        SceneHandle handle;
        handle.name = place.at("name").name();
        require_new_name(place, handle.name, scene.handles, "handles");
        handle.stiffness = place.number_or("stiffness", 0, {0, 1e9, false, "N/m (0: exact)"});
        if (const auto from_start = place.find("from_start")) handle.from_start = from_start->flag();
        const std::size_t cloth = cloth_of(place, cloths);
        SceneCloth& held = scene.cloths[cloth];
        handle.vertices = select_vertices(place.at("select"), held.mesh, held.reference, held.sets);
        if (const auto attach = place.find("attach")) handle.attach = attached_to(*attach, scene);
        for (int& v : handle.vertices) {
            // what is held from the start is held where it was placed: an imperfection there would never
            // leave
            const auto own = static_cast<std::size_t>(v);
            if (handle.from_start) held.mesh.positions[own] = held.reference[own];
            v += cloths[cloth].first_vertex;
        }
        scene.handles.push_back(std::move(handle));
    }
}

double finest_edge(const Scene& scene) {
    double edge = scene.cloths.front().rest.mean_edge_length;
    for (const SceneCloth& cloth : scene.cloths) edge = std::min(edge, cloth.rest.mean_edge_length);
    return edge;
}

void read_obstacles(const JsonPlace& root, const std::filesystem::path& folder, AssetCache& asset_cache,
                    Scene& scene) {
    if (const auto list = root.find("obstacles"))
        for (const JsonPlace& place : list->elements()) {
            ReadObstacle one = read_obstacle(place, folder, asset_cache);
            require_new_name(place, one.obstacle.name, scene.obstacles, "obstacles");
            scene.warnings.insert(scene.warnings.end(), one.warnings.begin(), one.warnings.end());
            scene.obstacles.push_back(std::move(one.obstacle));
        }
}

void read_contact_of(const JsonPlace& root, Scene& scene) {
    if (const auto list = root.find("obstacles"))
        for (const JsonPlace& place : list->elements())
            require_new_name(place, place.at("name").name(), scene.cloths, "cloths or obstacles");
    const auto contact = root.find("contact");
    if (contact)
        scene.contact = read_contact(*contact);
    else if (!scene.obstacles.empty())
        scene.contact = ContactSettings{};
    check_thickness(contact && contact->has("thickness") ? contact->at("thickness") : root, scene.contact,
                    finest_edge(scene), scene.warnings);
}

// Once the phases are known: what moves, and where clips begin.
void finish_obstacles(Scene& scene) {
    if (scene.obstacles.empty()) return;
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
        SceneObstacle& obstacle = scene.obstacles[i];
        for (const Phase& phase : scene.phases)
            obstacle.moves = obstacle.moves || phase.acts[i].motion.moves();
    }
    std::vector<Vec3d> all;
    ObstacleTimeline(scene).positions(0, 0, all);
    auto from = all.begin();
    for (SceneObstacle& obstacle : scene.obstacles)
        for (Vec3d& x : obstacle.mesh.positions) x = *from++;
}

void read_phases(const JsonPlace& root, double h, Scene& scene) {
    const auto places = root.at("phases").elements();
    double total_steps = 0;
    for (const JsonPlace& place : places) {
        Phase phase = read_phase(place, scene, h);
        require_new_name(place, phase.name, scene.phases, "phases");
        total_steps += phase.steps;
        scene.phases.push_back(std::move(phase));
    }
    if (places.empty()) root.at("phases").fail("the list is empty", "a scene has at least one phase");
    if (total_steps > kMaxSteps)
        root.at("phases").fail(fmt::format("{:g} steps are too many", total_steps),
                               "at most 1e9 are possible");
    check_handles(places, scene);
    check_obstacles(places, scene);
}

void read_recovery(const JsonPlace& root, Scene& scene) {
    for (std::size_t k = 0; k < scene.phases.size(); ++k)
        if (scene.phases[k].hold) scene.recovery_phase = static_cast<int>(k);
    if (const auto place = root.find("recovery_from")) {
        std::vector<std::string_view> names;
        for (const Phase& phase : scene.phases) names.push_back(phase.name);
        scene.recovery_phase = static_cast<int>(place->choice(names));
    }
}

// Once all that is said of vertices has been read. The order of a generated mesh is part of what was asked
// for.
void renumber_cloths(const JsonPlace& root, Scene& scene) {
    const auto places = root.at("cloths").elements();
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!places[i].at("mesh").has("generator")) renumber_along_cloth(scene, i);
}

}  // namespace

Scene build_scene(const SceneFile& file, const Variant& variant) {
    const std::string name =
        variant.name.empty() ? file.name : fmt::format("{} (variant {})", file.name, variant.name);
    const JsonPlace root(variant.document, name);
    root.require_keys("scene");
    read_version(root);

    Scene scene;
    scene.variant = variant.name;
    scene.name = root.has("name") ? root.at("name").name() : std::filesystem::path(file.name).stem().string();
    for (const char* key : {"description", "$schema"})
        if (root.has(key)) root.at(key).text();
    double h = Phase{}.h;
    read_step(root, scene, h);
    read_surroundings(root, scene);
    AssetCache own;
    AssetCache& asset_cache = file.asset_cache ? *file.asset_cache : own;
    read_obstacles(root, file.folder, asset_cache, scene);
    const auto cloths = read_cloths(root, file.folder, {scene.obstacles, asset_cache}, scene);
    read_handles(root, cloths, scene);
    read_contact_of(root, scene);
    read_phases(root, h, scene);
    finish_obstacles(scene);
    for (std::string& warning : warn_of_crossings(scene)) scene.warnings.push_back(std::move(warning));
    read_recovery(root, scene);
    scene.cameras = read_cameras(root);
    renumber_cloths(root, scene);
    return scene;
}

}  // namespace rumple
