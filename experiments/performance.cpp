// What the laws cost (paper, supplement "Performance", table 1): seconds a step of the twist at 2K, 7K and
// 27K vertices with friction and plasticity on and off, measured here, beside the paper's figures and the
// textbook step.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <experiments/catalogue.hpp>
#include <experiments/tube_scene.hpp>
#include <rumple/sim/simulator.hpp>

namespace rumple {

namespace {

using nlohmann::json;

struct Grid {
    std::string name;
    int around, up;
    double paper_on, paper_off;  // s a step (i7-12700H)
};

std::vector<Grid> grids(Size size) {
    if (size == Size::smoke) return {{"small", 32, 14, 0, 0}};
    std::vector<Grid> g{{"2K", 64, 28, 0.279, 0.256}, {"7K", 128, 55, 1.319, 1.286}};
    if (size == Size::paper) g.push_back({"27K", 256, 107, 12.064, 11.518});
    return g;
}

json scene_of(const Grid& grid) {
    json scene = tube_scene({.name = "performance", .around = grid.around, .up = grid.up});
    scene["step"]["newton"] = 1;  // one linear solve a step, laws on or off
    scene["variants"] = {
        {{"name", "on"}},
        {{"name", "off"},
         {"set",
          {{"cloths.tube.material.friction.law", "none"}, {"cloths.tube.material.plasticity.law", "none"}}}}};
    return scene;
}

json performance_scene() {
    json scene = scene_of({"2K", 64, 28, 0, 0});
    scene["description"] =
        "The reference twist with friction and plasticity on and off: look at timing.json.";
    return scene;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double seconds_of_a_step(Simulator& sim, const SimState& from) {
    sim.restore(from);
    const auto begin = std::chrono::steady_clock::now();
    sim.step();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Cost {
    std::vector<double> on, off, extra;  // one a state: s, s, share of the step without laws
};

// The same states of the buckled part of the turn, both ways in turns, so that whatever else the machine does
// hits both.
Cost measure(const ExperimentContext& bench, const Grid& grid, int rounds) {
    const std::vector<Scene> scenes = build_variants({scene_of(grid), "performance", {}});
    Simulator with(scenes[0], bench.threads()), without(scenes[1], bench.threads());
    Cost cost;
    for (int step = 0; step < 96; ++step) {
        bench.say("twist at " + grid.name, step / 96.0);
        if (step < 60 || step % 5 != 0) {
            with.step();
            continue;
        }
        const SimState state = with.sim_state();
        std::vector<double> on, off, extra;
        for (int round = 0; round < rounds; ++round) {
            const bool first = round % 2 == 0;
            const double a = seconds_of_a_step(first ? with : without, state);
            const double b = seconds_of_a_step(first ? without : with, state);
            on.push_back(first ? a : b);
            off.push_back(first ? b : a);
            extra.push_back((on.back() - off.back()) / off.back());
        }
        cost.on.push_back(median(on));
        cost.off.push_back(median(off));
        cost.extra.push_back(median(extra));
        with.restore(state);
        with.step();
    }
    return cost;
}

std::vector<Claim> reproduce_performance(ExperimentContext& bench) {
    std::vector<Claim> claims;
    std::vector<std::vector<double>> rows;
    Series here{"laws on, here", {}, {}}, paper{"laws on, the paper", {}, {}},
        peer{"textbook step, here", {}, {}};
    for (const Grid& grid : grids(bench.size())) {
        const Cost cost = measure(bench, grid, bench.size() == Size::smoke ? 2 : 10);
        const double on = median(cost.on), off = median(cost.off), vertices = grid.around * grid.up;
        claims.push_back(make_claim(
            grid.name + ": the laws cost next to nothing: (on - off) / off",
            {"time a step, share", cost.extra}, at_most(0.1, "what a user does not notice"),
            fmt::format("{:.2f} ms on, {:.2f} ms off", 1e3 * on, 1e3 * off) +
                (grid.paper_on > 0
                     ? fmt::format("; in the paper {:g} s and {:g} s", grid.paper_on, grid.paper_off)
                     : "")));
        double textbook = 0;
        if (bench.peer() && bench.size() != Size::smoke) {
            bench.say("textbook step at " + grid.name, 0);
            const std::vector<double> solves = bench.peer()(grid.name);
            textbook = median(solves);
            claims.push_back(make_claim(
                grid.name + ": faster than the textbook step in the same run",
                ratio_of("time of a linear solve, one value a state of the textbook's", solves,
                         std::vector(solves.size(), on)),
                at_least(10, "an order of magnitude: less would not pay for a solver of one's own",
                         "1 before, which could hardly fail; raised after earlier results of 35 and more"),
                fmt::format("textbook: {:.0f} ms", 1e3 * textbook)));
        }
        rows.push_back({vertices, on, off, textbook, grid.paper_on, grid.paper_off});
        const auto add = [&](Series& series, double seconds) {
            if (seconds <= 0) return;  // not known
            series.x.push_back(vertices);
            series.y.push_back(1e3 * seconds);
        };
        add(here, on);
        add(paper, grid.paper_on);
        add(peer, textbook);
    }
    bench.write_table("performance",
                      {"vertices", "laws_on_s", "laws_off_s", "textbook_s", "paper_on_s", "paper_off_s"},
                      rows);
    Plot plot;
    plot.x = {.title = "vertices", .unit = "", .logarithmic = true};
    plot.y = {.title = "time of a step", .unit = "ms", .logarithmic = true};
    for (const Series& series : {here, paper, peer})
        if (!series.x.empty()) plot.series.push_back(series);
    bench.plot("time", "Time of a step with one linear solve. The paper's are of its authors' machine.",
               plot);
    return claims;
}

}  // namespace

Experiment performance_experiment() {
    return {"performance",
            "seconds a step of the twist, laws on and off, beside the paper's figures",
            "1 min",
            performance_scene,
            reproduce_performance,
            "Seconds a step at 2K, 7K and 27K vertices: 0.279, 1.319, 12.064 with friction and plasticity, "
            "0.256, 1.286, 11.518 without: they add trivially little. (Supplement, Performance, table 1; "
            "i7-12700H.)",
            "The reference twist of cotton at the same sizes (draft: 2K and 7K), in its buckled part, one "
            "linear solve a step; the same states with the laws on and off in turns. Beside it the "
            "textbook step of the benchmarks, one thread, on the same twist in the same run."};
}

}  // namespace rumple
