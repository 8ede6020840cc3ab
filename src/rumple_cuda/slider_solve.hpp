// Rigid bodies on sliders in a Newton step: the response of the cloth to each of them, one more solve with
// the matrix of the step (dynamics/newton.cpp, solve_sliders).
#pragma once

#include <rumple/dynamics/step_context.hpp>
#include <rumple_cuda/conjugate_gradients.hpp>
#include <span>

namespace rumple::cuda {

struct SliderSolve {
    explicit SliderSolve(const Multigrid& multigrid);

    // Solves for y in the device's numbers, from y as a guess, to this error of a vertex [m], with the
    // preconditioner of the last set-up. Returns how many iterations it took; -1: it gave up.
    int solve(const Stream& stream, std::span<const Vec3d> b, std::span<Vec3d> y, double tolerance);

    DeviceArray<Vec3d> rhs, solution;
    ConjugateGradients solver;
    PinnedArray<IterationCount> count;
    // In the model's numbers: of the cloth with one slider; of the cloth to each of them.
    std::vector<Vec3d> coupling;
    std::vector<std::vector<Vec3d>> response;
    double slope = 0;  // of the potential, along their Newton steps
};

}  // namespace rumple::cuda
