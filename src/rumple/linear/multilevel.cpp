#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/core/pack.hpp>
#include <rumple/linear/multilevel.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 16;        // groups a piece of work
constexpr double kRegularisation = 1e-7;  // of the coarse diagonal: above the rounding of single precision

using Quad = Pack<double, 4>;

Quad cross(Vec3d a, Quad b) {
    const Quad yzx = __builtin_shufflevector(b, b, 1, 2, 0, 3),
               zxy = __builtin_shufflevector(b, b, 2, 0, 1, 3);
    return Quad{a.y, a.z, a.x, 0} * zxy - Quad{a.z, a.x, a.y, 0} * yzx;
}

// The rows of a block, or its columns; the last lanes mean nothing.
struct BlockRows {
    Quad row[3];
};
BlockRows rows_of(const Mat3d& block) {
    const Quad tail = load_pack<4>(block.m + 5);
    return {
        {load_pack<4>(block.m), load_pack<4>(block.m + 3), __builtin_shufflevector(tail, tail, 1, 2, 3, 0)}};
}
BlockRows columns_of(const Mat3d& block) {
    const Quad a = load_pack<4>(block.m), b = load_pack<4>(block.m + 4), c = load_pack<4>(block.m + 5);
    return {{__builtin_shufflevector(a, b, 0, 3, 6, 6), __builtin_shufflevector(a, b, 1, 4, 7, 7),
             __builtin_shufflevector(a, c, 2, 4, 7, 7)}};
}

// Six modes, and two that mean nothing: a block of P^T A, 6x3 by columns, times z.
Pack<float, 8> restricted_product(const float* h, Vec3f z) {
    return load_pack<8>(h) * z.x + load_pack<8>(h + 6) * z.y + load_pack<8>(h + 12) * z.z;
}

}  // namespace

Multilevel::Multilevel(const BlockPattern& pattern, std::span<const Vec3d> rest_positions, int aggregate_size)
    : pattern_(pattern),
      groups_(aggregate(pattern, rest_positions, aggregate_size)),
      smoother_(groups_),
      arm_(at(pattern.rows)),
      centre_(at(groups_.count())),
      free_(at(pattern.rows)) {
    const Threads alone(1);
    own_.reach.find(alone, groups_, pattern.row_begin, pattern.column);
    own_.reach.release_scratch();
    // one more: blocks are read in whole packs
    own_.restricted.resize(at(own_.reach.restricted_begin.back()) + 1);
    const int count = groups_.count();
    std::vector<std::pair<int, int>> couplings;
    std::vector<Vec3d> centre(at(count));
    for (int g = 0; g < count; ++g) {
        for (int k = own_.reach.begin[at(g)]; k < own_.reach.outside[at(g)]; ++k)
            couplings.emplace_back(g, groups_.of[at(own_.reach.vertex[at(k)])]);
        for (int m = groups_.begin[at(g)]; m < groups_.begin[at(g) + 1]; ++m)
            centre[at(g)] += rest_positions[at(groups_.member[at(m)])];
        centre[at(g)] *= 1.0 / (groups_.begin[at(g) + 1] - groups_.begin[at(g)]);
    }
    own_coarse_.analyze(make_block_pattern(count, couplings), centre);
    own_coarse_.find_targets(alone, groups_, own_.reach, own_.target);
}

// The groups of the smoother follow contacts, or are again those of the mesh.
void Multilevel::follow_contacts(const Threads& threads, const BlockMatrix& a,
                                 const OffPatternBlocks* extra) {
    const bool followed = contact_groups_.followed();
    if (extra)
        contact_groups_.follow(threads, groups_, a, *extra);
    else
        contact_groups_.clear();
    if (!followed && !contact_groups_.followed()) return;
    smoother_.set_groups(contact_groups_.followed() ? contact_groups_.groups() : groups_);
    if (contact_groups_.followed()) inside_.resize(groups_.member.size() + 1);  // read in whole packs
}

bool Multilevel::set_up(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                        std::span<const std::uint8_t> constrained, const OffPatternBlocks* extra) {
    threads.for_each(centre_.size(), kGrain, [&](std::size_t g) {
        Vec3d centre;
        for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m)
            centre += positions[at(groups_.member[at(m)])];
        centre *= 1.0 / (groups_.begin[g + 1] - groups_.begin[g]);
        centre_[g] = centre;
        for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m) {
            const std::size_t v = at(groups_.member[at(m)]);
            free_[v] = !constrained[v];
            arm_[v] = single_precision(positions[v] - centre);
        }
    });
    follow_contacts(threads, a, extra);
    smoother_.set_up(threads, a, extra);
    if (extra) {
        couple_extra(threads, *extra);
    } else if (coarse_ == &extra_coarse_) {  // of an earlier solve
        own_coarse_.find_targets(threads, groups_, own_.reach, own_.target);
        coarse_ = &own_coarse_;
    }
    return factor_coarse(threads, a, extra);
}

// Which groups the extra blocks couple, and with that the structure of the coarse matrix.
void Multilevel::couple_extra(const Threads& threads, const OffPatternBlocks& extra) {
    coarse_ = &extra_coarse_;
    extra_.reach.find(threads, groups_, extra.row_begin, extra.column);
    extra_.restricted.resize(at(extra_.reach.restricted_begin.back()) + 1);
    const BlockPattern& own = own_coarse_.pattern();
    std::vector<std::vector<int>> rows(at(own.rows));
    threads.for_each(rows.size(), kGrain, [&](std::size_t g) {
        std::vector<int>& row = rows[g];
        row.assign(own.column.begin() + own.row_begin[g], own.column.begin() + own.row_begin[g + 1]);
        for (int k = extra_.reach.begin[g]; k < extra_.reach.begin[g + 1]; ++k)
            row.push_back(groups_.of[at(extra_.reach.vertex[at(k)])]);
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
    });
    BlockPattern both;
    both.rows = own.rows;
    both.row_begin = {0};
    for (std::size_t g = 0; g < rows.size(); ++g) {
        const std::vector<int>& row = rows[g];
        const auto diagonal = std::lower_bound(row.begin(), row.end(), static_cast<int>(g)) - row.begin();
        both.diagonal.push_back(both.row_begin.back() + static_cast<int>(diagonal));
        both.column.insert(both.column.end(), row.begin(), row.end());
        both.row_begin.push_back(static_cast<int>(both.column.size()));
    }
    extra_coarse_.analyze(std::move(both), centre_);
    extra_coarse_.find_targets(threads, groups_, own_.reach, own_.target);
    extra_coarse_.find_targets(threads, groups_, extra_.reach, extra_.target);
}

bool Multilevel::factor_coarse(const Threads& threads, const BlockMatrix& a, const OffPatternBlocks* extra) {
    const std::size_t reach = std::max(own_.reach.max_size, extra ? extra_.reach.max_size : 0);
    const std::size_t room = 24 * reach + 48 * at(coarse_->max_targets());
    double regularisation = kRegularisation;
    for (int attempt = 0; attempt < 4; ++attempt, regularisation *= 30) {
        coarse_->cholesky.clear(threads);
        threads.for_pieces(centre_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            std::vector<double> scratch(room);
            for (std::size_t g = begin; g < end; ++g)
                build_group(g, a, extra, regularisation, scratch.data());
        });
        if (coarse_->cholesky.factorize(threads)) return true;
    }
    return false;
}

// Adds what a matrix gives to the group's rows of P^T A and of E, summed in double precision.
//   for_row     for_row(v, visit) calls visit(entry, BlockRows) for all entries of a row of the matrix
//   restricted  6 rows of 4 for each vertex in reach
//   coarse      6 rows of 8 for each target
template <class ForRow>
void Multilevel::add_couplings(std::size_t g, ForRow&& for_row, Coupling& coupling, double* restricted,
                               double* coarse) {
    const Reach& reach = coupling.reach;
    const int count = reach.begin[g + 1] - reach.begin[g];
    std::fill_n(restricted, 24 * at(count), 0.0);
    // Translations sum the blocks, rotations their moments about the centroid.
    for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m) {
        const std::size_t v = at(groups_.member[at(m)]);
        if (!free_[v]) continue;
        const Vec3d r = double_precision(arm_[v]);
        for_row(v, [&](int k, const BlockRows& e) {
            const Quad e0 = e.row[0], e1 = e.row[1], e2 = e.row[2];
            double* h = restricted + 24 * reach.slot[at(k)];
            store_pack(h, load_pack<4>(h) + e0);
            store_pack(h + 4, load_pack<4>(h + 4) + e1);
            store_pack(h + 8, load_pack<4>(h + 8) + e2);
            store_pack(h + 12, load_pack<4>(h + 12) + (r.y * e2 - r.z * e1));
            store_pack(h + 16, load_pack<4>(h + 16) + (r.z * e0 - r.x * e2));
            store_pack(h + 20, load_pack<4>(h + 20) + (r.x * e1 - r.y * e0));
        });
    }
    for (int k = 0; k < reach.outside[g] - reach.begin[g]; ++k)
        for (std::size_t row = 0; row < 6; ++row)
            for (std::size_t c = 0; c < 3; ++c)
                coupling.restricted[at(reach.restricted_begin[g] + k)].m[row + 6 * c] =
                    static_cast<Real>(restricted[24 * at(k) + 4 * row + c]);
    if (contact_groups_.differs(g))
        for (int k = reach.outside[g] - reach.begin[g]; k < count; ++k)
            add_inside(g, reach.vertex[at(reach.begin[g] + k)], restricted + 24 * at(k));
    for (int k = 0; k < count; ++k) {
        const std::size_t entry = at(reach.begin[g] + k), v = at(reach.vertex[entry]);
        if (coupling.target[entry] < 0 || !free_[v]) continue;
        double* e = coarse + 48 * coupling.target[entry];
        for (std::size_t row = 0; row < 6; ++row) {
            const Quad h = load_pack<4>(restricted + 24 * at(k) + 4 * row);
            store_pack(e + 8 * row, load_pack<4>(e + 8 * row) + h);
            store_pack(e + 8 * row + 4, load_pack<4>(e + 8 * row + 4) + cross(double_precision(arm_[v]), h));
        }
    }
}

// What one matrix gives to the columns of P^T A for a member.
void Multilevel::add_inside(std::size_t g, int vertex, const double* restricted) {
    const auto first = groups_.member.begin() + groups_.begin[g],
               last = groups_.member.begin() + groups_.begin[g + 1];
    Real* const m =
        inside_[static_cast<std::size_t>(std::lower_bound(first, last, vertex) - groups_.member.begin())].m;
    for (std::size_t row = 0; row < 6; ++row)
        for (std::size_t c = 0; c < 3; ++c) m[row + 6 * c] += static_cast<Real>(restricted[4 * row + c]);
}

// The group's rows of P^T A and of E.
void Multilevel::build_group(std::size_t g, const BlockMatrix& a, const OffPatternBlocks* extra,
                             double regularisation, double* scratch) {
    CoarseSystem& system = *coarse_;
    double* const coarse = scratch;
    double* const restricted = coarse + 48 * at(system.max_targets());
    std::fill_n(coarse, 48 * at(system.targets(g)), 0.0);
    if (contact_groups_.differs(g))
        std::fill(inside_.begin() + groups_.begin[g], inside_.begin() + groups_.begin[g + 1],
                  RestrictedBlock{});
    // Blocks of the rows above are scattered in memory: prefetch all before the first is needed.
    for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m) {
        const std::size_t v = at(groups_.member[at(m)]);
        for (int k = pattern_.row_begin[v]; k < pattern_.diagonal[v]; ++k) {
            const double* e = a.block[a.place(v, k)].m;
            __builtin_prefetch(e);
            __builtin_prefetch(e + 8);
        }
    }
    const auto own_row = [&](std::size_t v, auto&& visit) {
        const int diagonal = pattern_.diagonal[v];
        for (int k = pattern_.row_begin[v]; k < diagonal; ++k) visit(k, columns_of(a.block[a.place(v, k)]));
        for (int k = diagonal; k < pattern_.row_begin[v + 1]; ++k) visit(k, rows_of(a.block[a.place(v, k)]));
    };
    add_couplings(g, own_row, own_, restricted, coarse);
    const auto extra_row = [&](std::size_t v, auto&& visit) {
        for (int k = extra->row_begin[v]; k < extra->row_begin[v + 1]; ++k)
            visit(k, rows_of(extra->block[at(k)]));
    };
    if (extra) add_couplings(g, extra_row, extra_, restricted, coarse);
    // A group that is constrained, a point or a line lacks modes: give them a small stiffness.
    double* own = coarse + 48 * system.own_target(g);
    const auto diagonal = [&](std::size_t c) -> double& { return own[8 * c + c + c / 3]; };
    for (std::size_t first = 0; first < 6; first += 3) {
        const double scale = std::max({diagonal(first), diagonal(first + 1), diagonal(first + 2)});
        for (std::size_t c = first; c < first + 3; ++c)
            diagonal(c) += scale > 0 ? regularisation * scale : 1.0;
    }
    for (int t = 0; t < system.targets(g); ++t) {
        const auto place = system.place(g, t);
        Real* value = system.cholesky.values().data() + place.offset;
        for (std::size_t row = 0; row < 6; ++row)
            for (std::size_t c = 0; c < 6; ++c)
                value[row + c * place.stride] = static_cast<Real>(coarse[48 * at(t) + 8 * row + c + c / 3]);
    }
}

void Multilevel::solve_coarse(const Threads& threads, std::span<const Vec3d> r) {
    threads.for_each(centre_.size(), kGrain, [&](std::size_t g) {
        Vec3d force, moment;
        for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m) {
            const std::size_t v = at(groups_.member[at(m)]);
            force += r[v];  // 0 where constrained
            moment += rumple::cross(double_precision(arm_[v]), r[v]);
        }
        for (std::size_t c = 0; c < 3; ++c) {
            coarse_->x[6 * g + c] = static_cast<Real>(force[int(c)]);
            coarse_->x[6 * g + 3 + c] = static_cast<Real>(moment[int(c)]);
        }
    });
    coarse_->cholesky.solve(threads, coarse_->x, coarse_->x);
}

std::size_t Multilevel::bytes_per_iteration() const {
    std::size_t bytes = 2 * coarse_->cholesky.values().size_bytes() + smoother_.factor_bytes() +
                        own_.restricted.size() * sizeof(RestrictedBlock) +
                        own_.reach.vertex.size() * sizeof(int);
    if (contact_groups_.followed()) bytes += inside_.size() * sizeof(RestrictedBlock);
    if (coarse_ == &extra_coarse_)
        bytes +=
            extra_.restricted.size() * sizeof(RestrictedBlock) + extra_.reach.vertex.size() * sizeof(int);
    return bytes;
}

// P^T r - P^T A z over the group's own members.
Pack<Multilevel::Real, 8> Multilevel::residual_inside(std::size_t g, const ResidualStep& step) const {
    Vec3d force, moment;
    Pack<Real, 8> sum{};
    for (int m = groups_.begin[g]; m < groups_.begin[g + 1]; ++m) {
        const std::size_t v = at(groups_.member[at(m)]);
        force += step.r[v];  // 0 where constrained
        moment += rumple::cross(double_precision(arm_[v]), step.r[v]);
        sum -= restricted_product(inside_[at(m)].m, step.z[v]);
    }
    for (std::size_t c = 0; c < 3; ++c) {
        sum[c] += static_cast<Real>(force[int(c)]);
        sum[c + 3] += static_cast<Real>(moment[int(c)]);
    }
    return sum;
}

void Multilevel::smooth(const Threads& threads, const ResidualStep& step) {
    smoother_.step_and_solve(threads, step);
    const auto subtract = [&](std::size_t g, const Coupling& coupling, Pack<Real, 8>& sum) {
        const Reach& reach = coupling.reach;
        const int* vertex = reach.vertex.data() + reach.begin[g];
        for (int k = reach.restricted_begin[g]; k < reach.restricted_begin[g + 1]; ++k)
            sum -= restricted_product(coupling.restricted[at(k)].m, step.z[at(*vertex++)]);
    };
    threads.for_each(centre_.size(), kGrain, [&](std::size_t g) {
        // Within a group that was solved the residual is zero now; what the z of the neighbours add remains.
        Pack<Real, 8> sum = contact_groups_.differs(g) ? residual_inside(g, step) : Pack<Real, 8>{};
        subtract(g, own_, sum);
        if (coarse_ == &extra_coarse_) subtract(g, extra_, sum);
        for (std::size_t c = 0; c < 6; ++c) coarse_->x[6 * g + c] = sum[c];
    });
    coarse_->cholesky.solve(threads, coarse_->x, coarse_->x);
}

}  // namespace rumple
