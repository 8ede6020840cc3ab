// Every law: stress is the derivative of its energy, tangent that of its stress, in every branch; and the
// potential has no corner where branches meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <constitutive/cotton.hpp>
#include <finite_difference.hpp>
#include <functional>
#include <rumple/constitutive/strain_component.hpp>
#include <vector>

namespace rumple {
namespace {

struct Case {
    const char* name;
    std::function<Response<double>(double)> evaluate;
    std::vector<double> smooth;  // strains inside branches, at least 0.01 from a kink
    std::vector<double> kinks;   // strains where branches meet
    double k;                    // scale of stress per strain
};

PlasticityHistory<double> creased() {  // held at 2.5 for 20 s, still loaded
    PlasticityHistory<double> history;
    for (int i = 0; i < 3; ++i) advance(cotton::plasticity(), history, 2.5, 10.0);
    return history;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    {
        const DwellFriction<double> law = cotton::friction();
        const DwellFrictionHistory<double> history{0.4, 12};
        const double y = stick_threshold(law, 12.0);
        all.push_back({"dwell friction",
                       [=](double e) { return evaluate(law, history, e); },
                       {0.4, 0.45, 0.4 + 0.9 * y, 0.4 - 0.9 * y, 0.5 + y, 0.3 - y, 3, -3},
                       {0.4 + y, 0.4 - y, 0.4 + law.eps_0},
                       law.k});
    }
    {
        const DahlFriction<double> law = cotton::dahl();
        const DahlHistory<double> history{0.6e-6, 0.3};
        all.push_back({"Dahl friction",
                       [=](double e) { return evaluate(law, history, e); },
                       {0.35, 0.5, 0.9, 0.25, 0.1, -0.4},
                       {0.3},
                       law.k0});
    }
    {
        const HardeningPlasticity<double> law = cotton::plasticity();
        const PlasticityHistory<double> fresh;
        all.push_back({"plasticity, first yield",
                       [=](double e) { return evaluate(law, fresh, e, 5.0); },
                       {0, 1, -1, 1.78, 1.85, -1.85, 3, -3},
                       {1.8, -1.8},
                       law.k});
        const PlasticityHistory<double> history = creased();
        const double ahead = plastic_flow(law, history, history.plastic + 1, 5.0).yield;
        const double behind = plastic_flow(law, history, history.plastic - 1, 5.0).yield;
        all.push_back({"plasticity, creased",
                       [=](double e) { return evaluate(law, history, e, 5.0); },
                       {history.plastic + 0.5, history.plastic - 0.5, history.plastic + ahead - 0.02,
                        history.plastic + ahead + 0.02, history.plastic - behind + 0.02,
                        history.plastic - behind - 0.02, 4, -4},
                       {history.plastic, history.plastic + ahead, history.plastic - behind,
                        history.plastic + 1.8, history.plastic - 1.8},
                       law.k});
    }
    for (const FrictionKind kind : {FrictionKind::dwell, FrictionKind::dahl}) {
        const ComponentLaw<double> law = cotton::bending(kind);
        ComponentHistory<double> history = initial_history(0.1);
        const StepTimes times{.material_dt = 5, .damping_per_h = 0.7};
        for (int i = 0; i < 3; ++i) advance(law, history, 2.5, times);
        history.dahl_stress *= 0.5;
        const double anchor = history.friction.anchor, p = history.plasticity.plastic;
        const double y = stick_threshold(law.friction, history.friction.stick_time);
        const double ahead = plastic_flow(law.plasticity, history.plasticity, p + 1, times.material_dt).yield;
        const double behind =
            plastic_flow(law.plasticity, history.plasticity, p - 1, times.material_dt).yield;
        std::vector<double> kinks{p + ahead, p - behind, p};
        if (kind == FrictionKind::dwell) kinks.insert(kinks.end(), {anchor + y, anchor - y});
        if (kind == FrictionKind::dahl) kinks.push_back(2.5);
        std::vector<double> smooth;
        for (double e = -4; e < 4; e += 0.0937)
            if (std::all_of(kinks.begin(), kinks.end(), [e](double x) { return std::abs(e - x) > 0.01; }))
                smooth.push_back(e);
        all.push_back({kind == FrictionKind::dwell ? "everything with dwell" : "everything with Dahl",
                       [=](double e) { return evaluate(law, history, e, times); }, smooth, kinks,
                       law.plasticity.k});
    }
    {
        const Relaxation<double> law{3e-6, {8, 0.1, 1e6}};
        for (const double dt : {0.0, 5.0, 604800.0}) {
            const RelaxationStep step = relaxation_step(law.times, dt);
            const double q[] = {0.9, -0.4, 0.3, 0.2, 1.1, -0.8, 0.5, 0.6};
            const RelaxationTerm<double> term{relaxation_pull(step, q, 1), step.mean_b};
            all.push_back({"relaxation",
                           [=](double e) { return evaluate(law, term, e - 0.3); },
                           {-3, -0.5, 0.29, 0.3, 0.31, 2.5},
                           {0.3},
                           law.k});
        }
    }
    {
        ComponentLaw<double> law = cotton::bending();
        law.relaxation = {7e-6, {8, 0.1, 1e6}};
        ComponentHistory<double> history = initial_history(0.1);
        history.strain = 0.4;
        history.relaxation = {0.35, 0.7};
        const StepTimes times{.material_dt = 5, .damping_per_h = 0.7};
        all.push_back({"everything with relaxation",
                       [=](double e) { return evaluate(law, history, e, times); },
                       {-3, -1, 0.05, 0.15, 0.25, 0.6, 1.5, 2.5},
                       {0.2, 0, 1.8, -1.8},
                       law.relaxation.k});
    }
    return all;
}

TEST(LawDerivatives, StressIsTheSlopeOfEnergy) {
    for (const Case& c : cases())
        for (const double e : c.smooth)
            EXPECT_TRUE(is_derivative(scalar_difference_report(
                [&](double t) { return c.evaluate(e + t).energy; }, c.evaluate(e).stress, 5e-3)))
                << c.name << " at " << e;
}

TEST(LawDerivatives, TangentIsTheSlopeOfStress) {
    for (const Case& c : cases())
        for (const double e : c.smooth)
            EXPECT_TRUE(is_derivative(scalar_difference_report(
                [&](double t) { return c.evaluate(e + t).stress; }, c.evaluate(e).tangent, 5e-3)))
                << c.name << " at " << e;
}

TEST(LawDerivatives, AWrongTangentWouldBeSeen) {  // the test of the test
    const Case c = cases()[1];
    EXPECT_FALSE(is_derivative(scalar_difference_report([&](double t) { return c.evaluate(0.5 + t).stress; },
                                                        c.evaluate(0.5).tangent * (1 + 1e-3), 5e-3)));
}

TEST(LawDerivatives, PotentialsHaveNoCorners) {
    for (const Case& c : cases())
        for (const double kink : c.kinks) {
            const double d = 1e-6;
            const Response<double> below = c.evaluate(kink - d), at = c.evaluate(kink),
                                   above = c.evaluate(kink + d);
            const double bound = 10 * c.k * d;  // tangents are a few k
            EXPECT_LE(std::abs(above.stress - at.stress), bound) << c.name << " at " << kink;
            EXPECT_LE(std::abs(below.stress - at.stress), bound) << c.name << " at " << kink;
            EXPECT_NEAR(above.energy, at.energy + d * at.stress, bound * d) << c.name << " at " << kink;
            EXPECT_NEAR(below.energy, at.energy - d * at.stress, bound * d) << c.name << " at " << kink;
        }
}

TEST(LawDerivatives, EnergyIsConvex) {
    for (const Case& c : cases()) {
        double last = c.evaluate(-5).stress;
        for (double e = -5; e < 5; e += 1e-3) {
            const Response<double> r = c.evaluate(e);
            EXPECT_GE(r.tangent, 0) << c.name << " at " << e;
            EXPECT_GE(r.stress, last - 1e-12 * c.k) << c.name << " at " << e;
            last = r.stress;
        }
    }
}

}  // namespace
}  // namespace rumple
