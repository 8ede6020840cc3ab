#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/core/stopwatch.hpp>
#include <rumple/dynamics/implicit_system.hpp>
#include <string_view>

namespace rumple {

ImplicitSystem::ImplicitSystem(const Model& model, const StepperOptions& options, const Threads& threads,
                               const Elements& elements, const HandleConstraints& handles,
                               const contact::ContactSet* contacts)
    : model_(model),
      options_(options),
      threads_(threads),
      elements_(elements),
      handles_(handles),
      contacts_(contacts),
      matrix_(model.pattern),
      solver_(model.pattern, model.initial),
      rhs_(model.mass.size()) {
    if (options.solver == SolverChoice::direct) direct_.analyze(model.pattern);
}

Vec3d ImplicitSystem::force_on(std::size_t v, std::span<const Vec3d> x, const StepInput& in) const {
    Vec3d force = elements_.gather_force(v) + model_.mass[v] * in.gravity;
    if (!in.forces.empty()) force += in.forces[v];
    if (handles_.spring[v] > 0) force += handles_.spring[v] * (handles_.target[v] - x[v]);
    if (contacts_) force += contacts_->gather_force(v);
    return force;
}

void ImplicitSystem::assemble(const StepContext& step, std::span<const Vec3d> x) {
    const Stopwatch watch(step.report.timing.assemble);
    const State& state = step.state;
    const double h = step.in.h, h2 = h * h, damped = 1 + h * step.in.mass_damping;
    if (contacts_) extra_builder_.begin(model_.vertex_count());
    threads_.for_each(model_.mass.size(), OffPatternBlocksBuilder::kRows, [&](std::size_t v) {
        const auto row = matrix_.block.begin() + matrix_.row_begin[v];
        std::fill(row, matrix_.block.begin() + matrix_.row_begin[v + 1], Mat3d{});
        elements_.gather_row(v, h2, &*row);
        *row += Mat3d::identity(damped * model_.mass[v] + h2 * handles_.spring[v]);
        rhs_[v] =
            model_.mass[v] * (h * state.v[v] - damped * (x[v] - state.x[v])) + h2 * force_on(v, x, step.in);
        if (contacts_ && contacts_->touches(v)) rhs_[v] += gather_contacts(v, x, h2);
    });
    if (contacts_) extra_builder_.end(threads_, extra_);
    eliminate_handles(step.in, x);
}

// The blocks of contacts in one row: in the matrix, or where the pattern has no place for them, outside.
// Returns what exact handles do to the vertex from there.
Vec3d ImplicitSystem::gather_contacts(std::size_t v, std::span<const Vec3d> x, double h2) {
    const BlockPattern& pattern = model_.pattern;
    const auto begin = pattern.column.begin() + pattern.row_begin[v],
               diagonal = pattern.column.begin() + pattern.diagonal[v],
               end = pattern.column.begin() + pattern.row_begin[v + 1];
    Mat3d* const row = &matrix_.diagonal(v);
    std::vector<OffPatternBlocksBuilder::Item>& outside = extra_builder_.items(v);
    Vec3d from_handles;
    contacts_->gather_row(v, [&](int column, const Mat3d& block) {
        const std::size_t j = at(column);
        const auto place = std::lower_bound(j < v ? begin : diagonal, end, column);
        if (place != end && *place == column) {
            if (place >= diagonal) row[place - diagonal] += h2 * block;
        } else if (handles_.constrained[v]) {
            return;
        } else if (handles_.constrained[j]) {
            from_handles -= (h2 * block) * (handles_.target[j] - x[j]);
        } else {
            outside.push_back({column, h2 * block});
        }
    });
    extra_builder_.end_row(v);
    return from_handles;
}

// What exact handles do is known: it belongs to the right-hand side.
void ImplicitSystem::eliminate_handles(const StepInput& in, std::span<const Vec3d> x) {
    for (const int handle : in.handles.vertices) {
        const std::size_t j = at(handle);
        if (!handles_.constrained[j]) continue;
        const Vec3d displacement = handles_.target[j] - x[j];
        for (int k = model_.pattern.row_begin[j]; k < model_.pattern.row_begin[j + 1]; ++k) {
            const std::size_t v = at(model_.pattern.column[at(k)]);
            Mat3d& block = matrix_.block[matrix_.place(j, k)];
            if (!handles_.constrained[v])
                rhs_[v] -= v < j ? block * displacement : transposed(block) * displacement;
            block = Mat3d{};
        }
        matrix_.diagonal(j) = Mat3d::identity();
        rhs_[j] = {};
    }
}

bool ImplicitSystem::solve(const StepContext& step, std::span<const Vec3d> x, std::span<const Vec3d> b,
                           std::span<Vec3d> y, double tolerance) {
    const Stopwatch watch(step.report.timing.solve);
    ++step.report.solves;
    if (options_.solver == SolverChoice::direct) return solve_directly(b, y);
    return count(
        solver_.solve(threads_, matrix_, x, handles_.constrained, b, y, solve_options(tolerance), extra_),
        step.report);
}

bool ImplicitSystem::solve_again(const StepContext& step, std::span<const Vec3d> b, std::span<Vec3d> y,
                                 double tolerance) {
    const Stopwatch watch(step.report.timing.solve);
    ++step.report.solves;
    if (options_.solver == SolverChoice::direct) return solve_directly(b, y);
    return count(solver_.solve_again(threads_, matrix_, b, y, solve_options(tolerance)), step.report);
}

bool ImplicitSystem::solve_directly(std::span<const Vec3d> b, std::span<Vec3d> y) {
    if (extra_.empty()) {
        if (!direct_.factorize(matrix_)) return false;
        direct_.solve(b, y);
        return true;
    }
    const MergedMatrix merged(matrix_, extra_);
    DirectSolver once;
    once.analyze(merged.pattern);
    if (!once.factorize(merged.matrix)) return false;
    once.solve(b, y);
    return true;
}

SolveOptions ImplicitSystem::solve_options(double tolerance) const {
    SolveOptions so;
    so.displacement_tolerance = tolerance;
    if (options_.solver == SolverChoice::block_jacobi) so.preconditioner = PreconditionerKind::block_jacobi;
    if (options_.solver == SolverChoice::multilevel) so.preconditioner = PreconditionerKind::multilevel;
    return so;
}

bool ImplicitSystem::count(const SolveReport& solved, StepReport& report) {
    report.iterations += solved.iterations;
    report.timing.iterate += solved.iterate_seconds;
    report.direct_fallbacks += std::string_view(solved.method) == "direct";
    return solved.converged;
}

}  // namespace rumple
