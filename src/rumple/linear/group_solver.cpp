#include <rumple/linear/group_solver.hpp>

#include <algorithm>
#include <cmath>
#include <rumple/linear/pack.hpp>

namespace rumple {

namespace {

constexpr std::size_t kBatches = 4;  // batches a piece of work
constexpr int kLargestGroup = 64;    // vertices; bounds the stack of a solve

using Lanes = Pack<float>::Type;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::size_t row_offset(int row) { return at(row * (row + 1) / 2) * 9; }  // in vectors

Lanes load(const float* p) { return Pack<float>::load(p); }
void store(float* p, Lanes v) { Pack<float>::store(p, v); }

// Reciprocal root of a pivot; a pivot lost to rounding is replaced by a small part of the diagonal entry.
Lanes pivot(Lanes d, Lanes diagonal) {
    Lanes root{};
    for (int l = 0; l < 8; ++l) {
        const float floor = 1e-6f * diagonal[l];
        root[l] = 1.0f / std::sqrt(d[l] > floor ? d[l] : floor);
    }
    return root;
}

}  // namespace

GroupSolver::GroupSolver(const BlockPattern& pattern, const Aggregates& groups) {
    const int count = groups.count();
    const auto size = [&](int g) { return groups.begin[at(g) + 1] - groups.begin[at(g)]; };
    std::vector<int> order(at(count));
    for (int g = 0; g < count; ++g) order[at(g)] = g;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
    group_ = groups.of;
    std::vector<int>& slot = slot_;
    slot.resize(groups.of.size());
    for (int g = 0; g < count; ++g)
        for (int m = groups.begin[at(g)]; m < groups.begin[at(g) + 1]; ++m)
            slot[at(groups.member[at(m)])] = m - groups.begin[at(g)];

    std::size_t floats = 0;
    for (std::size_t first = 0; first < order.size(); first += kLanes) {
        Batch b;
        b.size = size(order[first]);
        b.vertex = vertex_.size();
        b.factor = floats;
        b.copies_begin = copy_.size();
        vertex_.resize(vertex_.size() + at(b.size) * kLanes, -1);
        floats += row_offset(b.size) * kLanes;
        for (std::size_t lane = 0; lane < kLanes && first + lane < order.size(); ++lane) {
            const std::size_t g = at(order[first + lane]);
            for (int m = groups.begin[g]; m < groups.begin[g + 1]; ++m) {
                const int v = groups.member[at(m)], row = slot[at(v)];
                vertex_[b.vertex + at(row) * kLanes + lane] = v;
                for (int k = pattern.row_begin[at(v)]; k < pattern.row_begin[at(v) + 1]; ++k) {
                    const std::size_t w = at(pattern.column[at(k)]);
                    if (groups.of[w] != groups.of[at(v)] || slot[w] > row) continue;
                    const std::size_t target = (row_offset(row) + at(slot[w]) * 9) * kLanes + lane;
                    copy_.push_back({k, static_cast<std::uint32_t>(target)});
                }
            }
        }
        b.copies_end = copy_.size();
        batch_.push_back(b);
    }
    factor_.resize(floats);
}

void GroupSolver::set_up(const Threads& threads, const BlockMatrix& a, const ExtraBlocks* extra) {
    threads.for_each(batch_.size(), kBatches, [&](std::size_t i) {
        const Batch& b = batch_[i];
        float* f = factor_.data() + b.factor;
        std::fill_n(f, row_offset(b.size) * kLanes, 0.0f);
        for (int row = 0; row < b.size; ++row)
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                if (vertex_[b.vertex + at(row) * kLanes + lane] < 0)
                    for (std::size_t c = 0; c < 3; ++c)
                        f[(row_offset(row) + at(row) * 9 + 4 * c) * kLanes + lane] = 1;
        for (std::size_t k = b.copies_begin; k < b.copies_end; ++k) {
            const double* e = a.block[at(copy_[k].block)].m;
            for (std::size_t c = 0; c < 9; ++c) f[copy_[k].target + c * kLanes] = static_cast<float>(e[c]);
        }
        if (extra) add_extra(b, *extra);
        factor(b);
    });
}

// Extra blocks that join two vertices of one group.
void GroupSolver::add_extra(const Batch& batch, const ExtraBlocks& extra) {
    float* f = factor_.data() + batch.factor;
    for (std::size_t i = 0; i < at(batch.size) * kLanes; ++i) {
        const int v = vertex_[batch.vertex + i];
        if (v < 0) continue;
        const int row = slot_[at(v)];
        for (int k = extra.row_begin[at(v)]; k < extra.row_begin[at(v) + 1]; ++k) {
            const std::size_t w = at(extra.column[at(k)]);
            if (group_[w] != group_[at(v)] || slot_[w] > row) continue;
            float* target = f + (row_offset(row) + at(slot_[w]) * 9) * kLanes + i % kLanes;
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
            Lanes s[9];
            for (int e = 0; e < 9; ++e) s[e] = load(target + e * kLanes);
            const Lanes diagonal[3] = {s[0], s[4], s[8]};
            const float *li = f + row_offset(i) * kLanes, *lj = f + row_offset(j) * kLanes;
            for (int k = 0; k < j; ++k, li += 9 * kLanes, lj += 9 * kLanes)
                for (int c = 0; c < 3; ++c) {
                    const Lanes l0 = load(lj + (3 * c) * kLanes), l1 = load(lj + (3 * c + 1) * kLanes),
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
                const Lanes d0 = load(lj), d1 = load(lj + 4 * kLanes), d2 = load(lj + 8 * kLanes);
                const Lanes l10 = load(lj + 3 * kLanes), l20 = load(lj + 6 * kLanes),
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
        Lanes s[3];
        for (int c = 0; c < 3; ++c) s[c] = load(v + (3 * i + c) * kLanes);
        for (int j = 0; j < i; ++j, l += 9 * kLanes) {
            const Lanes x0 = load(v + (3 * j) * kLanes), x1 = load(v + (3 * j + 1) * kLanes),
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
        Lanes s[3];
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
        alignas(32) float v[3 * kLargestGroup * kLanes];
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
