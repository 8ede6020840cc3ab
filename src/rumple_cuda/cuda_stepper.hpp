// The step on a CUDA device: the algorithm of dynamics/cpu_stepper.hpp. The state stays on the device from
// step to step; the host queues kernels and looks at a few sums once a linear solve. Contact is the host's
// (step_contact.hpp).
// Private: callers use make_stepper() after register_cuda_backend() (backend.hpp).
#pragma once

#include <map>
#include <memory>
#include <rumple/dynamics/diagnosis.hpp>
#include <rumple/dynamics/step_outcome.hpp>
#include <rumple/dynamics/step_tuning.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/linear/direct.hpp>
#include <rumple_cuda/device_state.hpp>

namespace rumple::cuda {

struct StepContact;

// The handles of a step, and the forces they exert.
struct StepHandles {
    std::vector<int> vertices;    // of the model, that the arrays below know
    DeviceArray<int> of, vertex;  // handle of each vertex, vertex of each handle
    PinnedArray<HandleTarget> targets;
    PinnedArray<Vec3d> reactions;  // of the last part of a step
    std::size_t reaction_count = 0;
    // Of the last accepted step, where `reactions` may hold something else: after one that was subdivided or
    // failed.
    std::vector<Vec3d> kept;
    bool is_kept = false;
};

// A step that is being taken, in one part or several.
struct Attempt {
    StepReport& report;
    double h;  // s, of all parts
    int bisections = 0;
    double slider_speed = 1;  // share of their speed that bodies on sliders keep
    bool at_min_step = false;
    bool converged = true;                // of the part: Newton's method, where that was asked for
    StepFault first_fault{};              // of the first part that failed
    std::vector<Vec3d> mean_reactions{};  // where there are several parts
};

struct Clocks {
    std::int64_t step = -1;
    double time = 0, material_time = 0;

    friend bool operator==(const Clocks&, const Clocks&) = default;
};

// The state that lies on the device.
struct Residence {
    bool wanted = false;           // between steps too
    const State* state = nullptr;  // of the caller
    Clocks clocks, fetched;        // of the device; of the positions that the caller has
};

class CudaStepper final : public Stepper {
  public:
    // DeviceError where memory is short.
    CudaStepper(const Model& model, const StepperOptions& options, const HierarchyOptions& hierarchy = {});
    ~CudaStepper() override;

    Backend backend() const override { return Backend::cuda; }
    StepReport step(State& state, const StepInput& input) override;
    std::span<const Vec3d> reactions() const override;
    std::vector<Vec3d> obstacle_positions(const State& state, std::span<const Vec3d> given) const override;
    std::size_t bytes_per_iteration() const override { return solver_->bytes_per_iteration(); }
    double potential_energy(const State& state, const StepInput& input) override;
    std::vector<Vec3d> internal_forces(const State& state, const StepInput& input) override;

    void set_resident(bool resident) override { residence_.wanted = resident; }
    void fetch(State& state) override;
    void release() override { residence_.state = nullptr; }

    // For tests: the matrix (in the pattern of the model) and right-hand side of a state's first solve.
    struct System {
        BlockMatrix matrix;
        std::vector<Vec3d> rhs;
    };
    System assemble(const State& state, const StepInput& input);
    // Milliseconds of parts of the last solve, each repeated alone: for measurements.
    std::map<std::string, double> profile();

  private:
    static constexpr int kMaxSolves = kStepTuning.max_newton_iterations;

    bool is_loaded(const State& state) const;
    void load(const State& state);
    StepParameters parameters(const StepInput& in) const;
    void begin(const StepInput& in);
    void take_step(State& state, const StepInput& input, StepReport& report);
    StepOutcome advance(const StepInput& in, int bisections, Attempt& attempt);
    StepOutcome advance_halves(const StepInput& in, int bisections, Attempt& attempt);
    StepOutcome solve_step(const StepInput& in, Attempt& attempt);
    StepFault newton_step(const StepInput& in, int solve, StepReport& report);
    StepOutcome auto_rule(const StepInput& in, Attempt& attempt);
    StepOutcome newton(const StepInput& in, Attempt& attempt);
    StepOutcome first_move(const StepInput& in, Attempt& attempt);
    bool overshot(const StepInput& in);
    bool backtrack(const StepInput& in, double before, const Attempt& attempt);
    void keep_reactions();
    bool solve_directly();
    bool direct_solution(std::span<const Vec3d> rhs, std::vector<Vec3d>& solution);
    BlockMatrix download_matrix() const;
    // The incremental potential where elements were evaluated last; of slot 1, where the step began.
    double potential(const StepInput& in, std::size_t slot = 0) const {
        return sums_[slot].potential + in.h * in.h * sums_[slot].energy;
    }
    void evaluate(const Vec3d* at, std::size_t slot = 0);
    void queue_solve(int solve);
    void record_solve(Graph& graph, int pairs);
    void record_pair();
    void accept();
    void finish_solve();
    StepFault absurd_end(const StepInput& in);
    void commit(const StepInput& in, Attempt& attempt);

    // cuda_contact.cpp. All but the first do nothing where the model has no contact.
    void begin_contact(const StepInput& in, Attempt& attempt);
    void assemble_contacts(const StepInput& in);
    void evaluate_contacts(const Vec3d* at);
    double contact_potential() const;  // where contacts were evaluated last
    StepOutcome update_contacts(Attempt& attempt, int solves);
    bool solve_again(int solves) const;
    StepOutcome respond(const StepInput& in, Attempt& attempt);
    StepOutcome judge_contact(const Attempt& attempt);
    void commit_contact(const StepInput& in, StepReport& report);
    std::string contact_fault(const State& state) const;
    bool is_impact(const StepOutcome& outcome) const;
    // slider_solve.cpp
    bool solve_sliders(const StepInput& in, bool first, StepReport& report);
    bool solve_response(std::span<const Vec3d> b, std::vector<Vec3d>& y, double tolerance,
                        StepReport& report);
    void try_sliders(double share);
    void accept_sliders(double share);

    const Model& model_;
    StepperOptions options_;
    Threads threads_;
    Stream stream_;
    Hierarchy hierarchy_;
    std::unique_ptr<DeviceElements> elements_;
    std::unique_ptr<DeviceState> state_;
    std::unique_ptr<StepContact> contact_;  // where the model has it
    std::unique_ptr<Multigrid> multigrid_;
    std::unique_ptr<ConjugateGradients> solver_;
    std::map<int, Graph> solve_graphs_;  // by the pairs of iterations in them
    Graph pair_graph_;
    bool graphs_are_stale_ = false;         // a step failed: arrays may lie elsewhere than they know
    int expected_[kMaxSolves] = {};         // iterations that the solves of a step took last
    std::unique_ptr<DirectSolver> direct_;  // made when conjugate gradients give up
    StepHandles handles_;
    PinnedArray<EvaluationSums> sums_;  // of the last evaluation; of that where the step began
    PinnedArray<MoveSums> move_;
    std::vector<std::unique_ptr<DeviceState::Snapshot>> snapshots_;  // one for each bisection

    Residence residence_;
};

}  // namespace rumple::cuda
