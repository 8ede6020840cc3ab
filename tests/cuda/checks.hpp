// What the checks of the CUDA backend share. They run on a device (test_cuda) and, on smaller meshes, in
// emulation (test_cuda_emulated): GPU machines seldom have GoogleTest.
#pragma once

#include <rumple_cuda/cuda_stepper.hpp>
#include <span>
#include <string>

namespace rumple::checks {

#ifdef RUMPLE_CUDA_EMULATED
inline constexpr bool kEmulated = true;
#else
inline constexpr bool kEmulated = false;
#endif

void expect(bool holds, const std::string& claim);  // prints it
int failures();

double distance(std::span<const Vec3d> a, std::span<const Vec3d> b);  // of the vertex furthest apart
double largest(std::span<const Vec3d> a);

// Matrix, right-hand side, forces and energy of a state, against the library's own.
void check_assembly(const Model& model, const State& state, const StepInput& in, const std::string& name);
// One step at a tight linear tolerance: both backends end at the same place.
void check_step_agrees(const Model& model, const State& state, const StepInput& in, const std::string& name,
                       const StepperOptions& options = {}, const cuda::HierarchyOptions& hierarchy = {});

// Groups of checks, by the names that the programs take.
void check_laws();         // every law against the CPU, over some steps
void check_more_laws();    // relaxation, stiffness by direction, forces
void check_newton();       // to convergence
void check_contact();      // steps against the CPU's
void check_contact_one();  // for the sanitizer
void check_contact_variants();
void check_contact_domains();
void check_contact_scenes();  // whole scenes
void check_faults();          // of machine and device: in emulation only
void check_runs();            // scenes and runs, with the state on the device

}  // namespace rumple::checks
