#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/relaxing_curve.hpp>
#include <experiments/strip_scene.hpp>
#include <rumple/io/csv_table.hpp>
#include <rumple/sim/run_layout.hpp>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kDay = 86400;                  // s
constexpr double kTauMin = 0.1, kTauMax = 1e6;  // s

// The crease of the first part, and finer ones of the same size: edges of 1 mm / `refined`.
json relaxing_strip(int refined, int seed = 1) {
    json scene = strip_scene({.name = "recovery-curve",
                              .edge = 1e-3 / refined,
                              .limb = 8 * refined,
                              .free = 4 * refined,
                              .across = 4 * refined,
                              .seed = seed});
    json& material = scene["cloths"][0]["material"];
    material["friction"]["eps_0"] = material["friction"]["eps_inf"] = 0.05;
    material["plasticity"]["law"] = "none";
    material["relaxation"] = {{"share", 0.6}, {"tau_min", kTauMin}, {"tau_max", kTauMax}};
    scene["recovery_from"] = "hold";
    scene["phases"][3] = {{"name", "recover"}, {"recover", 1}, {"steps", 16}, {"release", {"left", "right"}}};
    return scene;
}

struct Reading {
    double hold, recovery;  // s
    double left;            // share of the crease
};

// All hold times with all recovery times.
std::vector<Reading> readings(const ExperimentContext& bench, int refined, int seed,
                              const std::vector<double>& holds, const std::vector<double>& times) {
    json scene = relaxing_strip(refined, seed);
    std::vector<Reading> all;
    for (const double hold : holds)
        for (const double time : times) {
            all.push_back({hold, time, 0});
            scene["variants"].push_back(
                {{"name", fmt::format("hold-{:.0f}ms-{:.0f}s", 1000 * hold, time)},
                 {"set", {{"phases.hold.hold", hold}, {"phases.recover.recover", time}}}});
        }
    const std::vector<RunResult> results = bench.run(scene, fmt::format("relaxing-{}-seed{}", refined, seed));
    for (std::size_t i = 0; i < all.size(); ++i) all[i].left = 1 - results[i].recovery[0].value_or(1);
    return all;
}

std::vector<Reading> after(double time, const std::vector<Reading>& all) {
    std::vector<Reading> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const Reading& r) { return r.recovery == time; });
    return some;
}

// Holds of these seconds alone.
std::vector<Reading> between(double least, double most, const std::vector<Reading>& all) {
    std::vector<Reading> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const Reading& r) { return r.hold > 0.999 * least && r.hold < 1.001 * most; });
    return some;
}

// R^2 of a line through `left` over log(1 + hold/recovery).
double r_squared(const std::vector<Reading>& list) {
    const double n = static_cast<double>(list.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (const Reading& r : list) {
        const double x = std::log(1 + r.hold / r.recovery), y = r.left;
        sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y;
    }
    const double xx = sxx - sx * sx / n, xy = sxy - sx * sy / n, yy = syy - sy * sy / n;
    return xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
}

// Decades of hold time between 10 % and 90 % of the whole rise.
double width(const std::vector<Reading>& list) {
    const double first = list.front().left, rise = list.back().left - first;
    const auto hold_at = [&](double share) {  // log10 s
        for (std::size_t i = 1; i < list.size(); ++i) {
            const double a = list[i - 1].left, b = list[i].left, wanted = first + share * rise;
            if (b < wanted) continue;
            const double t = b > a ? (wanted - a) / (b - a) : 1;
            return (1 - t) * std::log10(list[i - 1].hold) + t * std::log10(list[i].hold);
        }
        return std::log10(list.back().hold);
    };
    return hold_at(0.9) - hold_at(0.1);
}

void add_refinements(const ExperimentContext& bench, const std::vector<double>& times,
                     std::vector<Claim>& claims) {
    const std::vector<double> holds{1, 100, 10000};
    const int seeds = seeds_of(bench.size());
    std::vector<std::vector<Reading>> finest;
    for (int seed = 1; seed <= seeds; ++seed) finest.push_back(readings(bench, 4, seed, holds, times));
    for (const int refined : {1, 2}) {
        Sample largest{"largest difference of the crease left, relative", {}};
        for (int seed = 1; seed <= seeds; ++seed) {
            const std::vector<Reading> coarse = readings(bench, refined, seed, holds, times);
            largest.values.push_back(0);
            for (std::size_t i = 0; i < coarse.size(); ++i)
                largest.values.back() = std::max(
                    largest.values.back(),
                    std::abs(coarse[i].left / finest[static_cast<std::size_t>(seed - 1)][i].left - 1));
        }
        claims.push_back(
            make_claim(fmt::format("relaxation: edges of {:g} mm and 0.25 mm agree", 1.0 / refined), largest,
                       at_most(0.05, "a twentieth of a crease is the least that a picture shows"),
                       "holds of 1, 100 and 10000 s, all recovery times"));
    }
}

// One crease, held for an hour, over a day.
void add_day(ExperimentContext& bench, bool smoke) {
    json scene = relaxing_strip(1);
    scene["phases"][2]["hold"] = 3600;
    scene["phases"][3]["recover"] = kDay;
    scene["phases"][3]["steps"] = smoke ? 6 : 120;
    const std::vector<RunResult> results = bench.run(scene, "relaxing-day");
    const RunLayout layout(results[0].folder);
    if (!std::filesystem::exists(layout.metrics())) return;
    const CsvTable table = read_csv(layout.metrics());
    const auto phase = table.text("phase");
    const auto time = table.numbers("material_time"), angle = table.numbers("angle_change_rms");
    Series series{"held for an hour", {}, {}};
    double begin = 0, folded = 0;
    for (std::size_t i = 0; i < phase.size(); ++i) {
        if (phase[i] != "recover") {
            begin = time[i];
            folded = angle[i];
            continue;
        }
        series.x.push_back(time[i] - begin);
        series.y.push_back(angle[i] / folded);
    }
    Plot plot;
    plot.x = {"time after release", "s", true};
    plot.y = {"crease left", "", false, std::pair{0.0, 1.0}};
    plot.series.push_back(std::move(series));
    bench.plot("day", "One crease, held for an hour, over the 24 hours after its release.", plot);
    bench.film("day-film", "The same crease: folded, held, and over a day. Time passes ever faster.",
               {{"relaxing-day", "relaxation"}}, {.width = 420, .height = 400});
}

}  // namespace

void add_relaxing_curve(ExperimentContext& bench, std::vector<Claim>& claims) {
    const bool smoke = bench.size() == Size::smoke;
    // Three holds a decade, over the times of the ladder.
    std::vector<double> holds{kTauMin, 1, 100, 10000, kTauMax};
    if (!smoke) {
        holds.clear();
        for (int i = -3; i <= 18; ++i) holds.push_back(std::round(1000 * std::pow(10, i / 3.0)) / 1000);
    }
    const std::vector<double> times = smoke ? std::vector<double>{1, 300} : std::vector<double>{1, 60, 300};
    std::vector<std::vector<Reading>> all;  // one a seed
    for (int seed = 1; seed <= seeds_of(bench.size()); ++seed)
        all.push_back(readings(bench, 1, seed, holds, times));
    std::vector<std::vector<double>> rows;
    Plot plot;
    plot.x = {"1 + hold time/recovery time", "", true};
    plot.y = {"crease left", ""};
    for (const double time : times) {
        Series series{fmt::format("{:g} s after release", time), {}, {}};
        for (const Reading& r : after(time, all.front())) {
            series.x.push_back(1 + r.hold / r.recovery);
            series.y.push_back(r.left);
            rows.push_back({r.hold, r.recovery, r.left});
        }
        plot.series.push_back(std::move(series));
        Sample line{"R2", {}}, decades{"decades from 10 to 90 %", {}};
        for (const std::vector<Reading>& of_seed : all) {
            const std::vector<Reading> list = after(time, of_seed);
            line.values.push_back(r_squared(between(1, 1e4, list)));
            decades.values.push_back(width(list));
        }
        const std::string what = fmt::format("relaxation, {:g} s after release", time);
        claims.push_back(make_claim(what + ": what is left is linear in log(1 + hold/recovery)", line,
                                    at_least(0.98, "one hinge has 0.997; a strip may lose a fiftieth"),
                                    "holds of 1 s to 10^4 s"));
        claims.push_back(make_claim(
            what + ": it rises over decades of hold time", decades,
            at_least(2.5, "an exponential in time has 1.3 decades: nearly twice that cannot be one"),
            "holds of 0.1 s to 10^6 s, the times of the ladder"));
    }
    bench.plot(
        "relaxing",
        "With relaxation and a constant threshold: the crease left after its release, over hold time and "
        "recovery time together.",
        plot);
    bench.write_table("relaxing", {"hold_s", "recovery_s", "left"}, rows);
    if (!smoke) add_refinements(bench, times, claims);
    add_day(bench, smoke);
}

}  // namespace rumple
