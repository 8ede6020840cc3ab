#include <algorithm>
#include <cmath>
#include <rumple/core/index.hpp>
#include <rumple/linear/contact_groups.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 512;
constexpr int kRounds = 4;  // the later ones move few
// A vertex joins another group where it is tied to that so many times as much as to its own.
constexpr float kMargin = 1.1f;
constexpr int kSmallest = 2;  // vertices that a group keeps, so that none is empty

float size_of(const Mat3d& block) {
    double sum = 0;
    for (const double e : block.m) sum += e * e;
    return static_cast<float>(std::sqrt(sum));
}

}  // namespace

void ContactGroups::follow(const Threads& threads, const Aggregates& mesh_groups, const BlockMatrix& a,
                           const OffPatternBlocks& extra) {
    of_ = mesh_groups.of;
    members_.resize(at(mesh_groups.count()));
    for (std::size_t g = 0; g < members_.size(); ++g)
        members_[g] = mesh_groups.begin[g + 1] - mesh_groups.begin[g];
    touching_.clear();
    for (int v = 0; v < static_cast<int>(of_.size()); ++v)
        if (extra.row_begin[at(v)] < extra.row_begin[at(v) + 1]) touching_.push_back(v);
    measure(threads, a, extra);
    move_vertices(*a.pattern, extra);
    followed_ = false;
    differs_.assign(members_.size(), 0);
    for (const int v : touching_) {
        const int before = mesh_groups.of[at(v)], now = of_[at(v)];
        if (before == now) continue;
        differs_[at(before)] = differs_[at(now)] = 1;
        followed_ = true;
    }
    if (followed_) groups_ = groups_of(of_, mesh_groups.count());
}

void ContactGroups::measure(const Threads& threads, const BlockMatrix& a, const OffPatternBlocks& extra) {
    const BlockPattern& pattern = *a.pattern;
    own_.resize(pattern.column.size());
    outside_.resize(extra.block.size());
    const auto scale = [&](std::size_t v) {
        const float size = size_of(a.diagonal(v));
        return size > 0 ? 1 / std::sqrt(size) : 0;
    };
    threads.for_each(touching_.size(), kGrain, [&](std::size_t i) {
        const std::size_t v = at(touching_[i]);
        const float mine = scale(v);
        for (int k = pattern.row_begin[v]; k < pattern.row_begin[v + 1]; ++k)
            own_[at(k)] = size_of(a.block[a.place(v, k)]) * mine * scale(at(pattern.column[at(k)]));
        for (int k = extra.row_begin[v]; k < extra.row_begin[v + 1]; ++k)
            outside_[at(k)] = size_of(extra.block[at(k)]) * mine * scale(at(extra.column[at(k)]));
    });
}

// The group that pulls most on a vertex.
int ContactGroups::tied_to(int v, const BlockPattern& pattern, const OffPatternBlocks& extra) {
    pulling_.clear();
    const auto add = [&](int w, float strength) {
        float& pull = pull_[at(of_[at(w)])];
        if (pull == 0) pulling_.push_back(of_[at(w)]);
        pull += strength;
    };
    for (int k = pattern.row_begin[at(v)]; k < pattern.row_begin[at(v) + 1]; ++k)
        if (pattern.column[at(k)] != v) add(pattern.column[at(k)], own_[at(k)]);
    for (int k = extra.row_begin[at(v)]; k < extra.row_begin[at(v) + 1]; ++k)
        add(extra.column[at(k)], outside_[at(k)]);
    int best = of_[at(v)];
    float most = kMargin * pull_[at(best)];
    for (const int g : pulling_) {
        if (g != of_[at(v)] && pull_[at(g)] > most) {
            best = g;
            most = pull_[at(g)];
        }
    }
    for (const int g : pulling_) pull_[at(g)] = 0;
    return best;
}

// One vertex after the other, so that each sees the moves of those before it: the result depends on their
// numbers, not on threads.
void ContactGroups::move_vertices(const BlockPattern& pattern, const OffPatternBlocks& extra) {
    pull_.assign(members_.size(), 0);
    const int largest = *std::ranges::max_element(members_);
    bool moved = true;
    for (int round = 0; round < kRounds && moved; ++round) {
        moved = false;
        for (const int v : touching_) {
            int& group = of_[at(v)];
            if (members_[at(group)] <= kSmallest) continue;
            const int best = tied_to(v, pattern, extra);
            if (best == group || members_[at(best)] >= largest) continue;
            --members_[at(group)];
            ++members_[at(best)];
            group = best;
            moved = true;
        }
    }
}

}  // namespace rumple
