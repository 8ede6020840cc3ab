// Checkpoints: everything a run needs to go on bit for bit, in one file.
//
//   little endian:  "RUMPLECP"  uint32 version  uint64 length of the body  body  uint64 checksum
//
// The checksum (64-bit FNV-1a) covers all bytes before it. Numbers are stored as their bits, so that what is
// read is what was written. A checkpoint names the scene it belongs to by its hash: a state put into another
// scene would run, and mean nothing. It holds no time of day, no path and no thread count: the same run
// writes the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <rumple/core/version.hpp>
#include <rumple/sim/simulator.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// What contact did, over all steps so far.
struct ContactCounts {
    std::int64_t collisions = 0;                     // found on the way and resolved
    std::int64_t substeps = 0;                       // beyond the one that every step has
    std::int64_t rolled_back = 0;                      // vertices, see ContactReport
    std::int64_t inside = 0;                         // vertices, counted again in every step
    std::int64_t most_pairs = 0, most_touching = 0;  // in a step
    double deepest = 0;                              // m
    double closest = 0;                              // m; 0: nothing touched yet

    friend bool operator==(const ContactCounts&, const ContactCounts&) = default;
};

// Trouble with contact in the steps that led to a frame.
struct ContactTrouble {
    std::int64_t frame = 0;
    std::int64_t rolled_back = 0;             // vertices, in all steps
    std::int64_t inside = 0, substeps = 1;  // the most in a step
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
    std::int64_t direct_fallbacks = 0;      // solves that conjugate gradients gave up
    std::int64_t newton_not_converged = 0;  // steps
    std::int64_t retried = 0;               // steps
    ContactCounts contact;

    void add(const StepReport& report);
    friend bool operator==(const StepCounts&, const StepCounts&) = default;
};

struct NamedValue {
    std::string name;
    double value = 0;

    friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

// The wrinkle measures of one cloth at one moment, in the order in which measure/ lists them.
struct ClothMeasures {
    std::string cloth;
    std::vector<NamedValue> values;

    // NaN when there is no measure of that name.
    double operator[](std::string_view name) const;
    friend bool operator==(const ClothMeasures&, const ClothMeasures&) = default;
};

// What a run had counted and put on disk at a checkpoint.
struct RunRecord {
    std::int64_t frames = 0;         // whole frames in each cache
    std::int64_t metrics_bytes = 0;  // length of metrics.csv
    StepCounts counts;
    std::vector<ClothMeasures> at_recovery;  // at the end of the recovery phase; empty before
    std::vector<ContactTrouble> trouble;     // one a frame that had some, in order
    std::vector<StepRetry> retries;          // the first kMaxRetriesReported

    void add(const StepReport& report);  // a step on the way to frame number `frames`
    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

inline constexpr std::size_t kMaxRetriesReported = 100;

struct Checkpoint {
    std::string scene_hash;
    RunRecord record;
    SimState sim;
    std::string program = program_version();  // that wrote it
    // The state counts as the scene does. For whoever looks at it beside the caches, which count as the files
    // do: the files' number of each hinge. Empty: the same.
    std::vector<std::int32_t> hinge_numbers = {};

    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

inline constexpr std::uint32_t kCheckpointVersion = 5;

std::string encode_checkpoint(const Checkpoint& checkpoint);
// A body with header and checksum around it: what encode_checkpoint does last. Tests damage bodies with it.
std::string seal_checkpoint(std::string_view body);
// InputError, with `name` as the place: not a checkpoint, of another version, cut short, or damaged.
Checkpoint decode_checkpoint(std::string_view bytes, const std::string& name);

void write_checkpoint(const std::filesystem::path& path,
                      const Checkpoint& checkpoint);  // whole or not at all
Checkpoint read_checkpoint(const std::filesystem::path& path);
bool is_checkpoint(const std::filesystem::path& path);  // by its first bytes

// InputError, showing both hashes, unless the checkpoint belongs to this scene.
void require_same_scene(const Checkpoint& checkpoint, const Scene& scene, const std::string& name);
// InputError unless this program wrote it: half a run of one version and half of another is neither's.
void require_same_program(const Checkpoint& checkpoint, const std::string& name);

}  // namespace rumple
