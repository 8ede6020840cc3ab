// One step of linearly implicit Euler, paper eq. 1, docs/theory/time_stepping.md.
//
//   (M - h^2 df/dx - h df/dv) dv = h (f + h df/dx v)
//
// written as Newton's method on the incremental potential: with d = x' - x the displacement over the step and
// x~ = x + h v, each iterate solves (M + h^2 K) delta = M (x~ - x') + h^2 f(x'). The first iterate is the
// paper's step. More follow when stick/slip or yield flags changed inside the step.
#pragma once

#include <memory>
#include <rumple/core/parallel.hpp>
#include <rumple/dynamics/model.hpp>
#include <rumple/dynamics/state.hpp>
#include <rumple/linear/pcg.hpp>
#include <span>
#include <string>

namespace rumple {

// Handles drive vertices. Exact: the vertex is at its target at the end of the step. Spring (the paper): a
// spring of the given stiffness pulls it there.
struct HandleTargets {
    std::span<const int> vertices;      // distinct
    std::span<const Vec3d> targets;     // m, at the end of the step
    std::span<const double> stiffness;  // N/m a vertex; 0: exact. Empty: all exact
};

// Where the obstacles are: all their vertices, one obstacle after the other. What has mass moves by itself:
// its entries are not read. A step moves obstacles in straight lines from begin to end.
struct ObstacleMotion {
    std::span<const Vec3d> begin, end;      // m; both empty: every obstacle stands where it began
    std::span<const std::uint8_t> present;  // one an obstacle; 0: it is not there. Empty: all are
    bool rearranged = false;  // since the last step something appeared, or cloth was put somewhere: look anew
                              // for cloth inside obstacles. The first step does so by itself.
};

struct StepInput {
    double h = 0.01;               // s of dynamics
    double material_dt = 0.01;     // s of material time
    Vec3d gravity{0, 0, 0};        // m/s^2
    double mass_damping = 0;       // 1/s
    double stiffness_damping = 0;  // s
    HandleTargets handles{};
    ObstacleMotion obstacles{};
};

enum class SolverChoice { automatic, block_jacobi, multilevel, direct };

struct StepperOptions {
    int threads = 0;          // 0: as many as the machine has cores
    double tolerance = 1e-5;  // largest error of a vertex in a linear solve, in mean edge lengths
    SolverChoice solver = SolverChoice::automatic;
    // 0: the auto rule (one Newton step, up to two more when flags changed). n > 0: Newton to convergence, at
    // most n iterations (capped at 20). Both backtrack on the incremental potential after the first.
    int newton_iterations = 0;
    double newton_tolerance = 1e-4;  // in mean edge lengths, for n > 0
};

struct StepTiming {  // s
    double evaluate = 0, assemble = 0, solve = 0, advance = 0;
    double iterate = 0;  // part of solve: conjugate gradients without their preconditioner's set-up
    double contact_broad = 0, contact_narrow = 0, contact_response = 0;
};

// What contact did in a step. Trouble is what an author of a scene would want to know of.
struct ContactReport {
    int pairs = 0;       // vertex-face and edge-edge pairs within reach of each other
    int touching = 0;    // of them, that push
    int sliding = 0;     // of them, that slip
    int collisions = 0;  // found on the way and resolved
    int substeps = 1;    // the step was cut into so many
    // Trouble.
    int held_back =
        0;  // vertices put back to where the step began, because nothing else kept cloth from cloth
    // vertices of cloth inside an obstacle at the end, or of triangles cut by one (a pinch, or from the
    // start)
    int inside = 0;
    double deepest = 0;  // m, of those behind its surface
    double closest = 0;  // m: smallest distance of a touching pair; 0 when nothing touches
};

struct StepReport {
    bool accepted = false;
    std::string failure;       // why not: then State is as it was
    int fault_vertex = -1;     // where, if at a vertex
    int retries = 0;           // times that a part of the step failed and was tried anew as two halves
    std::string retry_reason;  // why, the first time
    int solves = 0;            // linear solves
    int iterations = 0;        // of conjugate gradients, in all
    int direct_fallbacks = 0;  // solves that conjugate gradients gave up
    bool newton_converged = true;
    int slipping = 0, yielding = 0;                   // components at the end of the step
    double kinetic_energy = 0, potential_energy = 0;  // J; potential without gravity
    ContactReport contact;
    StepTiming timing;
};

class Stepper {
  public:
    explicit Stepper(const Model& model, const StepperOptions& options = {});  // keeps a reference to model
    ~Stepper();
    Stepper(Stepper&&) noexcept;

    // Advances state by one step, or leaves it as it was and says why.
    StepReport step(State& state, const StepInput& input);

    // Force that each handle of the last accepted step exerted on the cloth [N], in the order of its
    // vertices.
    std::span<const Vec3d> reactions() const;
    // Where all obstacles' vertices are in this state, weights included, given where the others are.
    std::vector<Vec3d> obstacle_positions(const State& state, std::span<const Vec3d> given) const;

    // Memory that an iteration of the last linear solve goes through, see LinearSolver.
    std::size_t bytes_per_iteration() const;

    // Pure functions of a state, for tests and measurements.
    double potential_energy(const State& state, const StepInput& input);
    std::vector<Vec3d> internal_forces(const State& state, const StepInput& input);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Resultant of the reactions: force [N] and torque about a point [N m].
struct Wrench {
    Vec3d force, torque;
};
Wrench total_reaction(std::span<const int> vertices, std::span<const Vec3d> reactions,
                      std::span<const Vec3d> x, Vec3d about);

}  // namespace rumple
