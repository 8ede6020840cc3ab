// Stepper: the Newton steps of one time step.
#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/stopwatch.hpp>
#include <rumple/dynamics/cpu_stepper.hpp>
#include <utility>

namespace rumple {

namespace {

constexpr int kMaxSolvesOfAutoRule = 3;  // one Newton step, up to two more when flags changed
constexpr int kMaxNewtonIterations = 20;
constexpr int kMaxSolvesWithContact = 5;  // while many collide
constexpr double kFewCollisions = 0.01;   // of the vertices: left to the collision response
constexpr double kMaxCollisions = 0.25;   // beyond, the step is cut
constexpr double kFewSurprises = 0.005;   // of the contacts that touch: a second solve for more
constexpr double kManySurprises = 0.03;   // the same in a heap
constexpr double kHeap = 3;               // contacts a vertex
constexpr double kFewChanges = 0.005;     // of the flags
constexpr int kMaxHalvings = 12;
// How well the cloth's answer to a weight is known, as a share of its way: at first, and at best.
constexpr double kRoughly = 0.03, kResponse = 1e-3;
constexpr double kSufficientDecrease = 1e-4;  // Armijo

}  // namespace

// The whole Newton step. Exact handles are put in place: x + (target - x) may miss the last bits.
void CpuStepper::move() {
    if (contact) contact->accept_guided(1);
    for_vertices([&](std::size_t v) { x[v] = constrained[v] ? target[v] : x[v] + delta[v]; });
}

// Energy, flags, forces and matrix blocks at a configuration are then in `elements` and `contact`.
void CpuStepper::evaluate(const State& state, std::span<const Vec3d> at, const StepInput& in,
                          StepReport& report) {
    evaluate_cloth(state, at, in, report);
    const Stopwatch watch(report.timing.evaluate);
    if (contact) contact->evaluate(threads, at);
}

void CpuStepper::evaluate_cloth(const State& state, std::span<const Vec3d> at, const StepInput& in,
                                StepReport& report) {
    const Stopwatch watch(report.timing.evaluate);
    elements.evaluate(threads, state, at, times(in));
}

// On a vertex at x, where all was evaluated last; without inertia.
Vec3d CpuStepper::force_on(std::size_t v, const StepInput& in) const {
    Vec3d force = elements.gather_force(v) + model.mass[v] * in.gravity;
    if (spring[v] > 0) force += spring[v] * (target[v] - x[v]);
    if (contact) force += contact->contacts().gather_force(v);
    return force;
}

// Contacts follow the iterate of solve number `solves`; contact_meets tells whether it would pass through
// something; torn, whether through much although the solve knew of what it would meet. The share of the
// contacts that let go or slipped where the last solve took them for held.
double CpuStepper::update_contacts(const State& state, int solves, StepReport& report) {
    const double surprises = contact->surprises(threads);
    contact_meets = contact->update(threads, x, state, report);
    torn = solves > 1 && !last_resort &&
           static_cast<double>(contact->collisions()) > kMaxCollisions * static_cast<double>(x.size());
    return surprises;
}

// (M (1 + h a) + h^2 K) delta = M (x~ - x) - h a M (x - x_n) + h^2 f, rows of exact handles taken out.
void CpuStepper::assemble(const State& state, const StepInput& in, StepReport& report) {
    const Stopwatch watch(report.timing.assemble);
    const double h = in.h, h2 = h * h, damped = 1 + h * in.mass_damping;
    if (contact) extra_builder.begin(model.vertex_count());
    threads.for_each(model.mass.size(), OffPatternBlocksBuilder::kRows, [&](std::size_t v) {
        const auto row = matrix.block.begin() + matrix.row_begin[v];
        std::fill(row, matrix.block.begin() + matrix.row_begin[v + 1], Mat3d{});
        elements.gather_row(v, h2, &*row);
        *row += Mat3d::identity(damped * model.mass[v] + h2 * spring[v]);
        rhs[v] = model.mass[v] * (h * state.v[v] - damped * (x[v] - state.x[v])) + h2 * force_on(v, in);
        if (contact && contact->contacts().touches(v)) rhs[v] += gather_contacts(v, h2);
    });
    if (contact) extra_builder.end(threads, extra);
    take_out_handles(in);
}

// The blocks of contacts in one row: in the matrix, or where the pattern has no place for them, outside. What
// exact handles do to the vertex from there.
Vec3d CpuStepper::gather_contacts(std::size_t v, double h2) {
    const BlockPattern& pattern = model.pattern;
    const auto begin = pattern.column.begin() + pattern.row_begin[v],
               diagonal = pattern.column.begin() + pattern.diagonal[v],
               end = pattern.column.begin() + pattern.row_begin[v + 1];
    Mat3d* const row = &matrix.diagonal(v);
    std::vector<OffPatternBlocksBuilder::Item>& outside = extra_builder.items(v);
    Vec3d from_handles;
    contact->contacts().gather_row(v, [&](int column, const Mat3d& block) {
        const auto j = static_cast<std::size_t>(column);
        const auto place = std::lower_bound(j < v ? begin : diagonal, end, column);
        if (place != end && *place == column) {
            if (place >= diagonal) row[place - diagonal] += h2 * block;
        } else if (constrained[v]) {
            return;
        } else if (constrained[j]) {
            from_handles -= (h2 * block) * (target[j] - x[j]);
        } else {
            outside.push_back({column, h2 * block});
        }
    });
    extra_builder.end_row(v);
    return from_handles;
}

// What exact handles do is known: it belongs to the right-hand side.
void CpuStepper::take_out_handles(const StepInput& in) {
    for (const int handle : in.handles.vertices) {
        const auto j = static_cast<std::size_t>(handle);
        if (!constrained[j]) continue;
        const Vec3d way = target[j] - x[j];
        for (int k = model.pattern.row_begin[j]; k < model.pattern.row_begin[j + 1]; ++k) {
            const auto v = static_cast<std::size_t>(model.pattern.column[static_cast<std::size_t>(k)]);
            Mat3d& block = matrix.block[matrix.place(j, k)];
            if (!constrained[v]) rhs[v] -= v < j ? block * way : transposed(block) * way;
            block = Mat3d{};
        }
        matrix.diagonal(j) = Mat3d::identity();
        rhs[j] = {};
    }
}

// matrix y = b. `again`: the matrix is that of the last solve.
bool CpuStepper::solve(std::span<const Vec3d> b, std::span<Vec3d> y, double tolerance, bool again,
                       StepReport& report) {
    const Stopwatch watch(report.timing.solve);
    ++report.solves;
    if (options.solver == SolverChoice::direct) {
        if (extra.empty()) {
            if (!direct.factorize(matrix)) return false;
            direct.solve(b, y);
            return true;
        }
        const MergedMatrix merged(matrix, extra);
        DirectSolver once;
        once.analyze(merged.pattern);
        if (!once.factorize(merged.matrix)) return false;
        once.solve(b, y);
        return true;
    }
    SolveOptions so;
    so.displacement_tolerance = tolerance;
    if (options.solver == SolverChoice::block_jacobi) so.preconditioner = PreconditionerKind::block_jacobi;
    if (options.solver == SolverChoice::multilevel) so.preconditioner = PreconditionerKind::multilevel;
    const SolveReport sr = again ? solver.solve_again(threads, matrix, b, y, so)
                                 : solver.solve(threads, matrix, x, constrained, b, y, so, extra);
    report.iterations += sr.iterations;
    report.timing.iterate += sr.iterate_seconds;
    report.direct_fallbacks += std::string_view(sr.method) == "direct";
    return sr.converged;
}

// Linearises at x, leaves the step in delta. The guess of the first is the motion so far.
std::string CpuStepper::newton_step(const State& state, const StepInput& in, StepReport& report) {
    assemble(state, in, report);
    const bool first = std::exchange(first_solve, false);
    for_vertices([&](std::size_t v) { delta[v] = first && !constrained[v] ? in.h * state.v[v] : Vec3d{}; });
    if (!solve(rhs, delta, options.tolerance * model.mean_edge_length, false, report) ||
        !solve_guided(in, first, report))
        return "the linear system could not be solved";
    for_vertices([&](std::size_t v) {
        if (constrained[v]) delta[v] = target[v] - x[v];
    });
    const auto bad = std::find_if_not(delta.begin(), delta.end(), finite);
    if (bad != delta.end())
        return fmt::format("vertex {} would move to a place that is not finite",
                           model.source_vertex(static_cast<int>(bad - delta.begin())));
    return "";
}

// Weights in a guide, by elimination: with A y = B, d = (s - B.x) / (C - B.y), and x becomes x - d y. One
// weight after the other: that they touch the same cloth is seen in the next Newton step.
// `first` of the step: later solves begin with the last answer.
bool CpuStepper::solve_guided(const StepInput& in, bool first, StepReport& report) {
    guided_slope = 0;
    if (contact && first) response.assign(contact->guided_count(), {});
    if (contact && contact->guided_count() > 0) coupling.resize(x.size());
    for (std::size_t g = 0; contact && g < contact->guided_count(); ++g) {
        const ContactSystem::Ride ride = contact->ride(g, in.h * in.h, constrained, coupling);
        const bool coupled =
            std::any_of(coupling.begin(), coupling.end(), [](Vec3d b) { return dot(b, b) > 0; });
        if (response[g].empty()) response[g].assign(delta.size(), Vec3d{});
        const auto dot_coupling = [&](std::span<const Vec3d> y) {
            double sum = 0;
            for (std::size_t v = 0; v < y.size(); ++v) sum += dot(coupling[v], y[v]);
            return sum;
        };
        // How well the answer must be known depends on the way, which is known once the answer is, roughly.
        const double pull = ride.force - dot_coupling(delta);
        double way = pull / ride.stiffness;
        for (const double best : {kRoughly, kResponse}) {
            const double known = std::max(best, options.tolerance * model.mean_edge_length / std::abs(way));
            if (!coupled || (best < kRoughly && known >= kRoughly)) break;
            if (!solve(coupling, response[g], known, true, report)) return false;
            way = pull / (ride.stiffness - dot_coupling(response[g]));
        }
        contact->set_guided_step(g, way);
        guided_slope -= ride.force * way;
        if (!coupled) continue;
        for_vertices([&](std::size_t v) { delta[v] -= way * response[g][v]; });
    }
    return true;
}

// One Newton step; up to two more, which backtrack, where flags changed. (Without backtracking a component
// that is let go from yield, where its tangent is small, is thrown from one side to the other and gains
// energy.)
std::string CpuStepper::auto_rule(State& state, const StepInput& in, StepReport& report) {
    for (int solves = 1;; ++solves) {
        flags_before = elements.flags();
        if (std::string failure = newton_step(state, in, report); !failure.empty()) return failure;
        if (solves == 1)
            first_move(state, in, report);
        else
            backtrack(state, in, report);
        if (torn) return "";
        const double surprises = contact ? update_contacts(state, solves, report) : 0.0;
        if (torn) return "";
        const double vertices = static_cast<double>(x.size());
        const bool many =
            contact_meets && static_cast<double>(contact->collisions()) > kFewCollisions * vertices;
        const int most = many ? kMaxSolvesWithContact : kMaxSolvesOfAutoRule;
        const std::size_t changed = changed_flags();
        if (solves >= most || !(surprises > kFewSurprises || contact_meets || changed > 0)) return "";
        // In a heap some flag or contact always changes: another solve for the sake of a few is wasted, and
        // moves them to and fro.
        const bool few =
            static_cast<double>(changed) <= kFewChanges * static_cast<double>(flags_before.size());
        const bool heap =
            contact && static_cast<double>(contact->contacts().list().size()) > kHeap * vertices;
        if (heap && few && !many && surprises < kManySurprises) return "";
    }
}

std::size_t CpuStepper::changed_flags() const {
    std::size_t changed = 0;
    for (std::size_t i = 0; i < flags_before.size(); ++i) changed += elements.flags()[i] != flags_before[i];
    return changed;
}

std::string CpuStepper::newton(State& state, const StepInput& in, StepReport& report) {
    const int most = std::min(options.newton_iterations, kMaxNewtonIterations);
    const double tolerance = options.newton_tolerance * model.mean_edge_length;
    report.newton_converged = false;
    for (int solves = 1; solves <= most && !report.newton_converged; ++solves) {
        if (std::string failure = newton_step(state, in, report); !failure.empty()) return failure;
        double largest = 0;
        for (const Vec3d& d : delta) largest = std::max(largest, dot(d, d));
        report.newton_converged = std::sqrt(largest) <= tolerance;
        if (solves == 1) {
            first_move(state, in, report);
            if (torn) return "";
        } else if (!backtrack(state, in, report)) {
            if (contact) update_contacts(state, solves, report);
            break;
        }
        if (contact && (update_contacts(state, solves, report) > kFewSurprises || contact_meets))
            report.newton_converged = false;
        if (torn) return "";
    }
    return "";
}

// M |x - x~|^2/2 + h a M |x - x_n|^2/2 + h^2 (W - gravity and springs): what an implicit step minimises.
double CpuStepper::incremental_potential(const State& state, std::span<const Vec3d> at, const StepInput& in) {
    const double h = in.h, h2 = h * h;
    const double rest = threads.sum(at.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t v = begin; v < end; ++v) {
            const Vec3d moved = at[v] - state.x[v], off = moved - h * state.v[v], stretch = at[v] - target[v];
            sum += 0.5 * model.mass[v] * (dot(off, off) + h * in.mass_damping * dot(moved, moved)) -
                   h2 * model.mass[v] * dot(in.gravity, moved);
            if (spring[v] > 0) sum += 0.5 * h2 * spring[v] * dot(stretch, stretch);
        }
        return sum;
    });
    return rest + h2 * elements.energy();
}

double CpuStepper::contact_potential(const StepInput& in) const {
    const double h2 = in.h * in.h;
    return contact ? h2 * contact->contacts().energy() + contact->guided_energy(h2) : 0;
}

// Can nothing but handles do work on the cloth? Then its potential may rise by what they do and no more.
bool CpuStepper::left_alone(const StepInput& in) const {
    if (!contact) return false;  // without, nothing was ever seen to tear
    const auto& obstacles = model.contact.obstacles;
    for (std::size_t o = 0; o < obstacles.size(); ++o)
        if (obstacles[o].mass > 0 && (in.obstacles.present.empty() || in.obstacles.present[o])) return false;
    return std::ranges::equal(in.obstacles.begin, in.obstacles.end);
}

// Has the cloth itself arrived with much more than all there was, even with the handles where they go?
// (Contacts are left out: where a solve presses them together too far, the next ones mend it.)
bool CpuStepper::overshot(const State& state, const StepInput& in, StepReport& report) {
    const double after = incremental_potential(state, x, in);
    if (!(after > kOvershoot * potential_before)) return false;
    trial.resize(x.size());
    for_vertices([&](std::size_t v) { trial[v] = constrained[v] ? target[v] : state.x[v]; });
    if (trial == state.x) return true;
    evaluate(state, trial, in, report);
    const double before = incremental_potential(state, trial, in) + contact_potential(in);
    evaluate(state, x, in, report);
    return after > kOvershoot * before;
}

// The first moves the handles: before it the constraints do not hold, and there is nothing to compare with.
// But cloth that is let go may turn further than a linear solve can follow, and would arrive torn.
void CpuStepper::first_move(const State& state, const StepInput& in, StepReport& report) {
    move();
    evaluate(state, x, in, report);
    if (!overshot(state, in, report)) return;
    torn = !last_resort;
    if (torn) return;
    for_vertices([&](std::size_t v) {
        x[v] = constrained[v] ? target[v] : state.x[v];
        if (constrained[v]) delta[v] = {};
    });
    evaluate(state, x, in, report);
    backtrack(state, in, report);
}

// Halves the step until the potential falls enough. Leaves x and elements at the accepted place.
bool CpuStepper::backtrack(const State& state, const StepInput& in, StepReport& report) {
    const double before = incremental_potential(state, x, in) + contact_potential(in);
    double slope = guided_slope;
    for (std::size_t v = 0; v < rhs.size(); ++v) slope -= dot(rhs[v], delta[v]);
    trial.resize(x.size());
    double share = 1;
    for (int i = 0; i <= kMaxHalvings; ++i, share *= 0.5) {
        for_vertices([&](std::size_t v) { trial[v] = x[v] + share * delta[v]; });
        if (contact) contact->try_guided(share);
        evaluate(state, trial, in, report);
        if (incremental_potential(state, trial, in) + contact_potential(in) <=
            before + kSufficientDecrease * share * slope) {
            x.swap(trial);
            if (contact) contact->accept_guided(share);
            return true;
        }
    }
    if (contact) contact->accept_guided(0);
    evaluate(state, x, in, report);
    return report.newton_converged;  // at round-off level nothing falls any more
}

}  // namespace rumple
