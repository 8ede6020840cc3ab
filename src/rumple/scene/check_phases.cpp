// What the phases of a scene require of each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <rumple/core/error.hpp>
#include <rumple/core/index.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/resolve_phase.hpp>

namespace rumple {

namespace {

constexpr double kSameTime = 1e-6;  // s of a clip

void check_grabs(const Place& place, const Phase& phase, const std::vector<SceneHandle>& handles,
                 std::vector<bool>& held) {
    for (int i : phase.release) {
        if (!held[at(i)]) place.at("release").fail(fmt::format("\"{}\" is not held", handles[at(i)].name));
        held[at(i)] = false;
    }
    for (int i : phase.grab) {
        if (held[at(i)])
            place.at("grab").fail(fmt::format("\"{}\" is held already", handles[at(i)].name),
                                  "release it in an earlier phase, or give it \"from_start\": false");
        held[at(i)] = true;
    }
}

// A handle has a motion of its own only where it is held and not attached.
void check_moved(const PhaseDescription& phase, const std::vector<SceneHandle>& handles,
                 const std::vector<bool>& held) {
    for (const auto& [name, motion] : phase.options.motions) {
        const Place place = phase.place.at("motions").at(name);
        const std::size_t i = index_of(place, name, handles, "handle");
        if (handles[i].attach >= 0)
            place.fail("the handle is attached to an obstacle and goes where that goes",
                       "leave out its motion, or its \"attach\"");
        if (!held[i]) place.fail("the handle is not held in this phase", "grab it first");
    }
}

// A vertex by its cloth's name and number: those the author of the scene knows.
ErrorPlace place_of_vertex(const Scene& scene, int vertex) {
    for (const SceneCloth& cloth : scene.cloths) {
        const int count = static_cast<int>(cloth.mesh.positions.size());
        if (vertex < count) return {cloth.name, {vertex}};
        vertex -= count;
    }
    return {};
}

std::string text_of(const ErrorPlace& place) {
    return place.known() ? fmt::format("vertex {} of \"{}\"", place.vertices.front(), place.cloth)
                         : "a vertex";
}

void check_one_holder(const Place& place, const Scene& scene, const std::vector<bool>& held) {
    std::map<int, std::size_t> holder;  // by vertex
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (!held[i]) continue;
        for (int v : scene.handles[i].vertices) {
            const auto [other, is_new] = holder.emplace(v, i);
            if (is_new) continue;
            const ErrorPlace vertex = place_of_vertex(scene, v);
            throw InputError(
                place.where(),
                fmt::format("handles \"{}\" and \"{}\" both hold {}", scene.handles[other->second].name,
                            scene.handles[i].name, text_of(vertex)),
                "a vertex has one handle at a time", vertex);
        }
    }
}

void check_activation(const Place& place, const Phase& phase, const std::vector<SceneObstacle>& obstacles,
                      std::vector<bool>& present) {
    for (int i : phase.deactivate) {
        if (!present[at(i)])
            place.at("deactivate").fail(fmt::format("\"{}\" is not there", obstacles[at(i)].name));
        present[at(i)] = false;
    }
    for (int i : phase.activate) {
        if (present[at(i)])
            place.at("activate")
                .fail(fmt::format("\"{}\" is there already", obstacles[at(i)].name),
                      "give it \"present\": false to begin without it");
        present[at(i)] = true;
    }
}

}  // namespace

void check_handles(const std::vector<PhaseDescription>& phases, const Scene& scene) {
    std::vector<bool> held;
    for (const SceneHandle& handle : scene.handles) held.push_back(handle.from_start);
    for (std::size_t k = 0; k < scene.phases.size(); ++k) {
        if (scene.phases[k].steps == 0) continue;
        check_grabs(phases[k].place, scene.phases[k], scene.handles, held);
        check_moved(phases[k], scene.handles, held);
        check_one_holder(phases[k].place, scene, held);
    }
}

void check_obstacles(const std::vector<PhaseDescription>& phases, const Scene& scene) {
    std::vector<bool> present;
    for (const SceneObstacle& obstacle : scene.obstacles) present.push_back(obstacle.from_start);
    const ObstacleTimeline timeline(scene);
    bool first = true;
    for (std::size_t k = 0; k < scene.phases.size(); ++k) {
        const Phase& phase = scene.phases[k];
        if (phase.steps == 0) continue;
        const std::vector<bool> before = present;
        check_activation(phases[k].place, phase, scene.obstacles, present);
        for (std::size_t i = 0; i < present.size(); ++i) {
            const std::optional<double>& from = phase.commands[i].from;
            if (!from || first || !before[i] || !present[i]) continue;
            const double clock =
                timeline.clip_time(static_cast<int>(k) - 1, scene.phases[k - 1].steps, static_cast<int>(i));
            if (std::abs(*from - clock) > kSameTime)
                phases[k]
                    .place.at("obstacles")
                    .at(scene.obstacles[i].name)
                    .at("from")
                    .fail(fmt::format("the clip would jump: as the phase begins it is at {:.6g} s", clock),
                          "leave \"from\" out to continue from there");
        }
        first = false;
    }
}

}  // namespace rumple
