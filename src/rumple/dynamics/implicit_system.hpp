// The linear system of a Newton step on the incremental potential, at an iterate x:
//
//   (M (1 + h a) + h^2 K) delta = M (x~ - x) - h a M (x - x_n) + h^2 f      a: mass damping
//
// with rows of exact handles eliminated. Private to the CPU stepper.
#pragma once

#include <rumple/dynamics/elements.hpp>
#include <rumple/dynamics/step_context.hpp>
#include <rumple/linear/direct.hpp>
#include <rumple/linear/pcg.hpp>

namespace rumple {

class ImplicitSystem {
  public:
    // Keeps references to all but the options. contacts: null where nothing can touch.
    ImplicitSystem(const Model& model, const StepperOptions& options, const Threads& threads,
                   const Elements& elements, const HandleConstraints& handles,
                   const contact::ContactSet* contacts);

    // Elements and contacts were evaluated at x.
    void assemble(const StepContext& step, std::span<const Vec3d> x);
    const std::vector<Vec3d>& rhs() const { return rhs_; }
    // Solves for y with the right-hand side b, from y as a guess; x as in assemble(). tolerance: largest
    // error of a vertex [m].
    bool solve(const StepContext& step, std::span<const Vec3d> x, std::span<const Vec3d> b,
               std::span<Vec3d> y, double tolerance);
    // The same with the matrix of the last solve().
    bool solve_again(const StepContext& step, std::span<const Vec3d> b, std::span<Vec3d> y, double tolerance);

    // On a vertex at x, without inertia [N].
    Vec3d force_on(std::size_t vertex, std::span<const Vec3d> x, const StepInput& in) const;
    std::size_t bytes_per_iteration() const { return solver_.bytes_per_iteration(); }

  private:
    Vec3d gather_contacts(std::size_t v, std::span<const Vec3d> x, double h2);
    void eliminate_handles(const StepInput& in, std::span<const Vec3d> x);
    bool solve_directly(std::span<const Vec3d> b, std::span<Vec3d> y);
    SolveOptions solve_options(double tolerance) const;
    static bool count(const SolveReport& solved, StepReport& report);

    const Model& model_;
    StepperOptions options_;
    const Threads& threads_;
    const Elements& elements_;
    const HandleConstraints& handles_;
    const contact::ContactSet* contacts_;
    BlockMatrix matrix_;
    OffPatternBlocks extra_;  // of contacts outside the pattern
    OffPatternBlocksBuilder extra_builder_;
    LinearSolver solver_;
    DirectSolver direct_;
    std::vector<Vec3d> rhs_;
};

}  // namespace rumple
