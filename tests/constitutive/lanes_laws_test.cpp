// The laws compute eight elements at once as they compute each alone.
#include <gtest/gtest.h>

#include <constitutive/cotton.hpp>
#include <random>
#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/core/lanes.hpp>

namespace rumple {
namespace {

// Lanes have their own exp: up to rounding, which sums up over a history.
constexpr double kRounding = 1e-13;

Lanes of(const std::array<double, 8>& x) {
    return Lanes::gather([&](std::size_t k) { return x[k]; });
}

// Eight walks of strain, each lane on its own: some stick while others slip, yield or reverse.
TEST(LanesLaws, EveryLaneHasTheHistoryOfItsElement) {
    using enum FrictionKind;
    for (const auto& [kind, gate] : {std::pair{none, DwellGate::load}, std::pair{dwell, DwellGate::load},
                                     std::pair{dwell, DwellGate::none}, std::pair{dahl, DwellGate::load}}) {
        ComponentLaw<double> law = cotton::bending(kind);
        law.friction.gate = gate;
        const ComponentLaw<Lanes> law_8 = law_for<Lanes>(law);
        std::array<ComponentHistory<double>, 8> history;
        ComponentHistory<Lanes> history_8 = initial_history(Lanes(0.0));
        history.fill(initial_history(0.0));
        std::mt19937_64 random(4);
        std::normal_distribution<double> way(0, 0.8);
        std::array<double, 8> e{};
        int slips = 0, sticks = 0, yields = 0;
        for (int step = 0; step < 400; ++step) {
            for (std::size_t k = 0; k < 8; ++k)
                if (k > 0) e[k] += way(random) / static_cast<double>(k);  // the first never moves
            const StepTimes times{.material_dt = step % 3 ? 0.01 : 5.0,
                                  .damping_per_h = step % 2 ? 0.0 : 0.4};
            const ComponentResponse<Lanes> r = evaluate(law_8, history_8, of(e), times);
            const double k_law = law.plasticity.k;
            for (std::size_t k = 0; k < 8; ++k) {
                const ComponentResponse<double> alone = evaluate(law, history[k], e[k], times);
                EXPECT_NEAR(r.energy.numbers()[k], alone.energy, kRounding * k_law);
                EXPECT_NEAR(r.stress.numbers()[k], alone.stress, kRounding * k_law);
                EXPECT_NEAR(r.tangent.numbers()[k], alone.tangent, kRounding * k_law);
                EXPECT_EQ(r.slips.bits[int(k)] != 0, alone.slips);
                EXPECT_EQ(r.yields.bits[int(k)] != 0, alone.yields);
                slips += alone.slips;
                sticks += !alone.slips;
                yields += alone.yields;
                advance(law, history[k], e[k], times);
            }
            advance(law_8, history_8, of(e), times);
            for (std::size_t k = 0; k < 8; ++k) {
                const auto& [friction, plasticity, dahl_stress, strain, relaxation] = history[k];
                const double long_ago = 5.0 * 400;  // s, the scale of the clocks
                EXPECT_NEAR(history_8.friction.anchor.numbers()[k], friction.anchor, kRounding);
                EXPECT_NEAR(history_8.friction.stick_time.numbers()[k], friction.stick_time,
                            kRounding * long_ago);
                EXPECT_NEAR(history_8.plasticity.plastic.numbers()[k], plasticity.plastic, kRounding);
                EXPECT_NEAR(history_8.plasticity.accumulated.numbers()[k], plasticity.accumulated,
                            kRounding * 10);
                EXPECT_NEAR(history_8.plasticity.clock.numbers()[k], plasticity.clock, kRounding * long_ago);
                EXPECT_EQ(history_8.plasticity.direction.numbers()[k], plasticity.direction);
                EXPECT_EQ(history_8.plasticity.loaded.bits[int(k)] != 0, plasticity.loaded);
                EXPECT_NEAR(history_8.dahl_stress.numbers()[k], dahl_stress, kRounding * k_law);
                EXPECT_EQ(history_8.strain.numbers()[k], strain);
            }
        }
        EXPECT_GT(yields, 100);
        EXPECT_GT(sticks, 100);
        if (kind == FrictionKind::dwell) {
            EXPECT_GT(slips, 100);
        }
    }
}

TEST(LanesLaws, HingesBendAsEachAlone) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> place(-1, 1);
    for (int trial = 0; trial < 200; ++trial) {
        std::array<std::array<Vec3d, 4>, 8> hinge;
        for (auto& h : hinge)
            for (Vec3d& p : h) p = {place(random), place(random), place(random)};
        std::array<Vec3<Lanes>, 4> x;
        for (std::size_t i = 0; i < 4; ++i)
            for (int c = 0; c < 3; ++c)
                x[i][c] = Lanes::gather([&](std::size_t k) { return hinge[k][i][c]; });
        const Lanes angle = hinge_angle(x[0], x[1], x[2], x[3]);
        const HingeGradient<Lanes> gradient = hinge_angle_gradient(x[0], x[1], x[2], x[3]);
        for (std::size_t k = 0; k < 8; ++k) {
            const auto& [a, b, c, d] = hinge[k];
            EXPECT_NEAR(angle.numbers()[k], hinge_angle(a, b, c, d), 1e-15);
            const HingeGradient<double> alone = hinge_angle_gradient(a, b, c, d);
            for (std::size_t w = 0; w < 2; ++w) {
                EXPECT_EQ(gradient.foot[w].numbers()[k], alone.foot[w]);
                for (int i = 0; i < 3; ++i) EXPECT_EQ(gradient.wing[w][i].numbers()[k], alone.wing[w][i]);
            }
        }
    }
}

}  // namespace
}  // namespace rumple
