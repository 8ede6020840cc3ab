// The two-level preconditioner: groups of vertices move as rigid bodies on the coarse level, which is solved
// directly; the smoother solves each group by itself.
//
// Thin cloth is stiff in its plane and soft in bending: what block Jacobi cannot reduce is motion that is
// nearly rigid over many vertices. P maps the six rigid modes (translation t, rotation w about the centroid c
// in the current shape) of each group to its vertices, u_i = t + w x (x_i - c); constrained vertices have
// zero rows.
//     E = P^T A P            coarse matrix of 6x6 blocks, factored by BlockCholesky
//     Q = P E^{-1} P^T       coarse solve
//     z = S r + Q (r - A S r)         S: exact solves over the groups
// This is the multiplicative form "A-DEF2" (Tang, Nabben, Vuik, Erlangga 2009): with a start whose coarse
// residual is zero, conjugate gradients with it run in the complement of the coarse space, where A is well
// conditioned. P^T A is kept, so that the coarse residual costs a fraction of a product with A.
#pragma once

#include <cstdint>
#include <rumple/linear/aggregation.hpp>
#include <rumple/linear/block_cholesky.hpp>
#include <rumple/linear/group_solver.hpp>

namespace rumple {

class Multilevel {
  public:
    Multilevel(const BlockPattern& pattern, std::span<const Vec3d> rest_positions, int aggregate_size);

    // False when the coarse matrix cannot be factored.
    bool set_up(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                std::span<const std::uint8_t> constrained);

    // coarse = E^{-1} P^T r
    void solve_coarse(const Threads& threads, std::span<const Vec3d> r);
    // Takes a step of conjugate gradients, and z = S r with the groups' exact solves S; then
    // coarse = E^{-1} P^T (r - A z). To be done: z += P coarse.
    void smooth(const Threads& threads, const ResidualStep& step);
    // (P coarse)_i
    Vec3f prolonged(std::size_t i) const {
        if (!free_[i]) return {};
        const Real* c = coarse_.data() + 6 * static_cast<std::size_t>(groups_.of[i]);
        return Vec3f{c[0], c[1], c[2]} + cross(Vec3f{c[3], c[4], c[5]}, arm_[i]);
    }

  private:
    using Real = float;  // of the preconditioner
    struct Half {
        Real m[18];  // 6x3, column by column: a block of P^T A
    };
    void find_reach(const BlockPattern& pattern);
    void build_group(std::size_t a, const BlockMatrix& matrix, double regularisation);

    const BlockPattern& pattern_;
    Aggregates groups_;
    GroupSolver smoother_;
    std::vector<Vec3f> arm_;          // x_i - c of its group [m]
    std::vector<std::uint8_t> free_;  // 0 where constrained
    // The vertices a group's members are coupled to: first those outside the group, then the members.
    std::vector<int> reach_begin_, reach_outside_,
        reach_;              // of group g: reach_[begin[g] .. outside[g] .. begin[g+1])
    std::vector<int> slot_;  // of each block of A: its column's place in the reach of its row's group
    std::vector<int>
        reach_target_;  // of each entry of reach_: which of the group's targets it adds to, or -1
    std::vector<int> target_begin_,
        own_target_;  // of each group: coarse blocks it computes; its diagonal among them
    std::vector<BlockCholesky<6, Real>::Place> target_;
    std::vector<int> half_begin_;
    std::vector<Half> half_;                    // P^T A, for what is reached outside of each group
    std::vector<std::vector<double>> scratch_;  // one a piece of work
    std::size_t most_reach_ = 0;
    BlockCholesky<6, Real> cholesky_;
    std::vector<Real> coarse_;
};

}  // namespace rumple
