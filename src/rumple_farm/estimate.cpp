#include <algorithm>
#include <cmath>
#include <rumple_farm/estimate.hpp>

namespace rumple::farm {
namespace {

constexpr double kSecondsPerVertexStep = 1.5e-5;  // a sheet on a ball; a tube without contact: a third
constexpr double kStartSeconds = 0.1;
constexpr double kProgramMegabytes = 15, kKilobytesPerVertex = 13;
constexpr double kTimeMargin = 10, kMemoryMargin = 2;  // limits over estimates
constexpr int kMinMinutes = 5, kMinMegabytes = 200;

}  // namespace

JobCost cost_of(const Scene& scene, int last_phase) {
    JobCost cost;
    for (const SceneCloth& cloth : scene.cloths)
        cost.vertices += static_cast<std::int64_t>(cloth.mesh.positions.size());
    for (std::size_t k = 0; k < scene.phases.size(); ++k)
        if (last_phase < 0 || static_cast<int>(k) <= last_phase) cost.steps += scene.phases[k].steps;
    return cost;
}

double estimated_seconds(const JobCost& cost) {
    return kStartSeconds +
           kSecondsPerVertexStep * static_cast<double>(cost.vertices) * static_cast<double>(cost.steps);
}

double estimated_megabytes(const JobCost& cost) {
    return kProgramMegabytes + kKilobytesPerVertex * static_cast<double>(cost.vertices) / 1000;
}

int time_limit_minutes(const JobCost& cost) {
    return std::max(kMinMinutes, static_cast<int>(std::ceil(kTimeMargin * estimated_seconds(cost) / 60)));
}

int memory_limit_megabytes(const JobCost& cost) {
    return std::max(kMinMegabytes, static_cast<int>(std::ceil(kMemoryMargin * estimated_megabytes(cost))));
}

}  // namespace rumple::farm
