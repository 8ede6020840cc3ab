// What a job costs, by estimate: a time limit and a memory limit to ask of a cluster.
//
// Measured on one core (docs/farm_administration.md has the table and its command). Contact, sharp creases
// and small steps cost more than the estimate, so that limits are multiples of it.
#pragma once

#include <cstdint>
#include <rumple/scene/scene.hpp>

namespace rumple::farm {

struct JobCost {
    std::int64_t vertices = 0, steps = 0;
};
JobCost cost_of(const Scene& scene, int last_phase = -1);  // -1: to the end

double estimated_seconds(const JobCost& cost);    // on one core
double estimated_megabytes(const JobCost& cost);  // resident

// What is asked for: whole minutes and megabytes, with room for scenes that cost more.
int time_limit_minutes(const JobCost& cost);
int memory_limit_megabytes(const JobCost& cost);

}  // namespace rumple::farm
