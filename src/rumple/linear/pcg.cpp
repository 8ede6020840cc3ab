#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <rumple/core/find_first.hpp>
#include <rumple/linear/pcg.hpp>

namespace rumple {

namespace {

// Rows a piece; fixes the shape of the sums. Many threads need many pieces, small matrices few.
std::size_t grain(std::size_t rows) { return rows < 16384 ? 512 : 256; }
constexpr double kMargin = 6;  // the error is smoother than z: its largest entry is underestimated

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Inverse of a symmetric positive definite block. NaN where it is not one: the iteration then stops at once.
Mat3d inverse_spd(const Mat3d& a) {
    const double c0 = a.m[4] * a.m[8] - a.m[5] * a.m[5];
    const double c1 = a.m[2] * a.m[5] - a.m[1] * a.m[8];
    const double c2 = a.m[1] * a.m[5] - a.m[2] * a.m[4];
    const double det = a.m[0] * c0 + a.m[1] * c1 + a.m[2] * c2;
    const double s = det > 0 ? 1 / det : std::numeric_limits<double>::quiet_NaN();
    const double i01 = s * c1, i02 = s * c2, i12 = s * (a.m[1] * a.m[2] - a.m[0] * a.m[5]);
    return {{s * c0, i01, i02, i01, s * (a.m[0] * a.m[8] - a.m[2] * a.m[2]), i12, i02, i12,
             s * (a.m[0] * a.m[4] - a.m[1] * a.m[1])}};
}

}  // namespace

LinearSolver::LinearSolver(const BlockPattern& pattern, std::span<const Vec3d> rest_positions)
    : pattern_(pattern),
      rest_positions_(rest_positions),
      grain_(grain(static_cast<std::size_t>(pattern.rows))) {
    const auto n = static_cast<std::size_t>(pattern.rows);
    for (auto* v : {&r_, &p_, &q_}) v->resize(n);
    z_.resize(n);
    step_.reserve(256);
    part_.resize((n + grain_ - 1) / grain_);
}

SolveReport LinearSolver::solve(const Threads& threads, const BlockMatrix& a,
                                std::span<const Vec3d> positions, std::span<const std::uint8_t> constrained,
                                std::span<const Vec3d> b, std::span<Vec3d> x, const SolveOptions& options,
                                const OffPatternBlocks& extra) {
    const auto start = std::chrono::steady_clock::now();
    constrained_.assign(constrained.begin(), constrained.end());
    extra_ = extra.empty() ? nullptr : &extra;
    if (extra_ && touches_constrained(extra, constrained)) {
        keep_free(extra, constrained, free_extra_);
        extra_ = free_extra_.empty() ? nullptr : &free_extra_;
    }
    const bool multilevel = options.preconditioner != PreconditionerKind::block_jacobi;
    ready_ = set_up(threads, a, positions, constrained, multilevel);
    const double setup_seconds = seconds_since(start);
    SolveReport report = solve_again(threads, a, b, x, options);
    report.setup_seconds = setup_seconds;
    return report;
}

SolveReport LinearSolver::solve_again(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> b,
                                      std::span<Vec3d> x, const SolveOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    SolveReport report;
    report.method = two_levels_ ? "multilevel" : "block Jacobi";
    threads.for_each(x.size(), grain_, [&](std::size_t i) {
        if (constrained_[i]) x[i] = Vec3d{};
    });
    if (!ready_ || !iterate(threads, a, b, x, options, report)) solve_directly(a, b, x, report);
    report.iterate_seconds = seconds_since(start);
    return report;
}

bool LinearSolver::set_up(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                          std::span<const std::uint8_t> constrained, bool multilevel) {
    two_levels_ = multilevel;
    if (!multilevel) {
        inverse_diagonal_.resize(r_.size());
        threads.for_each(inverse_diagonal_.size(), grain_,
                         [&](std::size_t i) { inverse_diagonal_[i] = inverse_spd(a.diagonal(i)); });
        return true;
    }
    // Measured (docs/performance.md): smaller groups take fewer iterations, larger ones a smaller coarse
    // factor, above all in dense contact, where each group is coupled to many others.
    const bool dense_contact = extra_ && extra_->column.size() > pattern_.column.size();
    std::unique_ptr<Multilevel>& made = dense_contact ? for_dense_contact_ : for_cloth_;
    const int group_size = dense_contact ? 24 : (pattern_.rows < 200000 ? 12 : 16);
    if (!made) made = std::make_unique<Multilevel>(pattern_, rest_positions_, group_size);
    multilevel_ = made.get();
    return multilevel_->set_up(threads, a, positions, constrained, extra_);
}

// One row of (A + extra) x.
inline Vec3d LinearSolver::product_row(const BlockMatrix& a, std::size_t i, const Vec3d* x) const {
    const Vec3d own = multiply_row(a, i, x);
    if (!extra_ || extra_->row_begin[i] == extra_->row_begin[i + 1]) return own;
    return own + multiply_row(*extra_, i, x);
}

// r = b - A x. With two levels x first takes the coarse correction: from then on r has no coarse part.
void LinearSolver::start(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> b,
                         std::span<Vec3d> x) {
    const auto residual = [&] {
        threads.for_each(x.size(), grain_,
                         [&](std::size_t i) { r_[i] = b[i] - product_row(a, i, x.data()); });
    };
    const auto moves = [&](std::size_t i) { return !(x[i] == Vec3d{}); };
    if (find_first(threads, x.size(), grain_, moves) == x.size()) {
        threads.for_each(x.size(), grain_, [&](std::size_t i) { r_[i] = b[i]; });
    } else {
        residual();
    }
    if (!two_levels_) return;
    multilevel_->solve_coarse(threads, r_);
    threads.for_each(x.size(), grain_,
                     [&](std::size_t i) { x[i] += double_precision(multilevel_->prolonged(i)); });
    residual();
}

// x += alpha p, the step along the last direction; then p = z + beta p, the next direction.
void LinearSolver::update_direction(const Threads& threads, double alpha, double beta, std::span<Vec3d> x) {
    threads.for_each(p_.size(), grain_, [&](std::size_t i) {
        x[i] += alpha * p_[i];
        p_[i] = double_precision(z_[i]) + beta * p_[i];
    });
}

// q = A p; p.q
double LinearSolver::multiply_direction(const Threads& threads, const BlockMatrix& a) {
    threads.for_pieces(p_.size(), grain_, [&](std::size_t begin, std::size_t end) {
        double pq = 0;
        for (std::size_t i = begin; i < end; ++i) {
            q_[i] = product_row(a, i, p_.data());
            pq += dot(p_[i], q_[i]);
        }
        part_[begin / grain_].rz = pq;
    });
    double pq = 0;
    for (const Sums& s : part_) pq += s.rz;
    return pq;
}

// r -= alpha q, then z = B^{-1} r; returns the sums over z that the iteration needs.
LinearSolver::Sums LinearSolver::apply_preconditioner(const Threads& threads, double alpha) {
    if (two_levels_) multilevel_->smooth(threads, {alpha, q_, r_, z_});
    threads.for_pieces(r_.size(), grain_, [&](std::size_t begin, std::size_t end) {
        Sums s;
        for (std::size_t i = begin; i < end; ++i) {
            if (two_levels_) {
                z_[i] += multilevel_->prolonged(i);
            } else {
                r_[i] -= alpha * q_[i];
                z_[i] = single_precision(inverse_diagonal_[i] * r_[i]);
            }
            const Vec3d z = double_precision(z_[i]);
            s.rz += dot(r_[i], z);
            s.zq += dot(z, q_[i]);
            s.z_max = std::max(s.z_max, dot(z, z));
        }
        part_[begin / grain_] = s;
    });
    Sums total;
    for (const Sums& s : part_) {
        total.rz += s.rz;
        total.zq += s.zq;
        total.z_max = std::max(total.z_max, s.z_max);
    }
    return total;
}

bool LinearSolver::iterate(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> b,
                           std::span<Vec3d> x, const SolveOptions& options, SolveReport& report) {
    step_.clear();
    threads.for_each(p_.size(), grain_, [&](std::size_t i) { p_[i] = q_[i] = Vec3d{}; });
    start(threads, a, b, x);
    Sums now = apply_preconditioner(threads, 0);
    double alpha = 0, beta = 0;
    for (report.iterations = 0;; ++report.iterations) {
        if (!std::isfinite(now.rz)) return false;
        report.error_estimate = kMargin * estimate_stretch() * std::sqrt(now.z_max);
        if (now.z_max == 0 || (!step_.empty() && report.error_estimate < options.displacement_tolerance)) {
            update_direction(threads, alpha, 0, x);
            return report.converged = true;
        }
        if (!(now.rz > 0) || report.iterations == options.max_iterations) return false;

        update_direction(threads, alpha, beta, x);
        const double pq = multiply_direction(threads, a);
        if (!(pq > 0) || !std::isfinite(pq)) return false;
        alpha = now.rz / pq;
        // |p|^2 in the preconditioner's norm: p is z plus beta times the last p, and the two are orthogonal.
        const double pp = now.rz + (step_.empty() ? 0 : beta * beta * step_.back().pp);
        step_.push_back({now.rz, pp, pq, alpha * now.rz});
        const double rz_before = now.rz;
        now = apply_preconditioner(threads, alpha);
        // Polak and Ribiere's form, since r - r_before = -alpha q: it tolerates a preconditioner that is not
        // exactly symmetric.
        beta = -alpha * now.zq / rz_before;
    }
}

// |e|_B / |z|_B, the error against z in the preconditioner's norm, as it was `delay` iterations ago.
double LinearSolver::estimate_stretch() const {
    const std::size_t k = step_.size(), delay = std::min(k, std::max<std::size_t>(3, k / 2));
    double energy = 0, error = 0;  // of the error before step j: in A's norm, in B's norm
    for (std::size_t j = k; j-- > k - delay;) {
        const double next = energy;
        energy += step_[j].energy;
        error += step_[j].pp / step_[j].pq * (energy + next);
    }
    return delay > 0 ? std::sqrt(error / step_[k - delay].rz) : 1.0;
}

std::size_t LinearSolver::bytes_per_iteration() const {
    const std::size_t n = r_.size(), below = (pattern_.column.size() - n) / 2;
    const std::size_t blocks = pattern_.column.size() - below, extra = extra_ ? extra_->column.size() : 0;
    const std::size_t wide = n * sizeof(Vec3d), narrow = n * sizeof(Vec3f);
    std::size_t bytes = (blocks + extra) * (sizeof(Mat3d) + sizeof(int)) + below * 2 * sizeof(int);
    bytes += 4 * wide + narrow;      // update_direction: x and p read and written, z
    bytes += 2 * wide;               // product: p, q
    bytes += 3 * wide + 2 * narrow;  // residual: q, r read and written, z; sums: z
    bytes += 2 * wide + narrow;      // sums: r, q, z
    if (two_levels_) return bytes + multilevel_->bytes_per_iteration();
    return bytes + inverse_diagonal_.size() * sizeof(Mat3d);
}

void LinearSolver::solve_directly(const BlockMatrix& a, std::span<const Vec3d> b, std::span<Vec3d> x,
                                  SolveReport& report) {
    report.method = "direct";
    report.converged = false;
    report.error_estimate = 0;
    if (!std::all_of(b.begin(), b.end(), [](Vec3d v) { return std::isfinite(v.x + v.y + v.z); })) return;
    if (extra_) {
        const MergedMatrix sum(a, *extra_);
        direct_.analyze(sum.pattern);
        direct_ready_ = false;
        if (!direct_.factorize(sum.matrix)) return;
    } else {
        if (!direct_ready_) direct_.analyze(pattern_);
        direct_ready_ = true;
        if (!direct_.factorize(a)) return;
    }
    direct_.solve(b, x);
    report.converged = true;
}

}  // namespace rumple
