// The seam between a simulation and what computes its steps.
#include <gtest/gtest.h>

#include <rumple/core/error.hpp>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

// Stands in for a backend of another library.
class NoStepper final : public Stepper {
  public:
    StepReport step(State&, const StepInput&) override {
        StepReport report;
        report.solves = 12345;
        return report;
    }
    std::span<const Vec3d> reactions() const override { return {}; }
    std::vector<Vec3d> obstacle_positions(const State&, std::span<const Vec3d>) const override { return {}; }
    std::size_t bytes_per_iteration() const override { return 0; }
    double potential_energy(const State&, const StepInput&) override { return 0; }
    std::vector<Vec3d> internal_forces(const State&, const StepInput&) override { return {}; }
};

std::unique_ptr<Stepper> serve(const Model&, const StepperOptions&) { return std::make_unique<NoStepper>(); }
std::unique_ptr<Stepper> serve_if_asked(const Model&, const StepperOptions& options) {
    return options.backend == Backend::cuda ? std::make_unique<NoStepper>() : nullptr;
}

struct BackendTest : testing::Test {
    SampleCloth cloth{make_grid(3, 3, 0.02, 0.02, Layout::alternating), Material{}};
    ~BackendTest() override { register_backend(Backend::cuda, nullptr); }

    int solves_with(Backend backend) {
        State state = cloth.at_rest();
        return make_stepper(cloth.model, {.backend = backend, .threads = 1})->step(state, {}).solves;
    }
};

TEST_F(BackendTest, OneThatIsNotBuiltIsRefusedWithASentence) {
    try {
        make_stepper(cloth.model, {.backend = Backend::cuda});
        FAIL() << "the CUDA backend was made";
    } catch (const InputError& e) {
        EXPECT_STREQ(e.what(),
                     "the CUDA backend is not part of this build of rumple; use the CPU backend, or build "
                     "with CUDA");
    }
}

TEST_F(BackendTest, AutomaticIsTheCpuWhereThereIsNoOther) {
    State by_default = cloth.at_rest(), automatic = cloth.at_rest();
    const StepInput fall{.gravity = {0, 0, -9.81}};
    ASSERT_TRUE(make_stepper(cloth.model, {.threads = 1})->step(by_default, fall).accepted);
    ASSERT_TRUE(make_stepper(cloth.model, {.backend = Backend::automatic, .threads = 1})
                    ->step(automatic, fall)
                    .accepted);
    EXPECT_TRUE(by_default == automatic);
    EXPECT_GT(norm(by_default.v[0]), 0);
}

TEST_F(BackendTest, ARegisteredOneServesWhenAskedAndMayDeclineWhenAutomatic) {
    register_backend(Backend::cuda, serve);
    EXPECT_EQ(solves_with(Backend::cuda), 12345);
    EXPECT_EQ(solves_with(Backend::automatic), 12345);
    EXPECT_EQ(solves_with(Backend::cpu), 1);
    register_backend(Backend::cuda, serve_if_asked);
    EXPECT_EQ(solves_with(Backend::cuda), 12345);
    EXPECT_EQ(solves_with(Backend::automatic), 1);
}

TEST_F(BackendTest, OnlyBackendsOutsideTheLibraryAreRegistered) {
    EXPECT_THROW(register_backend(Backend::cpu, serve), InputError);
    EXPECT_THROW(register_backend(Backend::automatic, serve), InputError);
}

}  // namespace
}  // namespace rumple
