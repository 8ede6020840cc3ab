// Exact answers of relaxation, and one hinge that is bent, held and let go.
#include <gtest/gtest.h>

#include <array>
#include <constitutive/cotton.hpp>
#include <random>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/core/lanes.hpp>
#include <vector>

namespace rumple {
namespace {

constexpr double kShare = 0.6;
constexpr RelaxationTimes kTimes{.branches = 8, .tau_min = 0.1, .tau_max = 1e6};

// One component with a ladder and nothing else to relax; k = 1.
class Hinge {
  public:
    explicit Hinge(ComponentLaw<double> law) : law_(law), history_(initial_history(0.0)) {}

    Response<double> at(double e, double dt) const {
        const RelaxationStep step = relaxation_step(law_.relaxation.times, dt);
        ComponentHistory<double> history = history_;
        history.relaxation = {relaxation_pull(step, branch_.data(), 1), step.mean_b};
        return evaluate(law_, history, e, {dt, 0});
    }
    void commit(double e, double dt) {
        advance(relaxation_step(law_.relaxation.times, dt), branch_.data(), 1, e - history_.strain);
        advance(law_, history_, e, {dt, 0});
    }
    // Lets go for dt: to where all stresses balance. Every law's stress grows with e.
    double let_go(double dt) {
        double low = -2, high = 2;
        for (int i = 0; i < 100; ++i) {
            const double e = 0.5 * (low + high);
            (at(e, dt).stress > 0 ? high : low) = e;
        }
        commit(0.5 * (low + high), dt);
        return history_.strain;
    }
    const std::array<double, kMaxBranches>& branches() const { return branch_; }

  private:
    ComponentLaw<double> law_;
    ComponentHistory<double> history_;
    std::array<double, kMaxBranches> branch_{};
};

ComponentLaw<double> ladder_alone() {
    ComponentLaw<double> law;
    law.plasticity.k = 1 - kShare;
    law.relaxation = {kShare, kTimes};
    return law;
}

double exact_stress(double t) {  // of a unit strain applied at once and held
    double sum = 0;
    for (int i = 0; i < 8; ++i) sum += std::exp(-t / (0.1 * std::pow(10, i)));
    return (1 - kShare) + kShare / 8 * sum;
}

TEST(Relaxation, TimesAreADecadeApart) {
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(kTimes.tau(i) / std::pow(10, i - 1), 1, 1e-12);
    EXPECT_EQ((RelaxationTimes{1, 3, 3}.tau(0)), 3);
}

TEST(Relaxation, HeldStrainDecaysExactlyAtAnyStep) {
    for (const double dt : {1e-4, 0.03, 10.0, 3600.0, 604800.0}) {
        Hinge hinge(ladder_alone());
        EXPECT_NEAR(hinge.at(1, 0).stress, 1, 1e-15);
        hinge.commit(1, 0);
        for (int n = 1; n <= 300; ++n) {
            EXPECT_NEAR(hinge.at(1, dt).stress / exact_stress(n * dt), 1, 1e-12) << dt << " " << n;
            hinge.commit(1, dt);
        }
    }
}

// A strain that changes evenly: however the time is cut, the same stress at its end.
TEST(Relaxation, EvenRampIsExactHoweverItIsCut) {
    for (const double seconds : {1e-3, 1.0, 5e4}) {
        const auto stress = [&](int pieces) {
            Hinge hinge(ladder_alone());
            for (int n = 1; n < pieces; ++n) hinge.commit(0.8 * n / pieces, seconds / pieces);
            return hinge.at(0.8, seconds / pieces).stress;
        };
        double exact = (1 - kShare) * 0.8;
        for (int i = 0; i < 8; ++i) {
            const double r = seconds / kTimes.tau(i);
            exact += kShare / 8 * 0.8 * -std::expm1(-r) / r;
        }
        for (const int pieces : {1, 2, 9, 500}) EXPECT_NEAR(stress(pieces) / exact, 1, 1e-12) << pieces;
    }
}

TEST(Relaxation, WithoutMaterialTimeItIsElastic) {
    Hinge hinge(ladder_alone());
    for (const double e : {0.3, -0.2, 1.1, 0.4}) {
        EXPECT_NEAR(hinge.at(e, 0).stress, e, 1e-15);
        EXPECT_NEAR(hinge.at(e, 0).tangent, 1, 1e-15);
        hinge.commit(e, 0);
    }
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(hinge.branches()[static_cast<std::size_t>(i)], 0.4, 1e-15);
}

TEST(Relaxation, AWeekInOneStepForgetsAllButTheLongestTimes) {
    const RelaxationStep step = relaxation_step(kTimes, 604800);
    EXPECT_EQ(step.a[0], 0);
    EXPECT_NEAR(step.a[7], std::exp(-0.6048), 1e-15);
    EXPECT_NEAR(step.b[0], 0.1 / 604800, 1e-18);
    EXPECT_NEAR(relaxation_step(kTimes, 1e-9).mean_b, 1, 1e-8);
    EXPECT_EQ(relaxation_step(kTimes, 0).mean_b, 1);
}

// ---- one hinge without inertia: share 0.6, friction with k_f/k = 2 and a constant threshold of 0.05

Hinge bent_and_held(double hold) {
    ComponentLaw<double> law = ladder_alone();
    law.friction_kind = FrictionKind::dwell;
    law.friction = {2, 0.05, 0.05, 30, 0.05};
    Hinge hinge(law);
    for (int n = 1; n <= 1000; ++n) hinge.commit(1e-3 * n, 1e-3);
    for (int n = 0; n < 100; ++n) hinge.commit(1, hold / 100);
    return hinge;
}

// Strain left at these times after the release; material steps grow by a tenth.
std::vector<double> left_after(double hold, const std::vector<double>& times) {
    Hinge hinge = bent_and_held(hold);
    std::vector<double> left;
    double t = 0, e = 1, dt = 1e-4;
    for (const double until : times) {
        for (; t < until * (1 - 1e-12); dt *= 1.1) {
            const double step = std::min(dt, until - t);
            e = hinge.let_go(step);
            t += step;
        }
        left.push_back(e);
    }
    return left;
}

TEST(Relaxation, ReleasedHingeRecoversByItsHoldTime) {
    EXPECT_NEAR(left_after(1, {1})[0], 0.153, 1e-3);
    EXPECT_NEAR(left_after(300, {1})[0], 0.332, 1e-3);
    EXPECT_NEAR(left_after(1e4, {1})[0], 0.461, 1e-3);
}

TEST(Relaxation, ReleasedHingeKeepsRecovering) {
    const std::vector<double> left = left_after(300, {0.01, 1, 10, 60, 300, 1800});
    const double expected[] = {0.414, 0.333, 0.271, 0.219, 0.178, 0.169};
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], expected[i], 1e-3) << i;
}

TEST(Relaxation, OneLongStepOfRecoveryDiffers) {
    EXPECT_NEAR(bent_and_held(1).let_go(1), 0.181, 1e-3);  // why recovery takes steps that grow
}

struct Line {
    double slope, r2;
};
// Least squares of y over x.
Line fit(const std::vector<double>& x, const std::vector<double>& y) {
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    return {xy / xx, xy * xy / (xx * yy)};
}

TEST(Relaxation, RecoveryIsLinearInTheLogarithmOfHoldOverRecoveryTime) {
    const std::vector<double> recoveries{1, 60, 300};
    const double expected[] = {0.9996, 0.9994, 0.997};
    std::vector<std::vector<double>> x(3), left(3);
    for (int i = 0; i <= 24; ++i) {
        const double hold = std::pow(10, i / 6.0);
        const std::vector<double> at = left_after(hold, recoveries);
        for (std::size_t r = 0; r < 3; ++r) {
            x[r].push_back(std::log10(1 + hold / recoveries[r]));
            left[r].push_back(at[r]);
        }
    }
    for (std::size_t r = 0; r < 3; ++r) {
        const Line line = fit(x[r], left[r]);
        EXPECT_GT(line.slope, 0);
        EXPECT_NEAR(line.r2, expected[r], 1e-3) << recoveries[r];
    }
    double largest = 0;
    for (std::size_t i = 1; i < left[0].size(); ++i) largest = std::max(largest, left[0][i] - left[0][i - 1]);
    EXPECT_NEAR(largest / (left[0].back() - left[0].front()), 0.05, 0.01);
}

// The plastic strain does not change: the branches take their share of hardening, too.
TEST(Relaxation, PlasticStrainStays) {
    ComponentLaw<double> law = cotton::bending(FrictionKind::none), relaxing = law;
    relaxing.plasticity.k *= 1 - kShare;
    relaxing.plasticity.K_h0 *= 1 - kShare;
    relaxing.relaxation = {kShare * law.plasticity.k, kTimes};
    ComponentHistory<double> a = initial_history(0.0), b = a;
    for (const double e : {1.0, 2.5, 2.5, -2.6, 3.0}) {
        advance(law, a, e, {10, 0});
        advance(relaxing, b, e, {10, 0});
        EXPECT_NEAR(a.plasticity.plastic, b.plasticity.plastic, 1e-14);
    }
    EXPECT_GT(std::abs(a.plasticity.plastic), 0.1);
}

TEST(Relaxation, DampingKeepsTheWholeStiffness) {
    const ComponentHistory<double> history = initial_history(0.2);
    const auto damping = [&](const ComponentLaw<double>& law) {
        return evaluate(law, history, 0.5, {0, 3}).stress - evaluate(law, history, 0.5, {0, 0}).stress;
    };
    EXPECT_NEAR(damping(ladder_alone()), 3 * 0.3, 1e-14);
}

// Eight elements at once as each alone, bit for bit: there is no exp inside an element.
TEST(Relaxation, LanesAreEqualToScalars) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> any(0, 1);
    const RelaxationStep step = relaxation_step(kTimes, 5);
    std::array<std::array<double, 8>, 8> q;  // branch, lane
    std::array<double, 8> de;
    for (auto& branch : q)
        for (double& x : branch) x = any(random);
    for (double& x : de) x = any(random);
    std::array<Lanes, 8> q_8;
    const auto of = [](const std::array<double, 8>& x) {
        return Lanes::gather([&](std::size_t k) { return x[k]; });
    };
    for (std::size_t i = 0; i < 8; ++i) q_8[i] = of(q[i]);
    const ComponentLaw<Lanes> law_8 = law_for<Lanes>(ladder_alone());
    const RelaxationTerm<Lanes> term_8{relaxation_pull(step, q_8.data(), 1), step.mean_b};
    const Response<Lanes> r_8 = evaluate(law_8.relaxation, term_8, of(de));
    advance(step, q_8.data(), 1, of(de));
    for (std::size_t k = 0; k < 8; ++k) {
        const RelaxationTerm<double> term{relaxation_pull(step, &q[0][k], 8), step.mean_b};
        const Response<double> r = evaluate(ladder_alone().relaxation, term, de[k]);
        EXPECT_EQ(r_8.energy.numbers()[k], r.energy);
        EXPECT_EQ(r_8.stress.numbers()[k], r.stress);
        EXPECT_EQ(r_8.tangent.numbers()[k], r.tangent);
        advance(step, &q[0][k], 8, de[k]);
        for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(q_8[i].numbers()[k], q[i][k]);
    }
}

}  // namespace
}  // namespace rumple
