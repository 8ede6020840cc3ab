// The two-level preconditioner: groups of vertices move as rigid bodies on the coarse level, which is solved
// directly; the smoother solves each group by itself.
//
// Thin cloth is stiff in its plane and soft in bending. Block Jacobi cannot reduce motion that is nearly
// rigid over many vertices. P maps the six rigid modes (translation t, rotation w about the centroid c in the
// current shape) of each group to its vertices, u_i = t + w x (x_i - c); constrained vertices have zero rows.
//     E = P^T A P            coarse matrix of 6x6 blocks, factored by BlockCholesky
//     Q = P E^{-1} P^T       coarse solve
//     z = S r + Q (r - A S r)         S: exact solves over the groups
// This is the multiplicative form "A-DEF2" (Tang, Nabben, Vuik, Erlangga 2009): with a start whose coarse
// residual is zero, conjugate gradients with it run in the complement of the coarse space, where A is well
// conditioned. P^T A is kept, so that the coarse residual costs a fraction of a product with A.
//
// Where cloth touches cloth the smoother solves over other groups, which follow the contacts
// (contact_groups.hpp); those that move as rigid bodies stay as they are.
//
// Extra blocks are part of A in all of this. They couple different groups in each solve; the coarse matrix
// then gets its own pattern and order of elimination, computed from the current shape.
#pragma once

#include <cstdint>
#include <rumple/linear/coarse_system.hpp>
#include <rumple/linear/contact_groups.hpp>
#include <rumple/linear/group_solver.hpp>

namespace rumple {

class Multilevel {
  public:
    Multilevel(const BlockPattern& pattern, std::span<const Vec3d> rest_positions, int aggregate_size);

    Multilevel(const Multilevel&) = delete;
    Multilevel& operator=(const Multilevel&) = delete;

    // extra: null when there are none. False when the coarse matrix cannot be factored.
    bool set_up(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                std::span<const std::uint8_t> constrained, const OffPatternBlocks* extra);

    // coarse = E^{-1} P^T r
    void solve_coarse(const Threads& threads, std::span<const Vec3d> r);
    // Takes a step of conjugate gradients, and z = S r with the groups' exact solves S; then
    // coarse = E^{-1} P^T (r - A z). The caller adds P coarse to z.
    void smooth(const Threads& threads, const ResidualStep& step);
    // (P coarse)_i
    Vec3f prolonged(std::size_t i) const {
        if (!free_[i]) return {};
        const Real* c = coarse_->x.data() + 6 * static_cast<std::size_t>(groups_.of[i]);
        return Vec3f{c[0], c[1], c[2]} + cross(Vec3f{c[3], c[4], c[5]}, arm_[i]);
    }

    // What each iteration reads: everything once, the coarse factor twice.
    std::size_t bytes_per_iteration() const;

  private:
    using Real = float;  // of the preconditioner
    struct RestrictedBlock {
        Real m[18];  // 6x3, column by column: a block of P^T A
    };
    struct Coupling {  // of groups, by A or by the extra blocks
        Reach reach;
        std::vector<int> target;                  // of each vertex in reach: see CoarseSystem::find_targets
        std::vector<RestrictedBlock> restricted;  // P^T A, for the vertices outside of each group
    };
    void follow_contacts(const Threads& threads, const BlockMatrix& a, const OffPatternBlocks* extra);
    bool factor_coarse(const Threads& threads, const BlockMatrix& a, const OffPatternBlocks* extra);
    void build_group(std::size_t g, const BlockMatrix& a, const OffPatternBlocks* extra,
                     double regularisation, double* scratch);
    template <class ForRow>
    void add_couplings(std::size_t g, ForRow&& for_row, Coupling& coupling, double* restricted,
                       double* coarse);
    void add_inside(std::size_t g, int vertex, const double* restricted);
    Pack<Real, 8> residual_inside(std::size_t g, const ResidualStep& step) const;
    void couple_extra(const Threads& threads, const OffPatternBlocks& extra);

    const BlockPattern& pattern_;
    Aggregates groups_;
    ContactGroups contact_groups_;
    std::vector<RestrictedBlock> inside_;  // where groups of the smoother differ: P^T A, for the members [m]
    GroupSolver smoother_;
    std::vector<Vec3f> arm_;          // x_i - c of its group [m]
    std::vector<Vec3d> centre_;       // c of each group [m]
    std::vector<std::uint8_t> free_;  // 0 where constrained
    Coupling own_, extra_;
    CoarseSystem own_coarse_, extra_coarse_;  // without and with extra blocks
    CoarseSystem* coarse_ = &own_coarse_;     // of this solve
};

}  // namespace rumple
