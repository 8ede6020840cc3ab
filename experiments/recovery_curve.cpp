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
StripScene crease() { return {.name = "recovery-curve", .edge = 1e-3, .limb = 8, .free = 4, .across = 4}; }

// 1 s to 10^4 s, six a decade. [s]
std::vector<double> hold_times() {
    std::vector<double> holds;
    for (int i = 0; i <= 24; ++i) holds.push_back(std::round(1000 * std::pow(10, i / 6.0)) / 1000);
    return holds;
}

json scene_of(double d_c, const std::vector<double>& holds) {
    StripScene options = crease();
    if (d_c == 0) options.gate = "none";  // the paper's clock
    json scene = strip_scene(options);
    scene["cloths"][0]["material"]["friction"]["d_c"] = d_c;
    scene["cloths"][0]["material"]["plasticity"]["law"] = "none";
    scene["recovery_from"] = "hold";
    for (double hold : holds)
        scene["variants"].push_back(
            {{"name", fmt::format("hold-{:.0f}ms", 1000 * hold)}, {"set", {{"phases.hold.hold", hold}}}});
    return scene;
}

json recovery_curve_scene() {
    json scene = scene_of(0.05, hold_times());
    scene["description"] =
        "A strip folded once, held for 1 s to 10000 s, let go: recovery against hold time.";
    return scene;
}

std::vector<double> recoveries(const ExperimentContext& bench, double d_c, const std::vector<double>& holds) {
    std::vector<double> recovery;
    for (const RunResult& r : bench.run(scene_of(d_c, holds), fmt::format("d_c-{:g}", d_c)))
        recovery.push_back(r.recovery[0].value_or(1));
    return recovery;
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

std::vector<Claim> reproduce_recovery_curve(ExperimentContext& bench) {
    const bool smoke = bench.size() == Size::smoke;
    const std::vector<double> holds = smoke ? std::vector<double>{1, 12, 300} : hold_times();
    std::vector<Claim> claims;
    std::vector<std::vector<double>> rows;
    Plot plot;
    plot.x = {"hold time", "s", true};
    plot.y = {"recovery", "", false, std::pair{0.0, 1.0}};
    for (double d_c : smoke ? std::vector{0.0, 0.05} : std::vector{0.0, 0.05, 0.3, 1.2, 4.0}) {
        const std::vector<double> recovery = recoveries(bench, d_c, holds);
        plot.series.push_back({fmt::format("d_c = {:g} rad{}", d_c,
                                           d_c == 0      ? " (paper)"
                                           : d_c == 0.05 ? " (ours)"
                                                         : ""),
                               holds, recovery, d_c == 0});
        for (std::size_t i = 0; i < holds.size(); ++i) rows.push_back({d_c, holds[i], recovery[i]});
        const std::string what = fmt::format("d_c = {:g} rad", d_c);
        claims.push_back({what + ": recovery falls with hold time: first - last",
                          "recovery, difference",
                          {recovery.front() - recovery.back()},
                          ">=",
                          0.05,
                          ""});
        claims.push_back({what + ": recovery never rises with hold time",
                          "largest rise of recovery",
                          {largest_rise(recovery)},
                          "<=",
                          0.01,
                          ""});
        claims.push_back({what + ": the fall is smooth, as textiles show",
                          "largest fall between neighbouring holds / whole fall",
                          {steepest(recovery)},
                          "<=",
                          0.35,
                          d_c == 0 ? "the paper's law" : ""});
    }
    bench.plot("recovery",
               "Recovery of the crease against hold time: 1 is flat again, 0 is as folded. Real cloth falls "
               "smoothly "
               "along a logarithmic axis.",
               plot);
    bench.plot(
        "threshold", "The friction law alone: how the stick threshold grows (the paper's figure 2a).",
        threshold_plot({*find_preset("cotton"), *find_preset("denim"), *find_preset("polyester")}, 300));
    bench.plot("hardening",
               "The plastic law alone: how the hardening decays while a fold is held (the paper's figure "
               "2b). The tables give all three cloths the same curve.",
               hardening_plot({*find_preset("cotton")}, 300));
    const auto at = [&](std::size_t i) { return fmt::format("d_c-0.05/hold-{:.0f}ms", 1000 * holds[i]); };
    std::vector<Shown> shown;
    for (const std::size_t i : {std::size_t{0}, holds.size() / 3, holds.size() - 1})
        shown.push_back({at(i), fmt::format("held {}: recovers {:.0f} %", clock_text(holds[i]),
                                            100 * rows[holds.size() + i][2])});
    bench.sheet("creases", "The crease two seconds after it was let go, d_c = 0.05 rad.", shown,
                {.columns = 3, .width = 420, .height = 400});
    bench.write_table("recovery", {"d_c_rad", "hold_s", "recovery"}, rows);
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
        "One crease of 785 1/m in cotton, friction alone, held for 1 s to 10000 s and let go; for the "
        "paper's rule "
        "(d_c = 0, gate none) and for several slip distances (gate load). Levison's data are not at hand: "
        "judged is whether the "
        "curve falls "
        "smoothly, as textiles do. Second part: the same crease with relaxation and a constant threshold, "
        "read 1, 60 and 300 s after its release."};
}

}  // namespace rumple
