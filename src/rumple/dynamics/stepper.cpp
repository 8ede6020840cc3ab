#include <atomic>
#include <rumple/core/error.hpp>
#include <rumple/dynamics/cpu_stepper.hpp>

namespace rumple {

namespace {

std::atomic<BackendFactory> cuda_factory = nullptr;  // the only backend outside this library

}  // namespace

StepTiming& StepTiming::operator+=(const StepTiming& other) {
    for (const auto& [name, seconds] : kStepTimingParts) this->*seconds += other.*seconds;
    return *this;
}

void register_backend(Backend backend, BackendFactory factory) {
    if (backend != Backend::cuda)
        throw InputError("", "only the CUDA backend can be registered", "the CPU backend is built in");
    cuda_factory = factory;
}

std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperOptions& options) {
    if (options.backend != Backend::cpu) {
        const BackendFactory factory = cuda_factory;
        if (factory) {
            if (auto stepper = factory(model, options)) return stepper;
        }
        if (options.backend == Backend::cuda)
            throw InputError("", "the CUDA backend is not part of this build of rumple",
                             "use the CPU backend, or build with CUDA");
    }
    return std::make_unique<CpuStepper>(model, options);
}

Wrench total_reaction(std::span<const int> vertices, std::span<const Vec3d> reactions,
                      std::span<const Vec3d> x, Vec3d about) {
    Wrench total;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        total.force += reactions[i];
        total.torque += cross(x[static_cast<std::size_t>(vertices[i])] - about, reactions[i]);
    }
    return total;
}

}  // namespace rumple
