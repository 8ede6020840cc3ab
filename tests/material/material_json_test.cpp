// Materials survive JSON exactly, and every mistake is answered with one sentence that helps.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/material/material_json.hpp>

namespace rumple {
namespace {

using nlohmann::json;

Material odd_material() {
    Material m = *find_preset("denim-garment");
    m.name = "odd \"one\"";
    m.density = 1.0 / 3;
    m.bending = 0.1 * 3e-5;
    m.friction_kind = FrictionKind::dahl;
    m.friction.gate = DwellGate::none;
    m.dahl_sigma_c = 1e-6 / 7;
    m.plastic = false;
    m.metric = StrainMetric::angle;
    m.tensile_friction = TensileFriction{{200, 100.0 / 3, 5}, 0.007, 0.05, 11, 0};
    m.tensile_plasticity = TensilePlasticity{{10, 1e-3 / 3, 5}, 0, 1e-3, 0.04};
    m.relaxation = {.share = 1.0 / 3, .tau_min = 0.7, .tau_max = 1e4 / 3};
    m.tensile_relaxation = {.share = 0.9, .tau_min = 1e-3, .tau_max = 1e9};
    m.set_directions(
        {DirectionalStiffness{1e-5 / 3, 1e-5 / 7, 2e-6}, DirectionalStiffness{1e-6, 2e-6, 1e-6}, {}});
    return m;
}

void expect_same(const Material& a, const Material& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.friction_kind, b.friction_kind);
    EXPECT_EQ(a.plastic, b.plastic);
    EXPECT_EQ(a.metric, b.metric);
    EXPECT_EQ(a.dahl_sigma_c, b.dahl_sigma_c);
    ASSERT_EQ(a.tensile_friction.has_value(), b.tensile_friction.has_value());
    ASSERT_EQ(a.tensile_plasticity.has_value(), b.tensile_plasticity.has_value());
    if (a.tensile_friction) {
        EXPECT_EQ(a.tensile_friction->k, b.tensile_friction->k);
        EXPECT_EQ(a.tensile_friction->d_c, b.tensile_friction->d_c);
        EXPECT_EQ(a.tensile_friction->eps_0, b.tensile_friction->eps_0);
    }
    if (a.tensile_plasticity) {
        EXPECT_EQ(a.tensile_plasticity->K_h0, b.tensile_plasticity->K_h0);
        EXPECT_EQ(a.tensile_plasticity->g, b.tensile_plasticity->g);
    }
    EXPECT_EQ(a.density, b.density);
    EXPECT_EQ(a.bending, b.bending);
    EXPECT_EQ(a.H_ref, b.H_ref);
    EXPECT_EQ(a.membrane.k33, b.membrane.k33);
    EXPECT_EQ(a.friction.d_c, b.friction.d_c);
    EXPECT_EQ(a.friction.gate, b.friction.gate);
    EXPECT_EQ(a.relaxation.share, b.relaxation.share);
    EXPECT_EQ(a.tensile_relaxation.tau_max, b.tensile_relaxation.tau_max);
    EXPECT_EQ(a.directions.bending, b.directions.bending);
    EXPECT_EQ(a.directions.friction, b.directions.friction);
    EXPECT_EQ(a.directions.hardening, b.directions.hardening);
    EXPECT_EQ(a.friction.k, b.friction.k);
    EXPECT_EQ(a.plasticity.eps_Y0, b.plasticity.eps_Y0);
    EXPECT_EQ(to_json(a), to_json(b));
}

TEST(MaterialJson, RoundTripIsExactFromAnyStart) {
    std::vector<Material> all = material_presets();
    all.push_back(odd_material());
    for (const Material& start : {Material{}, odd_material()})
        for (const Material& m : all) {
            Material copy = start;
            apply_overrides(copy, json::parse(to_json(m).dump()), "test");
            expect_same(copy, m);
        }
}

TEST(MaterialJson, EveryFieldIsWrittenUnderItsKey) {
    const json out = to_json(odd_material());
    for (const MaterialField& field : material_fields()) {
        std::string pointer = "/" + field.key;
        for (char& c : pointer)
            if (c == '.') c = '/';
        EXPECT_TRUE(out.contains(json::json_pointer(pointer))) << field.key;
        EXPECT_FALSE(field.meaning.empty());
        EXPECT_FALSE(field.unit.empty());
        EXPECT_LT(field.min, field.max);
    }
}

TEST(MaterialJson, OverridesChangeOnlyWhatTheyName) {
    Material m = *find_preset("cotton");
    apply_overrides(
        m, json::parse(R"({"friction": {"d_c": 0}, "plasticity": {"law": "none"}, "density": 1})"), "test");
    EXPECT_EQ(m.friction.d_c, 0);
    EXPECT_FALSE(m.plastic);
    EXPECT_EQ(m.density, 1);
    EXPECT_EQ(m.friction.eps_inf, 1.7);
    EXPECT_EQ(m.membrane.k11, 50);
    EXPECT_EQ(m.name, "cotton");
}

TEST(MaterialJson, EmptyTensileGroupsTakeThePublishedSet) {
    Material m = *find_preset("cotton");
    apply_overrides(m, json::parse(R"({"tensile_friction": {}, "tensile_plasticity": {}})"), "test");
    EXPECT_EQ(m.tensile_friction->k, (std::array<double, 3>{200, 200, 5}));
    EXPECT_EQ(m.tensile_friction->d_c, 0.0025);
    EXPECT_EQ(m.tensile_plasticity->eps_Y0, 0.033);
    apply_overrides(m, json::parse(R"({"tensile_friction": null, "tensile_plasticity": null})"), "test");
    EXPECT_FALSE(m.tensile_friction || m.tensile_plasticity);
}

TEST(MaterialJson, TensileSlipDistanceIsHalfOfEps0UntilSet) {
    Material m = *find_preset("cotton");
    apply_overrides(m, json::parse(R"({"tensile_friction": {"eps_0": 0.01}})"), "test");
    EXPECT_DOUBLE_EQ(m.tensile_friction->d_c, 0.005);
    apply_overrides(m, json::parse(R"({"tensile_friction": {"d_c": 0.001}})"), "test");
    apply_overrides(m, json::parse(R"({"tensile_friction": {"eps_0": 0.02}})"), "test");
    EXPECT_DOUBLE_EQ(m.tensile_friction->d_c, 0.001);
}

TEST(MaterialJson, StiffnessTakesOneNumberOrThree) {
    Material m = *find_preset("cotton");
    apply_overrides(m, json::parse(R"({"bending": {"warp": 8e-6, "weft": 4e-6, "bias": 5e-6},
                                       "friction": {"k": {"warp": 2e-5, "weft": 1e-5, "bias": 1e-5}}})"),
                    "test");
    EXPECT_EQ(m.directions.bending, (DirectionalStiffness{8e-6, 4e-6, 5e-6}));
    EXPECT_DOUBLE_EQ(m.bending, 5.5e-6);
    EXPECT_DOUBLE_EQ(m.friction.k, 1.25e-5);
    EXPECT_EQ(m.plasticity.K_h0, 5e-6);
    apply_overrides(m, json::parse(R"({"bending": 7e-6})"), "test");
    EXPECT_FALSE(m.directions.bending);
    EXPECT_EQ(m.bending, 7e-6);
    EXPECT_TRUE(m.directions.friction);
}

TEST(MaterialJson, BendingOverrideReachesPlasticity) {
    Material m = *find_preset("cotton");
    apply_overrides(m, json::parse(R"({"bending": 1e-5})"), "test");
    EXPECT_EQ(m.plasticity.k, 1e-5);
}

// What apply_overrides says to cotton with this change; also checks that a refused change changes nothing.
std::string complaint(const char* overrides) {
    Material m = *find_preset("cotton");
    try {
        apply_overrides(m, json::parse(overrides), "a.json: material");
    } catch (const InputError& error) {
        EXPECT_EQ(to_json(m), to_json(*find_preset("cotton")));
        return error.what();
    }
    return "accepted";
}

TEST(MaterialErrors, NumbersInAnotherUnitAreCaughtWithARemedy) {
    EXPECT_EQ(complaint(R"({"density": 60})"),
              "a.json: material: density 60 is out of range 0.001..10 kg/m^2; is it in g/m^2?");
    EXPECT_EQ(complaint(R"({"H_ref": 2.5})"),
              "a.json: material: H_ref 2.5 is out of range 1e-05..0.1 m; is it in mm?");
    EXPECT_EQ(complaint(R"({"membrane": {"k11": 0.05}})"),
              "a.json: material: membrane.k11 0.05 is out of range 0.1..1000000 N/m; is it in N/mm?");
    EXPECT_EQ(complaint(R"({"bending": 0.05})"),
              "a.json: material: bending 0.05 is out of range 0..0.01 N m; is it in N mm or gf cm?");
    EXPECT_EQ(complaint(R"({"friction": {"eps_inf": 97}})"),
              "a.json: material: friction.eps_inf 97 is out of range 0..10 rad; is it in degrees?");
    EXPECT_EQ(complaint(R"({"plasticity": {"g": 99}})"),
              "a.json: material: plasticity.g 99 is out of range 0..1 (1 excluded); is it in percent?");
    EXPECT_EQ(complaint(R"({"tensile_friction": {"k": [200, -1, 5]}})"),
              "a.json: material: tensile_friction.k[1] -1 is out of range 0..1000000 N/m");
}

TEST(MaterialErrors, OpenEndsAreExcluded) {
    EXPECT_EQ(complaint(R"({"plasticity": {"g": 1}})"),
              "a.json: material: plasticity.g 1 is out of range 0..1 (1 excluded)");
    EXPECT_EQ(complaint(R"({"friction": {"tau": 0}})"),
              "a.json: material: friction.tau 0 is out of range 0..1000000000 s (0 excluded)");
    EXPECT_EQ(complaint(R"({"plasticity": {"tau": -30}})"),
              "a.json: material: plasticity.tau -30 is out of range 0..1000000000 s (0 excluded)");
    EXPECT_EQ(complaint(R"({"plasticity": {"eps_Y0": 0}})"),
              "a.json: material: plasticity.eps_Y0 0 is out of range 0..10 rad (0 excluded)");
    EXPECT_EQ(complaint(R"({"plasticity": {"g": 0}, "friction": {"eps_0": 0, "d_c": 0}})"), "accepted");
}

TEST(MaterialErrors, EveryFieldRefusesValuesBeyondItsRange) {
    for (const MaterialField& field : material_fields())
        for (const double value :
             {field.min - 1, 2 * field.max, field.min_open ? field.min : field.min - 1}) {
            json change = value;
            if (field.key == "tensile_friction.k" || field.key == "tensile_plasticity.K_h0")
                change = {value, 1, 1};
            const std::size_t dot = field.key.find('.');
            if (dot != std::string::npos) change = json{{field.key.substr(dot + 1), change}};
            const std::string text = complaint(json{{field.key.substr(0, dot), change}}.dump().c_str());
            EXPECT_NE(text.find(field.key), std::string::npos) << text;
            EXPECT_NE(text.find("is out of range"), std::string::npos) << text;
        }
}

TEST(MaterialErrors, UnknownKeysNameTheNearest) {
    EXPECT_EQ(complaint(R"({"densty": 0.06})"),
              "a.json: material: unknown key \"densty\" in the material; did you mean \"density\"?");
    EXPECT_EQ(complaint(R"({"friction": {"epsInf": 1}})"),
              "a.json: material: unknown key \"epsInf\" in friction; did you mean \"eps_inf\"?");
    EXPECT_EQ(
        complaint(R"({"tensile_plasticity": {"yield": 1}})"),
        "a.json: material: unknown key \"yield\" in tensile_plasticity; valid are K_h0, g, tau, eps_Y0");
    EXPECT_EQ(complaint(R"({"membrane": {"law": "stvk"}})"),
              "a.json: material: unknown key \"law\" in membrane; valid are k11, k22, k12, k33");
}

TEST(MaterialErrors, WrongTypesSayWhatIsExpected) {
    EXPECT_EQ(complaint(R"({"density": "0.06"})"),
              "a.json: material: density must be a number, not \"0.06\"");
    EXPECT_EQ(complaint(R"({"density": true})"), "a.json: material: density must be a number, not true");
    EXPECT_EQ(complaint(R"({"membrane": 50})"), "a.json: material: membrane must be an object, not 50");
    EXPECT_EQ(complaint(R"({"friction": null})"), "a.json: material: friction must be an object, not null");
    EXPECT_EQ(complaint(R"({"tensile_friction": 1})"),
              "a.json: material: tensile_friction must be an object or null, not 1");
    EXPECT_EQ(complaint(R"({"tensile_friction": {"k": [1, 2]}})"),
              "a.json: material: tensile_friction.k must be a list of three numbers (warp, weft, shear), not "
              "[1,2]");
    EXPECT_EQ(complaint(R"({"name": 7})"), "a.json: material: name must be a string, not 7");
    EXPECT_EQ(complaint(R"("cotton")"), "a.json: material: a material must be an object, not \"cotton\"");
}

TEST(MaterialErrors, UnknownChoicesListTheValidOnes) {
    EXPECT_EQ(
        complaint(R"({"bending": {"warp": 1e-5, "weft": 1e-5, "wrap": 1}})"),
        "a.json: material: bending needs a number \"bias\"; give warp, weft and bias, or one number for all "
        "directions");
    EXPECT_EQ(complaint(R"({"bending": {"warp": 1e-5, "weft": 1e-5, "bias": 1e-5, "wrap": 1}})"),
              "a.json: material: unknown key \"wrap\" in bending; did you mean \"warp\"?");
    EXPECT_EQ(complaint(R"({"bending": {"warp": 1e-5, "weft": 1e-5, "bias": -1e-5}})"),
              "a.json: material: bending.bias -1e-05 is out of range 0..0.01 N m");
    EXPECT_EQ(
        complaint(R"({"bending": {"warp": 1e-5, "weft": 1e-5, "bias": 2e-6}})"),
        "a.json: material: bending: warp 1e-05, weft 1e-05 and bias 2e-06 would give a hinge the stiffness "
        "-6e-06; it must be positive in all directions: bring the three closer together");
    EXPECT_EQ(
        complaint(R"({"plasticity": {"K_h0": {"warp": 0, "weft": 0, "bias": 0}}})"),
        "a.json: material: plasticity.K_h0: warp 0, weft 0 and bias 0 would give a hinge the stiffness 0; it "
        "must be positive in all directions: bring the three closer together");
    EXPECT_EQ(complaint(R"({"relaxation": {"share": 0.95}})"),
              "a.json: material: relaxation.share 0.95 is out of range 0..0.9; is it in percent?");
    EXPECT_EQ(complaint(R"({"relaxation": {"share": 0.5, "tau_min": 10, "tau_max": 2}})"),
              "a.json: material: relaxation.tau_min 10 is above relaxation.tau_max 2; the shortest time "
              "comes first");
    EXPECT_EQ(
        complaint(R"({"tensile_relaxation": {"tau_min": 1e7}})"),
        "a.json: material: tensile_relaxation.tau_min 10000000 is above tensile_relaxation.tau_max 1000000; "
        "the shortest time comes first");
    EXPECT_EQ(complaint(R"({"friction": {"gate": "loaded"}})"),
              "a.json: material: friction.gate \"loaded\" is none of load, none; did you mean \"load\"?");
    EXPECT_EQ(complaint(R"({"friction": {"law": "dhal"}})"),
              "a.json: material: friction.law \"dhal\" is none of dwell, dahl, none; did you mean \"dahl\"?");
    EXPECT_EQ(complaint(R"({"plasticity": {"law": true}})"),
              "a.json: material: plasticity.law true is none of hardening, none");
    EXPECT_EQ(complaint(R"({"metric": "angel"})"),
              "a.json: material: metric \"angel\" is none of curvature, angle; did you mean \"angle\"?");
}

TEST(MaterialErrors, FieldsMustAgreeWithEachOther) {
    EXPECT_EQ(complaint(R"({"friction": {"eps_inf": 0.05}})"),
              "a.json: material: friction.eps_inf 0.05 is below friction.eps_0 0.1; "
              "holding cloth cannot weaken its friction");
    EXPECT_EQ(complaint(R"({"tensile_friction": {"eps_0": 0.06}})"),
              "a.json: material: tensile_friction.eps_inf 0.05 is below tensile_friction.eps_0 0.06; "
              "holding cloth cannot weaken its friction");
    EXPECT_EQ(
        complaint(R"({"membrane": {"k12": 50}})"),
        "a.json: material: membrane.k12 50 makes the cloth unstable; k12^2 must be less than k11 k22 = 2500");
    EXPECT_EQ(complaint(R"({"bending": 0})"),
              "a.json: material: plasticity needs a bending stiffness above 0; "
              "set bending, or plasticity.law to \"none\"");
    EXPECT_EQ(complaint(R"({"bending": 0, "plasticity": {"law": "none"}})"), "accepted");
    EXPECT_EQ(
        complaint(R"({"friction": {"law": "dahl", "k": 0}})"),
        "a.json: material: Dahl friction needs friction.k above 0; set it, or friction.law to \"none\"");
    EXPECT_EQ(complaint(R"({"friction": {"law": "dahl", "eps_0": 0}})"),
              "a.json: material: Dahl friction saturates at friction.k friction.eps_0, which is 0; "
              "set friction.dahl_sigma_c");
}

TEST(MaterialErrors, NotANumberIsOutOfRange) {
    Material m;
    m.density = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(validate(m, "test"), InputError);
}

TEST(Suggest, NearestNameForgivesSpellingButDoesNotGuess) {
    const std::vector<std::string> names{"eps_0", "eps_inf", "tau", "duration"};
    EXPECT_EQ(nearest_name("eps-Inf", names), "eps_inf");
    EXPECT_EQ(nearest_name("tua", names), "tau");
    EXPECT_EQ(nearest_name("durration", names), "duration");
    EXPECT_EQ(nearest_name("gravity", names), "");
    EXPECT_EQ(edit_distance("abcd", "acbd"), 1);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
    EXPECT_EQ(suggestion("gravity", names), "valid are eps_0, eps_inf, tau, duration");
}

}  // namespace
}  // namespace rumple
