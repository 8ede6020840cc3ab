#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <rumple/scene/fields.hpp>
#include <rumple/scene/resolve_phase.hpp>
#include <rumple/scene/selection.hpp>

namespace rumple {

namespace {

constexpr int kMaxSteps = 100'000'000;
constexpr double kLongestPhase = 1e6;  // s of dynamic time
constexpr int kDefaultHoldSteps = 50, kDefaultRecoverySteps = 20;
constexpr double kLongestWait = 1e12;  // s of material time
constexpr double kWholeSteps = 1e-6;   // of a step
constexpr NumberRange kAngle{-1e5, 1e5, false, "rad"};

template <class Thing>
std::vector<int> indices_of(const Place& place, const std::vector<std::string>& names,
                            const std::vector<Thing>& things, const char* what) {
    std::vector<int> list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const int index = static_cast<int>(index_of(place.element(i), names[i], things, what));
        if (std::find(list.begin(), list.end(), index) != list.end())
            place.element(i).fail(fmt::format("\"{}\" stands here twice", names[i]));
        list.push_back(index);
    }
    return list;
}

int whole_steps(const Place& place, double duration, double h) {
    place.check(duration, {0, kLongestPhase, false, "s"});
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

void resolve_recovery(const Place& place, const PhaseOptions& options, double output_rate, Phase& phase) {
    for (const auto& [key, given] :
         {std::pair{"duration", options.duration}, std::pair{"hold", options.hold}})
        if (given)
            place.at(key).fail(
                "a recovery has steps instead",
                "\"recover\" is the material time in s, \"steps\" the number of steps it takes");
    place.at("recover").check(*options.recover, {0, kLongestWait, true, "s of material time"});
    phase.steps = options.steps.value_or(kDefaultRecoverySteps);
    place.at("steps").check_whole(phase.steps, 0, kMaxSteps);
    phase.recovery = {*options.recover, phase.h};
    phase.h = 1 / output_rate;
    phase.material_dt = phase.steps > 0 ? *options.recover / phase.steps : 0;
}

void resolve_length(const Place& place, const PhaseOptions& options, double output_rate, Phase& phase) {
    if (options.recover) {
        resolve_recovery(place, options, output_rate, phase);
        return;
    }
    phase.hold = options.hold.has_value();
    if (!phase.hold) {
        if (options.steps) place.at("steps").fail("belongs to a hold or a recovery", "give a duration, in s");
        if (!options.duration) place.fail("the key \"duration\" is missing");
        phase.steps = whole_steps(place.at("duration"), *options.duration, phase.h);
        phase.material_dt = phase.h;
        return;
    }
    if (options.duration)
        place.at("duration")
            .fail("a hold has steps instead",
                  "\"hold\" is the material time in s, \"steps\" the number of steps it takes");
    place.at("hold").check(*options.hold, {0, kLongestWait, false, "s of material time"});
    phase.steps = options.steps.value_or(kDefaultHoldSteps);
    place.at("steps").check_whole(phase.steps, 0, kMaxSteps);
    phase.material_dt = phase.steps > 0 ? *options.hold / phase.steps : 0;
}

// `duration`: of the phase, in s.
HandleMotion resolve_motion(const Place& place, HandleMotion motion, double duration) {
    place.at("translate").check(motion.translate, kCoordinate);
    place.at("rotate").check(motion.angle, kAngle);
    place.at("axis").check_direction(motion.axis);
    place.at("through").check(motion.through, kCoordinate);
    double before = -1;
    for (std::size_t i = 0; i < motion.keyframes.size(); ++i) {
        HandleMotion::Keyframe& key = motion.keyframes[i];
        const Place own = place.at("keyframes").element(i);
        own.at("time").check(key.time, {0, duration * (1 + 1e-9), false, "s, the phase's duration"});
        own.at("translate").check(key.translate, kCoordinate);
        own.at("degrees").check(key.angle, kAngle);
        // steps * h may differ from the duration as given by rounding; the end must be reached all the same
        if (key.time > duration * (1 - 1e-9)) key.time = duration;
        if (key.time <= before) own.at("time").fail("is not after the keyframe before it");
        if (key.time == 0 && (key.angle != 0 || key.translate != Vec3d{}))
            own.fail("makes the handle jump", "motion at time 0 must be none");
        before = key.time;
    }
    return motion;
}

void check_clip_time(const Place& place, double time, const ObstacleClip& clip) {
    if (clip.loops)
        place.check(time, {-1e6, 1e6, false, "s"});
    else
        place.check(time, {0, clip.duration(), false, "s, the clip's duration"});
}

ObstacleCommand resolve_command(const Place& place, ObstacleCommand command, const SceneObstacle& obstacle,
                                double duration) {
    if (obstacle.mass > 0)
        place.fail("a rigid body with mass moves by itself",
                   "to lead it along a motion leave out its \"rigid_body\"");
    command.motion = resolve_motion(place, std::move(command.motion), duration);
    for (const auto& [key, time] : {std::pair{"from", command.from}, std::pair{"to", command.to}}) {
        if (!time) continue;
        if (!obstacle.clip)
            place.at(key).fail("belongs to an obstacle with a \"cache\"",
                               fmt::format("\"{}\" has none", obstacle.name));
        check_clip_time(place.at(key), *time, *obstacle.clip);
    }
    if (command.from && !command.to)
        place.fail("says from where the clip plays, not to where", "give \"to\"");
    return command;
}

// Where every step of a recovery ends at rest, a motion would have no speed.
void check_nothing_moves(const Place& place, const PhaseOptions& options) {
    constexpr const char* kFault = "nothing moves in a recovery";
    constexpr const char* kRemedy = "move it in a phase of its own, with a duration";
    for (const auto& [name, motion] : options.motions)
        if (motion.moves()) place.at("motions").at(name).fail(kFault, kRemedy);
    for (const auto& [name, command] : options.obstacles)
        if (command.motion.moves() || command.to) place.at("obstacles").at(name).fail(kFault, kRemedy);
}

std::size_t forgetting_cloth(const Place& place, const std::string& name, const Scene& scene) {
    if (!name.empty()) return index_of(place.at("cloth"), name, scene.cloths, "cloth");
    if (scene.cloths.size() > 1)
        place.fail("the key \"cloth\" is missing", "a scene with several cloths says which one");
    return 0;
}

Forget resolve_forget(const Place& place, const ForgetOptions& options, const Scene& scene) {
    check_fields(place, options);
    const std::size_t cloth = forgetting_cloth(place, options.cloth, scene);
    const SceneCloth& own = scene.cloths[cloth];
    Forget forget{{}, options.friction, options.plasticity, options.relaxation};
    if (options.select) {
        forget.vertices =
            select_vertices(place.at("select"), *options.select, {own.mesh, own.reference, own.sets});
    } else {
        forget.vertices.resize(own.mesh.positions.size());
        std::iota(forget.vertices.begin(), forget.vertices.end(), 0);
    }
    int first = 0;
    for (std::size_t i = 0; i < cloth; ++i) first += static_cast<int>(scene.cloths[i].mesh.positions.size());
    for (int& v : forget.vertices) v += first;
    return forget;
}

}  // namespace

double PhaseRecovery::material_dt(int step, int steps) const {
    const auto passed = [&](int n) {  // s: steps grow by the same ratio, and are even where time is short
        return n == steps ? material_time : h * std::expm1(std::log1p(material_time / h) * n / steps);
    };
    return passed(step + 1) - passed(step);
}

Phase resolve_phase(const PhaseDescription& description, const Scene& scene, double h) {
    const Place& place = description.place;
    const PhaseOptions& options = description.options;
    const auto& handles = scene.handles;
    const auto& obstacles = scene.obstacles;
    Phase phase;
    phase.name = description.name;
    phase.h = options.h.value_or(h);
    if (options.h) place.at("h").check(phase.h, kStepRange);
    resolve_length(place, options, scene.output_rate, phase);
    phase.motions.resize(handles.size());
    phase.commands.resize(obstacles.size());
    const double duration = phase.steps > 0 ? phase.duration() : kLongestPhase;  // skipped: any keyframe fits
    for (const auto& [name, motion] : options.motions) {
        const Place own = place.at("motions").at(name);
        phase.motions[index_of(own, name, handles, "handle")] = resolve_motion(own, motion, duration);
    }
    for (const auto& [name, command] : options.obstacles) {
        const Place own = place.at("obstacles").at(name);
        const std::size_t i = index_of(own, name, obstacles, "obstacle");
        phase.commands[i] = resolve_command(own, command, obstacles[i], duration);
    }
    if (phase.recovery) check_nothing_moves(place, options);
    phase.grab = indices_of(place.at("grab"), options.grab, handles, "handle");
    phase.release = indices_of(place.at("release"), options.release, handles, "handle");
    phase.activate = indices_of(place.at("activate"), options.activate, obstacles, "obstacle");
    phase.deactivate = indices_of(place.at("deactivate"), options.deactivate, obstacles, "obstacle");
    for (std::size_t i = 0; i < options.forget.size(); ++i)
        phase.forget.push_back(resolve_forget(place.at("forget").element(i), options.forget[i], scene));
    if (phase.steps == 0) {
        phase.forget.clear();
        phase.motions.assign(handles.size(), {});
        phase.commands.assign(obstacles.size(), {});
        for (std::vector<int>* list : {&phase.grab, &phase.release, &phase.activate, &phase.deactivate})
            list->clear();
    }
    return phase;
}

}  // namespace rumple
