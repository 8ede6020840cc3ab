// A strain component is the sum of its laws, evaluating it changes nothing, and thresholds scale as they
// should.
#include <gtest/gtest.h>

#include <cmath>
#include <constitutive/cotton.hpp>
#include <rumple/constitutive/strain_component.hpp>

namespace rumple {
namespace {

constexpr StepTimes kStep{.material_dt = 0.5};

void expect_same(const ComponentHistory<double>& a, const ComponentHistory<double>& b) {
    EXPECT_EQ(a.friction.anchor, b.friction.anchor);
    EXPECT_EQ(a.friction.stick_time, b.friction.stick_time);
    EXPECT_EQ(a.plasticity.plastic, b.plasticity.plastic);
    EXPECT_EQ(a.plasticity.accumulated, b.plasticity.accumulated);
    EXPECT_EQ(a.plasticity.clock, b.plasticity.clock);
    EXPECT_EQ(a.plasticity.direction, b.plasticity.direction);
    EXPECT_EQ(a.plasticity.loaded, b.plasticity.loaded);
    EXPECT_EQ(a.dahl_stress, b.dahl_stress);
    EXPECT_EQ(a.strain, b.strain);
}

TEST(StrainComponent, EvaluatingChangesNothing) {
    for (const FrictionKind kind : {FrictionKind::none, FrictionKind::dwell, FrictionKind::dahl}) {
        const ComponentLaw<double> law = cotton::bending(kind);
        ComponentHistory<double> history = initial_history(0.0);
        for (int i = 0; i < 200; ++i) {
            const double e = 3 * std::sin(0.1 * i);
            const ComponentHistory<double> before = history;
            const Response<double> first = evaluate(law, history, e, kStep);
            evaluate(law, history, -e, kStep);
            evaluate(law, history, 10.0, kStep);
            const Response<double> second = evaluate(law, history, e, kStep);
            expect_same(history, before);
            EXPECT_EQ(first.energy, second.energy);
            EXPECT_EQ(first.stress, second.stress);
            EXPECT_EQ(first.tangent, second.tangent);
            advance(law, history, e, kStep);
        }
    }
}

TEST(StrainComponent, IsTheSumOfItsLaws) {
    const ComponentLaw<double> law = cotton::bending();
    ComponentHistory<double> history = initial_history(0.0);
    PlasticityHistory<double> plasticity;
    DwellFrictionHistory<double> friction;
    for (int i = 0; i < 300; ++i) {
        const double e = 3 * std::sin(0.1 * i);
        Response<double> sum = evaluate(law.plasticity, plasticity, e, kStep.material_dt);
        sum += evaluate(law.friction, friction, e);
        EXPECT_EQ(evaluate(law, history, e, kStep).stress, sum.stress);
        EXPECT_EQ(evaluate(law, history, e, kStep).energy, sum.energy);
        const ComponentResponse<double> r = evaluate(law, history, e, kStep);
        EXPECT_EQ(r.slips, slips(law.friction, friction, e));
        EXPECT_EQ(r.yields, yields(law.plasticity, plasticity, e, kStep.material_dt));
        advance(law, history, e, kStep);
        advance(law.plasticity, plasticity, e, kStep.material_dt);
        advance(law.friction, friction, e, kStep.material_dt);
    }
    EXPECT_GT(history.plasticity.accumulated, 0.5);
}

TEST(StrainComponent, PlainElasticityHasNoMemory) {
    const ComponentLaw<double> law = cotton::bending(FrictionKind::none, false);
    ComponentHistory<double> history = initial_history(0.0);
    for (int i = 0; i < 50; ++i) advance(law, history, 3.0, {.material_dt = 10});
    const ComponentResponse<double> r = evaluate(law, history, 0.5, {.material_dt = 10});
    EXPECT_DOUBLE_EQ(r.stress, 0.5 * 5e-6);
    EXPECT_DOUBLE_EQ(r.energy, 0.125 * 5e-6);
    EXPECT_EQ(r.tangent, 5e-6);
    EXPECT_FALSE(r.slips || r.yields);
}

TEST(StrainComponent, NothingHasSlippedAtTheInitialStrain) {
    const ComponentLaw<double> law = cotton::bending();
    const ComponentHistory<double> history = initial_history(0.8);
    EXPECT_DOUBLE_EQ(evaluate(law, history, 0.8, kStep).stress, 0.8 * 5e-6);  // elastic only
    EXPECT_FALSE(evaluate(law, history, 0.8, kStep).slips);
    EXPECT_FALSE(evaluate(law, history, 0.8, kStep).yields);
}

TEST(StrainComponent, DampingPullsTowardsTheCommittedStrain) {
    const ComponentLaw<double> law = cotton::bending(FrictionKind::none, false);
    const ComponentHistory<double> history = initial_history(0.2);
    const StepTimes damped{.material_dt = 0.01, .damping_per_h = 3};
    const Response<double> r = evaluate(law, history, 0.5, damped);
    EXPECT_DOUBLE_EQ(r.stress, 5e-6 * 0.5 + 3 * 5e-6 * 0.3);
    EXPECT_DOUBLE_EQ(r.tangent, 4 * 5e-6);
    EXPECT_DOUBLE_EQ(evaluate(law, history, 0.2, damped).stress, 5e-6 * 0.2);
}

// docs/theory/strain_metric.md: on a mesh twice as fine hinges bend half; with thresholds scaled, history
// scales too.
TEST(StrainComponent, ScaledThresholdsGiveTheSameClothOnAFinerMesh) {
    for (const FrictionKind kind : {FrictionKind::dwell, FrictionKind::dahl}) {
        const ComponentLaw<double> law = cotton::bending(kind), fine = scaled_thresholds(law, 0.5);
        ComponentHistory<double> a = initial_history(0.0), b = initial_history(0.0);
        for (int i = 0; i < 400; ++i) {
            const double e = 3.2 * std::sin(0.02 * i * (1 + 0.01 * i));
            EXPECT_NEAR(evaluate(fine, b, 0.5 * e, kStep).stress, 0.5 * evaluate(law, a, e, kStep).stress,
                        1e-18);
            advance(law, a, e, kStep);
            advance(fine, b, 0.5 * e, kStep);
            EXPECT_NEAR(b.plasticity.plastic, 0.5 * a.plasticity.plastic, 1e-12);
            EXPECT_NEAR(b.friction.anchor, 0.5 * a.friction.anchor, 1e-12);
            EXPECT_NEAR(b.friction.stick_time, a.friction.stick_time, 1e-9);
        }
    }
}

}  // namespace
}  // namespace rumple
