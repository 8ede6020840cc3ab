#include <rumple/linear/multilevel.hpp>

#include <algorithm>
#include <cmath>

namespace rumple {

namespace {

constexpr std::size_t kGroups = 64;  // groups a piece
constexpr double kRegularisation = 1e-10;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Multilevel::Multilevel(const BlockPattern& pattern, std::span<const Vec3d> rest_positions, int aggregate_size)
    : pattern_(pattern), aggregates_(aggregate(pattern, rest_positions, aggregate_size)) {
    const std::size_t n = at(pattern.rows);
    const int groups = aggregates_.count();
    arm_.resize(n);
    free_.resize(n);
    slot_.resize(pattern.column.size());
    std::vector<std::pair<int, int>> couplings;
    std::vector<int> mark(n, -1);
    reach_begin_ = {0};
    for (int a = 0; a < groups; ++a) {
        const std::size_t first = reach_.size();
        for (int m = aggregates_.begin[at(a)]; m < aggregates_.begin[at(a) + 1]; ++m) {
            const std::size_t v = at(aggregates_.member[at(m)]);
            reach_.insert(reach_.end(), pattern.column.begin() + pattern.row_begin[v],
                          pattern.column.begin() + pattern.row_begin[v + 1]);
        }
        std::sort(reach_.begin() + static_cast<std::ptrdiff_t>(first), reach_.end());
        reach_.erase(std::unique(reach_.begin() + static_cast<std::ptrdiff_t>(first), reach_.end()),
                     reach_.end());
        for (std::size_t k = first; k < reach_.size(); ++k) {
            mark[at(reach_[k])] = static_cast<int>(k);
            couplings.emplace_back(a, aggregates_.of[at(reach_[k])]);
        }
        for (int m = aggregates_.begin[at(a)]; m < aggregates_.begin[at(a) + 1]; ++m) {
            const std::size_t v = at(aggregates_.member[at(m)]);
            for (int k = pattern.row_begin[v]; k < pattern.row_begin[v + 1]; ++k)
                slot_[at(k)] = mark[at(pattern.column[at(k)])];
        }
        reach_begin_.push_back(static_cast<int>(reach_.size()));
    }
    half_.resize(reach_.size());

    const BlockPattern coarse = make_block_pattern(groups, couplings);
    std::vector<Vec3d> centre(at(groups));
    for (std::size_t v = 0; v < n; ++v) centre[at(aggregates_.of[v])] += rest_positions[v];
    for (int a = 0; a < groups; ++a)
        centre[at(a)] *= 1.0 / (aggregates_.begin[at(a) + 1] - aggregates_.begin[at(a)]);
    cholesky_.analyze(coarse, centre);
    coarse_.assign(at(6 * groups), Real(0));

    reach_target_.resize(reach_.size());
    target_begin_ = {0};
    for (int a = 0; a < groups; ++a) {
        const int begin = coarse.row_begin[at(a)];
        std::vector<int> number(at(coarse.row_begin[at(a) + 1] - begin), -1);
        for (std::size_t k = 0; k < number.size(); ++k) {
            const auto place = cholesky_.place(a, coarse.column[at(begin) + k]);
            if (place.offset < 0) continue;
            number[k] = static_cast<int>(target_.size());
            target_.push_back(place);
        }
        for (int k = reach_begin_[at(a)]; k < reach_begin_[at(a) + 1]; ++k)
            reach_target_[at(k)] =
                number[at(find_block(coarse, a, aggregates_.of[at(reach_[at(k)])]) - begin)];
        target_begin_.push_back(static_cast<int>(target_.size()));
    }
}

bool Multilevel::set_up(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                        std::span<const std::uint8_t> constrained) {
    const std::size_t groups = at(aggregates_.count());
    threads.for_each(groups, kGroups, [&](std::size_t g) {
        Vec3d centre;
        for (int m = aggregates_.begin[g]; m < aggregates_.begin[g + 1]; ++m)
            centre += positions[at(aggregates_.member[at(m)])];
        centre *= 1.0 / (aggregates_.begin[g + 1] - aggregates_.begin[g]);
        for (int m = aggregates_.begin[g]; m < aggregates_.begin[g + 1]; ++m) {
            const std::size_t v = at(aggregates_.member[at(m)]);
            free_[v] = !constrained[v];
            arm_[v] = positions[v] - centre;
        }
    });
    cholesky_.clear(threads);
    threads.for_each(groups, kGroups, [&](std::size_t g) { build_group(g, a); });
    return cholesky_.factorize(threads);
}

void Multilevel::build_group(std::size_t g, const BlockMatrix& matrix) {
    // P^T A over the group's members: translations sum the blocks, rotations their moments.
    for (int k = reach_begin_[g]; k < reach_begin_[g + 1]; ++k) half_[at(k)] = Half{};
    for (int m = aggregates_.begin[g]; m < aggregates_.begin[g + 1]; ++m) {
        const std::size_t v = at(aggregates_.member[at(m)]);
        if (!free_[v]) continue;
        const Vec3d r = arm_[v];
        for (int k = pattern_.row_begin[v]; k < pattern_.row_begin[v + 1]; ++k) {
            const double* e = matrix.block[at(k)].m;
            Real* h = half_[at(slot_[at(k)])].m;
            for (std::size_t c = 0; c < 3; ++c) {
                h[c] += e[c];
                h[3 + c] += e[3 + c];
                h[6 + c] += e[6 + c];
                h[9 + c] += r.y * e[6 + c] - r.z * e[3 + c];
                h[12 + c] += r.z * e[c] - r.x * e[6 + c];
                h[15 + c] += r.x * e[3 + c] - r.y * e[c];
            }
        }
    }
    // E = (P^T A) P, into the panels of the factorisation.
    Real* value = cholesky_.values().data();
    for (int k = reach_begin_[g]; k < reach_begin_[g + 1]; ++k) {
        const std::size_t v = at(reach_[at(k)]);
        if (reach_target_[at(k)] < 0 || !free_[v]) continue;
        const auto place = target_[at(reach_target_[at(k)])];
        const Vec3d r = arm_[v];
        for (std::size_t row = 0; row < 6; ++row) {
            const Real* h = half_[at(k)].m + 3 * row;
            Real* e = value + place.offset + row;
            const std::size_t s = place.stride;
            e[0] += h[0];
            e[s] += h[1];
            e[2 * s] += h[2];
            e[3 * s] += h[2] * r.y - h[1] * r.z;
            e[4 * s] += h[0] * r.z - h[2] * r.x;
            e[5 * s] += h[1] * r.x - h[0] * r.y;
        }
    }
    // A group that is constrained, a point or a line lacks modes: they get a stiffness of their own.
    const auto own = cholesky_.place(static_cast<int>(g), static_cast<int>(g));
    Real* e = value + own.offset;
    double translation = 0, rotation = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        translation = std::max(translation, double(e[c * (own.stride + 1)]));
        rotation = std::max(rotation, double(e[(c + 3) * (own.stride + 1)]));
    }
    for (std::size_t c = 0; c < 6; ++c) {
        const double scale = c < 3 ? translation : rotation;
        e[c * (own.stride + 1)] += scale > 0 ? kRegularisation * scale : 1.0;
    }
}

void Multilevel::restrict_to(std::size_t a, std::span<const Vec3d> r, Real* t) const {
    Vec3d force, moment;
    for (int m = aggregates_.begin[a]; m < aggregates_.begin[a + 1]; ++m) {
        const std::size_t v = at(aggregates_.member[at(m)]);
        force += r[v];  // 0 where constrained
        moment += cross(arm_[v], r[v]);
    }
    for (int c = 0; c < 3; ++c) {
        t[c] = Real(force[c]);
        t[3 + c] = Real(moment[c]);
    }
}

void Multilevel::solve_coarse(const Threads& threads, std::span<const Vec3d> r) {
    threads.for_each(at(aggregates_.count()), kGroups,
                     [&](std::size_t a) { restrict_to(a, r, coarse_.data() + 6 * a); });
    cholesky_.solve(threads, coarse_, coarse_);
}

void Multilevel::solve_coarse(const Threads& threads, std::span<const Vec3d> r, std::span<const Vec3d> z) {
    threads.for_each(at(aggregates_.count()), kGroups, [&](std::size_t a) {
        Real* t = coarse_.data() + 6 * a;
        restrict_to(a, r, t);
        Real sum[18] = {};
        for (int k = reach_begin_[a]; k < reach_begin_[a + 1]; ++k) {
            const Real* h = half_[at(k)].m;
            const Vec3d& v = z[at(reach_[at(k)])];
            const Real w[3] = {Real(v.x), Real(v.y), Real(v.z)};
            for (int e = 0; e < 18; ++e) sum[e] += h[e] * w[e % 3];
        }
        for (int c = 0; c < 6; ++c) t[c] -= sum[3 * c] + sum[3 * c + 1] + sum[3 * c + 2];
    });
    cholesky_.solve(threads, coarse_, coarse_);
}

}  // namespace rumple
