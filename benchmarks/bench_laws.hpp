// `rumple bench laws`: what friction and plasticity cost, and relaxation besides. The same states, meshes and
// number of solves with the laws on and off, taken in turns.
#pragma once

#include "bench_twist.hpp"

namespace rumple {

struct LawsBenchResult {
    TwistSize size;
    Contender on, off, relaxing;
    // Pairs taken one right after the other, in percent of the step without the laws.
    Samples whole;  // everything, with what another matrix does to the number of iterations
    Samples
        outside;  // without the linear solve: evaluation, assembly and history, where the laws themselves are
    // The same of relaxation with eight branches, in percent of the step with the other laws.
    Samples relaxing_whole, relaxing_outside;
};

LawsBenchResult bench_laws(const TwistSize& size, const BenchOptions& options);
nlohmann::json to_json(const LawsBenchResult& result);
std::string to_table(const std::vector<LawsBenchResult>& results);

}  // namespace rumple
