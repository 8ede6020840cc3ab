// timing.json: seconds by part. The only file of a run that differs between equal runs.
#pragma once

#include <rumple/sim/run_record.hpp>
#include <string>

namespace rumple {

struct TimingReport {
    RunTiming timing;
    StepCounts counts;  // of timing.json: without contact
    int threads = 0;    // 0: as many as the machine has cores
};

std::string timing_text(const TimingReport& report);
// Zeros where the text cannot be read: timing is no reason to stop a run.
TimingReport parse_timing(const std::string& text);

}  // namespace rumple
