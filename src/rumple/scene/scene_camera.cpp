#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene_camera.hpp>

namespace rumple {

namespace {

const NumberRange kPlace{-1000, 1000, false, "m"};
const NumberRange kFov{0, 120, true, "degrees"};

SceneCamera read_camera(const JsonPlace& place) {
    place.require_keys("camera");
    SceneCamera camera;
    camera.name = place.at("name").name();
    if (place.one_of({"view", "eye"}) == "view") {
        for (const char* key : {"target", "up", "fov"})
            if (place.has(key))
                place.at(key).fail("a view is framed automatically",
                                   "give \"eye\" and \"target\" instead of \"view\"");
        camera.view = place.at("view").choice({kViewNames.begin(), kViewNames.end()});
        return camera;
    }
    camera.eye = place.at("eye").vector(kPlace);
    camera.target = place.at("target").vector(kPlace);
    camera.up = place.direction_or("up", camera.up);
    camera.fov = place.number_or("fov", camera.fov, kFov);
    const Vec3d along = camera.target - camera.eye;
    if (!(norm(along) > 0))
        place.at("target").fail("eye and target are the same point",
                                "the camera needs a direction to look in");
    if (!(norm(cross(along, camera.up)) > 1e-6 * norm(along)))
        (place.has("up") ? place.at("up") : place)
            .fail("the camera looks along its own up direction", "give an \"up\" that is across the view");
    return camera;
}

}  // namespace

std::vector<SceneCamera> read_cameras(const JsonPlace& root) {
    std::vector<SceneCamera> cameras;
    const auto list = root.find("cameras");
    if (!list) return cameras;
    for (const JsonPlace& place : list->elements()) {
        SceneCamera camera = read_camera(place);
        for (const SceneCamera& other : cameras)
            if (other.name == camera.name)
                place.at("name").fail(fmt::format("two cameras are called \"{}\"", camera.name));
        cameras.push_back(std::move(camera));
    }
    return cameras;
}

nlohmann::json to_json(const SceneCamera& camera) {
    if (camera.view) return {{"name", camera.name}, {"view", kViewNames[*camera.view]}};
    const auto list = [](Vec3d v) { return nlohmann::json{v.x, v.y, v.z}; };
    return {{"name", camera.name},
            {"eye", list(camera.eye)},
            {"target", list(camera.target)},
            {"up", list(camera.up)},
            {"fov", camera.fov}};
}

std::optional<SceneCamera> camera_from_json(const nlohmann::json& json) {
    try {
        return read_camera(JsonPlace(json, "summary.json"));
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace rumple
