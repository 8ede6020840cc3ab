// What a run has counted so far. A checkpoint holds it, so that a resumed run reports the whole.
#pragma once

#include <cstdint>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/measure/measure.hpp>
#include <string>
#include <vector>

namespace rumple {

// What contact did, over all steps so far.
struct ContactCounts {
    std::int64_t collisions = 0;                   // found on the way and resolved
    std::int64_t substeps = 0;                     // beyond the one that every step has
    std::int64_t rolled_back = 0;                  // vertices, see ContactReport
    std::int64_t inside = 0;                       // vertices, counted again in every step
    std::int64_t max_pairs = 0, max_touching = 0;  // in a step
    double deepest = 0;                            // m
    double closest = 0;                            // m; 0: nothing touched yet

    friend bool operator==(const ContactCounts&, const ContactCounts&) = default;
};

// Trouble with contact in the steps that led to a frame.
struct ContactTrouble {
    std::int64_t frame = 0;
    std::int64_t rolled_back = 0;           // vertices, in all steps
    std::int64_t inside = 0, substeps = 1;  // maximum over the steps
    double deepest = 0;                     // m

    friend bool operator==(const ContactTrouble&, const ContactTrouble&) = default;
};

// A step that failed at its full length and succeeded in smaller ones.
struct StepRetry {
    std::int64_t frame = 0, step = 0;  // step: of the run, counted from 0
    std::int64_t pieces = 1;
    std::string reason;

    friend bool operator==(const StepRetry&, const StepRetry&) = default;
};

struct StepCounts {  // sums over all steps so far
    std::int64_t steps = 0, solves = 0, iterations = 0;
    std::int64_t direct_fallbacks = 0;      // linear solves in which conjugate gradients failed
    std::int64_t newton_not_converged = 0;  // steps
    std::int64_t retried = 0;               // steps
    std::int64_t not_at_rest = 0;           // steps of recovery that ended in motion
    ContactCounts contact;

    void add(const StepReport& report);
    friend bool operator==(const StepCounts&, const StepCounts&) = default;
};

// The wrinkle measures of one cloth at one moment.
struct ClothMeasures {
    std::string cloth;
    WrinkleMeasures measures;

    friend bool operator==(const ClothMeasures&, const ClothMeasures&) = default;
};

struct RunRecord {
    std::int64_t frames = 0;         // whole frames in each cache
    std::int64_t metrics_bytes = 0;  // length of metrics.csv
    StepCounts counts;
    std::vector<ClothMeasures> at_recovery;  // at the end of the recovery phase; empty before
    std::vector<ContactTrouble> trouble;     // one entry for each frame that had some, in order
    std::vector<StepRetry> retries;          // the first kMaxRetriesReported

    void add(const StepReport& report);  // a step on the way to frame number `frames`
    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

inline constexpr std::size_t kMaxRetriesReported = 100;

// Wall time of a run [s].
struct RunTiming {
    StepTiming step;
    double output = 0;       // that steps stood still for output: measures, copies, waiting
    double output_wait = 0;  // of that, waiting for the writer
    double writing = 0;      // the writer's own time, beside the steps: no part of the total
    double total = 0;
};

}  // namespace rumple
