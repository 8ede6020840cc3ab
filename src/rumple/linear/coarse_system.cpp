#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/linear/coarse_system.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 64;  // groups a piece of work

}  // namespace

void CoarseSystem::analyze(BlockPattern pattern, std::span<const Vec3d> centre) {
    pattern_ = std::move(pattern);
    cholesky.analyze(pattern_, centre);
    x.resize(at(6 * pattern_.rows));
    number_.assign(pattern_.column.size(), -1);
    place_.resize(pattern_.column.size());
    targets_.assign(at(pattern_.rows), 0);
    max_targets_ = 0;
    for (int g = 0; g < pattern_.rows; ++g) {
        int& targets = targets_[at(g)];
        for (int k = pattern_.row_begin[at(g)]; k < pattern_.row_begin[at(g) + 1]; ++k) {
            const Place place = cholesky.place(g, pattern_.column[at(k)]);
            if (place.offset < 0) continue;
            place_[at(pattern_.row_begin[at(g)] + targets)] = place;
            number_[at(k)] = targets++;
        }
        max_targets_ = std::max(max_targets_, targets);
    }
}

void CoarseSystem::find_targets(const Threads& threads, const Aggregates& groups, const Reach& reach,
                                std::vector<int>& target) const {
    target.resize(reach.vertex.size());
    threads.for_each(at(pattern_.rows), kGrain, [&](std::size_t g) {
        for (int k = reach.begin[g]; k < reach.begin[g + 1]; ++k)
            target[at(k)] =
                number_[at(find_block(pattern_, static_cast<int>(g), groups.of[at(reach.vertex[at(k)])]))];
    });
}

}  // namespace rumple
