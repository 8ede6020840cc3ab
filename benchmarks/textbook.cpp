// Eigen's sums of AVX-512 registers go through an intrinsic that g++ 12 wrongly takes for an uninitialised
// value.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "textbook.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <chrono>
#include <rumple/core/error.hpp>

namespace rumple {

namespace {

constexpr int kMaxHalvings = 12;
constexpr double kSufficientDecrease = 1e-4;  // Armijo

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The target of each vertex, and which unknowns are left.
struct Handles {
    std::vector<int> unknown;  // first unknown of each vertex, -1 where an exact handle holds it
    VectorXd target;
    std::vector<double> spring;  // N/m
    int free_vertices = 0;

    Handles(const Model& model, const HandleTargets& handles)
        : unknown(model.mass.size(), 0),
          target(VectorXd::Zero(3 * model.vertex_count())),
          spring(model.mass.size()) {
        for (std::size_t i = 0; i < handles.vertices.size(); ++i) {
            const auto v = static_cast<std::size_t>(handles.vertices[i]);
            target.segment<3>(3 * handles.vertices[i]) = to_eigen(handles.targets[i]);
            spring[v] = handles.stiffness.empty() ? 0 : handles.stiffness[i];
            if (spring[v] == 0) unknown[v] = -1;
        }
        for (int& first : unknown)
            if (first >= 0) first = 3 * free_vertices++;
    }
};

// (M (1 + h a) + h^2 K) d = M (h v - (1 + h a)(x - x_n)) + h^2 f on the free unknowns.
class System {
  public:
    System(const Model& model, const State& state, const StepInput& input, const TextbookElements& elements,
           const Handles& handles, const VectorXd& x)
        : handles_(handles), x_(x), h2_(input.h * input.h), b_(VectorXd::Zero(3 * handles.free_vertices)) {
        triplets_.reserve(81 * model.triangles.size() + 144 * model.hinges.size() + 3 * model.mass.size());
        for (std::size_t t = 0; t < model.triangles.size(); ++t)
            add(model.triangles[t].data(), elements.membrane(t, x));
        for (std::size_t e = 0; e < model.hinges.size(); ++e)
            add(model.hinges[e].data(), elements.bending(e, x));

        const double h = input.h, damped = 1 + h * input.mass_damping;
        for (int v = 0; v < model.vertex_count(); ++v) {
            const auto i = static_cast<std::size_t>(v);
            const int first = handles.unknown[i];
            if (first < 0) continue;
            const double m = model.mass[i], k = handles.spring[i];
            const Vector3d here = x.segment<3>(3 * v), moved = here - elements.start().segment<3>(3 * v);
            b_.segment<3>(first) += m * (h * to_eigen(state.v[i]) - damped * moved) +
                                    h2_ * m * to_eigen(input.gravity) +
                                    h2_ * k * (handles.target.segment<3>(3 * v) - here);
            for (int a = 0; a < 3; ++a) triplets_.emplace_back(first + a, first + a, damped * m + h2_ * k);
        }
    }

    // One Newton step, in all coordinates; handles move to their targets. Along it the potential begins to
    // change by `slope`, once the handles are there.
    struct Newton {
        VectorXd d;
        double slope;
    };
    Newton solve(const TextbookOptions& options, TextbookReport& report) const {
        auto clock = std::chrono::steady_clock::now();
        Eigen::SparseMatrix<double> A(b_.size(), b_.size());
        A.setFromTriplets(triplets_.begin(), triplets_.end());
        report.timing.assemble += seconds_since(clock);

        clock = std::chrono::steady_clock::now();
        Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> cg;
        if (options.tolerance > 0) cg.setTolerance(options.tolerance);
        cg.compute(A);
        const VectorXd d = cg.solve(b_);
        report.timing.solve += seconds_since(clock);
        report.iterations += cg.iterations();
        ++report.solves;
        if (!d.allFinite()) throw SimulationError("the textbook step did not give finite numbers");

        VectorXd full = handles_.target - x_;
        for (std::size_t v = 0; v < handles_.unknown.size(); ++v)
            if (handles_.unknown[v] >= 0)
                full.segment<3>(3 * static_cast<Eigen::Index>(v)) = d.segment<3>(handles_.unknown[v]);
        return {full, -b_.dot(d)};
    }

  private:
    template <int N>
    void add(const int* vertices, const TextbookElement<N>& element) {
        for (int i = 0; i < N / 3; ++i) {
            const int row = handles_.unknown[static_cast<std::size_t>(vertices[i])];
            if (row < 0) continue;
            b_.segment<3>(row) += h2_ * element.force.template segment<3>(3 * i);
            for (int j = 0; j < N / 3; ++j) {
                const int column = handles_.unknown[static_cast<std::size_t>(vertices[j])];
                const Matrix3d block = h2_ * element.stiffness.template block<3, 3>(3 * i, 3 * j);
                if (column < 0)  // the handle's motion is known
                    b_.segment<3>(row) -= block * (handles_.target - x_).segment<3>(3 * vertices[j]);
                else
                    for (int a = 0; a < 3; ++a)
                        for (int b = 0; b < 3; ++b) triplets_.emplace_back(row + a, column + b, block(a, b));
            }
        }
    }

    const Handles& handles_;
    const VectorXd& x_;
    double h2_;
    VectorXd b_;
    std::vector<Eigen::Triplet<double>> triplets_;
};

// M |x - x~|^2/2 + h a M |x - x_n|^2/2 + h^2 (W - gravity and springs): what an implicit step minimises.
double potential(const Model& model, const State& state, const StepInput& input,
                 const TextbookElements& elements, const Handles& handles, const VectorXd& x) {
    const double h = input.h;
    double sum = h * h * elements.energy(x);
    for (int v = 0; v < model.vertex_count(); ++v) {
        const auto i = static_cast<std::size_t>(v);
        const Vector3d here = x.segment<3>(3 * v), moved = here - elements.start().segment<3>(3 * v);
        const Vector3d stretch = here - handles.target.segment<3>(3 * v);
        sum += 0.5 * model.mass[i] * (moved - h * to_eigen(state.v[i])).squaredNorm();
        sum += 0.5 * model.mass[i] * h * input.mass_damping * moved.squaredNorm();
        sum -= h * h * model.mass[i] * to_eigen(input.gravity).dot(moved);
        sum += 0.5 * h * h * handles.spring[i] * stretch.squaredNorm();
    }
    return sum;
}

// Halves the step until the potential falls enough, or does not move.
template <class Potential>
VectorXd backtracked(const VectorXd& x, const System::Newton& newton, Potential&& potential_at) {
    const double before = potential_at(x);
    double share = 1;
    for (int i = 0; i <= kMaxHalvings; ++i, share *= 0.5) {
        VectorXd trial = x + share * newton.d;
        if (potential_at(trial) <= before + kSufficientDecrease * share * newton.slope) return trial;
    }
    return x;
}

}  // namespace

State textbook_step(const Model& model, const State& state, const StepInput& input,
                    const TextbookOptions& options, TextbookReport& report) {
    report = {};
    const TextbookElements elements(model, state, input);
    const Handles handles(model, input.handles);
    VectorXd x = elements.start();
    auto clock = std::chrono::steady_clock::now();
    std::vector<std::uint8_t> before, flags = elements.flags(x);
    report.timing.evaluate += seconds_since(clock);

    do {
        clock = std::chrono::steady_clock::now();
        const System system(model, state, input, elements, handles, x);
        report.timing.assemble += seconds_since(clock);
        const System::Newton newton = system.solve(options, report);

        clock = std::chrono::steady_clock::now();
        if (report.solves == 1)  // before it the handles are elsewhere: nothing to compare
            x += newton.d;
        else
            x = backtracked(x, newton, [&](const VectorXd& at) {
                return potential(model, state, input, elements, handles, at);
            });
        before.swap(flags);
        flags = elements.flags(x);
        report.timing.evaluate += seconds_since(clock);
    } while (report.solves < options.most_solves && flags != before);

    clock = std::chrono::steady_clock::now();
    State next = state;
    elements.advance_history(next, x);
    for (std::size_t v = 0; v < next.x.size(); ++v) {
        const Vector3d p = x.segment<3>(3 * static_cast<Eigen::Index>(v));
        next.x[v] = {p.x(), p.y(), p.z()};
        next.v[v] = (1 / input.h) * (next.x[v] - state.x[v]);
    }
    next.time += input.h;
    next.material_time += input.material_dt;
    ++next.step;
    report.timing.advance += seconds_since(clock);
    return next;
}

State textbook_step(const Model& model, const State& state, const StepInput& input) {
    TextbookReport report;
    return textbook_step(model, state, input, {}, report);
}

TextbookForces textbook_forces(const Model& model, const State& state, const StepInput& input) {
    const TextbookElements elements(model, state, input);
    TextbookForces out{0, std::vector<Vec3d>(model.mass.size())};
    const auto add = [&](const auto& vertices, const auto& element) {
        out.energy += element.energy;
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            const Vector3d f = element.force.template segment<3>(3 * static_cast<int>(i));
            out.force[static_cast<std::size_t>(vertices[i])] += Vec3d{f.x(), f.y(), f.z()};
        }
    };
    for (std::size_t t = 0; t < model.triangles.size(); ++t)
        add(model.triangles[t], elements.membrane(t, elements.start()));
    for (std::size_t e = 0; e < model.hinges.size(); ++e)
        add(model.hinges[e], elements.bending(e, elements.start()));
    return out;
}

}  // namespace rumple
