#include <algorithm>
#include <rumple/sim/run_record.hpp>

namespace rumple {

void StepCounts::add(const StepReport& report) {
    ++steps;
    solves += report.solves;
    iterations += report.iterations;
    direct_fallbacks += report.direct_fallbacks;
    newton_not_converged += report.newton_converged ? 0 : 1;
    retried += report.retries > 0 ? 1 : 0;
    not_at_rest += report.at_rest ? 0 : 1;
    const ContactReport& now = report.contact;
    contact.collisions += now.collisions;
    contact.substeps += now.substeps - 1;
    contact.rolled_back += now.rolled_back;
    contact.inside += now.inside;
    contact.max_pairs = std::max<std::int64_t>(contact.max_pairs, now.pairs);
    contact.max_touching = std::max<std::int64_t>(contact.max_touching, now.touching);
    contact.deepest = std::max(contact.deepest, now.deepest);
    if (now.closest > 0)
        contact.closest = contact.closest > 0 ? std::min(contact.closest, now.closest) : now.closest;
}

void RunRecord::add(const StepReport& report) {
    if (report.retries > 0 && retries.size() < kMaxRetriesReported)
        retries.push_back({frames, counts.steps, report.contact.substeps, report.retry_reason});
    counts.add(report);
    const ContactReport& now = report.contact;
    if (now.rolled_back == 0 && now.inside == 0 && now.substeps <= 1) return;
    if (trouble.empty() || trouble.back().frame != frames) trouble.push_back({frames});
    ContactTrouble& row = trouble.back();
    row.rolled_back += now.rolled_back;
    row.inside = std::max<std::int64_t>(row.inside, now.inside);
    row.substeps = std::max<std::int64_t>(row.substeps, now.substeps);
    row.deepest = std::max(row.deepest, now.deepest);
}

}  // namespace rumple
