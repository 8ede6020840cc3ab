// Recovery of one crease against hold time (paper figure 2, after Levison et al. 1962). The paper's law (d_c
// = 0) gives nearly a step; textiles give a smooth curve on a logarithmic axis. Here: both, for several slip
// distances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/catalogue.hpp>
#include <experiments/curves.hpp>
#include <experiments/relaxing_curve.hpp>
#include <experiments/strip_scene.hpp>

namespace rumple {

namespace {

using nlohmann::json;

// A fold of 785 1/m: a hinge of 2.5 mm would bend by 1.96 rad. Friction alone: cotton would yield a little
// here.
StripScene crease(int seed) {
    return {.name = "recovery-curve", .edge = 1e-3, .limb = 8, .free = 4, .across = 4, .seed = seed};
}

// Both laws: 1309 1/m, where cotton yields.
StripScene sharp_crease(int seed) {
    StripScene strip = crease(seed);
    strip.edge = 0.6e-3;
    return strip;
}

// 1 s to 10^4 s, six a decade. [s]
std::vector<double> hold_times() {
    std::vector<double> holds;
    for (int i = 0; i <= 24; ++i) holds.push_back(std::round(1000 * std::pow(10, i / 6.0)) / 1000);
    return holds;
}

struct RecoveryLaw {
    double d_c;
    bool yields = false;  // plasticity, too

    std::string name() const { return fmt::format("d_c-{:g}{}", d_c, yields ? "-both" : ""); }
    std::string in_words() const { return fmt::format("{}d_c = {:g} rad", yields ? "both laws, " : "", d_c); }
};

json recovery_scene_of(const RecoveryLaw& law, const std::vector<double>& holds, int seed) {
    StripScene options = law.yields ? sharp_crease(seed) : crease(seed);
    if (law.d_c == 0) options.gate = "none";  // the paper's clock
    json scene = strip_scene(options);
    scene["cloths"][0]["material"]["friction"]["d_c"] = law.d_c;
    if (!law.yields) scene["cloths"][0]["material"]["plasticity"]["law"] = "none";
    scene["recovery_from"] = "hold";
    for (double hold : holds)
        scene["variants"].push_back(
            {{"name", fmt::format("hold-{:.0f}ms", 1000 * hold)}, {"set", {{"phases.hold.hold", hold}}}});
    return scene;
}

json recovery_curve_scene() {
    json scene = recovery_scene_of({0.05}, hold_times(), 1);
    scene["description"] =
        "A strip folded once, held for 1 s to 10000 s, let go: recovery against hold time.";
    return scene;
}

// One curve a seed.
std::vector<std::vector<double>> recoveries(const ExperimentContext& bench, const RecoveryLaw& law,
                                            const std::vector<double>& holds) {
    std::vector<std::vector<double>> of;
    for (int seed = 1; seed <= seeds_of(bench.size()); ++seed) {
        of.emplace_back();
        for (const RunResult& r :
             bench.run(recovery_scene_of(law, holds, seed), fmt::format("{}-seed{}", law.name(), seed)))
            of.back().push_back(r.recovery[0].value_or(1));
    }
    return of;
}

// Largest fall between neighbouring hold times, as a share of the whole fall.
double steepest(const std::vector<double>& recovery) {
    double largest = 0;
    for (std::size_t i = 1; i < recovery.size(); ++i)
        largest = std::max(largest, recovery[i - 1] - recovery[i]);
    return largest / (recovery.front() - recovery.back());
}

double largest_rise(const std::vector<double>& recovery) {
    double rise = 0;
    for (std::size_t i = 1; i < recovery.size(); ++i) rise = std::max(rise, recovery[i] - recovery[i - 1]);
    return rise;
}

void add_recovery_claims(std::vector<Claim>& claims, const RecoveryLaw& law,
                         const std::vector<std::vector<double>>& curves) {
    Sample falls{"recovery, difference", {}}, rises{"largest rise of recovery", {}},
        steps{"largest fall between neighbouring holds / whole fall", {}};
    for (const std::vector<double>& recovery : curves) {
        falls.values.push_back(recovery.front() - recovery.back());
        rises.values.push_back(largest_rise(recovery));
        steps.values.push_back(steepest(recovery));
    }
    const std::string what = law.in_words();
    claims.push_back(make_claim(what + ": recovery falls with hold time: first - last", falls,
                                at_least(0.05, "a twentieth of a crease is the least that a picture shows")));
    claims.push_back(make_claim(what + ": recovery never rises with hold time", rises,
                                at_most(0.01, "a fifth of what a picture shows")));
    claims.push_back(make_claim(
        what + ": the fall is smooth, as textiles show", steps,
        at_most(0.35, "a fall over one decade, six intervals, that is twice as steep in its middle"),
        law.d_c == 0 ? "the paper's law" : ""));
}

void show_recovery(ExperimentContext& bench, const Plot& plot, const std::vector<double>& holds,
                   const std::vector<double>& ours) {
    bench.plot("recovery",
               "Recovery of the crease against hold time: 1 is flat again, 0 is as folded. Real cloth falls "
               "smoothly along a logarithmic axis.",
               plot);
    bench.plot(
        "threshold", "The friction law alone: how the stick threshold grows (the paper's figure 2a).",
        threshold_plot({*find_preset("cotton"), *find_preset("denim"), *find_preset("polyester")}, 300));
    bench.plot("hardening",
               "The plastic law alone: how the hardening decays while a fold is held (the paper's figure "
               "2b). The tables give all three cloths the same curve.",
               hardening_plot({*find_preset("cotton")}, 300));
    std::vector<Shown> shown;
    for (const std::size_t i : {std::size_t{0}, holds.size() / 3, holds.size() - 1})
        shown.push_back({fmt::format("d_c-0.05-seed1/hold-{:.0f}ms", 1000 * holds[i]),
                         fmt::format("held {}: recovers {:.0f} %", clock_text(holds[i]), 100 * ours[i])});
    bench.sheet("creases", "The crease two seconds after it was let go, d_c = 0.05 rad.", shown,
                {.columns = 3, .width = 420, .height = 400});
}

std::vector<Claim> reproduce_recovery_curve(ExperimentContext& bench) {
    const bool smoke = bench.size() == Size::smoke;
    const std::vector<double> holds = smoke ? std::vector<double>{1, 12, 300} : hold_times();
    std::vector<RecoveryLaw> laws{{0}, {0.05}, {0.05, true}};
    if (!smoke) laws = {{0}, {0.05}, {0.3}, {1.2}, {4}, {0, true}, {0.05, true}};
    std::vector<Claim> claims;
    std::vector<std::vector<double>> rows;
    std::vector<double> ours;
    Plot plot;
    plot.x = {"hold time", "s", true};
    plot.y = {"recovery", "", false, std::pair{0.0, 1.0}};
    for (const RecoveryLaw& law : laws) {
        const std::vector<std::vector<double>> curves = recoveries(bench, law, holds);
        if (law.d_c == 0.05 && !law.yields) ours = curves.front();
        plot.series.push_back({law.in_words() + (law.d_c == 0      ? " (paper)"
                                                 : law.d_c == 0.05 ? " (ours)"
                                                                   : ""),
                               holds, curves.front(), law.d_c == 0});
        for (std::size_t i = 0; i < holds.size(); ++i)
            rows.push_back({law.d_c, double(law.yields), holds[i], curves.front()[i]});
        add_recovery_claims(claims, law, curves);
    }
    show_recovery(bench, plot, holds, ours);
    bench.write_table("recovery", {"d_c_rad", "plasticity", "hold_s", "recovery"}, rows);
    add_relaxing_curve(bench, claims);
    return claims;
}

}  // namespace

Experiment recovery_curve_experiment() {
    return {
        "recovery-curve",
        "recovery of one crease against hold time, 1 s to 10000 s",
        "4 min",
        recovery_curve_scene,
        reproduce_recovery_curve,
        "An exponential growth of the stick threshold and an exponential decay of the hardening reproduce "
        "how recovery "
        "falls with pressing time in the measurements of Levison and others (1962). (Section 3, figure 2.)",
        "One crease of 785 1/m in cotton, friction alone, held for 1 s to 10000 s and let go, over five "
        "seeds; for the paper's rule (d_c = 0, gate none) and for several slip distances (gate load); and a "
        "crease of 1309 1/m with both laws. Levison's data are not at hand: "
        "judged is whether the "
        "curve falls "
        "smoothly, as textiles do. Second part: the same crease with relaxation and a constant threshold, "
        "read 1, 60 and 300 s after its release."};
}

}  // namespace rumple
