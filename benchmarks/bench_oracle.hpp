// `rumple bench oracle`: whole runs of the twist by Stepper and by the textbook step. Buckling amplifies any
// error, so trajectories part; what must agree is how wrinkled the cloth ends, on average over seeds.
#pragma once

#include "bench_twist.hpp"

namespace rumple {

struct OracleOptions {
    TwistSize size{"2K", 64, 28};
    int seeds = 3;
    Backend backend = Backend::cpu;
    int threads = 0;
    std::function<void(const std::string&)> progress{};
};

struct OracleResult {
    struct Run {
        std::uint64_t seed;
        double ours, textbook;  // bending content at the end [1/m^2]
        double our_seconds, textbook_seconds;
    };
    TwistSize size;
    std::vector<Run> runs;

    double mean_ours() const;
    double mean_textbook() const;
    double relative_difference() const { return std::abs(mean_ours() - mean_textbook()) / mean_textbook(); }
};

// The whole brief twist for each seed.
OracleResult bench_oracle(const OracleOptions& options);
nlohmann::json to_json(const OracleResult& result);
std::string to_table(const OracleResult& result);

}  // namespace rumple
