#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

void check_handles(const std::vector<JsonPlace>& places, const std::vector<Phase>& phases,
                   const std::vector<SceneHandle>& handles) {
    std::vector<bool> held;
    int vertices = 0;
    for (const SceneHandle& handle : handles) {
        held.push_back(handle.from_start);
        vertices = std::max(vertices, handle.vertices.back() + 1);
    }
    for (std::size_t k = 0; k < phases.size(); ++k) {
        if (phases[k].steps == 0) continue;
        const auto name = [&](int i) { return handles[std::size_t(i)].name; };
        for (int i : phases[k].release) {
            if (!held[std::size_t(i)])
                places[k].at("release").fail(fmt::format("\"{}\" is not held", name(i)));
            held[std::size_t(i)] = false;
        }
        for (int i : phases[k].grab) {
            if (held[std::size_t(i)])
                places[k].at("grab").fail(fmt::format("\"{}\" is held already", name(i)),
                                          "release it in an earlier phase, or give it \"from_start\": false");
            held[std::size_t(i)] = true;
        }
        for (std::size_t i = 0; i < handles.size(); ++i)
            if (handles[i].attach >= 0 && places[k].has("motions") &&
                places[k].at("motions").has(handles[i].name))
                places[k]
                    .at("motions")
                    .at(handles[i].name)
                    .fail("the handle is attached to an obstacle and goes where that goes",
                          "leave out its motion, or its \"attach\"");
        for (std::size_t i = 0; i < handles.size(); ++i)
            if (!held[i] && places[k].has("motions") && places[k].at("motions").has(handles[i].name))
                places[k]
                    .at("motions")
                    .at(handles[i].name)
                    .fail("the handle is not held in this phase", "grab it first");

        std::vector<int> holder(std::size_t(vertices), -1);
        for (std::size_t i = 0; i < handles.size(); ++i)
            for (int v : held[i] ? handles[i].vertices : std::vector<int>{}) {
                int& other = holder[std::size_t(v)];
                if (other >= 0)
                    places[k].fail(fmt::format("handles \"{}\" and \"{}\" both hold vertex {}", name(other),
                                               handles[i].name, v),
                                   "a vertex has one handle at a time");
                other = static_cast<int>(i);
            }
    }
}

nlohmann::json canonical(const Phase& phase) {
    if (phase.steps == 0) return "skipped";
    nlohmann::json motions = nlohmann::json::array();
    for (const HandleMotion& motion : phase.motions) motions.push_back(canonical(motion));
    nlohmann::json text{{"name", phase.name},
                        {"steps", phase.steps},
                        {"h", phase.h},
                        {"material_dt", phase.material_dt},
                        {"hold", phase.hold},
                        {"grab", phase.grab},
                        {"release", phase.release},
                        {"motions", motions}};
    if (phase.acts.empty()) return text;
    for (const ObstacleCommand& act : phase.acts) text["acts"].push_back(canonical(act));
    text["appear"] = phase.appear;
    text["vanish"] = phase.vanish;
    return text;
}

}  // namespace rumple
