// The pressed strip (paper, "Evaluation on Specimen"): an extreme fold leaves a wrinkle even when
// it is short; held it is sharper; denim keeps a firm fold, polyester a weak one.
#include <fmt/format.h>

#include <cmath>
#include <experiments/catalogue.hpp>
#include <experiments/pressed_strip.hpp>
#include <map>
#include <rumple/material/material.hpp>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kFitted = 7.5e-3;  // m of each limb

// The sheet crushes when denim and polyester are folded more tightly than to about 6 mm: the moment at the
// fold exceeds what the membrane can carry.
PressedStrip strip_of(const std::string& cloth, double edge) {
    return {.name = "press-" + cloth,
            .material = cloth,
            .gap = cloth == "cotton" || cloth == "denim-garment" ? 0.002 : 0.006,
            .edge = edge,
            .half_hour = cloth == "cotton"};
}

// The same force on every cloth, the largest that all bear: denim of the specimen table crushes when it is
// folded tighter than to 6 to 7 mm. A loop between plates has the curvature 2.4/gap at its tip and takes
// D (2.4/gap)^2 / 2 on a metre (as in fold.cpp), D = 3 (K_b + K_friction), stuck. ISO 2313 has 10 N, which
// would press every cloth of the tables to its thickness and crush denim and polyester.
constexpr double kForce = 0.162;  // N, on 15 mm: cotton to 2 mm, as it is pressed to a gap

PressedStrip pressed_by_force(const std::string& cloth, double edge) {
    PressedStrip strip = strip_of(cloth, edge);
    const Material& material = *find_preset(cloth);
    const double stiffness = material.bending + material.friction.k;
    strip.gap = 2.4 * std::sqrt(0.5 * stiffness * strip.width / kForce);
    return strip;
}

json press_scene() { return pressed_strip_scene(strip_of("cotton", 0.00125)); }

using Angles = std::map<std::string, std::vector<double>>;  // by variant, one a seed, degrees

Angles run(const ExperimentContext& bench, PressedStrip strip, const std::string& folder) {
    Angles angles;
    for (strip.seed = 1; strip.seed <= seeds_of(bench.size()); ++strip.seed)
        for (const RunResult& r :
             bench.run(pressed_strip_scene(strip), fmt::format("{}-seed{}", folder, strip.seed)))
            angles[r.variant].push_back(fold_angle(strip.grid(), kFitted, r.last.state.x));
    return angles;
}

std::vector<Claim> force_claims(std::map<std::string, Angles>& of) {
    const auto claim = [&](const std::string& table, const std::string& denim, const std::string& cotton) {
        return make_claim(
            fmt::format("same force, {} table: denim keeps a firmer crease than cotton, held", table),
            ratio_of("angle between the limbs, denim / cotton", of[denim]["held"], of[cotton]["held"]),
            at_least(1, "an order: the paper calls denim's wrinkles \"very firm\""),
            fmt::format(
                "{:g} N on 15 mm; brief / held: denim {:.0f} / {:.0f}, cotton {:.0f} / {:.0f} degrees",
                kForce, of[denim]["brief"].front(), of[denim]["held"].front(), of[cotton]["brief"].front(),
                of[cotton]["held"].front()));
    };
    return {claim("specimen", "denim-force", "cotton-force"),
            claim("garment", "denim-garment-force", "cotton-garment-force")};
}

// `of`: by cloth.
std::vector<Claim> claims_of(std::map<std::string, Angles>& of) {
    const auto angle = [&](const std::string& cloth, const std::string& variant) {
        return Sample{"angle between the limbs, degrees", of[cloth][variant]};
    };
    const auto grows = [&](const std::string& cloth) {
        return Sample{"angle between the limbs, difference, degrees",
                      differences(of[cloth]["held"], of[cloth]["brief"])};
    };
    const std::string looked = "chosen after a first look at draft size";
    const Bound obvious = at_least(30, "a sixth of a closed fold: seen at arm's length", looked);
    const Bound firmer = at_least(10, "the step between two grades of a crease-recovery angle", looked);
    return {make_claim("cotton: a wrinkle even when short", angle("cotton", "brief"), obvious),
            make_claim("cotton: longer is sharper: held - brief", grows("cotton"), obvious),
            make_claim("denim keeps a firm fold, held", angle("denim", "held"), obvious),
            make_claim("denim: longer is firmer: held - brief", grows("denim"), firmer),
            make_claim("polyester's fold is weak, held", angle("polyester", "held"),
                       at_most(15, "a strip that lies flat to the eye", looked)),
            make_claim("polyester keeps a small wrinkle, held", angle("polyester", "held"),
                       at_least(1, "a degree is the least that a protractor shows"),
                       "the paper shows a small wrinkle of the large deformation"),
            make_claim("denim of the garment table, which can yield: longer is firmer: held - brief",
                       grows("denim-garment"), firmer),
            make_claim("denim of the garment table keeps a firmer crease than cotton: held, denim / cotton",
                       ratio_of("angle between the limbs", of["denim-garment"]["held"], of["cotton"]["held"]),
                       at_least(1, "an order: the paper calls denim's wrinkles \"very firm\""),
                       "both pressed to 2 mm; the specimen table's denim crushes there"),
            make_claim("cotton: after 500 s all is done: half an hour / 500 s",
                       ratio_of("angle between the limbs", of["cotton"]["half-hour"], of["cotton"]["held"]),
                       within_of_one(0.05, "clocks of 30 s have run 16 times; what is left of them is e^-16"),
                       "the paper's specimens were held for half an hour")};
}

std::vector<Claim> reproduce_press(ExperimentContext& bench) {
    const double edge = bench.size() == Size::smoke ? 0.0025 : bench.size() == Size::draft ? 0.00125 : 0.0002;
    const std::vector<std::string> cloths{"cotton", "denim", "polyester", "denim-garment"};
    std::map<std::string, Angles> of;
    std::vector<Shown> shown;
    for (const std::string& cloth : cloths) of[cloth] = run(bench, strip_of(cloth, edge), cloth);
    of["cotton-force"] = of["cotton"];
    for (const std::string cloth : {"denim", "cotton-garment", "denim-garment"})
        of[cloth + "-force"] = run(bench, pressed_by_force(cloth, edge), cloth + "-force");
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < cloths.size(); ++i)
        for (std::size_t k = 0; k < of[cloths[i]]["brief"].size(); ++k)
            rows.push_back(
                {double(i + 1), double(k + 1), of[cloths[i]]["brief"][k], of[cloths[i]]["held"][k]});
    bench.write_table(
        "press",
        {"cloth_1_cotton_2_denim_3_polyester_4_denim_garment", "seed", "brief_deg", "held_500_s_deg"}, rows);
    for (const std::string variant : {"brief", "held"})
        for (const std::string& cloth : cloths)
            shown.push_back({cloth + "-seed1/" + variant,
                             fmt::format("{}, {}: {:.0f}°", cloth, variant == "held" ? "500 s" : "at once",
                                         of[cloth][variant].front())});
    bench.sheet("pressed",
                "Pressed (cotton and the garment table's denim to 2 mm, the stiff cloths to 6 mm) and let "
                "go: above at once, below after "
                "500 s. The angle is that between the limbs, 0 is flat. There is no gravity.",
                shown, {.from = kSideOn, .hidden = {"table"}, .columns = 4, .width = 320, .height = 320});
    bench.sheet("under-the-plate", "Just before the hold; table and plate are left out of the picture.",
                {{"cotton-seed1/held", "cotton"},
                 {"denim-seed1/held", "denim"},
                 {"polyester-seed1/held", "polyester"},
                 {"denim-garment-seed1/held", "denim of the garment table"}},
                {.from = kSideOn, .at = "rest", .hidden = {"table", "plate"}, .width = 400, .height = 320});

    shown.clear();
    for (const std::string variant : {"brief", "held"})
        for (const std::string cloth : {"cotton", "denim", "cotton-garment", "denim-garment"})
            shown.push_back({cloth + (cloth == "cotton" ? "-seed1/" : "-force-seed1/") + variant,
                             fmt::format("{}, {}: {:.0f}°", cloth, variant == "held" ? "500 s" : "at once",
                                         of[cloth + "-force"][variant].front())});
    bench.sheet(
        "same-force",
        fmt::format("Pressed by the same force of {:g} N, which folds each cloth as far as it can, and "
                    "let go: above at once, below after 500 s.",
                    kForce),
        shown, {.from = kSideOn, .hidden = {"table"}, .columns = 4, .width = 320, .height = 320});
    std::vector<Claim> claims = claims_of(of);
    for (Claim& claim : force_claims(of)) claims.push_back(std::move(claim));
    return claims;
}

}  // namespace

Experiment press_experiment() {
    return {
        "press",
        "a strip folded and pressed, let go at once or after a hold: three cloths",
        "1 min",
        press_scene,
        reproduce_press,
        "Extreme folding leaves an obvious wrinkle in cotton even when it is short, and a sharper one "
        "after half an hour. Denim's wrinkles are very firm, and more solid the longer it is pressed. "
        "Polyester keeps a weak wrinkle. (Evaluation on Specimen; supplement, More "
        "Visual Results.)",
        "A strip of 40 by 15 mm is folded over, pressed between plates until its limbs are 2 mm apart "
        "(denim and polyester: 6 mm, as far as such a sheet can carry; the garment table's denim can yield "
        "and "
        "is pressed to 2 mm), held for 500 s, cotton also for half an hour, or not at all (the same steps "
        "without material time), and let go without gravity, over five seeds. Measured is the angle between "
        "the limbs. Beside "
        "them cotton and denim of both tables, pressed by the same force, the largest that all bear."};
}

}  // namespace rumple
