#include "run_intersections.hpp"

#include <rumple/contact/intersections.hpp>
#include <rumple/sim/run_frames.hpp>

namespace rumple {

std::vector<FrameIntersections> run_intersections(const std::filesystem::path& folder) {
    const RunFrames run(folder);
    const Threads threads;
    std::vector<FrameIntersections> frames;
    for (std::size_t f = 0; f < run.count(); ++f) {
        const RunFrames::Frame now = run.frame(f);
        FrameIntersections frame{static_cast<int>(f), 0, 0};
        for (const auto& [a, b] : contact::intersecting_triangles(threads, run.surface(), now.x, now.active))
            ++(b < run.cloth_triangles() ? frame.cloth : frame.obstacles);
        frames.push_back(frame);
    }
    return frames;
}

}  // namespace rumple
