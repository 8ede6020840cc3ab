// Groups of vertices that follow contacts: what the smoother solves over where cloth touches cloth.
//
// What is stiff between two groups counts as held in each group's own solve, so a strong contact between
// groups costs iterations. Each vertex that touches therefore joins the group to which it is tied most, by
// the sum over the group's members of
//     |A_ij| / sqrt(|A_ii| |A_jj|)      Frobenius norms
// Only the smoother's groups follow. Those of the coarse level stay as they are: a group of two layers that
// slide on each other has no rigid motion (docs/notes/linear_solver.md).
#pragma once

#include <cstdint>
#include <rumple/linear/aggregation.hpp>
#include <rumple/linear/off_pattern_blocks.hpp>

namespace rumple {

class ContactGroups {
  public:
    // As many groups as those of the mesh, with the same numbers, and none larger than the largest of them.
    void follow(const Threads& threads, const Aggregates& mesh_groups, const BlockMatrix& a,
                const OffPatternBlocks& extra);
    void clear() { followed_ = false; }  // there are no contacts

    bool followed() const { return followed_; }  // false: no vertex moved
    const Aggregates& groups() const { return groups_; }
    // Does a group have other members than in the mesh?
    bool differs(std::size_t group) const { return followed_ && differs_[group]; }

  private:
    void measure(const Threads& threads, const BlockMatrix& a, const OffPatternBlocks& extra);
    int tied_to(int v, const BlockPattern& pattern, const OffPatternBlocks& extra);
    void move_vertices(const BlockPattern& pattern, const OffPatternBlocks& extra);

    bool followed_ = false;
    Aggregates groups_;
    std::vector<std::uint8_t> differs_;  // one a group
    std::vector<int> touching_;          // vertices with extra blocks, ascending
    std::vector<float> own_, outside_;   // strength of the blocks of A in their rows, and of the extra ones
    std::vector<int> of_, members_;      // the group of each vertex; how many each group has
    std::vector<float> pull_;            // of each group on one vertex; 0 between two vertices
    std::vector<int> pulling_;           // the groups with an entry there
};

}  // namespace rumple
