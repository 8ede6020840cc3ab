#include "blender_peer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "blender_program.hpp"
#include "blender_script.hpp"

namespace rumple {

namespace {

using nlohmann::json;

constexpr int kSubsteps = 4;  // a frame; a power of two, so that Blender's sum of substeps ends exactly there

json job_of(TwistCase& twist, int first_step) {
    const StepInput end = twist.input(twist.twist_steps() - 1);
    const auto last = static_cast<std::size_t>(end.handles.vertices.back());
    const Vec3d from = twist.model().initial[last], to = end.handles.targets.back();
    json job{{"ring", end.handles.vertices.size() / 2},
             {"frames", twist.twist_steps() / kSubsteps},
             {"substeps", kSubsteps},
             {"substep", end.h},
             {"turn", std::atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y)},
             {"lowered", from.z - to.z},
             {"first_frame", first_step / kSubsteps},
             {"faces", twist.model().triangles}};
    for (const Vec3d& x : twist.model().initial) job["vertices"].push_back({x.x, x.y, x.z});
    for (const Vec3d& x : end.handles.targets) job["held_at_end"].push_back({x.x, x.y, x.z});
    return job;
}

}  // namespace

std::string BlenderTimes::name() const {
    return fmt::format("blender, {} thread{}", threads, threads == 1 ? "" : "s");
}

BlenderTimes time_blender(TwistCase& twist, int first_step, int threads, const std::string& program) {
    const TemporaryFolder folder;
    const json answer = run_blender(program, threads, kBlenderScript, job_of(twist, first_step), folder);
    BlenderTimes times{
        .version = answer.at("version"), .threads = threads, .pins_off = answer.at("pins_off")};
    for (double s : answer.at("seconds")) times.seconds.add(s);
    for (double s : answer.at("overhead")) times.overhead.add(s);
    for (double n : answer.at("iterations")) times.iterations.add(n);
    return times;
}

json to_json(const BlenderTimes& times) {
    return {{"name", times.name()},
            {"version", times.version},
            {"threads", times.threads},
            {"seconds_per_substep", to_json(times.seconds)},
            {"overhead_seconds_per_substep", to_json(times.overhead)},
            {"iterations_per_substep", to_json(times.iterations)},
            {"substeps_per_frame", kSubsteps},
            {"pins_off_metres", times.pins_off}};
}

}  // namespace rumple
