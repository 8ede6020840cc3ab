// What a measurement was made on: without it a number of seconds means nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace rumple {

struct Machine {
    std::string cpu;
    int cores = 0;  // that this program may use
    std::string compiler;
    std::string build;  // optimisation and instruction sets, as the compiler saw them
};

// What the memory gives these threads: a = b + s c over arrays far larger than the caches, best of several
// [bytes/s].
double memory_bandwidth(int threads);

Machine describe_machine();
nlohmann::json to_json(const Machine& machine);
std::string to_line(const Machine& machine);

}  // namespace rumple
