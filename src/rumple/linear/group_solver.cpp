#include <algorithm>
#include <cmath>
#include <rumple/core/index.hpp>
#include <rumple/core/pack.hpp>
#include <rumple/linear/group_solver.hpp>

namespace rumple {

namespace {

constexpr std::size_t kBatches = 2;  // batches a piece of work
constexpr int kMaxGroup = 64;        // vertices; bounds the stack of a solve

using Eight = Pack<float, 8>;  // the same number of eight groups

std::size_t row_offset(int row) { return at(row * (row + 1) / 2) * 9; }  // in vectors

Eight load(const float* p) { return load_pack<8>(p); }
void store(float* p, Eight v) { store_pack(p, v); }

// Reciprocal root of a pivot; a pivot lost to rounding is replaced by a small part of the diagonal entry.
Eight pivot(Eight d, Eight diagonal) {
    Eight root{};
    for (int l = 0; l < 8; ++l) {
        const float floor = 1e-6f * diagonal[l];
        root[l] = 1.0f / std::sqrt(d[l] > floor ? d[l] : floor);
    }
    return root;
}

}  // namespace

void GroupSolver::set_groups(const Aggregates& groups) {
    groups_ = &groups;
    const int count = groups.count();
    const auto size = [&](int g) { return groups.begin[at(g) + 1] - groups.begin[at(g)]; };
    std::vector<int> order(at(count));
    for (int g = 0; g < count; ++g) order[at(g)] = g;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });

    std::size_t floats = 0;
    batch_.clear();
    vertex_.clear();
    for (std::size_t first = 0; first < order.size(); first += kLanes) {
        Batch b;
        b.size = size(order[first]);
        b.vertex = vertex_.size();
        b.factor = floats;
        vertex_.resize(vertex_.size() + at(b.size) * kLanes, -1);
        floats += row_offset(b.size) * kLanes;
        for (std::size_t lane = 0; lane < kLanes && first + lane < order.size(); ++lane) {
            const int g = order[first + lane];
            for (int row = 0; row < size(g); ++row) {
                const int v = groups.member[at(groups.begin[at(g)] + row)];
                vertex_[b.vertex + at(row) * kLanes + lane] = v;
                slot_[at(v)] = static_cast<std::uint8_t>(row);
            }
        }
        batch_.push_back(b);
    }
    factor_.resize(floats);
}

std::size_t GroupSolver::place(std::size_t row, std::size_t column) const {
    return (row_offset(slot_[row]) + std::size_t{slot_[column]} * 9) * kLanes;
}

void GroupSolver::set_up(const Threads& threads, const BlockMatrix& a, const OffPatternBlocks* extra) {
    threads.for_each(batch_.size(), kBatches, [&](std::size_t i) {
        copy(batch_[i], a);
        if (extra) add_extra(batch_[i], *extra);
        factor(batch_[i]);
    });
}

// Members ascend: what A stores above its diagonal is, transposed, the lower triangle of a group's block.
void GroupSolver::copy(const Batch& batch, const BlockMatrix& a) {
    const BlockPattern& pattern = *a.pattern;
    float* f = factor_.data() + batch.factor;
    std::fill_n(f, row_offset(batch.size) * kLanes, 0.0f);
    for (std::size_t i = 0; i < at(batch.size) * kLanes; ++i) {
        const std::size_t lane = i % kLanes;
        if (vertex_[batch.vertex + i] < 0) {
            const int row = static_cast<int>(i / kLanes);
            for (std::size_t c = 0; c < 3; ++c)
                f[(row_offset(row) + at(row) * 9 + 4 * c) * kLanes + lane] = 1;
            continue;
        }
        const std::size_t v = at(vertex_[batch.vertex + i]);
        const int diagonal = pattern.diagonal[v];
        for (int k = diagonal; k < pattern.row_begin[v + 1]; ++k) {
            const std::size_t w = at(pattern.column[at(k)]);
            if (groups_->of[w] != groups_->of[v]) continue;
            const double* e = a.block[at(a.row_begin[v] + k - diagonal)].m;
            float* target = f + place(w, v) + lane;
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c)
                    target[(3 * r + c) * kLanes] = static_cast<float>(e[3 * c + r]);
        }
    }
}

// Extra blocks that join two vertices of one group.
void GroupSolver::add_extra(const Batch& batch, const OffPatternBlocks& extra) {
    float* f = factor_.data() + batch.factor;
    for (std::size_t i = 0; i < at(batch.size) * kLanes; ++i) {
        if (vertex_[batch.vertex + i] < 0) continue;
        const std::size_t v = at(vertex_[batch.vertex + i]);
        for (int k = extra.row_begin[v]; k < extra.row_begin[v + 1]; ++k) {
            const std::size_t w = at(extra.column[at(k)]);
            if (groups_->of[w] != groups_->of[v] || w > v) continue;
            float* target = f + place(v, w) + i % kLanes;
            for (std::size_t c = 0; c < 9; ++c)
                target[c * kLanes] += static_cast<float>(extra.block[at(k)].m[c]);
        }
    }
}

// Cholesky by 3x3 blocks, row by row: L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^{-T}. Reciprocals on the
// diagonal.
void GroupSolver::factor(const Batch& batch) {
    float* f = factor_.data() + batch.factor;
    for (int i = 0; i < batch.size; ++i)
        for (int j = 0; j <= i; ++j) {
            float* target = f + (row_offset(i) + at(j) * 9) * kLanes;
            Eight s[9];
            for (int e = 0; e < 9; ++e) s[e] = load(target + e * kLanes);
            const Eight diagonal[3] = {s[0], s[4], s[8]};
            const float *li = f + row_offset(i) * kLanes, *lj = f + row_offset(j) * kLanes;
            for (int k = 0; k < j; ++k, li += 9 * kLanes, lj += 9 * kLanes)
                for (int c = 0; c < 3; ++c) {
                    const Eight l0 = load(lj + (3 * c) * kLanes), l1 = load(lj + (3 * c + 1) * kLanes),
                                l2 = load(lj + (3 * c + 2) * kLanes);
                    for (int r = 0; r < 3; ++r)
                        s[3 * r + c] -= load(li + (3 * r) * kLanes) * l0 +
                                        load(li + (3 * r + 1) * kLanes) * l1 +
                                        load(li + (3 * r + 2) * kLanes) * l2;
                }
            if (i == j) {
                s[0] = pivot(s[0], diagonal[0]);
                s[3] *= s[0];
                s[6] *= s[0];
                s[4] = pivot(s[4] - s[3] * s[3], diagonal[1]);
                s[7] = (s[7] - s[6] * s[3]) * s[4];
                s[8] = pivot(s[8] - s[6] * s[6] - s[7] * s[7], diagonal[2]);
            } else {  // lj now stands at L_jj
                const Eight d0 = load(lj), d1 = load(lj + 4 * kLanes), d2 = load(lj + 8 * kLanes);
                const Eight l10 = load(lj + 3 * kLanes), l20 = load(lj + 6 * kLanes),
                            l21 = load(lj + 7 * kLanes);
                for (int r = 0; r < 3; ++r) {
                    s[3 * r] *= d0;
                    s[3 * r + 1] = (s[3 * r + 1] - s[3 * r] * l10) * d1;
                    s[3 * r + 2] = (s[3 * r + 2] - s[3 * r] * l20 - s[3 * r + 1] * l21) * d2;
                }
            }
            for (int e = 0; e < 9; ++e) store(target + e * kLanes, s[e]);
        }
}

void GroupSolver::solve(const Batch& batch, float* v) const {
    const float* l = factor_.data() + batch.factor;
    for (int i = 0; i < batch.size; ++i) {
        Eight s[3];
        for (int c = 0; c < 3; ++c) s[c] = load(v + (3 * i + c) * kLanes);
        for (int j = 0; j < i; ++j, l += 9 * kLanes) {
            const Eight x0 = load(v + (3 * j) * kLanes), x1 = load(v + (3 * j + 1) * kLanes),
                        x2 = load(v + (3 * j + 2) * kLanes);
            for (int r = 0; r < 3; ++r)
                s[r] -= load(l + (3 * r) * kLanes) * x0 + load(l + (3 * r + 1) * kLanes) * x1 +
                        load(l + (3 * r + 2) * kLanes) * x2;
        }
        s[0] *= load(l);
        s[1] = (s[1] - load(l + 3 * kLanes) * s[0]) * load(l + 4 * kLanes);
        s[2] = (s[2] - load(l + 6 * kLanes) * s[0] - load(l + 7 * kLanes) * s[1]) * load(l + 8 * kLanes);
        l += 9 * kLanes;
        for (int c = 0; c < 3; ++c) store(v + (3 * i + c) * kLanes, s[c]);
    }
    for (int i = batch.size; i-- > 0;) {
        l -= 9 * kLanes;
        Eight s[3];
        for (int c = 0; c < 3; ++c) s[c] = load(v + (3 * i + c) * kLanes);
        s[2] *= load(l + 8 * kLanes);
        s[1] = (s[1] - load(l + 7 * kLanes) * s[2]) * load(l + 4 * kLanes);
        s[0] = (s[0] - load(l + 6 * kLanes) * s[2] - load(l + 3 * kLanes) * s[1]) * load(l);
        for (int c = 0; c < 3; ++c) store(v + (3 * i + c) * kLanes, s[c]);
        for (int j = i; j-- > 0;) {
            l -= 9 * kLanes;
            for (int c = 0; c < 3; ++c) {
                float* x = v + (3 * j + c) * kLanes;
                store(x, load(x) - (load(l + c * kLanes) * s[0] + load(l + (3 + c) * kLanes) * s[1] +
                                    load(l + (6 + c) * kLanes) * s[2]));
            }
        }
    }
}

void GroupSolver::step_and_solve(const Threads& threads, const ResidualStep& step) {
    threads.for_each(batch_.size(), kBatches, [&](std::size_t i) {
        const Batch& b = batch_[i];
        alignas(32) float v[3 * kMaxGroup * kLanes];
        const int* vertex = vertex_.data() + b.vertex;
        for (std::size_t s = 0; s < at(b.size); ++s)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const int n = vertex[s * kLanes + lane];
                Vec3d r;
                if (n >= 0) r = step.r[at(n)] -= step.alpha * step.q[at(n)];
                for (std::size_t c = 0; c < 3; ++c)
                    v[(3 * s + c) * kLanes + lane] = static_cast<float>(r[int(c)]);
            }
        solve(b, v);
        for (std::size_t s = 0; s < at(b.size); ++s)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const int n = vertex[s * kLanes + lane];
                const float* z = v + 3 * s * kLanes + lane;
                if (n >= 0) step.z[at(n)] = {z[0], z[kLanes], z[2 * kLanes]};
            }
    });
}

}  // namespace rumple
