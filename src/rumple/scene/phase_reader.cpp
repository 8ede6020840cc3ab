#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/phase_reader.hpp>

namespace rumple {

namespace {

constexpr int kMostSteps = 100'000'000;
constexpr double kLongestPhase = 1e6;  // s of dynamic time
constexpr int kDefaultHoldSteps = 50;
constexpr double kWholeSteps = 1e-6;  // of a step

const std::vector<std::string_view> kEases{"linear", "smooth"};

std::size_t handle_index(const JsonPlace& place, const std::string& name,
                         const std::vector<SceneHandle>& handles) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        if (handles[i].name == name) return i;
        names.push_back(handles[i].name);
    }
    place.fail(fmt::format("there is no handle \"{}\"", name),
               names.empty() ? "the scene has no handles" : suggestion(name, names));
}

std::vector<int> read_handle_list(const JsonPlace& phase, const std::string& key,
                                  const std::vector<SceneHandle>& handles) {
    std::vector<int> list;
    const auto place = phase.find(key);
    if (!place) return list;
    for (const JsonPlace& element : place->elements()) {
        const int handle = static_cast<int>(handle_index(element, element.text(), handles));
        if (std::find(list.begin(), list.end(), handle) != list.end())
            element.fail(fmt::format("\"{}\" stands here twice", element.text()));
        list.push_back(handle);
    }
    return list;
}

std::vector<HandleMotion::Keyframe> read_keyframes(const JsonPlace& place, double duration) {
    std::vector<HandleMotion::Keyframe> keyframes;
    for (const JsonPlace& element : place.elements()) {
        element.require_keys("keyframe");
        HandleMotion::Keyframe key;
        key.time = element.at("time").number({0, duration * (1 + 1e-9), false, "s, the phase's duration"});
        // steps * h may differ from the duration as written by rounding; the end must be reached all the same
        if (key.time > duration * (1 - 1e-9)) key.time = duration;
        key.translate = element.vector_or("translate", {}, kCoordinate);
        if (element.has("degrees") || element.has("radians")) key.angle = read_angle(element);
        if (!keyframes.empty() && key.time <= keyframes.back().time)
            element.at("time").fail("is not after the keyframe before it");
        if (key.time == 0 && (key.angle != 0 || key.translate != Vec3d{}))
            element.fail("makes the handle jump", "motion at time 0 must be none");
        keyframes.push_back(key);
    }
    if (keyframes.empty()) place.fail("the list is empty");
    return keyframes;
}

HandleMotion read_motion(const JsonPlace& place, double duration) {
    HandleMotion motion;
    if (place.value().is_string()) {
        place.choice({"fixed"});
        return motion;
    }
    place.require_keys("motion");
    motion.ease = Ease(place.choice_or("ease", 0, kEases));
    const auto refuse = [&](std::initializer_list<const char*> keys, const char* remedy) {
        for (const char* key : keys)
            if (place.has(key)) place.at(key).fail("does not belong here", remedy);
    };
    if (const auto keyframes = place.find("keyframes")) {
        refuse({"rotate", "translate"}, "the keyframes say the motion");
        motion.axis = place.direction_or("axis", motion.axis);
        motion.through = place.vector_or("through", motion.through, kCoordinate);
        motion.keyframes = read_keyframes(*keyframes, duration);
        return motion;
    }
    refuse({"axis", "through"}, "write it inside \"rotate\", or give \"keyframes\"");
    if (!place.has("rotate") && !place.has("translate"))
        place.fail("says no motion", "give rotate, translate or keyframes, or write \"fixed\"");
    motion.translate = place.vector_or("translate", {}, kCoordinate);
    if (const auto rotate = place.find("rotate")) {
        rotate->require_keys("rotate");
        motion.axis = rotate->direction_or("axis", motion.axis);
        motion.through = rotate->vector_or("through", motion.through, kCoordinate);
        motion.angle = read_angle(*rotate);
    }
    return motion;
}

int whole_steps(const JsonPlace& place, double h) {
    const double duration = place.number({0, kLongestPhase, false, "s"});
    const double exact = duration / h, whole = std::round(exact);
    if (whole > kMostSteps)
        place.fail(fmt::format("{} steps are too many", whole),
                   fmt::format("at most {} are possible", kMostSteps));
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
        phase.h_m = phase.h;
        return;
    }
    if (place.has("duration"))
        place.at("duration")
            .fail("a hold has steps instead",
                  "\"hold\" is the material time in s, \"steps\" the number of steps it takes");
    const double material_time = place.at("hold").number({0, 1e12, false, "s of material time"});
    phase.steps = place.has("steps") ? place.at("steps").integer(0, kMostSteps) : kDefaultHoldSteps;
    phase.h_m = phase.steps > 0 ? material_time / phase.steps : 0;
}

nlohmann::json canonical(Vec3d v) { return {v.x, v.y, v.z}; }

nlohmann::json canonical(const HandleMotion& motion) {
    nlohmann::json keyframes = nlohmann::json::array();
    bool turns = motion.angle != 0, moves = motion.translate != Vec3d{};
    for (const auto& key : motion.keyframes) {
        keyframes.push_back({key.time, canonical(key.translate), key.angle});
        turns = turns || key.angle != 0;
        moves = moves || key.translate != Vec3d{};
    }
    if (!turns && !moves) return "fixed";
    nlohmann::json text{{"translate", canonical(motion.translate)},
                        {"angle", motion.angle},
                        {"keyframes", keyframes},
                        {"ease", kEases[std::size_t(motion.ease)]}};
    if (turns) text["axis"] = {canonical(motion.axis), canonical(motion.through)};
    return text;
}

}  // namespace

Phase read_phase(const JsonPlace& place, const std::vector<SceneHandle>& handles, double h) {
    place.require_keys("phase");
    Phase phase;
    phase.name = place.at("name").name();
    phase.h = place.number_or("h", h, kStepRange);
    read_length(place, phase);
    phase.motions.resize(handles.size());
    const double duration = phase.steps > 0 ? phase.duration() : kLongestPhase;  // skipped: any keyframe fits
    if (const auto motions = place.find("motions"))
        for (const auto& [name, motion] : motions->members())
            phase.motions[handle_index(motion, name, handles)] = read_motion(motion, duration);
    phase.grab = read_handle_list(place, "grab", handles);
    phase.release = read_handle_list(place, "release", handles);
    if (phase.steps == 0) {
        phase.motions.assign(handles.size(), {});
        phase.grab.clear();
        phase.release.clear();
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
    return {{"name", phase.name},       {"steps", phase.steps}, {"h", phase.h},
            {"h_m", phase.h_m},         {"hold", phase.hold},   {"grab", phase.grab},
            {"release", phase.release}, {"motions", motions}};
}

}  // namespace rumple
