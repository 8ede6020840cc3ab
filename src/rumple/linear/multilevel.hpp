// The two-level preconditioner: groups of vertices move as rigid bodies on the coarse level, which is solved
// directly; the fine level is smoothed by 3x3 block Jacobi.
//
// Thin cloth is stiff in its plane and soft in bending: what block Jacobi cannot reduce is motion that is
// nearly rigid over many vertices. P maps the six rigid modes (translation t, rotation w about the centroid c
// in the current shape) of each group to its vertices, u_i = t + w x (x_i - c); constrained vertices have
// zero rows.
//     E = P^T A P            coarse matrix of 6x6 blocks, factored by BlockCholesky
//     Q = P E^{-1} P^T       coarse solve
//     z = D^{-1} r + Q (r - A D^{-1} r)
// This is the multiplicative form "A-DEF2" (Tang, Nabben, Vuik, Erlangga 2009): with a start whose coarse
// residual is zero, conjugate gradients with it run in the complement of the coarse space, where A is well
// conditioned. P^T A is kept, so that the coarse residual costs a fraction of a product with A.
#pragma once

#include <cstdint>
#include <rumple/linear/aggregation.hpp>
#include <rumple/linear/block_cholesky.hpp>

namespace rumple {

class Multilevel {
  public:
    Multilevel(const BlockPattern& pattern, std::span<const Vec3d> rest_positions, int aggregate_size);

    // False when the coarse matrix cannot be factored.
    bool set_up(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                std::span<const std::uint8_t> constrained);

    // coarse = E^{-1} P^T r
    void solve_coarse(const Threads& threads, std::span<const Vec3d> r);
    // coarse = E^{-1} P^T (r - A z)
    void solve_coarse(const Threads& threads, std::span<const Vec3d> r, std::span<const Vec3d> z);
    // (P coarse)_i
    Vec3d prolonged(std::size_t i) const {
        if (!free_[i]) return {};
        const Real* c = coarse_.data() + 6 * static_cast<std::size_t>(aggregates_.of[i]);
        return Vec3d{c[0], c[1], c[2]} + cross(Vec3d{c[3], c[4], c[5]}, arm_[i]);
    }

  private:
    using Real = double;  // of the coarse level
    struct Half {
        Real m[18];  // 6x3, row-major: a block of P^T A
    };
    void restrict_to(std::size_t a, std::span<const Vec3d> r, Real* t) const;
    void build_group(std::size_t a, const BlockMatrix& matrix);

    const BlockPattern& pattern_;
    Aggregates aggregates_;
    std::vector<Vec3d> arm_;          // x_i - c of its group [m]
    std::vector<std::uint8_t> free_;  // 0 where constrained
    std::vector<int> reach_begin_;    // of each group: vertices its members are coupled to
    std::vector<int> reach_;
    std::vector<int> slot_;          // of each block of A (row in group a): place of its column in a's reach
    std::vector<int> target_begin_;  // of each group: coarse blocks it computes
    std::vector<typename BlockCholesky<6, Real>::Place> target_;
    std::vector<int> reach_target_;  // of each entry of reach_: which of them it adds to, or -1
    std::vector<Half> half_;         // P^T A, one for each entry of reach_
    BlockCholesky<6, Real> cholesky_;
    std::vector<Real> coarse_;
};

}  // namespace rumple
