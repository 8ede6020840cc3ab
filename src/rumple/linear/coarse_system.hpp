// The coarse matrix of the two-level preconditioner, 6x6 blocks for pairs of groups, with its factorisation.
#pragma once

#include <rumple/linear/block_cholesky.hpp>
#include <rumple/linear/reach.hpp>

namespace rumple {

class CoarseSystem {
  public:
    using Real = float;  // a preconditioner need not be more exact
    using Place = BlockCholesky<6, Real>::Place;

    // pattern: which groups are coupled; centre: where they are. The pattern is kept.
    void analyze(BlockPattern pattern, std::span<const Vec3d> centre);
    const BlockPattern& pattern() const { return pattern_; }

    // Of each vertex in reach: which of the group's targets its couplings add to, or -1.
    void find_targets(const Threads& threads, const Aggregates& groups, const Reach& reach,
                      std::vector<int>& target) const;

    // Targets of a group: the blocks of its row that are stored, see BlockCholesky::place.
    int targets(std::size_t g) const { return targets_[g]; }
    int own_target(std::size_t g) const { return number_[static_cast<std::size_t>(pattern_.diagonal[g])]; }
    Place place(std::size_t g, int target) const {
        return place_[static_cast<std::size_t>(pattern_.row_begin[g] + target)];
    }
    int max_targets() const { return max_targets_; }

    BlockCholesky<6, Real> cholesky;
    std::vector<Real> x;  // right-hand side and solution

  private:
    BlockPattern pattern_;
    std::vector<int> number_;  // of each block: which of its row's targets, or -1
    std::vector<int> targets_;
    std::vector<Place> place_;  // of targets, from the beginning of each row on
    int max_targets_ = 0;
};

}  // namespace rumple
