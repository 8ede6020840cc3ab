#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/sim/variant_scheduler.hpp>

namespace rumple {

VariantPlan plan_of(const Scene& scene, const SceneHashes& hashes, RunPosition start) {
    VariantPlan plan;
    for (const Phase& phase : scene.phases) plan.steps.push_back(phase.steps);
    plan.phase_hash = hashes.phases;
    plan.start = start;
    return plan;
}

VariantScheduler::VariantScheduler(std::vector<VariantPlan> variants) {
    for (VariantPlan& plan : variants) {
        const RunPosition start = plan.start;
        variants_.push_back({std::move(plan), start});
    }
    count_steps();
}

bool VariantScheduler::same_until_end_of(int phase, const VariantPlan& a, const VariantPlan& b) {
    if (&a == &b) return true;  // also without hashes
    const std::size_t k = at(phase);
    return k < a.phase_hash.size() && k < b.phase_hash.size() && a.phase_hash[k] == b.phase_hash[k];
}

bool VariantScheduler::same_path(const Variant& a, const Variant& b) {
    return same_until_end_of(b.now.phase, a.plan, b.plan);
}

bool VariantScheduler::ended(const Variant& variant) {
    return variant.failed || at(variant.now.phase) >= variant.plan.steps.size();
}

bool VariantScheduler::ended(std::size_t variant) const { return ended(variants_[variant]); }

bool VariantScheduler::all_ended() const {
    return std::all_of(variants_.begin(), variants_.end(), [](const Variant& v) { return ended(v); });
}

// A phase is counted for the first of the variants that share it. The least advanced of them determines how
// many of its steps are left.
void VariantScheduler::count_steps() {
    for (std::size_t i = 0; i < variants_.size(); ++i)
        for (std::size_t k = 0; k < variants_[i].plan.steps.size(); ++k) {
            const int phase = static_cast<int>(k), steps = variants_[i].plan.steps[k];
            const auto shares = [&](const Variant& other) {
                return same_until_end_of(phase, other.plan, variants_[i].plan);
            };
            const auto first = variants_.begin(), here = first + static_cast<std::ptrdiff_t>(i);
            if (std::any_of(first, here, shares)) continue;
            int left = 0;
            for (const Variant& variant : variants_)
                if (shares(variant) && variant.now.phase <= phase)
                    left = std::max(left, variant.now.phase == phase ? steps - variant.now.step : steps);
            total_steps_ += steps;
            steps_to_do_ += left;
        }
}

std::optional<RunSegment> VariantScheduler::next() {
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < variants_.size(); ++i)
        if (!ended(i) && (!chosen || i == last_leader_)) chosen = i;
    if (!chosen) return std::nullopt;
    const Variant& path = variants_[*chosen];
    for (std::size_t i = 0; i < variants_.size(); ++i)
        if (!ended(i) && variants_[i].now < variants_[*chosen].now && same_path(variants_[i], path))
            chosen = i;
    last_leader_ = chosen;

    const Variant& leader = variants_[*chosen];
    RunSegment segment{*chosen, {}, leader.now, leader.plan.steps[at(leader.now.phase)]};
    for (std::size_t i = 0; i < variants_.size(); ++i) {
        const Variant& other = variants_[i];
        if (ended(i) || other.now.phase != leader.now.phase || !same_path(other, leader)) continue;
        if (other.now == leader.now) segment.variants.push_back(i);
        if (other.now > leader.now) segment.end_step = std::min(segment.end_step, other.now.step);
    }
    return segment;
}

void VariantScheduler::advance(const RunSegment& segment, RunPosition reached) {
    for (const std::size_t i : segment.variants) variants_[i].now = reached;
}

void VariantScheduler::fail(const RunSegment& segment) {
    for (const std::size_t i : segment.variants) variants_[i].failed = true;
}

}  // namespace rumple
