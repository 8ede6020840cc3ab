// One step of linearly implicit Euler, paper eq. 1, docs/theory/time_stepping.md.
//
//   (M - h^2 df/dx - h df/dv) dv = h (f + h df/dx v)
//
// written as Newton's method on the incremental potential: with d = x' - x the displacement over the step and
// x~ = x + h v, each iterate solves (M + h^2 K) delta = M (x~ - x') + h^2 f(x'). The first iterate is the
// paper's step. More follow when stick/slip or yield flags changed inside the step.
#pragma once

#include <memory>
#include <rumple/contact/contact_step.hpp>
#include <rumple/dynamics/model.hpp>
#include <rumple/dynamics/state.hpp>
#include <span>
#include <string>
#include <vector>

namespace rumple {

// Handles drive vertices. Exact: the vertex is at its target at the end of the step. Spring (the paper): a
// spring of the given stiffness pulls it there.
struct HandleTargets {
    std::span<const int> vertices;      // distinct
    std::span<const Vec3d> targets;     // m, at the end of the step
    std::span<const double> stiffness;  // N/m a vertex; 0: exact. Empty: all exact
};

struct StepInput {
    double h = 0.01;               // s of dynamics
    double material_dt = 0.01;     // s of material time
    Vec3d gravity{0, 0, 0};        // m/s^2
    double mass_damping = 0;       // 1/s
    double stiffness_damping = 0;  // s
    HandleTargets handles{};
    ObstacleMotion obstacles{};
    // N on each vertex, constant over the step, whatever the vertex does: wind, a load, a coupled program.
    // Empty: none.
    std::span<const Vec3d> forces{};
};

// Where a step is computed. automatic: on the device if one is there and the model is large enough for it.
enum class Backend { cpu, cuda, automatic };

enum class SolverChoice { automatic, block_jacobi, multilevel, direct };

struct StepperOptions {
    Backend backend = Backend::cpu;
    int threads = 0;          // 0: as many as the machine has cores
    double tolerance = 1e-5;  // largest error of a vertex in a linear solve, in mean edge lengths
    SolverChoice solver = SolverChoice::automatic;
    // 0: the auto rule (one Newton step, up to two more when flags changed). n > 0: Newton to convergence, at
    // most n iterations (capped at 20). Both backtrack on the incremental potential after the first.
    int newton_iterations = 0;
    double newton_tolerance = 1e-4;  // in mean edge lengths, for n > 0
};

struct StepTiming : ContactTiming {  // s
    double evaluate = 0, assemble = 0, solve = 0, advance = 0;
    double iterate = 0;  // part of solve: conjugate gradients without their preconditioner's set-up

    StepTiming& operator+=(const StepTiming& other);
};

struct StepTimingPart {
    const char* name;
    double StepTiming::*seconds;
};
inline constexpr StepTimingPart kStepTimingParts[] = {
    {"evaluate", &StepTiming::evaluate},
    {"assemble", &StepTiming::assemble},
    {"solve", &StepTiming::solve},
    {"advance", &StepTiming::advance},
    {"iterate", &StepTiming::iterate},
    {"contact_broad", &StepTiming::contact_broad},
    {"contact_narrow", &StepTiming::contact_narrow},
    {"contact_response", &StepTiming::contact_response},
};

struct StepReport {
    bool accepted = false;
    std::string failure;       // why not: then State is as it was
    int fault_vertex = -1;     // where, if at a vertex
    int retries = 0;           // times that a part of the step failed and was tried again as two halves
    std::string retry_reason;  // why, the first time
    int solves = 0;            // linear solves
    int iterations = 0;        // of conjugate gradients, in all
    int direct_fallbacks = 0;  // solves that conjugate gradients gave up
    // With newton_iterations > 0: every part of the step converged. A step that is not subdivided has one
    // part.
    bool newton_converged = true;
    bool at_rest = true;             // of a step of recovery (sim/step_to_rest.hpp): the cloth came to rest
    int slipping = 0, yielding = 0;  // components at the end of the step
    double kinetic_energy = 0, potential_energy = 0;  // J; potential without gravity and forces
    ContactReport contact;
    StepTiming timing;
};

// Takes steps of one Model. Holds scratch memory only: what a step depends on is Model, State and StepInput.
class Stepper {
  public:
    virtual ~Stepper() = default;
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;

    virtual Backend backend() const { return Backend::cpu; }  // that takes the steps: cpu or cuda

    // Advances state by one step, or leaves it as it was and says why.
    virtual StepReport step(State& state, const StepInput& input) = 0;

    // A stepper on a device may keep there what it steps (resident). Positions, velocities and history of the
    // state are then those of an earlier step until fetch() brings them, and whoever changes the state calls
    // release() before the next step. Off at first. Where the device is lost, the state's step and times go
    // back to those of its positions. The CPU keeps nothing.
    virtual void set_resident(bool) {}
    virtual void fetch(State&) {}
    virtual void release() {}

    // Force that each handle of the last accepted step exerted on the cloth [N], in the order of its
    // vertices. Where the step was subdivided: the mean over the step, that is impulse over h. A step that
    // fails leaves this as it was.
    virtual std::span<const Vec3d> reactions() const = 0;
    // Positions of all obstacle vertices in this state, rigid bodies included. `given`: those of the
    // obstacles whose motion is given; empty: as they begin.
    virtual std::vector<Vec3d> obstacle_positions(const State& state, std::span<const Vec3d> given) const = 0;

    // Bytes that an iteration of the last linear solve reads and writes, for comparison with the memory's
    // bandwidth.
    virtual std::size_t bytes_per_iteration() const = 0;

    // Pure functions of a state, for tests and measurements.
    virtual double potential_energy(const State& state, const StepInput& input) = 0;
    virtual std::vector<Vec3d> internal_forces(const State& state, const StepInput& input) = 0;

  protected:
    Stepper() = default;
};

// The stepper of the chosen backend. It keeps a reference to model. InputError where the backend is not in
// this build or finds no device.
std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperOptions& options = {});

// A backend in a library of its own (rumple_cuda) registers itself once, before the first make_stepper() that
// asks for it. Its factory throws InputError where it cannot serve; if options.backend is automatic it may
// return null instead, and the CPU takes the steps. A null factory unregisters.
using BackendFactory = std::unique_ptr<Stepper> (*)(const Model& model, const StepperOptions& options);
void register_backend(Backend backend, BackendFactory factory);

// Resultant of the reactions: force [N] and torque about a point [N m].
struct Wrench {
    Vec3d force, torque;
};
Wrench total_reaction(std::span<const int> vertices, std::span<const Vec3d> reactions,
                      std::span<const Vec3d> x, Vec3d about);

}  // namespace rumple
