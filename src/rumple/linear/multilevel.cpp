#include <rumple/linear/multilevel.hpp>

#include <algorithm>
#include <rumple/linear/pack.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 64;        // groups a piece of work
constexpr double kRegularisation = 1e-7;  // of the coarse diagonal: above the rounding of single precision

using Quad = Pack<double>::Type;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Quad cross(Vec3d a, Quad b) {
    const Quad yzx = __builtin_shufflevector(b, b, 1, 2, 0, 3),
               zxy = __builtin_shufflevector(b, b, 2, 0, 1, 3);
    return Quad{a.y, a.z, a.x, 0} * zxy - Quad{a.z, a.x, a.y, 0} * yzx;
}

}  // namespace

Multilevel::Multilevel(const BlockPattern& pattern, std::span<const Vec3d> rest_positions, int aggregate_size)
    : pattern_(pattern),
      groups_(aggregate(pattern, rest_positions, aggregate_size)),
      smoother_(pattern, groups_),
      arm_(at(pattern.rows)),
      free_(at(pattern.rows)),
      coarse_(at(6 * groups_.count())) {
    find_reach(pattern);
    const int count = groups_.count();
    std::vector<std::pair<int, int>> couplings;
    std::vector<Vec3d> centre(at(count));
    for (int g = 0; g < count; ++g) {
        for (int k = reach_begin_[at(g)]; k < reach_outside_[at(g)]; ++k)
            couplings.emplace_back(g, groups_.of[at(reach_[at(k)])]);
        for (int m = groups_.begin[at(g)]; m < groups_.begin[at(g) + 1]; ++m)
            centre[at(g)] += rest_positions[at(groups_.member[at(m)])];
        centre[at(g)] *= 1.0 / (groups_.begin[at(g) + 1] - groups_.begin[at(g)]);
    }
    const BlockPattern coarse = make_block_pattern(count, couplings);
    cholesky_.analyze(coarse, centre);

    reach_target_.resize(reach_.size());
    target_begin_ = {0};
    std::size_t most_targets = 0, most_reach = 0;
    for (int g = 0; g < count; ++g) {
        const int begin = coarse.row_begin[at(g)];
        std::vector<int> number(at(coarse.row_begin[at(g) + 1] - begin), -1);
        int targets = 0;
        for (std::size_t k = 0; k < number.size(); ++k) {
            const auto place = cholesky_.place(g, coarse.column[at(begin) + k]);
            if (place.offset < 0) continue;
            if (coarse.column[at(begin) + k] == g) own_target_.push_back(targets);
            number[k] = targets++;
            target_.push_back(place);
        }
        for (int k = reach_begin_[at(g)]; k < reach_begin_[at(g) + 1]; ++k)
            reach_target_[at(k)] = number[at(find_block(coarse, g, groups_.of[at(reach_[at(k)])]) - begin)];
        target_begin_.push_back(static_cast<int>(target_.size()));
        most_targets = std::max(most_targets, at(targets));
        most_reach = std::max(most_reach, at(reach_begin_[at(g) + 1] - reach_begin_[at(g)]));
    }
    scratch_.assign((at(count) + kGrain - 1) / kGrain,
                    std::vector<double>(24 * most_reach + 48 * most_targets));
    most_reach_ = most_reach;
}

void Multilevel::find_reach(const BlockPattern& pattern) {
    slot_.resize(pattern.column.size());
    std::vector<int> mark(at(pattern.rows), -1);
    reach_begin_ = {0};
    half_begin_ = {0};
    for (int g = 0; g < groups_.count(); ++g) {
        const std::size_t first = reach_.size();
        const auto visit = [&](auto&& body) {
            for (int m = groups_.begin[at(g)]; m < groups_.begin[at(g) + 1]; ++m) {
                const std::size_t v = at(groups_.member[at(m)]);
                for (int k = pattern.row_begin[v]; k < pattern.row_begin[v + 1]; ++k)
                    body(k, pattern.column[at(k)]);
            }
        };
        visit([&](int, int w) {
            if (groups_.of[at(w)] == g || mark[at(w)] >= static_cast<int>(first)) return;
            mark[at(w)] = static_cast<int>(first);
            reach_.push_back(w);
        });
        std::sort(reach_.begin() + static_cast<std::ptrdiff_t>(first), reach_.end());
        reach_outside_.push_back(static_cast<int>(reach_.size()));
        half_begin_.push_back(half_begin_.back() + static_cast<int>(reach_.size() - first));
        reach_.insert(reach_.end(), groups_.member.begin() + groups_.begin[at(g)],
                      groups_.member.begin() + groups_.begin[at(g) + 1]);
        for (std::size_t k = first; k < reach_.size(); ++k) mark[at(reach_[k])] = static_cast<int>(k);
        visit([&](int k, int w) { slot_[at(k)] = mark[at(w)] - static_cast<int>(first); });
        reach_begin_.push_back(static_cast<int>(reach_.size()));
    }
    half_.resize(at(half_begin_.back()) + 1);  // one more: blocks are read in whole packs
}

bool Multilevel::set_up(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                        std::span<const std::uint8_t> constrained) {
    const std::size_t count = at(groups_.count());
    threads.for_each(count, kGrain, [&](std::size_t g) {
        Vec3d centre;
        for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m)
            centre += positions[at(groups_.member[at(m)])];
        centre *= 1.0 / (groups_.begin[g + 1] - groups_.begin[g]);
        for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m) {
            const std::size_t v = at(groups_.member[at(m)]);
            free_[v] = !constrained[v];
            arm_[v] = single_precision(positions[v] - centre);
        }
    });
    smoother_.set_up(threads, a);
    double regularisation = kRegularisation;
    for (int attempt = 0; attempt < 4; ++attempt, regularisation *= 30) {
        cholesky_.clear(threads);
        threads.for_each(count, kGrain, [&](std::size_t g) { build_group(g, a, regularisation); });
        if (cholesky_.factorize(threads)) return true;
    }
    return false;
}

// The group's rows of P^T A and of E, summed in double precision.
void Multilevel::build_group(std::size_t g, const BlockMatrix& matrix, double regularisation) {
    using P = Pack<double>;
    double* const half = scratch_[g / kGrain].data();  // 6 rows of 4 for each vertex in reach
    double* const coarse = half + 24 * most_reach_;    // 6 rows of 8 for each target
    const int reach = reach_begin_[g + 1] - reach_begin_[g];
    const std::size_t targets = at(target_begin_[g + 1] - target_begin_[g]);
    std::fill_n(half, 24 * at(reach), 0.0);
    std::fill_n(coarse, 48 * targets, 0.0);
    // Translations sum the blocks, rotations their moments about the centroid.
    for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m) {
        const std::size_t v = at(groups_.member[at(m)]);
        if (!free_[v]) continue;
        const Vec3d r = double_precision(arm_[v]);
        for (int k = pattern_.row_begin[v]; k < pattern_.row_begin[v + 1]; ++k) {
            const double* e = matrix.block[at(k)].m;
            const Quad e0 = P::load(e), e1 = P::load(e + 3);
            const Quad tail = P::load(e + 5), e2 = __builtin_shufflevector(tail, tail, 1, 2, 3, 0);
            double* h = half + 24 * slot_[at(k)];
            P::store(h, P::load(h) + e0);
            P::store(h + 4, P::load(h + 4) + e1);
            P::store(h + 8, P::load(h + 8) + e2);
            P::store(h + 12, P::load(h + 12) + (r.y * e2 - r.z * e1));
            P::store(h + 16, P::load(h + 16) + (r.z * e0 - r.x * e2));
            P::store(h + 20, P::load(h + 20) + (r.x * e1 - r.y * e0));
        }
    }
    for (int k = 0; k < reach_outside_[g] - reach_begin_[g]; ++k)
        for (std::size_t row = 0; row < 6; ++row)
            for (std::size_t c = 0; c < 3; ++c)
                half_[at(half_begin_[g] + k)].m[row + 6 * c] =
                    static_cast<Real>(half[24 * at(k) + 4 * row + c]);
    for (int k = 0; k < reach; ++k) {
        const std::size_t entry = at(reach_begin_[g] + k), v = at(reach_[entry]);
        if (reach_target_[entry] < 0 || !free_[v]) continue;
        double* e = coarse + 48 * reach_target_[entry];
        for (std::size_t row = 0; row < 6; ++row) {
            const Quad h = P::load(half + 24 * at(k) + 4 * row);
            P::store(e + 8 * row, P::load(e + 8 * row) + h);
            P::store(e + 8 * row + 4, P::load(e + 8 * row + 4) + cross(double_precision(arm_[v]), h));
        }
    }
    // A group that is constrained, a point or a line lacks modes: they get a stiffness of their own.
    double* own = coarse + 48 * own_target_[g];
    const auto diagonal = [&](std::size_t c) -> double& { return own[8 * c + c + c / 3]; };
    for (std::size_t first = 0; first < 6; first += 3) {
        const double scale = std::max({diagonal(first), diagonal(first + 1), diagonal(first + 2)});
        for (std::size_t c = first; c < first + 3; ++c)
            diagonal(c) += scale > 0 ? regularisation * scale : 1.0;
    }
    for (std::size_t t = 0; t < targets; ++t) {
        const auto place = target_[at(target_begin_[g]) + t];
        Real* value = cholesky_.values().data() + place.offset;
        for (std::size_t row = 0; row < 6; ++row)
            for (std::size_t c = 0; c < 6; ++c)
                value[row + c * place.stride] = static_cast<Real>(coarse[48 * t + 8 * row + c + c / 3]);
    }
}

void Multilevel::solve_coarse(const Threads& threads, std::span<const Vec3d> r) {
    threads.for_each(at(groups_.count()), kGrain, [&](std::size_t g) {
        Vec3d force, moment;
        for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m) {
            const std::size_t v = at(groups_.member[at(m)]);
            force += r[v];  // 0 where constrained
            moment += rumple::cross(double_precision(arm_[v]), r[v]);
        }
        for (std::size_t c = 0; c < 3; ++c) {
            coarse_[6 * g + c] = static_cast<Real>(force[int(c)]);
            coarse_[6 * g + 3 + c] = static_cast<Real>(moment[int(c)]);
        }
    });
    cholesky_.solve(threads, coarse_, coarse_);
}

void Multilevel::smooth(const Threads& threads, const ResidualStep& step) {
    smoother_.step_and_solve(threads, step);
    // Within a group nothing is left of the residual; what the neighbours' z do to it is.
    threads.for_each(at(groups_.count()), kGrain, [&](std::size_t g) {
        using P = Pack<Real>;
        P::Type sum{};
        const int* vertex = reach_.data() + reach_begin_[g];
        for (int k = half_begin_[g]; k < half_begin_[g + 1]; ++k) {
            const Real* h = half_[at(k)].m;
            const Vec3f& z = step.z[at(*vertex++)];
            sum -= P::load(h) * z.x + P::load(h + 6) * z.y + P::load(h + 12) * z.z;
        }
        for (std::size_t c = 0; c < 6; ++c) coarse_[6 * g + c] = sum[c];
    });
    cholesky_.solve(threads, coarse_, coarse_);
}

}  // namespace rumple
