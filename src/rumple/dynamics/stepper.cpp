#include <rumple/dynamics/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <rumple/dynamics/elements.hpp>
#include <rumple/dynamics/weight.hpp>
#include <rumple/linear/direct.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 256;       // vertices a piece of work
constexpr int kMostSolvesOfAutoRule = 3;  // one Newton step, up to two more when flags changed
constexpr int kMostNewtonIterations = 20;
constexpr int kMostHalvings = 12;
constexpr double kSufficientDecrease = 1e-4;  // Armijo

class Stopwatch {
  public:
    explicit Stopwatch(double& seconds) : seconds_(seconds) {}
    ~Stopwatch() {
        seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool finite(Vec3d a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

}  // namespace

struct Stepper::Impl {
    const Model& model;
    StepperOptions options;
    Threads threads;
    Elements elements;
    LinearSolver solver;
    DirectSolver direct;
    BlockMatrix matrix;

    // One entry a vertex: iterate, force and right-hand side, Newton step, handles.
    std::vector<Vec3d> x, force, rhs, delta, trial, target;
    std::vector<double> spring;             // N/m; 0 where there is none
    std::vector<std::uint8_t> constrained;  // exactly
    std::vector<std::uint8_t> flags_before;
    std::vector<Vec3d> reactions;

    Impl(const Model& m, const StepperOptions& o)
        : model(m), options(o), threads(o.threads), elements(m), solver(m.pattern, m.initial) {
        const std::size_t n = m.mass.size();
        matrix = {&m.pattern, std::vector<Mat3d>(m.pattern.column.size())};
        if (o.solver == SolverChoice::direct) direct.analyze(m.pattern);
        for (auto* a : {&x, &force, &rhs, &delta, &trial, &target}) a->resize(n);
        spring.resize(n);
        constrained.resize(n);
    }

    template <class Body>
    void for_vertices(Body&& body) {
        threads.for_each(model.mass.size(), kGrain, body);
    }

    static StepTimes times(const StepInput& in) { return {in.h_m, in.stiffness_damping / in.h}; }

    std::string check(const State& state, const StepInput& in) const;
    static std::string check_handles(const HandleTargets& handles, int vertex_count);
    void set_handles(const StepInput& in);
    void move();
    void evaluate(const State& state, std::span<const Vec3d> at, const StepInput& in, StepReport& report);
    void assemble(const State& state, const StepInput& in, StepReport& report);
    bool solve(StepReport& report);
    std::string newton_step(const State& state, const StepInput& in, StepReport& report);
    std::string auto_rule(State& state, const StepInput& in, StepReport& report);
    std::string newton(State& state, const StepInput& in, StepReport& report);
    double incremental_potential(const State& state, std::span<const Vec3d> at, const StepInput& in);
    bool backtrack(const State& state, const StepInput& in, StepReport& report);
    void commit(State& state, const StepInput& in, StepReport& report);
};

Stepper::Stepper(const Model& model, const StepperOptions& options)
    : impl_(std::make_unique<Impl>(model, options)) {}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;

StepReport Stepper::step(State& state, const StepInput& input) {
    StepReport report;
    report.failure = impl_->check(state, input);
    if (!report.failure.empty()) return report;

    // from where the cloth is, with the handles' targets known
    impl_->set_handles(input);
    impl_->x = state.x;
    impl_->evaluate(state, impl_->x, input, report);

    // solve for where it will be
    report.failure = impl_->options.newton_iterations > 0 ? impl_->newton(state, input, report)
                                                          : impl_->auto_rule(state, input, report);
    if (!report.failure.empty()) return report;
    report.potential_energy = impl_->elements.energy(impl_->threads);
    if (!std::isfinite(report.potential_energy)) {
        report.failure = "the energy of the cloth is not a finite number";
        return report;
    }

    // accept: positions, velocities, history, clocks
    impl_->commit(state, input, report);
    report.accepted = true;
    return report;
}

std::string Stepper::Impl::check(const State& state, const StepInput& in) const {
    const std::size_t strains = model.membrane_has_history() ? 3 * model.triangles.size() : 0;
    if (state.x.size() != model.mass.size() || state.v.size() != model.mass.size() ||
        state.bending.size() != model.hinges.size() || state.membrane.size() != strains)
        return "the state does not belong to the model";
    if (!(in.h > 0) || !(in.h_m >= 0) || !std::isfinite(in.h) || !std::isfinite(in.h_m))
        return fmt::format("step sizes h = {} s, h_m = {} s are not usable", in.h, in.h_m);
    return check_handles(in.handles, model.vertex_count());
}

std::string Stepper::Impl::check_handles(const HandleTargets& handles, int vertex_count) {
    const std::size_t n = handles.vertices.size();
    if (handles.targets.size() != n || (!handles.stiffness.empty() && handles.stiffness.size() != n))
        return fmt::format("{} handle vertices have {} targets and {} stiffnesses", n, handles.targets.size(),
                           handles.stiffness.size());
    for (std::size_t i = 0; i < n; ++i) {
        const int v = handles.vertices[i];
        if (v < 0 || v >= vertex_count) return fmt::format("a handle holds vertex {} of {}", v, vertex_count);
        if (!finite(handles.targets[i]))
            return fmt::format("the target of vertex {} is not a finite number", v);
        if (handles.stiffness.empty()) continue;
        if (const double k = handles.stiffness[i]; !(k >= 0) || !std::isfinite(k))
            return fmt::format("the handle of vertex {} has stiffness {} N/m", v, k);
    }
    return "";
}

void Stepper::Impl::set_handles(const StepInput& in) {
    std::fill(spring.begin(), spring.end(), 0.0);
    std::fill(constrained.begin(), constrained.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < in.handles.vertices.size(); ++i) {
        const auto v = static_cast<std::size_t>(in.handles.vertices[i]);
        const double k = in.handles.stiffness.empty() ? 0.0 : in.handles.stiffness[i];
        target[v] = in.handles.targets[i];
        spring[v] = k;
        constrained[v] = k == 0.0;
    }
}

// The whole Newton step. Exact handles are put in place: x + (target - x) may miss the last bits.
void Stepper::Impl::move() {
    for_vertices([&](std::size_t v) { x[v] = constrained[v] ? target[v] : x[v] + delta[v]; });
}

// Forces at a configuration, without inertia. Energy, flags and matrix blocks are then in `elements`.
void Stepper::Impl::evaluate(const State& state, std::span<const Vec3d> at, const StepInput& in,
                             StepReport& report) {
    const Stopwatch watch(report.timing.evaluate);
    elements.evaluate(threads, state, at, times(in));
    for_vertices([&](std::size_t v) {
        force[v] = elements.gather_force(v) + model.mass[v] * in.gravity;
        if (spring[v] > 0) force[v] += spring[v] * (target[v] - at[v]);
    });
}

// (M (1 + h a) + h^2 K) delta = M (x~ - x) - h a M (x - x_n) + h^2 f, rows of exact handles taken out.
void Stepper::Impl::assemble(const State& state, const StepInput& in, StepReport& report) {
    const Stopwatch watch(report.timing.assemble);
    const double h = in.h, h2 = h * h, damped = 1 + h * in.mass_damping;
    const BlockPattern& pattern = model.pattern;
    for_vertices([&](std::size_t v) {
        const int begin = pattern.row_begin[v], end = pattern.row_begin[v + 1];
        std::fill(matrix.block.begin() + begin, matrix.block.begin() + end, Mat3d{});
        Mat3d& diagonal = matrix.block[static_cast<std::size_t>(pattern.diagonal[v])];
        if (constrained[v]) {
            diagonal = Mat3d::identity();
            rhs[v] = {};
            return;
        }
        elements.gather_row(v, h2, &matrix.block[static_cast<std::size_t>(begin)]);
        diagonal += Mat3d::identity(damped * model.mass[v] + h2 * spring[v]);
        rhs[v] = model.mass[v] * (h * state.v[v] - damped * (x[v] - state.x[v])) + h2 * force[v];
        for (int k = begin; k < end;
             ++k) {  // what exact handles do is known: it belongs to the right-hand side
            const auto j = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
            if (!constrained[j]) continue;
            Mat3d& block = matrix.block[static_cast<std::size_t>(k)];
            rhs[v] -= block * (target[j] - x[j]);
            block = Mat3d{};
        }
    });
}

bool Stepper::Impl::solve(StepReport& report) {
    const Stopwatch watch(report.timing.solve);
    ++report.solves;
    if (options.solver == SolverChoice::direct) {
        if (!direct.factorize(matrix)) return false;
        direct.solve(rhs, delta);
        return true;
    }
    SolveOptions so;
    so.displacement_tolerance = options.tolerance * model.mean_edge_length;
    if (options.solver == SolverChoice::block_jacobi) so.preconditioner = PreconditionerKind::block_jacobi;
    if (options.solver == SolverChoice::multilevel) so.preconditioner = PreconditionerKind::multilevel;
    const SolveReport sr = solver.solve(threads, matrix, x, constrained, rhs, delta, so);
    report.iterations += sr.iterations;
    report.direct_fallbacks += std::string_view(sr.method) == "direct";
    return sr.converged;
}

// Linearises at x, leaves the step in delta. The guess of the first is the motion so far.
std::string Stepper::Impl::newton_step(const State& state, const StepInput& in, StepReport& report) {
    assemble(state, in, report);
    const bool first = report.solves == 0;
    for_vertices([&](std::size_t v) { delta[v] = first && !constrained[v] ? in.h * state.v[v] : Vec3d{}; });
    if (!solve(report)) return "the linear system could not be solved";
    for_vertices([&](std::size_t v) {
        if (constrained[v]) delta[v] = target[v] - x[v];
    });
    const auto bad = std::find_if_not(delta.begin(), delta.end(), finite);
    if (bad != delta.end())
        return fmt::format("vertex {} would move to a place that is not finite", bad - delta.begin());
    return "";
}

// One Newton step; up to two more, which backtrack, where flags changed. (Without backtracking a component
// that is let go from yield, where its tangent is small, is thrown from one side to the other and gains
// energy.)
std::string Stepper::Impl::auto_rule(State& state, const StepInput& in, StepReport& report) {
    for (;;) {
        flags_before = elements.flags();
        if (std::string failure = newton_step(state, in, report); !failure.empty()) return failure;
        if (report.solves == 1) {
            move();
            evaluate(state, x, in, report);
        } else {
            backtrack(state, in, report);
        }
        if (report.solves == kMostSolvesOfAutoRule || elements.flags() == flags_before) return "";
    }
}

std::string Stepper::Impl::newton(State& state, const StepInput& in, StepReport& report) {
    const int most = std::min(options.newton_iterations, kMostNewtonIterations);
    const double tolerance = options.newton_tolerance * model.mean_edge_length;
    report.newton_converged = false;
    while (report.solves < most && !report.newton_converged) {
        if (std::string failure = newton_step(state, in, report); !failure.empty()) return failure;
        double largest = 0;
        for (const Vec3d& d : delta) largest = std::max(largest, dot(d, d));
        report.newton_converged = std::sqrt(largest) <= tolerance;
        if (report.solves ==
            1) {  // moves the handles: before it the constraints do not hold, nothing to compare
            move();
            evaluate(state, x, in, report);
        } else if (!backtrack(state, in, report)) {
            break;
        }
    }
    return "";
}

// M |x - x~|^2/2 + h a M |x - x_n|^2/2 + h^2 (W - gravity and springs): what an implicit step minimises.
double Stepper::Impl::incremental_potential(const State& state, std::span<const Vec3d> at,
                                            const StepInput& in) {
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
    return rest + h2 * elements.energy(threads);
}

// Halves the step until the potential falls enough. Leaves x and elements at the accepted place.
bool Stepper::Impl::backtrack(const State& state, const StepInput& in, StepReport& report) {
    const double before = incremental_potential(state, x, in);
    double slope = 0;
    for (std::size_t v = 0; v < rhs.size(); ++v) slope -= dot(rhs[v], delta[v]);
    double share = 1;
    for (int i = 0; i <= kMostHalvings; ++i, share *= 0.5) {
        for_vertices([&](std::size_t v) { trial[v] = x[v] + share * delta[v]; });
        evaluate(state, trial, in, report);
        if (incremental_potential(state, trial, in) <= before + kSufficientDecrease * share * slope) {
            x.swap(trial);
            return true;
        }
    }
    evaluate(state, x, in, report);
    return report.newton_converged;  // at round-off level nothing falls any more
}

void Stepper::Impl::commit(State& state, const StepInput& in, StepReport& report) {
    const Stopwatch watch(report.timing.advance);
    reactions.resize(in.handles.vertices.size());
    for (std::size_t i = 0; i < reactions.size(); ++i) {
        const auto v = static_cast<std::size_t>(in.handles.vertices[i]);
        const Vec3d velocity = (1 / in.h) * (x[v] - state.x[v]);
        const Vec3d inertia =
            (model.mass[v] / in.h) * (velocity - state.v[v]) + (in.mass_damping * model.mass[v]) * velocity;
        reactions[i] = constrained[v] ? inertia - force[v] : spring[v] * (target[v] - x[v]);
    }
    report.slipping = elements.count(kSlipping);
    report.yielding = elements.count(kYielding);

    elements.advance(threads, state, x, times(in));
    for_vertices([&](std::size_t v) { state.v[v] = (1 / in.h) * (x[v] - state.x[v]); });
    state.x.swap(x);
    report.kinetic_energy = threads.sum(state.v.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t v = begin; v < end; ++v) sum += 0.5 * model.mass[v] * dot(state.v[v], state.v[v]);
        return sum;
    });
    state.time += in.h;
    state.material_time += in.h_m;
    ++state.step;
}

std::span<const Vec3d> Stepper::reactions() const { return impl_->reactions; }

std::vector<Vec3d> Stepper::obstacle_positions(const State& state, std::span<const Vec3d> given) const {
    std::vector<Vec3d> all;
    std::size_t weight = 0;
    for (const ObstaclePart& obstacle : impl_->model.contact.obstacles) {
        const std::size_t begin = all.size();
        if (obstacle.mass > 0) {
            place_weight(obstacle, state.weights[weight++], all);
        } else {
            const auto& from = given.empty() ? std::span<const Vec3d>(obstacle.vertices)
                                             : given.subspan(begin, obstacle.vertices.size());
            all.insert(all.end(), from.begin(), from.end());
        }
    }
    return all;
}

double Stepper::potential_energy(const State& state, const StepInput& input) {
    impl_->elements.evaluate(impl_->threads, state, state.x, Impl::times(input));
    return impl_->elements.energy(impl_->threads);
}

std::vector<Vec3d> Stepper::internal_forces(const State& state, const StepInput& input) {
    impl_->elements.evaluate(impl_->threads, state, state.x, Impl::times(input));
    std::vector<Vec3d> f(state.x.size());
    for (std::size_t v = 0; v < f.size(); ++v) f[v] = impl_->elements.gather_force(v);
    return f;
}

Wrench total_reaction(std::span<const int> vertices, std::span<const Vec3d> reactions,
                      std::span<const Vec3d> x, Vec3d about) {
    Wrench total;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        total.force += reactions[i];
        total.torque += cross(x[static_cast<std::size_t>(vertices[i])] - about, reactions[i]);
    }
    return total;
}

}  // namespace rumple
