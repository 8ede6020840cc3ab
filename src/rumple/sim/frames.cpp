#include <cmath>
#include <rumple/sim/frames.hpp>

namespace rumple {

std::vector<std::int64_t> frame_steps(const Scene& scene) {
    std::vector<double> end_of_step{0};  // dynamic time
    for (const Phase& phase : scene.phases) {
        const double begin = end_of_step.back();
        for (int i = 1; i <= phase.steps; ++i) end_of_step.push_back(begin + i * phase.h);
    }
    constexpr double kSlack =
        1e-6;  // of a frame: 1.2 s at 30 frames a second are 36 frames, whatever the rounding
    const auto last = static_cast<std::int64_t>(std::ceil(end_of_step.back() * scene.output_rate - kSlack));
    std::vector<std::int64_t> steps;
    std::size_t i = 0;
    for (std::int64_t f = 0; f <= last; ++f) {
        const double time = static_cast<double>(f) / scene.output_rate, slack = kSlack / scene.output_rate;
        while (f > 0 && i + 1 < end_of_step.size() &&
               std::abs(end_of_step[i + 1] - time) <= std::abs(end_of_step[i] - time) + slack)
            ++i;
        steps.push_back(static_cast<std::int64_t>(i));
    }
    return steps;
}

}  // namespace rumple
