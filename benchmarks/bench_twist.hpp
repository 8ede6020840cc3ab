// `rumple bench twist`: seconds per linear solve in the buckled part of the reference twist, side by side
// with the textbook step on the same states in the same run, with the error of our solve against a direct
// one; and, where asked, with a substep of Blender's cloth.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "blender_peer.hpp"
#include "samples.hpp"
#include "twist_case.hpp"

namespace rumple {

struct BenchOptions {
    std::vector<TwistSize> sizes{};
    Backend backend = Backend::cpu;  // of ours
    int threads = 0;       // of ours; 0: as many as the machine has cores. The textbook step has one
    int states = 0;        // 0: fewer on larger meshes
    int repeats = 1;       // rounds over the states
    bool blender = false;  // of twist: as a peer
    std::function<void(const std::string&)> progress{};

    int states_of(const TwistSize& size) const;
    void say(const std::string& line) const {
        if (progress) progress(line);
    }
};

// Everything about one way of taking a step; times and counts are per linear solve.
struct Contender {
    std::string name;
    Samples seconds;  // the whole step over its solves
    Samples evaluate, assemble, solve, advance;
    Samples iterations;
    Samples solves_per_step;
    Samples error;  // of one solve against a direct one: largest of any vertex, in mean edge lengths

    void add(double step_seconds, int solves, double step_iterations, const StepTiming& timing);
};

struct TwistBenchResult {
    TwistSize size;
    int vertices = 0, triangles = 0;
    std::vector<int> steps;  // the states measured: those before these steps
    Contender ours;
    Contender textbook;              // Eigen's default tolerance
    Contender textbook_equal_error;  // its tolerance raised until its error just meets our bound
    double equal_error_tolerance = 0;
    Samples step_difference;  // whole step, ours against the textbook's, in mean edge lengths

    // With Blender as a peer: on one thread, and on as many as ours; against ours on as many as it had.
    std::vector<BlenderTimes> blender;
    std::optional<Contender> ours_on_one;  // unless ours has one anyway
    std::string no_blender;                // why it is not there

    double ratio(const BlenderTimes& peer) const;
    double ratio(const Contender& peer) const { return peer.seconds.median() / ours.seconds.median(); }
};

// What our solves must meet and print: largest error of a vertex in mean edge lengths.
inline constexpr double kErrorBound = 1e-5;

TwistBenchResult bench_twist(const TwistSize& size, const BenchOptions& options);
nlohmann::json to_json(const TwistBenchResult& result);
std::string to_table(const std::vector<TwistBenchResult>& results);

}  // namespace rumple
