#include <fmt/format.h>

#include <cmath>
#include <rumple/scene/motion_reader.hpp>
#include <rumple/scene/obstacle_commands.hpp>
#include <rumple/scene/obstacle_timeline.hpp>

namespace rumple {

namespace {

constexpr double kSameTime = 1e-6;  // s of a clip

double read_clip_time(const JsonPlace& place, const ObstacleClip& clip) {
    if (clip.loops) return place.number({-1e6, 1e6, false, "s"});
    return place.number({0, clip.duration(), false, "s, the clip's duration"});
}

}  // namespace

ObstacleCommand read_act(const JsonPlace& place, const SceneObstacle& obstacle, double duration) {
    ObstacleCommand act;
    if (obstacle.mass > 0)
        place.fail("a weight moves by itself", "to lead it along a motion leave out its \"weight\"");
    if (place.value().is_string()) {
        place.choice({"fixed"});
        act.clip_stands = true;
        return act;
    }
    place.require_keys("act");
    act.motion = read_motion_keys(place, duration);
    for (const char* key : {"from", "to"})
        if (place.has(key) && !obstacle.clip)
            place.at(key).fail("belongs to an obstacle with a \"cache\"",
                               fmt::format("\"{}\" has none", obstacle.name));
    if (const auto from = place.find("from")) act.from = read_clip_time(*from, *obstacle.clip);
    if (const auto to = place.find("to")) act.to = read_clip_time(*to, *obstacle.clip);
    if (act.from && !act.to) place.fail("says from where the clip plays, not to where", "give \"to\"");
    if (!act.to && !says_motion(place))
        place.fail("says no motion",
                   obstacle.clip ? "give from and to, rotate, translate or keyframes, or write \"fixed\""
                                 : "give rotate, translate or keyframes, or write \"fixed\"");
    return act;
}

void check_obstacles(const std::vector<JsonPlace>& places, const Scene& scene) {
    std::vector<bool> there;
    for (const SceneObstacle& obstacle : scene.obstacles) there.push_back(obstacle.from_start);
    const ObstacleTimeline timeline(scene);
    bool first = true;
    for (std::size_t k = 0; k < scene.phases.size(); ++k) {
        const Phase& phase = scene.phases[k];
        if (phase.steps == 0) continue;
        const auto name = [&](int i) { return scene.obstacles[std::size_t(i)].name; };
        const std::vector<bool> before = there;
        for (int i : phase.vanish) {
            if (!there[std::size_t(i)])
                places[k].at("vanish").fail(fmt::format("\"{}\" is not there", name(i)));
            there[std::size_t(i)] = false;
        }
        for (int i : phase.appear) {
            if (there[std::size_t(i)])
                places[k].at("appear").fail(fmt::format("\"{}\" is there already", name(i)),
                                            "give it \"present\": false to begin without it");
            there[std::size_t(i)] = true;
        }
        for (std::size_t i = 0; i < there.size(); ++i) {
            const std::optional<double>& from = phase.acts[i].from;
            if (!from || first || !before[i] || !there[i]) continue;
            const double clock = scene.obstacles[i].clip
                                     ? timeline.clip_time(int(k) - 1, scene.phases[k - 1].steps, int(i))
                                     : 0;
            if (std::abs(*from - clock) > kSameTime)
                places[k]
                    .at("obstacles")
                    .at(scene.obstacles[i].name)
                    .at("from")
                    .fail(fmt::format("the clip would jump: as the phase begins it is at {:.6g} s", clock),
                          "leave \"from\" out to go on from there");
        }
        first = false;
    }
}

}  // namespace rumple
