// Presets are the paper's tables; the laws they give are scaled as they should be.
#include <gtest/gtest.h>

#include <rumple/material/material.hpp>

namespace rumple {
namespace {

struct Expected {
    const char* name;
    double H_ref;
    double numbers[14];  // the columns of the paper's table, in their order
};

constexpr Expected kTable[] = {
    {"cotton", 2.5e-3, {0.06, 5e-6, 50, 50, 0.2, 30, 1e-5, 0.1, 1.7, 30, 5e-6, 0.99, 30, 1.8}},
    {"denim", 2.5e-3, {0.25, 1.2e-4, 100, 100, 0.2, 20, 5e-5, 0.1, 1.8, 30, 1.2e-4, 0.99, 30, 2.0}},
    {"polyester", 2.5e-3, {0.18, 1.2e-4, 50, 50, 0.2, 30, 1e-7, 0.01, 0.1, 30, 1.2e-4, 0.99, 30, 3.0}},
    {"cotton-garment", 4.65e-3, {0.1, 1e-6, 200, 200, 0.2, 20, 4e-6, 0.1, 1.2, 30, 1e-6, 0.99, 30, 1.5}},
    {"denim-garment", 4.65e-3, {0.2, 3e-5, 200, 200, 0.2, 150, 6e-5, 0.2, 1.2, 30, 3e-5, 0.99, 30, 1.2}},
    {"polyester-garment", 4.65e-3, {0.15, 1e-6, 100, 100, 0.2, 20, 7e-7, 0.1, 0.1, 30, 1e-6, 0.99, 30, 3.1}},
};

TEST(Material, PresetsAreThePapersTables) {
    EXPECT_EQ(material_presets().size(), std::size(kTable) + 1) << "and cotton-relaxing";
    for (const Expected& row : kTable) {
        const Material* m = find_preset(row.name);
        ASSERT_NE(m, nullptr) << row.name;
        const double numbers[] = {
            m->density,         m->bending,      m->membrane.k11,   m->membrane.k22,     m->membrane.k12,
            m->membrane.k33,    m->friction.k,   m->friction.eps_0, m->friction.eps_inf, m->friction.tau,
            m->plasticity.K_h0, m->plasticity.g, m->plasticity.tau, m->plasticity.eps_Y0};
        for (std::size_t i = 0; i < std::size(numbers); ++i)
            EXPECT_EQ(numbers[i], row.numbers[i]) << row.name << " column " << i;
        EXPECT_EQ(m->H_ref, row.H_ref) << row.name;
        EXPECT_EQ(m->friction.d_c, 0.05) << row.name;
        EXPECT_EQ(m->friction.gate, DwellGate::load) << row.name;
        EXPECT_EQ(m->friction_kind, FrictionKind::dwell);
        EXPECT_TRUE(m->plastic);
        EXPECT_EQ(m->metric, StrainMetric::curvature);
        EXPECT_FALSE(m->tensile_friction || m->tensile_plasticity) << "tensile laws are off in all presets";
        EXPECT_FALSE(m->relaxation.on() || m->tensile_relaxation.on() || m->directions.any()) << row.name;
        EXPECT_NO_THROW(validate(*m, row.name));
    }
}

TEST(Material, CottonRelaxingIsCottonWithAConstantThresholdAndALadder) {
    const Material &cotton = *find_preset("cotton"), &m = *find_preset("cotton-relaxing");
    EXPECT_EQ(m.bending, cotton.bending);
    EXPECT_EQ(m.friction.eps_0, cotton.friction.eps_0);
    EXPECT_EQ(m.friction.eps_inf, m.friction.eps_0);
    EXPECT_EQ(m.relaxation.share, 0.6);
    EXPECT_EQ(m.relaxation.times().branches, 8);
    EXPECT_FALSE(m.tensile_relaxation.on());
    EXPECT_NO_THROW(validate(m, m.name));
}

TEST(Material, RelaxationTakesItsShareOfElasticityAndHardening) {
    Material m = *find_preset("cotton");
    const ComponentLaw<double> off = m.bending_law(m.H_ref), off_membrane = m.membrane_law(0);
    EXPECT_EQ(off.relaxation.times.branches, 0);
    EXPECT_EQ(off.plasticity.k, m.bending);
    m.relaxation = {.share = 0.25, .tau_min = 1, .tau_max = 1e5};
    m.tensile_relaxation = {.share = 0.5, .tau_min = 2, .tau_max = 2};
    m.tensile_plasticity.emplace();
    const ComponentLaw<double> law = m.bending_law(m.H_ref);
    EXPECT_DOUBLE_EQ(law.plasticity.k, 0.75 * off.plasticity.k);
    EXPECT_DOUBLE_EQ(law.plasticity.K_h0, 0.75 * off.plasticity.K_h0);
    EXPECT_DOUBLE_EQ(law.relaxation.k, 0.25 * off.plasticity.k);
    EXPECT_EQ(law.relaxation.times.branches, 6);
    EXPECT_EQ(law.friction.k, off.friction.k);
    EXPECT_DOUBLE_EQ(m.membrane_law(0).plasticity.k, 0.5 * off_membrane.plasticity.k);
    EXPECT_DOUBLE_EQ(m.membrane_law(0).plasticity.K_h0, 5);
    EXPECT_EQ(m.membrane_law(0).relaxation.times.branches, 1);
}

TEST(Material, DirectionsGiveHingesTheirFactors) {
    Material m = *find_preset("cotton");
    EXPECT_EQ(m.factors(0.3).elastic, 1);
    m.set_directions({.bending = DirectionalStiffness{8e-6, 4e-6, 5e-6}, .friction = {}, .hardening = {}});
    EXPECT_DOUBLE_EQ(m.bending, 5.5e-6);  // (warp + weft + 2 bias)/4
    EXPECT_EQ(m.plasticity.k, m.bending);
    const StiffnessFactors<double> warp = m.factors(1), weft = m.factors(-1);
    EXPECT_NEAR(warp.elastic * m.bending, 5.5e-6 + 1.5 * 2e-6 + 3 * 0.5e-6, 1e-18);
    EXPECT_NEAR(weft.elastic * m.bending, 5.5e-6 - 1.5 * 2e-6 + 3 * 0.5e-6, 1e-18);
    EXPECT_EQ(warp.friction, 1);
    EXPECT_EQ(warp.hardening, 1);
}

TEST(Material, UnknownPresetIsNull) { EXPECT_EQ(find_preset("silk"), nullptr); }

TEST(Material, CurvatureMetricScalesThresholdsButNoStiffness) {
    const Material& cotton = *find_preset("cotton");
    const ComponentLaw<double> law = cotton.bending_law(1.25e-3);
    EXPECT_DOUBLE_EQ(law.friction.eps_0, 0.05);
    EXPECT_DOUBLE_EQ(law.friction.eps_inf, 0.85);
    EXPECT_DOUBLE_EQ(law.friction.d_c, 0.025);
    EXPECT_DOUBLE_EQ(law.plasticity.eps_Y0, 0.9);
    EXPECT_DOUBLE_EQ(law.dahl.sigma_c, 0.5 * 1e-5 * 0.1);
    EXPECT_DOUBLE_EQ(law.friction.k, 1e-5);
    EXPECT_DOUBLE_EQ(law.dahl.k0, 1e-5);
    EXPECT_DOUBLE_EQ(law.plasticity.k, 5e-6);
    EXPECT_DOUBLE_EQ(law.plasticity.K_h0, 5e-6);
    EXPECT_DOUBLE_EQ(law.friction.tau, 30);
    EXPECT_TRUE(law.yields);
    EXPECT_EQ(law.friction_kind, FrictionKind::dwell);
}

TEST(Material, AtTheReferenceHeightBothMetricsAreThePaper) {
    Material m = *find_preset("denim-garment");
    const ComponentLaw<double> curvature = m.bending_law(4.65e-3);
    m.metric = StrainMetric::angle;
    const ComponentLaw<double> angle = m.bending_law(1e-3);  // whatever the mesh
    EXPECT_DOUBLE_EQ(curvature.friction.eps_inf, 1.2);
    EXPECT_EQ(angle.friction.eps_inf, 1.2);
    EXPECT_EQ(angle.friction.d_c, 0.05);
    EXPECT_EQ(angle.plasticity.eps_Y0, 1.2);
}

TEST(Material, BendingLawTakesItsStiffnessFromBending) {
    Material m;
    m.bending = 7e-6;  // and plasticity.k left behind
    EXPECT_EQ(m.bending_law(m.H_ref).plasticity.k, 7e-6);
}

TEST(Material, DahlSaturationDefaultsToTheFirstThreshold) {
    Material m = *find_preset("cotton");
    m.friction_kind = FrictionKind::dahl;
    EXPECT_DOUBLE_EQ(m.bending_law(2.5e-3).dahl.sigma_c, 1e-6);
    m.dahl_sigma_c = 1.7e-5;
    EXPECT_DOUBLE_EQ(m.bending_law(5e-3).dahl.sigma_c, 3.4e-5);
}

TEST(Material, MembraneIsElasticUntilTensileLawsAreOn) {
    Material m = *find_preset("denim");
    const double k[] = {100, 100, 20};
    for (int c = 0; c < 3; ++c) {
        const ComponentLaw<double> law = m.membrane_law(c);
        EXPECT_EQ(law.plasticity.k, k[c]);
        EXPECT_FALSE(law.yields);
        EXPECT_EQ(law.friction_kind, FrictionKind::none);
    }
    m.tensile_friction.emplace();
    m.tensile_plasticity.emplace();
    const double k_f[] = {200, 200, 5}, K_h0[] = {10, 10, 5};
    for (int c = 0; c < 3; ++c) {
        const ComponentLaw<double> law = m.membrane_law(c);
        EXPECT_EQ(law.plasticity.k, k[c]);
        EXPECT_EQ(law.plasticity.K_h0, K_h0[c]);
        EXPECT_EQ(law.plasticity.eps_Y0, 0.033);
        EXPECT_EQ(law.plasticity.g, 0.5);
        EXPECT_TRUE(law.yields);
        EXPECT_EQ(law.friction_kind, FrictionKind::dwell);
        EXPECT_EQ(law.friction.k, k_f[c]);
        EXPECT_EQ(law.friction.eps_0, 0.005);
        EXPECT_EQ(law.friction.eps_inf, 0.05);
        EXPECT_EQ(law.friction.d_c, 0.0025);
        EXPECT_EQ(law.friction.gate, DwellGate::load);
    }
    m.friction.gate = DwellGate::none;  // one gate for bending and membrane
    for (int c = 0; c < 3; ++c) EXPECT_EQ(m.membrane_law(c).friction.gate, DwellGate::none);
}

}  // namespace
}  // namespace rumple
