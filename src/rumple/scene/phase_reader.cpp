#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <rumple/core/index.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/motion_reader.hpp>
#include <rumple/scene/obstacle_commands.hpp>
#include <rumple/scene/phase_reader.hpp>

namespace rumple {

namespace {

constexpr int kMaxSteps = 100'000'000;
constexpr double kLongestPhase = 1e6;  // s of dynamic time
constexpr int kDefaultHoldSteps = 50;
constexpr double kWholeSteps = 1e-6;  // of a step

// Index of the handle or obstacle of that name.
template <class Thing>
std::size_t index_of(const JsonPlace& place, const std::string& name, const std::vector<Thing>& things,
                     const char* what) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (things[i].name == name) return i;
        names.push_back(things[i].name);
    }
    place.fail(fmt::format("there is no {} \"{}\"", what, name),
               names.empty() ? fmt::format("the scene has no {}s", what) : suggestion(name, names));
}

template <class Thing>
std::vector<int> read_list(const JsonPlace& phase, const std::string& key, const std::vector<Thing>& things,
                           const char* what) {
    std::vector<int> list;
    const auto place = phase.find(key);
    if (!place) return list;
    for (const JsonPlace& element : place->elements()) {
        const int index = static_cast<int>(index_of(element, element.text(), things, what));
        if (std::find(list.begin(), list.end(), index) != list.end())
            element.fail(fmt::format("\"{}\" stands here twice", element.text()));
        list.push_back(index);
    }
    return list;
}

int whole_steps(const JsonPlace& place, double h) {
    const double duration = place.number({0, kLongestPhase, false, "s"});
    const double exact = duration / h, whole = std::round(exact);
    if (whole > kMaxSteps)
        place.fail(fmt::format("{} steps are too many", whole),
                   fmt::format("at most {} are possible", kMaxSteps));
    if (std::abs(exact - whole) > kWholeSteps)
        place.fail(
            fmt::format("{} s is {:.6g} steps of {} s", duration, exact, h),
            fmt::format("a phase is a whole number of steps: {:.10g} s would be {}", whole * h, whole));
    return static_cast<int>(whole);
}

void read_length(const JsonPlace& place, Phase& phase) {
    phase.hold = place.has("hold");
    if (!phase.hold) {
        if (place.has("steps")) place.at("steps").fail("belongs to a hold", "give a duration, in s");
        phase.steps = whole_steps(place.at("duration"), phase.h);
        phase.material_dt = phase.h;
        return;
    }
    if (place.has("duration"))
        place.at("duration")
            .fail("a hold has steps instead",
                  "\"hold\" is the material time in s, \"steps\" the number of steps it takes");
    const double material_time = place.at("hold").number({0, 1e12, false, "s of material time"});
    phase.steps = place.has("steps") ? place.at("steps").integer(0, kMaxSteps) : kDefaultHoldSteps;
    phase.material_dt = phase.steps > 0 ? material_time / phase.steps : 0;
}

void check_grabs(const JsonPlace& place, const Phase& phase, const std::vector<SceneHandle>& handles,
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

// Only what is held by its handle alone has a motion of its own.
void check_moved(const JsonPlace& place, const std::vector<SceneHandle>& handles,
                 const std::vector<bool>& held) {
    const auto motions = place.find("motions");
    if (!motions) return;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const auto motion = motions->find(handles[i].name);
        if (!motion) continue;
        if (handles[i].attach >= 0)
            motion->fail("the handle is attached to an obstacle and goes where that goes",
                         "leave out its motion, or its \"attach\"");
        if (!held[i]) motion->fail("the handle is not held in this phase", "grab it first");
    }
}

// A vertex by its cloth's name and numbers: those the author of the scene knows.
std::string vertex_of_cloth(const Scene& scene, int vertex) {
    for (const SceneCloth& cloth : scene.cloths) {
        const int count = static_cast<int>(cloth.mesh.positions.size());
        if (vertex < count) return fmt::format("vertex {} of \"{}\"", vertex, cloth.name);
        vertex -= count;
    }
    return "a vertex";
}

void check_one_holder(const JsonPlace& place, const Scene& scene, const std::vector<bool>& held) {
    std::map<int, std::size_t> holder;  // by vertex
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (!held[i]) continue;
        for (int v : scene.handles[i].vertices) {
            const auto [other, is_new] = holder.emplace(v, i);
            if (!is_new)
                place.fail(
                    fmt::format("handles \"{}\" and \"{}\" both hold {}", scene.handles[other->second].name,
                                scene.handles[i].name, vertex_of_cloth(scene, v)),
                    "a vertex has one handle at a time");
        }
    }
}

}  // namespace

Phase read_phase(const JsonPlace& place, const Scene& scene, double h) {
    place.require_keys("phase");
    const auto& handles = scene.handles;
    const auto& obstacles = scene.obstacles;
    Phase phase;
    phase.name = place.at("name").name();
    phase.h = place.number_or("h", h, kStepRange);
    read_length(place, phase);
    phase.motions.resize(handles.size());
    phase.acts.resize(obstacles.size());
    const double duration = phase.steps > 0 ? phase.duration() : kLongestPhase;  // skipped: any keyframe fits
    if (const auto motions = place.find("motions"))
        for (const auto& [name, motion] : motions->members())
            phase.motions[index_of(motion, name, handles, "handle")] = read_motion(motion, duration);
    if (const auto acts = place.find("obstacles"))
        for (const auto& [name, act] : acts->members()) {
            const std::size_t i = index_of(act, name, obstacles, "obstacle");
            phase.acts[i] = read_act(act, obstacles[i], duration);
        }
    phase.grab = read_list(place, "grab", handles, "handle");
    phase.release = read_list(place, "release", handles, "handle");
    phase.appear = read_list(place, "appear", obstacles, "obstacle");
    phase.vanish = read_list(place, "vanish", obstacles, "obstacle");
    if (phase.steps == 0) {
        phase.motions.assign(handles.size(), {});
        phase.acts.assign(obstacles.size(), {});
        for (std::vector<int>* list : {&phase.grab, &phase.release, &phase.appear, &phase.vanish})
            list->clear();
    }
    return phase;
}

void check_handles(const std::vector<JsonPlace>& places, const Scene& scene) {
    std::vector<bool> held;
    for (const SceneHandle& handle : scene.handles) held.push_back(handle.from_start);
    for (std::size_t k = 0; k < scene.phases.size(); ++k) {
        if (scene.phases[k].steps == 0) continue;
        check_grabs(places[k], scene.phases[k], scene.handles, held);
        check_moved(places[k], scene.handles, held);
        check_one_holder(places[k], scene, held);
    }
}

}  // namespace rumple
