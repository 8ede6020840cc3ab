#include <algorithm>
#include <cmath>
#include <rumple/scene/obstacle_timeline.hpp>

namespace rumple {

namespace {

// The position of a moment between the samples `before` and `before` + 1; `share` is 0 at the former.
struct Between {
    std::size_t before = 0;
    double share = 0;
};

Between find(const ObstacleClip& clip, double time) {
    const double end = clip.duration();
    if (clip.loops && end > 0) time -= end * std::floor(time / end);
    if (time <= 0) return {0, 0};
    if (time >= end) return {clip.times.size() - 1, 0};
    const auto after = std::upper_bound(clip.times.begin(), clip.times.end(), time);
    const auto i = static_cast<std::size_t>(after - clip.times.begin());
    return {i - 1, (time - clip.times[i - 1]) / (clip.times[i] - clip.times[i - 1])};
}

}  // namespace

ObstacleTimeline::ObstacleTimeline(const Scene& scene) : scene_(scene), samples_(scene.obstacles.size()) {
    const std::size_t count = scene.obstacles.size();
    std::vector<std::uint8_t> there(count);
    std::vector<Pose> pose(count);
    std::vector<double> clock(count);
    for (std::size_t i = 0; i < count; ++i) {
        const SceneObstacle& obstacle = scene.obstacles[i];
        there[i] = obstacle.from_start ? 1 : 0;
        clock[i] = obstacle.clip ? obstacle.clip->start : 0;
        anything_moves_ = anything_moves_ || obstacle.moves;
    }
    for (std::size_t k = 0; k < scene.phases.size(); ++k) {
        const Phase& phase = scene.phases[k];
        for (int i : phase.deactivate) there[static_cast<std::size_t>(i)] = 0;
        for (int i : phase.activate) there[static_cast<std::size_t>(i)] = 1;
        present_.push_back(there);
        start_pose_.push_back(pose);
        start_clock_.push_back(clock);
        if (phase.steps == 0) continue;
        for (std::size_t i = 0; i < count; ++i) {
            const double duration = phase.duration();
            if (phase.commands[i].motion.moves())
                pose[i] = composed(phase.commands[i].motion.at(duration, duration), pose[i]);
            clock[i] = clip_time(static_cast<int>(k), phase.steps, static_cast<int>(i));
        }
    }
}

double ObstacleTimeline::clip_time(int phase, int step, int obstacle) const {
    const auto k = static_cast<std::size_t>(phase), i = static_cast<std::size_t>(obstacle);
    const Phase& now = scene_.phases[k];
    const double start = start_clock_[k][i];
    if (now.steps == 0 || !scene_.obstacles[i].clip) return start;
    const ObstacleCommand& act = now.commands[i];
    if (act.clip_stands) return start;
    if (act.to) {
        const double from = act.from.value_or(start);
        const double s = eased(std::clamp(static_cast<double>(step) / now.steps, 0.0, 1.0), act.motion.ease);
        return from + s * (*act.to - from);
    }
    if (now.hold || now.recovery) return start;
    return start + scene_.obstacles[i].clip->speed * (step * now.h);
}

Pose ObstacleTimeline::pose(int phase, int step, std::size_t obstacle) const {
    const auto k = static_cast<std::size_t>(phase);
    const Phase& now = scene_.phases[k];
    const Pose& start = start_pose_[k][obstacle];
    if (step == 0 || now.steps == 0 || !now.commands[obstacle].motion.moves()) return start;
    return composed(now.commands[obstacle].motion.at(step * now.h, now.duration()), start);
}

void ObstacleTimeline::positions(int phase, int step, std::vector<Vec3d>& all) {
    all.clear();
    for (std::size_t i = 0; i < scene_.obstacles.size(); ++i) {
        const SceneObstacle& obstacle = scene_.obstacles[i];
        if (obstacle.clip) {
            add_clip_positions(i, clip_time(phase, step, static_cast<int>(i)), pose(phase, step, i), all);
        } else if (obstacle.moves) {
            const Pose now = pose(phase, step, i);
            for (const Vec3d& x : obstacle.mesh.positions) all.push_back(now.apply(x));
        } else {
            all.insert(all.end(), obstacle.mesh.positions.begin(), obstacle.mesh.positions.end());
        }
    }
}

void ObstacleTimeline::add_clip_positions(std::size_t obstacle, double time, const Pose& pose,
                                          std::vector<Vec3d>& all) {
    const ObstacleClip& clip = *scene_.obstacles[obstacle].clip;
    const Between at = find(clip, time);
    const std::vector<Vec3d>& before = sample(obstacle, at.before);
    if (at.share == 0) {
        for (const Vec3d& x : before) all.push_back(pose.apply(x));
        return;
    }
    const std::vector<Vec3d>& after = sample(obstacle, at.before + 1);
    for (std::size_t v = 0; v < before.size(); ++v)
        all.push_back(pose.apply((1 - at.share) * before[v] + at.share * after[v]));
}

// Two samples are kept: those around a moment. `sample(i)` then `sample(i + 1)` never overwrite each other.
const std::vector<Vec3d>& ObstacleTimeline::sample(std::size_t obstacle, std::size_t index) {
    Samples& kept = samples_[obstacle];
    for (int slot = 0; slot < 2; ++slot)
        if (kept.index[slot] == index) {
            kept.next = 1 - slot;
            return kept.positions[slot];
        }
    const int slot = kept.next;
    kept.positions[slot] = scene_.obstacles[obstacle].clip->sample(index);
    kept.index[slot] = index;
    kept.next = 1 - slot;
    return kept.positions[slot];
}

}  // namespace rumple
