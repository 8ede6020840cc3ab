#include <fmt/format.h>

#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/fields.hpp>
#include <rumple/scene/scene_builder.hpp>

namespace rumple {

namespace {

void check_placement(const Place& place, const Placement& placement) {
    place.at("translate").check(placement.pose.translation, kCoordinate);
    place.at("scale").check(placement.scale, kPlacementScale);
}

// The ranges of a cloth's source; a mesh or a file is checked as it is read.
void check_source(const Place& place, const ClothSource& source) {
    if (const auto* tube = std::get_if<TubeOptions>(&source)) check_fields(place, *tube);
    if (const auto* grid = std::get_if<GridOptions>(&source)) check_fields(place, *grid);
    if (const auto* disc = std::get_if<DiscOptions>(&source)) check_fields(place, *disc);
    if (const auto* file = std::get_if<MeshFile>(&source)) check_fields(place, *file);
    if (const auto* cut = std::get_if<TrousersCut>(&source)) check_fields(place, cut->options);
    if (const auto* cut = std::get_if<TshirtCut>(&source)) check_fields(place, cut->options);
}

void check_cloth(const ClothDescription& cloth) {
    cloth.place.at("name").check_name(cloth.name);
    check_source(cloth.place.at("mesh"), cloth.source);
    check_fields(cloth.place, cloth.options.rest);
    cloth.place.at("warp").check_direction(cloth.options.rest.warp);
    check_fields(cloth.place.at("imperfection"), cloth.options.imperfection);
    check_placement(cloth.place.at("place"), cloth.options.place);
}

void check_handle(const HandleDescription& handle) {
    handle.place.at("name").check_name(handle.name);
    check_fields(handle.place, handle.options);
}

void check_obstacle(const ObstacleDescription& obstacle) {
    const ObstacleOptions& options = obstacle.options;
    obstacle.place.at("name").check_name(obstacle.name);
    if (const auto* shape = std::get_if<ObstacleShape>(&obstacle.source))
        std::visit([&](const auto& one) { check_fields(obstacle.place.at("shape"), one); }, *shape);
    if (const auto* file = std::get_if<MeshFile>(&obstacle.source))
        check_fields(obstacle.place.at("mesh"), *file);
    check_fields(obstacle.place, options);
    check_placement(obstacle.place.at("place"), options.place);
    if (options.mass != 0) obstacle.place.at("mass").check(options.mass, kMass);
    if (options.slider) obstacle.place.at("slider").check_direction(*options.slider);
    if (options.slider && options.mass == 0)
        obstacle.place.at("slider").fail("belongs to a rigid body", "give it a mass");
}

void check_surroundings(const SceneDescription& scene) {
    const Place& place = scene.place;
    place.at("name").check_name(scene.name);
    if (!scene.variant.empty()) place.at("variant").check_name(scene.variant);
    place.at("gravity").check(scene.gravity, kGravity);
    place.at("damping").at("mass").check(scene.mass_damping, kMassDamping);
    place.at("damping").at("stiffness").check(scene.stiffness_damping, kStiffnessDamping);
    place.at("step").check(scene.h, kStepRange);
    check_fields(place.at("solver"), scene.stepper);
    place.at("solver").at("newton_iterations").check_whole(scene.stepper.newton_iterations, 0, kMaxNewton);
    place.at("output").at("rate").check(scene.output_rate, kOutputRate);
    if (scene.contact) check_fields(place.at("contact"), *scene.contact);
}

}  // namespace

SceneBuilder::SceneBuilder(std::string name) {
    scene_.place = Place(name);
    scene_.name = std::move(name);
}

Place SceneBuilder::part(const char* kind, const std::string& name) const {
    return scene_.place.at(fmt::format("{}(\"{}\")", kind, name));
}

SceneBuilder& SceneBuilder::cloth(std::string name, ClothSource mesh, MaterialChoice material,
                                  ClothOptions options) {
    const Place place = part("cloth", name);
    scene_.cloths.push_back({place, std::move(name), std::move(mesh), std::move(material), options});
    return *this;
}

SceneBuilder& SceneBuilder::handle(std::string name, Selector select, HandleOptions options) {
    const Place place = part("handle", name);
    scene_.handles.push_back({place, std::move(name), std::move(select), std::move(options)});
    return *this;
}

SceneBuilder& SceneBuilder::obstacle(std::string name, ObstacleSource shape, ObstacleOptions options) {
    const Place place = part("obstacle", name);
    scene_.obstacles.push_back({place, std::move(name), std::move(shape), options});
    return *this;
}

SceneBuilder& SceneBuilder::phase(std::string name, PhaseOptions options) {
    const Place place = part("phase", name);
    scene_.phases.push_back({place, std::move(name), std::move(options)});
    return *this;
}

SceneBuilder& SceneBuilder::variant(std::string name) {
    scene_.variant = std::move(name);
    return *this;
}
SceneBuilder& SceneBuilder::gravity(Vec3d g) {
    scene_.gravity = g;
    return *this;
}
SceneBuilder& SceneBuilder::damping(double mass, double stiffness) {
    scene_.mass_damping = mass;
    scene_.stiffness_damping = stiffness;
    return *this;
}
SceneBuilder& SceneBuilder::step(double h) {
    scene_.h = h;
    return *this;
}
SceneBuilder& SceneBuilder::solver(const StepperOptions& options) {
    scene_.stepper = options;
    return *this;
}
SceneBuilder& SceneBuilder::contact(const ContactSettings& settings) {
    scene_.contact = settings;
    return *this;
}
SceneBuilder& SceneBuilder::output(double rate, bool memory) {
    scene_.output_rate = rate;
    scene_.output_memory = memory;
    return *this;
}
SceneBuilder& SceneBuilder::start_from(std::filesystem::path run, bool positions) {
    scene_.start = {scene_.place.at("start_from"), std::move(run), positions};
    return *this;
}
SceneBuilder& SceneBuilder::formats(std::vector<std::string> formats) {
    scene_.output_formats = std::move(formats);
    return *this;
}
SceneBuilder& SceneBuilder::recovery_from(std::string phase) {
    scene_.recovery_from = std::move(phase);
    return *this;
}
SceneBuilder& SceneBuilder::camera(SceneCamera camera) {
    scene_.cameras.push_back(std::move(camera));
    return *this;
}

Scene SceneBuilder::build() const {
    check_surroundings(scene_);
    for (const ClothDescription& cloth : scene_.cloths) check_cloth(cloth);
    for (const HandleDescription& handle : scene_.handles) check_handle(handle);
    for (const ObstacleDescription& obstacle : scene_.obstacles) check_obstacle(obstacle);
    for (const PhaseDescription& phase : scene_.phases) phase.place.at("name").check_name(phase.name);
    AssetCache assets;
    SceneDescription unit = scene_;
    for (ObstacleDescription& obstacle : unit.obstacles)
        if (obstacle.options.slider) obstacle.options.slider = normalized(*obstacle.options.slider);
    return resolve_scene(unit, assets);
}

}  // namespace rumple
