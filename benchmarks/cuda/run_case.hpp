// Whole scenes with contact at draft size on the device and on the processor: seconds, wrinkles, crossings.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rumple {

// Cases: crumple-brief, crumple-held, crumple-weight-brief, crumple-weight-held (variants of the experiment
// `crumple`), wring-cylinder. threads: of the host; 0: all cores.
nlohmann::json bench_cuda_run(const std::string& name, int threads);

}  // namespace rumple
