// CudaStepper: the Newton steps of one time step, as dynamics/newton.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/index.hpp>
#include <rumple/core/stopwatch.hpp>
#include <rumple_cuda/cuda_stepper.hpp>
#include <rumple_cuda/step_contact.hpp>

namespace rumple::cuda {

namespace {

constexpr int kMaxRecordedPairs = 24;  // of iterations in one graph

}  // namespace

void CudaStepper::record_solve(Graph& graph, int pairs) {
    graph.record(stream_, [&] {
        elements_->assemble(stream_, state_->view(), multigrid_->wide_values(), multigrid_->single_values(),
                            state_->rhs(), state_->delta());
        if (contact_) state_->add_to_rhs(stream_, contact_->forces.device());
        multigrid_->set_up(stream_);
        solver_->start(stream_);
        for (int i = 0; i < pairs; ++i) solver_->iterate_twice(stream_, multigrid_->small());
        finish_solve();
    });
}

void CudaStepper::record_pair() {
    pair_graph_.record(stream_, [&] { solver_->iterate_twice(stream_, false); });
}

// The solution is complete, the step it means is taken as a trial. Without effect where the solve goes on.
void CudaStepper::finish_solve() {
    solver_->finish(stream_);
    state_->move(stream_, solver_->state(), move_.data());
    evaluate(state_->view().trial);
}

// Assembles, sets up and queues as many iterations as this solve of a step took last.
void CudaStepper::queue_solve(int solve) {
    const int pairs = std::clamp((expected_[solve] + 1) / 2, 1, kMaxRecordedPairs);
    const auto [found, is_new] = solve_graphs_.try_emplace(pairs);
    if (is_new) record_solve(found->second, pairs);
    found->second.launch(stream_);
}

// Linearises at x, leaves the step in delta, its end in trial and the elements evaluated there. `solve`: its
// number in the time step, from 0.
StepFault CudaStepper::newton_step(const StepInput& in, int solve, StepReport& report) {
    assemble_contacts(in);
    const Stopwatch watch(report.timing.solve);
    ++report.solves;
    solve = std::min(solve, kMaxSolves - 1);
    queue_solve(solve);
    stream_.synchronize();
    while (move_[0].outcome == Outcome::running) {
        pair_graph_.launch(stream_);
        finish_solve();
        stream_.synchronize();
    }
    report.iterations += move_[0].iterations;
    expected_[solve] = move_[0].iterations;
    // tests ask for the direct solver; make_stepper() refuses it
    if (move_[0].outcome == Outcome::failed || options_.solver == SolverChoice::direct) {
        ++report.direct_fallbacks;
        if (!solve_directly()) return {"the linear system could not be solved"};
    }
    if (!solve_sliders(in, solve == 0, report)) return {"the linear system could not be solved"};
    if (move_[0].not_finite == 0) {
        solve == 0 ? accept_sliders(1) : try_sliders(1);
        evaluate_contacts(state_->view().trial);
        return {};
    }
    const std::vector<Vec3d> delta = state_->download(stream_, state_->delta());
    const auto bad = std::find_if_not(delta.begin(), delta.end(), [](Vec3d d) { return finite(d); });
    const auto vertex = static_cast<int>(bad - delta.begin());
    return {fmt::format("vertex {} would move to a place that is not finite", model_.source_vertex(vertex)),
            vertex};
}

// What conjugate gradients gave up, the processor solves.
bool CudaStepper::solve_directly() {
    const std::vector<Vec3d> rhs = state_->download(stream_, state_->rhs());
    std::vector<Vec3d> solution(rhs.size());
    if (!direct_solution(rhs, solution)) return false;
    state_->upload(stream_, solution, state_->delta());
    solver_->declare_solved(stream_);
    state_->move(stream_, solver_->state(), move_.data());
    evaluate(state_->view().trial);
    stream_.synchronize();
    return true;
}

// With the matrix of the last solve, all in the model's numbers.
bool CudaStepper::direct_solution(std::span<const Vec3d> rhs, std::vector<Vec3d>& solution) {
    if (!std::ranges::all_of(rhs, [](Vec3d r) { return finite(r); })) return false;
    const BlockMatrix cloth = download_matrix();
    if (contact_) {
        const MergedMatrix merged(cloth, contact_->blocks_of_model(hierarchy_.number));
        DirectSolver once;
        once.analyze(merged.pattern);
        if (!once.factorize(merged.matrix)) return false;
        once.solve(rhs, solution);
        return true;
    }
    if (!direct_) {
        direct_ = std::make_unique<DirectSolver>();
        direct_->analyze(model_.pattern);
    }
    if (!direct_->factorize(cloth)) return false;
    direct_->solve(rhs, solution);
    return true;
}

BlockMatrix CudaStepper::download_matrix() const {
    const LevelStructure& fine = hierarchy_.levels[0];
    std::vector<double> value(fine.layout.places() * 9);
    check(cudaMemcpyAsync(value.data(), multigrid_->wide_values(), value.size() * sizeof(double),
                          cudaMemcpyDeviceToHost, stream_),
          "copying a matrix");
    stream_.synchronize();
    BlockMatrix matrix(model_.pattern);
    for (int row = 0; row < model_.pattern.rows; ++row)
        for (int k = model_.pattern.diagonal[at(row)]; k < model_.pattern.row_begin[at(row) + 1]; ++k) {
            const int i = hierarchy_.number[at(row)], j = hierarchy_.number[at(model_.pattern.column[at(k)])];
            const int place = fine.layout.place_of_entry(fine.graph, i, find_block(fine.graph, i, j));
            Mat3d& block = matrix.block[matrix.place(at(row), k)];
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) block(r, c) = value[number_at<3>(place, r, c)];
        }
    return matrix;
}

CudaStepper::System CudaStepper::assemble(const State& state, const StepInput& input) {
    load(state);
    begin(input);
    evaluate(state_->view().x);
    elements_->assemble(stream_, state_->view(), multigrid_->wide_values(), multigrid_->single_values(),
                        state_->rhs(), state_->delta());
    return {download_matrix(), state_->download(stream_, state_->rhs())};
}

// One Newton step; up to two more, which backtrack, where flags changed.
StepOutcome CudaStepper::auto_rule(const StepInput& in, Attempt& attempt) {
    for (int solves = 1;; ++solves) {
        const double before = potential(in) + contact_potential();  // at x, once a solve has been taken
        if (StepFault fault = newton_step(in, solves - 1, attempt.report); !fault.what.empty())
            return StepOutcome::faulty(std::move(fault), attempt.at_min_step);
        if (solves == 1) {
            if (StepOutcome moved = first_move(in, attempt); !moved.accepted()) return moved;
        } else {
            backtrack(in, before, attempt);
        }
        if (StepOutcome updated = update_contacts(attempt, solves); !updated.accepted()) return updated;
        if (!solve_again(solves)) return {};
    }
}

StepOutcome CudaStepper::newton(const StepInput& in, Attempt& attempt) {
    const int most = std::min(options_.newton_iterations, kStepTuning.max_newton_iterations);
    const double tolerance = options_.newton_tolerance * model_.mean_edge_length;
    attempt.converged = false;
    for (int solves = 1; solves <= most && !attempt.converged; ++solves) {
        const double before = potential(in) + contact_potential();
        if (StepFault fault = newton_step(in, solves - 1, attempt.report); !fault.what.empty())
            return StepOutcome::faulty(std::move(fault), attempt.at_min_step);
        attempt.converged = move_[0].largest <= tolerance;
        bool moved = true;
        if (solves == 1) {
            if (StepOutcome first = first_move(in, attempt); !first.accepted()) return first;
        } else {
            moved = backtrack(in, before, attempt);
        }
        if (StepOutcome updated = update_contacts(attempt, solves); !updated.accepted()) return updated;
        if (!moved) break;
        if (contact_ && (contact_->found.active_set_changes > kStepTuning.few_active_set_changes ||
                         !contact_->found.collisions.empty()))
            attempt.converged = false;
    }
    return {};
}

// Has the cloth arrived in `trial` with much more than all there was, even with the handles where they go?
bool CudaStepper::overshot(const StepInput& in) {
    const auto beyond = [](double after, double before) {
        return after > kStepTuning.overshoot * std::max(before, 0.0);
    };
    const double after = potential(in);
    if (!beyond(after, potential(in, 1) + (contact_ ? contact_->potential_at_begin : 0))) return false;
    const std::vector<Vec3d> end = state_->download(stream_, state_->view().trial),
                             begin = state_->download(stream_, state_->view().x_begin),
                             v = state_->download(stream_, state_->view().v);
    double furthest = 0;
    for (std::size_t i = 0; i < end.size(); ++i)
        furthest = std::max(furthest, norm(end[i] - begin[i] - in.h * v[i]));
    if (furthest <= kStepTuning.min_overshoot_motion * model_.mean_edge_length) return false;
    state_->begin_again(stream_);
    if (state_->download(stream_, state_->view().trial) == begin) return true;
    evaluate(state_->view().trial);
    stream_.synchronize();
    evaluate_contacts(state_->view().trial);
    if (beyond(after, potential(in) + contact_potential())) return true;
    // the trial as it was: exact handles have no step left, all others their own
    state_->try_share(stream_, 1);
    state_->place_handles(stream_);
    evaluate(state_->view().trial);
    stream_.synchronize();
    evaluate_contacts(state_->view().trial);
    return false;
}

// The whole first Newton step: before it exact handles are not where they go, and there is nothing to compare
// with. But cloth that is let go may turn further than a linear solve can follow, and would arrive
// overstretched.
StepOutcome CudaStepper::first_move(const StepInput& in, Attempt& attempt) {
    if (!overshot(in)) {
        accept();
        return {};
    }
    if (!attempt.at_min_step) return StepOutcome::subdivide(SubdivideReason::overshoot);
    state_->begin_again(stream_);
    evaluate_contacts(state_->view().trial);
    accept();
    evaluate(state_->view().x);
    stream_.synchronize();
    const double before = potential(in) + contact_potential();
    state_->try_share(stream_, 1);
    evaluate(state_->view().trial);
    stream_.synchronize();
    try_sliders(1);
    evaluate_contacts(state_->view().trial);
    backtrack(in, before, attempt);
    return {};
}

// x = trial, where contacts were evaluated last.
void CudaStepper::accept() {
    state_->accept(stream_);
    if (contact_) contact_->x = contact_->trial;
}

// Halves the step until the potential falls enough: `before` is that at x. The whole step was evaluated
// already. Leaves x and elements at the accepted place.
bool CudaStepper::backtrack(const StepInput& in, double before, const Attempt& attempt) {
    const double slope = move_[0].slope + (contact_ && contact_->sliders ? contact_->sliders->slope : 0);
    double share = 1;
    for (int i = 0; i <= kStepTuning.max_halvings; ++i, share *= 0.5) {
        if (i > 0) {
            state_->try_share(stream_, share);
            evaluate(state_->view().trial);
            stream_.synchronize();
            try_sliders(share);
            evaluate_contacts(state_->view().trial);
        }
        if (potential(in) + contact_potential() <= before + kStepTuning.sufficient_decrease * share * slope) {
            accept();
            accept_sliders(share);
            return true;
        }
    }
    evaluate(state_->view().x);
    stream_.synchronize();
    accept_sliders(0);
    if (contact_) contact_->system.evaluate(threads_, contact_->x);
    return attempt.converged;  // at round-off level nothing falls any more
}

std::map<std::string, double> CudaStepper::profile() {
    cudaEvent_t begin = nullptr, end = nullptr;
    check(cudaEventCreate(&begin), "creating an event");
    check(cudaEventCreate(&end), "creating an event");
    const auto median_ms = [&](const auto& body) {
        Graph graph;
        graph.record(stream_, body);
        std::vector<float> times;
        for (int i = 0; i < 12; ++i) {
            float ms = 0;
            check(cudaEventRecord(begin, stream_), "measuring");
            graph.launch(stream_);
            check(cudaEventRecord(end, stream_), "measuring");
            stream_.synchronize();
            cudaEventElapsedTime(&ms, begin, end);
            if (i >= 2) times.push_back(ms);
        }
        std::sort(times.begin(), times.end());
        return static_cast<double>(times[times.size() / 2]);
    };
    std::map<std::string, double> ms;
    ms["evaluate"] = median_ms([&] { evaluate(state_->view().x); });
    ms["assemble"] = median_ms([&] {
        elements_->assemble(stream_, state_->view(), multigrid_->wide_values(), multigrid_->single_values(),
                            state_->rhs(), state_->delta());
    });
    ms["setup"] = median_ms([&] { multigrid_->set_up(stream_); });
    solver_->set_tolerance(stream_, 0);  // no iteration stops
    ms["start"] = median_ms([&] { solver_->start(stream_); });
    const double four = median_ms([&] {
        solver_->start(stream_);
        solver_->iterate_twice(stream_, multigrid_->small());
        solver_->iterate_twice(stream_, true);
    });
    ms["iteration"] = (four - ms["start"]) / 4;
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    solver_->set_tolerance(stream_, options_.tolerance * model_.mean_edge_length);
    residence_.state = nullptr;
    return ms;
}

}  // namespace rumple::cuda
