// Steps full of contacts on the device and on the processor beside it, from the same state.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple {

struct CudaContactOptions {
    int threads = 0;  // of the host, also beside the device; 0: all cores
    int steps = 30;   // timed, on each backend
};

// Cases: crumple-5K, crumple-20K (a sheet in a pot under a weight on a slider), wring-cylinder, trousers (of
// 20,000 vertices, generated, on a mannequin that stands; h = 0.001 s), trousers-3K. The processor walks to
// the state.
nlohmann::json bench_cuda_contact(const std::string& name, const CudaContactOptions& options);

}  // namespace rumple
