#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/branch_run.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/frames.hpp>
#include <rumple/sim/run_archive_writer.hpp>
#include <rumple/sim/run_layout.hpp>

namespace rumple {
namespace {

namespace fs = std::filesystem;

void copy_whole(const fs::path& from, const fs::path& to) {
    std::error_code code;
    fs::create_directories(to.parent_path(), code);
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, code);
    if (code) throw InputError(to.string(), fmt::format("{} cannot be copied here", from.string()));
}

// Bytes of metrics.csv up to the end of the row of frame number `frames` - 1: a line of names, then a row
// each.
std::int64_t bytes_of_frames(const fs::path& metrics, std::int64_t frames) {
    const std::string text = read_file(metrics);
    std::size_t end = 0;
    for (std::int64_t line = 0; line <= frames; ++line) {
        end = text.find('\n', end);
        if (end == std::string::npos)
            throw InputError(metrics.string(), fmt::format("it has fewer than {} rows", frames));
        ++end;
    }
    return static_cast<std::int64_t>(end);
}

}  // namespace

Scene beginning_of(Scene scene, int phase) {
    scene.phases.resize(static_cast<std::size_t>(phase) + 1);
    if (scene.recovery_phase > phase) scene.recovery_phase = -1;
    return scene;
}

std::string branch_point(const Scene& scene, int phase) {
    const int measured = scene.recovery_phase <= phase ? scene.recovery_phase : -1;
    return fmt::format("{} {}", scene_hashes(scene).phases[static_cast<std::size_t>(phase)], measured);
}

bool branch_run(const fs::path& from, const fs::path& to, const Scene& scene) {
    const RunLayout source(from), target(to);
    Checkpoint checkpoint = read_checkpoint(source.checkpoint());
    // A frame between two steps shows the nearer one. At the end of the beginning that depends on what
    // follows.
    const std::vector<std::int64_t> shown = frame_steps(scene);
    const auto frames =
        std::upper_bound(shown.begin(), shown.end(), checkpoint.sim.state.step) - shown.begin();
    if (frames > checkpoint.record.frames) return false;
    if (frames < checkpoint.record.frames) {
        checkpoint.record.frames = frames;
        checkpoint.record.metrics_bytes = bytes_of_frames(source.metrics(), frames);
    }
    const FolderClaim claim(to);
    for (const SceneCloth& cloth : scene.cloths) {
        copy_whole(source.cache(cloth.name), target.cache(cloth.name));
        if (scene.output_memory) copy_whole(source.memory(cloth.name), target.memory(cloth.name));
    }
    for (const SceneObstacle& obstacle : scene.obstacles)
        if (obstacle.changes()) copy_whole(source.cache(obstacle.name), target.cache(obstacle.name));
    copy_whole(source.metrics(), target.metrics());
    if (fs::exists(source.timing())) copy_whole(source.timing(), target.timing());
    // The checkpoint comes last: without it the copies count for nothing.
    checkpoint.scene_hash = scene_hash(scene);
    std::error_code ignored;
    fs::create_directories(target.checkpoint().parent_path(), ignored);
    write_checkpoint(target.checkpoint(), checkpoint);
    return true;
}

}  // namespace rumple
