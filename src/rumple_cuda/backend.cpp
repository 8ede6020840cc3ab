#include <rumple/core/error.hpp>
#include <rumple_cuda/backend.hpp>
#include <rumple_cuda/cuda_stepper.hpp>

namespace rumple::cuda {

namespace {

// Below, all cores of a processor are about as quick.
constexpr int kAutomaticFrom = 5000;  // vertices

// What the backend cannot do for this model and these options; empty: nothing.
std::string unsupported(const Model& model, const StepperOptions& options) {
    if (options.solver == SolverChoice::direct || options.solver == SolverChoice::block_jacobi)
        return "the CUDA backend has one linear solver, the multilevel one; use the CPU backend for others";
    if (model.vertex_count() < 2) return "the CUDA backend needs at least two vertices; use the CPU backend";
    return device_fault();
}

std::unique_ptr<Stepper> make_cuda_stepper(const Model& model, const StepperOptions& options) {
    const bool automatic = options.backend == Backend::automatic;
    // contact on a device was not measured: nobody knows from where on it is quicker
    if (automatic && (model.vertex_count() < kAutomaticFrom || model.contact.enabled)) return nullptr;
    if (const std::string fault = unsupported(model, options); !fault.empty()) {
        if (automatic) return nullptr;
        throw InputError("", fault);
    }
    try {
        return std::make_unique<CudaStepper>(model, options);
    } catch (const DeviceError& error) {
        if (automatic) return nullptr;
        throw InputError("", error.what());
    }
}

}  // namespace

void register_cuda_backend() { register_backend(Backend::cuda, make_cuda_stepper); }

std::string unavailable() { return device_fault(); }

}  // namespace rumple::cuda
