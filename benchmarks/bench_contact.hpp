// `rumple bench contact`: seconds a step where cloth is full of contacts. A sheet crumpled in a pot under a
// weight, a wrung cylinder, and a garment on a standing body (files of the caller's).
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <string>
#include <vector>

#include "samples.hpp"

namespace rumple {

struct ContactBenchOptions {
    Backend backend = Backend::cpu;
    int threads = 0;
    int steps = 30;  // timed
    std::function<void(const std::string&)> progress{};
    std::filesystem::path garment, body;  // of the case "garment"; h = 0.001 s, the body stands
};

struct ContactBenchResult {
    std::string name;
    int vertices = 0;
    double h = 0;  // s
    Samples seconds, evaluate, assemble, solve, broad, narrow, response, advance;
    Samples solves, iterations, touching;
    int trouble = 0;  // steps in which vertices were rolled back or stayed inside
};

// Names: crumple-5K, crumple-20K, wring-cylinder (every step of the scene), garment. InputError for any
// other.
ContactBenchResult bench_contact(const std::string& name, const ContactBenchOptions& options);
nlohmann::json to_json(const ContactBenchResult& result);
std::string to_table(const std::vector<ContactBenchResult>& results);

}  // namespace rumple
