// Which steps of a run are written as frames.
//
// Frame f shows the moment f/rate of dynamic time: of all steps the one that ends nearest to it (the later of
// two equally near). Frame 0 is the initial state. The last frame is the first at or after the end of the
// run; it shows the last state. So frames are evenly spaced, the last state is always among them, and a step
// may give several frames when the rate is higher than that of the steps.
#pragma once

#include <cstdint>
#include <rumple/scene/scene.hpp>
#include <vector>

namespace rumple {

// For each frame the number of steps taken before it, in order.
std::vector<std::int64_t> frame_steps(const Scene& scene);

}  // namespace rumple
