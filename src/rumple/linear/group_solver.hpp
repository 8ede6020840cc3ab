// Exact solves over each group of vertices by itself: z_g = A_gg^{-1} r_g, the smoother of the two-level
// method.
//
// The blocks A_gg are dense and small. Eight of them are factored and solved at once, one in each lane of a
// vector register, in single precision: a preconditioner need not be more exact. Groups of like size share a
// batch and are padded to its largest with identity rows.
#pragma once

#include <cstdint>
#include <rumple/linear/aggregation.hpp>
#include <rumple/linear/off_pattern_blocks.hpp>

namespace rumple {

// Vectors of the preconditioner are stored in single precision.
using Vec3f = Vec3<float>;
inline Vec3f single_precision(Vec3d v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
inline Vec3d double_precision(Vec3f v) { return {v.x, v.y, v.z}; }

// One step of conjugate gradients for the residual, r -= alpha q, and the place of z.
struct ResidualStep {
    double alpha = 0;
    std::span<const Vec3d> q;
    std::span<Vec3d> r;
    std::span<Vec3f> z;
};

class GroupSolver {
  public:
    explicit GroupSolver(const Aggregates& groups) : slot_(groups.of.size()) { set_groups(groups); }

    void set_groups(const Aggregates& groups);  // they must stay as they are until the next call

    void set_up(const Threads& threads, const BlockMatrix& a, const OffPatternBlocks* extra);
    // Takes the step, and smooths its residual, in one pass: each vertex is in one group.
    void step_and_solve(const Threads& threads, const ResidualStep& step);

    std::size_t factor_bytes() const { return factor_.size() * sizeof(float); }

  private:
    static constexpr int kLanes = 8;
    struct Batch {
        int size = 0;            // vertices of its largest group
        std::size_t vertex = 0;  // in vertex_: size x kLanes vertices, -1 where padded
        std::size_t factor = 0;  // in factor_: lower triangle of 3x3 blocks by rows, kLanes numbers each
    };
    // Where the block of two members of one group stands in a batch's factor, in its lane; row >= column.
    std::size_t place(std::size_t row, std::size_t column) const;
    void copy(const Batch& batch, const BlockMatrix& a);
    void add_extra(const Batch& batch, const OffPatternBlocks& extra);
    void factor(const Batch& batch);
    void solve(const Batch& batch, float* v) const;

    const Aggregates* groups_ = nullptr;
    std::vector<Batch> batch_;
    std::vector<int> vertex_;
    std::vector<std::uint8_t> slot_;  // of each vertex: its place among the members of its group
    std::vector<float> factor_;
};

}  // namespace rumple
