// The JSON of a scene file, read into a description of the scene.
#include <fmt/format.h>

#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/fields.hpp>
#include <rumple/scene/obstacle_reader.hpp>
#include <rumple/scene/phase_reader.hpp>
#include <rumple/scene/scene_aliases.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/scene/selection_reader.hpp>

namespace rumple {

namespace {

constexpr int kVersion = 1;

void read_version(const JsonPlace& root) {
    if (!root.has("rumple")) root.fail("the key \"rumple\" is missing", "a scene begins with \"rumple\": 1");
    const JsonPlace version = root.at("rumple");
    if (version.value() != kVersion)
        version.fail(fmt::format("scenes of version {} are unknown", version.value().dump()),
                     fmt::format("this program reads version {}", kVersion));
}

void read_step(const JsonPlace& root, SceneDescription& scene) {
    const auto step = root.find("step");
    if (!step) return;
    step->require_keys("step");
    scene.h = step->number_or("h", scene.h, kStepRange);
    read_fields(*step, scene.stepper);
    if (const auto newton = step->find("newton")) {
        if (newton->value().is_string())
            newton->choice({"auto"});
        else
            scene.stepper.newton_iterations = newton->integer(1, kMaxNewton);
    }
}

void read_surroundings(const JsonPlace& root, SceneDescription& scene) {
    scene.gravity = root.vector_or("gravity", scene.gravity, kGravity);
    if (const auto damping = root.find("damping")) {
        damping->require_keys("damping");
        scene.mass_damping = damping->number_or("mass", 0, kMassDamping);
        scene.stiffness_damping = damping->number_or("stiffness", 0, kStiffnessDamping);
    }
    if (const auto output = root.find("output")) {
        output->require_keys("output");
        scene.output_rate = output->number_or("rate", scene.output_rate, kOutputRate);
        if (const auto memory = output->find("memory")) scene.output_memory = memory->flag();
        if (const auto formats = output->find("formats"))
            for (const JsonPlace& format : formats->elements()) scene.output_formats.push_back(format.text());
    }
    if (const auto contact = root.find("contact")) scene.contact = read_contact(*contact);
    if (const auto recovery = root.find("recovery_from")) scene.recovery_from = recovery->text();
}

// The folder of a run, or an object with it.
StartDescription read_start(const JsonPlace& place, const std::filesystem::path& folder) {
    StartDescription start{place, {}, true};
    if (place.value().is_object()) {
        place.require_keys("from");
        start.run = folder / place.at("run").text();
        if (const auto positions = place.find("positions")) start.positions = positions->flag();
    } else {
        start.run = folder / place.text();
    }
    return start;
}

HandleDescription read_handle(const JsonPlace& place) {
    place.require_keys("handle");
    HandleDescription handle;
    handle.place = place;
    handle.name = place.at("name").name();
    read_fields(place, handle.options);
    if (const auto cloth = place.find("cloth")) handle.options.cloth = cloth->text();
    if (const auto attach = place.find("attach")) handle.options.attach = attach->text();
    handle.select = read_selector(place.at("select"));
    return handle;
}

SceneDescription read_scene(const JsonPlace& root, const std::filesystem::path& folder,
                            AssetCache& asset_cache) {
    SceneDescription scene;
    scene.place = root;
    for (const char* key : {"description", "$schema"})
        if (root.has(key)) root.at(key).text();
    read_step(root, scene);
    read_surroundings(root, scene);
    if (const auto list = root.find("obstacles"))
        for (const JsonPlace& place : list->elements())
            scene.obstacles.push_back(read_obstacle(place, folder, asset_cache));
    for (const JsonPlace& place : root.at("cloths").elements())
        scene.cloths.push_back(read_cloth(place, folder));
    if (const auto list = root.find("handles"))
        for (const JsonPlace& place : list->elements()) scene.handles.push_back(read_handle(place));
    for (const JsonPlace& place : root.at("phases").elements()) scene.phases.push_back(read_phase(place));
    if (const auto from = root.find("from")) scene.start = read_start(*from, folder);
    scene.cameras = read_cameras(root);
    return scene;
}

}  // namespace

SceneDescription describe_scene(const SceneFile& file, const Variant& variant, AssetCache& asset_cache) {
    const std::string name =
        variant.name.empty() ? file.name : fmt::format("{} (variant {})", file.name, variant.name);
    nlohmann::json document = variant.document;
    const std::vector<std::string> warnings = replace_old_keys(document, name);
    const JsonPlace root(document, name);
    root.require_keys("scene");
    read_version(root);
    SceneDescription scene = read_scene(root, file.folder, asset_cache);
    scene.name = root.has("name") ? root.at("name").name() : std::filesystem::path(file.name).stem().string();
    scene.variant = variant.name;
    scene.warnings = warnings;
    return scene;
}

Scene build_scene(const SceneFile& file, const Variant& variant) {
    AssetCache own;
    AssetCache& asset_cache = file.asset_cache ? *file.asset_cache : own;
    return resolve_scene(describe_scene(file, variant, asset_cache), asset_cache);
}

}  // namespace rumple
