// Contact in the steps of a device: found, updated and resolved on the host by the same ContactSystem as the
// CPU's steps use, with the same guarantee. The device gets its forces and blocks in each solve. Private to
// CudaStepper.
#pragma once

#include <memory>
#include <rumple/dynamics/step_context.hpp>
#include <rumple_cuda/contact_matrix.hpp>
#include <rumple_cuda/slider_solve.hpp>

namespace rumple::cuda {

struct StepContact {
    contact::ContactSystem system;
    ContactMatrix matrix;
    OffPatternBlocksBuilder builder;
    OffPatternBlocks blocks;    // of the last solve, in the device's numbers
    UploadArray<Vec3d> forces;  // h^2 times; and what exact handles do through contacts
    HandleConstraints handles;
    std::vector<int> vertex;                         // of the model, of each of the device's
    std::vector<Vec3d> x_begin, velocity, x, trial;  // in the model's numbers
    // What a State has of contact, at the beginning of this part of the step.
    ContactMemory memory;
    std::vector<RigidBodyState> bodies;
    bool first_step = false;             // of the simulation
    double potential_at_begin = 0;       // of contacts; infinite where something may do work on the cloth
    contact::ContactUpdate found;        // at the iterate
    contact::CollisionOutcome response;  // of what still collided at the last iterate

    std::unique_ptr<SliderSolve> sliders;  // where there are bodies on sliders

    StepContact(const Model& model, const Hierarchy& hierarchy);

    // Rows of the matrix and forces at x, without constrained vertices. True: see ContactMatrix::upload().
    bool assemble(const Threads& threads, const Stream& stream, const std::vector<int>& number, double h2);
    double potential() const { return system.potential(); }
    // Blocks of the last solve in the model's numbers.
    OffPatternBlocks blocks_of_model(const std::vector<int>& number) const;
};

}  // namespace rumple::cuda
