// Creep (paper, "Discussion and Conclusion"): under a constant stress cloth goes on stretching. Friction
// alone cannot do that, since it only holds; hardening that relaxes can.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/catalogue.hpp>
#include <map>

namespace rumple {

namespace {

using nlohmann::json;

// A strip, clamped at its left end and pulled at its right by springs so long that their force does not
// change. Warp along the strip.
constexpr double kStripLength = 0.1, kStripWidth = 0.02, kSpringReach = 10;  // m
constexpr int kStripColumns = 31, kStripRows = 7;
constexpr double kWarp = 50, kYield = 0.033;                       // N/m, 1: of cotton, of the plausible set
constexpr double kHardening = 50, kRelaxes = 0.9, kCreepTau = 30;  // N/m, 1, s
constexpr double kCreepPull = 1.3 * kWarp * kYield;  // N/m, when the pull begins: a third above yield

const std::vector<double> kPullTimes{1, 3, 10, 30, 100, 300, 1000};  // s

json creep_scene_of(int seed) {
    const json any = nullptr;
    const auto end = [&](const char* name, json min, json max) {
        return json{{"name", name},
                    {"select", {{"box", {{"min", {min, any, any}}, {"max", {max, any, any}}}}}}};
    };
    const double half = 0.5 * kStripLength, edge = kStripLength / (kStripColumns - 1);
    json right = end("right", half - 0.1 * edge, any);
    right["stiffness"] = kCreepPull * kStripWidth / (kStripRows * kSpringReach);
    json scene{
        {"rumple", 1},
        {"name", "creep"},
        {"description", "A strip of cloth under a constant pull: plasticity creeps, friction does not."},
        {"gravity", {0, 0, 0}},
        {"damping", {{"mass", 5}}},
        {"cloths",
         {{{"name", "strip"},
           {"mesh",
            {{"generator", "grid"},
             {"nx", kStripColumns},
             {"ny", kStripRows},
             {"width", kStripLength},
             {"height", kStripWidth},
             {"layout", "alternating"}}},
           {"material",
            {{"preset", "cotton"},
             {"tensile_friction",
              {{"k", {25, 25, 5}}, {"eps_0", 0.005}, {"eps_inf", 0.05}, {"tau", kCreepTau}}},
             {"tensile_plasticity",
              {{"K_h0", {kHardening, kHardening, 30}},
               {"g", kRelaxes},
               {"tau", kCreepTau},
               {"eps_Y0", kYield}}}}},
           {"imperfection", {{"amplitude", 1e-6}, {"seed", seed}, {"direction", "normal"}}}}}},
        {"handles", {end("left", any, 0.1 * edge - half), right}},
        {"phases",
         {{{"name", "pull"},
           {"duration", 1},
           {"motions", {{"right", {{"translate", {kSpringReach, 0, 0}}}}}}},
          {{"name", "rest"}, {"duration", 0.4}},
          {{"name", "hold"}, {"hold", kPullTimes.back()}, {"steps", 50}}}}};
    for (const std::string law : {"friction", "plasticity", "both"})
        for (const double hold : kPullTimes) {
            json set{{"phases.hold.hold", hold}};
            if (law == "friction") set["cloths.strip.material.tensile_plasticity"] = nullptr;
            if (law == "plasticity") set["cloths.strip.material.tensile_friction"] = nullptr;
            scene["variants"].push_back({{"name", fmt::format("{}-{:g}s", law, hold)}, {"set", set}});
        }
    return scene;
}

json creep_scene() { return creep_scene_of(1); }

// Green strain along the strip, of its middle third.
double strain_of(const std::vector<Vec3d>& x) {
    constexpr int first = kStripColumns / 3, last = kStripColumns - 1 - first;
    double stretched = 0;
    for (int row = 0; row < kStripRows; ++row)
        stretched += norm(x[static_cast<std::size_t>(row * kStripColumns + last)] -
                          x[static_cast<std::size_t>(row * kStripColumns + first)]);
    const double ratio = stretched / kStripRows / (kStripLength * (last - first) / (kStripColumns - 1));
    return 0.5 * (ratio * ratio - 1);
}

// Plasticity alone, by its law: the force T on a metre of rest width is lambda S, S = k (E - p) = k (Y +
// alpha(t) p), lambda = sqrt(1 + 2 E).
double creep_strain(double seconds) {
    const double alpha = kHardening / kWarp * (1 - kRelaxes * (1 - std::exp(-seconds / kCreepTau)));
    double low = 0, high = 2;  // of E: lambda S grows with it
    for (int i = 0; i < 100; ++i) {
        const double e = 0.5 * (low + high), plastic = std::max(0.0, (e - kYield) / (1 + alpha));
        (std::sqrt(1 + 2 * e) * kWarp * (e - plastic) < kCreepPull ? low : high) = e;
    }
    return 0.5 * (low + high);
}

// Strains by law: one curve over the holds a seed.
using CreepCurves = std::map<std::string, std::vector<std::vector<double>>>;

CreepCurves run_creep(const ExperimentContext& bench) {
    CreepCurves of;
    for (int seed = 1; seed <= seeds_of(bench.size()); ++seed) {
        for (const char* law : {"friction", "plasticity", "both"}) of[law].emplace_back();
        for (const RunResult& r : bench.run(creep_scene_of(seed), fmt::format("seed{}", seed)))
            of.at(r.variant.substr(0, r.variant.find('-'))).back().push_back(strain_of(r.last.state.x));
    }
    return of;
}

void show_creep(ExperimentContext& bench, const CreepCurves& of) {
    Plot plot;
    plot.x = {"time under the pull", "s", true};
    plot.y = {"Green strain", ""};
    std::vector<std::vector<double>> rows;
    for (const auto& [law, curves] : of) {
        plot.series.push_back({law == "both" ? "both laws" : law + " alone", kPullTimes, curves.front()});
        for (std::size_t i = 0; i < kPullTimes.size(); ++i)
            rows.push_back({law == "friction"     ? 1.0
                            : law == "plasticity" ? 2.0
                                                  : 3.0,
                            kPullTimes[i], curves.front()[i], creep_strain(kPullTimes[i])});
    }
    Series exact{"plasticity, closed form", kPullTimes, {}, true};
    for (const double hold : kPullTimes) exact.y.push_back(creep_strain(hold));
    plot.series.push_back(std::move(exact));
    bench.plot("creep", "Strain of a strip under a constant pull, a third above yield.", plot);
    bench.write_table("creep", {"law_1_friction_2_plasticity_3_both", "hold_s", "strain", "closed_form"},
                      rows);
}

std::vector<Claim> reproduce_creep(ExperimentContext& bench) {
    const CreepCurves of = run_creep(bench);
    show_creep(bench, of);
    const auto growth = [&](const std::string& law) {
        Sample sample{"strain after 1000 s / after 1 s, ratio", {}, Scale::logarithmic};
        for (const std::vector<double>& curve : of.at(law))
            sample.values.push_back(curve.back() / curve.front());
        return sample;
    };
    Sample distance{"largest relative distance over all times", {}};
    for (const std::vector<double>& curve : of.at("plasticity")) {
        distance.values.push_back(0);
        for (std::size_t i = 0; i < kPullTimes.size(); ++i)
            distance.values.back() =
                std::max(distance.values.back(), std::abs(curve[i] / creep_strain(kPullTimes[i]) - 1));
    }
    return {make_claim("plasticity creeps under constant stress", growth("plasticity"),
                       at_least(1.25, "a quarter more: seen at arm's length; the closed form gives twice")),
            make_claim("both laws creep, less, since friction takes over load", growth("both"),
                       at_least(1.05, "the least that a picture with both outlines shows")),
            make_claim("friction alone does not creep", growth("friction"),
                       at_most(1.01, "it only holds: equal but for the end of the motion")),
            make_claim("plasticity: the closed form holds", distance,
                       at_most(0.03, "the clock begins during the pull: a second or two of 30"))};
}

}  // namespace

Experiment creep_experiment() {
    return {
        "creep",
        "a strip under a constant pull: plasticity creeps, friction does not",
        "1 min",
        creep_scene,
        reproduce_creep,
        "Plastic creep is common in real cloth; it is impossible to simulate by friction alone, and the "
        "time-dependent plastic model can. (Discussion and Conclusion.)",
        "A strip of 100 by 20 mm of cotton with the plausible tensile parameters of `stretch`, clamped at "
        "one end and pulled at the other with a constant force a third above yield, for 1 s to 1000 s; "
        "with each law alone and with both, over five seeds. Measured is the Green strain of its middle "
        "third, beside the closed form. The same mesh at every size."};
}

}  // namespace rumple
