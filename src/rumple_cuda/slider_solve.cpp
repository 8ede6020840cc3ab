// CudaStepper: rigid bodies on sliders.
#include <algorithm>
#include <cmath>
#include <rumple/core/index.hpp>
#include <rumple_cuda/cuda_stepper.hpp>
#include <rumple_cuda/step_contact.hpp>

namespace rumple::cuda {

namespace {

constexpr int kPairsAtOnce = 4;  // of iterations, before the host looks

double dot_all(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += dot(a[v], b[v]);
    return sum;
}

}  // namespace

SliderSolve::SliderSolve(const Multigrid& multigrid)
    : rhs(at(multigrid.matrix().nodes)),
      solution(rhs.size()),
      solver(multigrid, &rhs.data()->x, &solution.data()->x),
      count(1) {}

int SliderSolve::solve(const Stream& stream, std::span<const Vec3d> b, std::span<Vec3d> y, double tolerance) {
    const std::size_t bytes = b.size() * sizeof(Vec3d);
    const auto copy = [&](void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
        check(cudaMemcpyAsync(to, from, size, kind, stream), "copying a response");
    };
    solver.set_tolerance(stream, tolerance);
    copy(rhs.data(), b.data(), bytes, cudaMemcpyHostToDevice);
    copy(solution.data(), y.data(), bytes, cudaMemcpyHostToDevice);
    solver.start(stream);
    do {
        for (int i = 0; i < kPairsAtOnce; ++i) solver.iterate_twice(stream, false);
        copy(count.data(), solver.state(), sizeof(IterationCount), cudaMemcpyDeviceToHost);
        stream.synchronize();
    } while (count[0].outcome == Outcome::running);
    if (count[0].outcome == Outcome::failed) return -1;
    solver.finish(stream);
    copy(y.data(), solution.data(), bytes, cudaMemcpyDeviceToHost);
    stream.synchronize();
    return count[0].steps;
}

// y = A^-1 b in the model's numbers, with the matrix and the preconditioner of the last solve.
bool CudaStepper::solve_response(std::span<const Vec3d> b, std::vector<Vec3d>& y, double tolerance,
                                 StepReport& report) {
    const std::vector<int>& number = hierarchy_.number;
    std::vector<Vec3d> right(b.size()), there(b.size());
    for (std::size_t v = 0; v < b.size(); ++v) {
        right[at(number[v])] = b[v];
        there[at(number[v])] = y[v];
    }
    ++report.solves;
    const int iterations = contact_->sliders->solve(stream_, right, there, tolerance);
    if (iterations < 0) {
        ++report.direct_fallbacks;
        return direct_solution(b, y);
    }
    report.iterations += iterations;
    for (std::size_t v = 0; v < b.size(); ++v) y[v] = there[at(number[v])];
    return true;
}

// By elimination: with A y = B, d = (s - B.x) / (C - B.y), and x becomes x - d y. One body after the other:
// that they touch the same cloth is seen in the next Newton step. `first` of the step: later solves begin
// with the last response.
bool CudaStepper::solve_sliders(const StepInput& in, bool first, StepReport& report) {
    if (!contact_ || !contact_->sliders) return true;
    StepContact& c = *contact_;
    SliderSolve& sliders = *c.sliders;
    sliders.slope = 0;
    contact::RigidBodies& bodies = c.system.rigid_bodies();
    std::vector<Vec3d> delta = state_->download(stream_, state_->delta());
    if (first) sliders.response.assign(bodies.slider_count(), {});
    sliders.coupling.resize(delta.size());
    bool changed = false;
    for (std::size_t s = 0; s < bodies.slider_count(); ++s) {
        const auto term =
            bodies.schur_term(s, c.system.contacts(), in.h * in.h, c.handles.constrained, sliders.coupling);
        const bool coupled = std::ranges::any_of(sliders.coupling, [](Vec3d b) { return dot(b, b) > 0; });
        std::vector<Vec3d>& response = sliders.response[s];
        if (response.empty()) response.assign(delta.size(), Vec3d{});
        // The response must be known the better the further the slider goes, which is known once the response
        // is, roughly.
        constexpr double kRough = kStepTuning.rough_response;
        const double pull = term.force - dot_all(sliders.coupling, delta);
        double displacement = pull / term.stiffness;
        for (const double best : {kRough, kStepTuning.fine_response}) {
            const double known =
                std::max(best, options_.tolerance * model_.mean_edge_length / std::abs(displacement));
            if (!coupled || (best < kRough && known >= kRough)) break;
            if (!solve_response(sliders.coupling, response, known, report)) return false;
            displacement = pull / (term.stiffness - dot_all(sliders.coupling, response));
        }
        bodies.set_slider_step(s, displacement);
        sliders.slope -= term.force * displacement;
        if (!coupled) continue;
        changed = true;
        for (std::size_t v = 0; v < delta.size(); ++v) delta[v] -= displacement * response[v];
    }
    if (changed) {
        state_->upload(stream_, delta, state_->delta());
        state_->move(stream_, solver_->state(), move_.data());
        evaluate(state_->view().trial);
        stream_.synchronize();
    }
    return true;
}

// Sliders at a share of their Newton step: to look at, or to stay.
void CudaStepper::try_sliders(double share) {
    if (contact_) contact_->system.try_sliders(share);
}
void CudaStepper::accept_sliders(double share) {
    if (contact_) contact_->system.accept_sliders(share);
}

}  // namespace rumple::cuda
