// `rumple bench scale`: how time and memory grow with the number of vertices, what threads gain, and how
// close conjugate gradients come to what the machine's memory can do.
//
// Large meshes do not walk through the twist: the buckled shape of the 7K tube is carried over to them, one
// step is taken to warm up, and the next ones are timed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench_twist.hpp"

namespace rumple {

struct ScaleBenchResult {
    TwistSize size;
    int vertices = 0, threads = 0;
    double tolerance = 0;  // of the solve, in mean edge lengths
    Samples seconds;       // per linear solve, the whole step over its solves
    Samples evaluate, assemble, setup, iterate, advance, iterations;  // per linear solve
    double bytes_per_iteration = 0;
    double bandwidth = 0;         // bytes/s that iterations moved, median
    double memory_bandwidth = 0;  // bytes/s that a plain loop moves with the same threads
    double bytes_per_vertex = 0;  // the program's largest size while this was measured, over the vertices
};

// tolerance: in mean edge lengths.
ScaleBenchResult bench_scale(const TwistSize& size, const BenchOptions& options, double tolerance);
nlohmann::json to_json(const ScaleBenchResult& result);
// What each result gains over the first one of its size: speed-up, efficiency (speed-up over the ratio of
// threads) and share of the memory's bandwidth. Empty where no size was measured twice.
nlohmann::json thread_scaling(const std::vector<ScaleBenchResult>& results);
// With what threads gain, and the exponent of time against vertices, first size to last with equal threads.
std::string to_table(const std::vector<ScaleBenchResult>& results);

}  // namespace rumple
