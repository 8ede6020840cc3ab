// Decides which variants of a scene are simulated together, and in which order.
//
// Variants whose phase hashes agree share a simulation. A *segment* is a stretch of steps of one phase that
// one simulator takes for a group of variants. A segment ends at the end of its phase, or earlier where a
// variant of the same path waits (it was resumed from a later checkpoint) and can join.
//
//   brief    |--fold--|         |--release--|
//   held     |--fold--|--hold-- |--release--|      one segment: fold of both
//
// The scheduler is pure: it knows hashes and step counts, no simulation and no files.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <rumple/scene/scene_hash.hpp>
#include <string>
#include <vector>

namespace rumple {

// A place between two steps of a variant's timeline.
struct RunPosition {
    int phase = 0;
    int step = 0;  // steps done in that phase

    friend auto operator<=>(const RunPosition&, const RunPosition&) = default;
};

// What the scheduler needs to know of a variant.
struct VariantPlan {
    std::vector<int> steps;  // of each phase
    // Equal hashes: the run up to the end of that phase is the same. No hashes: nothing is shared.
    std::vector<std::string> phase_hash;
    RunPosition start{};  // a resumed variant starts later
};
VariantPlan plan_of(const Scene& scene, const SceneHashes& hashes, RunPosition start = {});

struct RunSegment {
    std::size_t leader = 0;             // the variant whose scene is simulated
    std::vector<std::size_t> variants;  // that take the steps, the leader among them, in their order
    RunPosition begin;
    int end_step = 0;  // stop before this step of the phase
};

class VariantScheduler {
  public:
    explicit VariantScheduler(std::vector<VariantPlan> variants);

    // Depth first: the variant that led the last segment continues. One that lags behind it on the same path
    // comes first, so that they can meet. Nothing when all variants have ended.
    std::optional<RunSegment> next();
    // The variants of a segment have reached this position.
    void advance(const RunSegment& segment, RunPosition reached);
    // The variants of a segment cannot continue.
    void fail(const RunSegment& segment);

    bool ended(std::size_t variant) const;
    bool all_ended() const;

    // Steps that variants share count once.
    std::int64_t total_steps() const { return total_steps_; }
    // Of those, the steps that were left at the start.
    std::int64_t steps_to_do() const { return steps_to_do_; }

  private:
    struct Variant {
        VariantPlan plan;
        RunPosition now;
        bool failed = false;
    };
    static bool same_until_end_of(int phase, const VariantPlan& a, const VariantPlan& b);
    static bool same_path(const Variant& a, const Variant& b);  // up to the end of b's phase
    static bool ended(const Variant& variant);
    void count_steps();

    std::vector<Variant> variants_;
    std::optional<std::size_t> last_leader_;
    std::int64_t total_steps_ = 0, steps_to_do_ = 0;
};

}  // namespace rumple
