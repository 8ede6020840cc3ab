// Reaction torque of a twisted tube (paper, supplement "Stability analysis", figure 18): with friction and h
// = 0.01 s the paper sees an abrupt change at 5 degrees that vanishes at h = 0.001 s and without friction.
// The authors' program does not show it. Here: what we see, at 5 degrees and at an angle where hinges slip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <experiments/catalogue.hpp>
#include <experiments/tube_scene.hpp>
#include <map>
#include <rumple/core/version.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/scene/scene_hash.hpp>

namespace rumple {

namespace {

using nlohmann::json;

struct TorqueCase {
    std::string name;
    double h;
    bool friction;
    bool paper_rule;  // d_c = 0
};

struct TorqueTube {
    int around, up;
    double h_ref;  // m
};

constexpr int kDwellSteps = 50;

// The variants, which share the twist.
const std::string kAtOnce = "at-once", kDwell = "dwell";

// The paper turns on bending and stretching friction, and no plasticity. Twist and back, at once or after a
// dwell of 500 s.
json stability_tube(const TorqueCase& c, double degrees, const TorqueTube& tube, int seed) {
    json scene = tube_scene({.name = "stability",
                             .around = tube.around,
                             .up = tube.up,
                             .seed = seed,
                             .degrees = -degrees,
                             .turn_seconds = 1,
                             .lowered = 0,
                             .h = c.h,
                             .h_ref = tube.h_ref});
    json& material = scene["cloths"][0]["material"];
    material["plasticity"] = {{"law", "none"}};
    if (c.friction) {
        material["tensile_friction"] = json::object();
        if (c.paper_rule) {
            material["tensile_friction"]["d_c"] = 0;
            material["friction"] = {{"d_c", 0}, {"gate", "none"}};
        }
    } else {
        material["friction"]["law"] = "none";
    }
    json phases = json::array();
    for (const json& phase : scene["phases"])
        if (phase["name"] == "twist" || phase["name"] == "back" || phase["name"] == "hold")
            phases.push_back(phase);
    scene["phases"] = phases;
    scene["variants"] = {{{"name", kAtOnce}, {"set", {{"phases.hold.steps", 0}}}}, {{"name", kDwell}}};
    return scene;
}

json stability_scene() {
    json scene = stability_tube({"friction", 0.01, true, false}, 5, {64, 28, 0.004}, 1);
    scene["description"] =
        "A tube twisted by 5 degrees, held, and turned back: the torque on its top, with bending and "
        "stretching friction.";
    return scene;
}

// Of one variant.
struct TorqueRecord {
    std::vector<double> torque;  // about the tube's axis on the top handle after every step [N m]
    int slipping = 0;            // most components that slipped in one step
};
using TorqueRecords = std::map<std::string, TorqueRecord>;

class TorqueLog : public RunObserver {
  public:
    void on_phase_begin(const std::vector<std::string>& variants, int, const Simulator&) override {
        running_ = variants;
    }
    void on_step(const StepReport& report, const Simulator& sim) override {
        const double torque = sim.reaction(1, {0, 0, 0}).torque.z;
        for (const std::string& variant : running_) {
            TorqueRecord& record = records[variant];
            record.torque.push_back(torque);
            record.slipping = std::max(record.slipping, report.slipping);
        }
    }
    TorqueRecords records;

  private:
    std::vector<std::string> running_;
};

// These runs leave no folders. What was recorded is kept in a file, so that an interrupted experiment
// continues with the next run.
TorqueRecords record(const ExperimentContext& bench, const json& scene, const std::string& name) {
    std::string identity = program_version();
    for (const Scene& variant : build_variants({scene, name, {}})) identity += " " + scene_hash(variant);
    const std::filesystem::path file = bench.out() / "torque" / (name + ".json");
    if (!bench.out().empty() && std::filesystem::exists(file)) {
        const json kept = json::parse(read_file(file), nullptr, false);
        if (kept.is_object() && kept.value("of", "") == identity) {
            TorqueRecords records;
            for (const auto& [variant, record] : kept.at("variants").items())
                records[variant] = {record.at("torque"), record.at("slipping")};
            return records;
        }
    }
    TorqueLog log;
    bench.watch(scene, name, log);
    if (bench.out().empty()) return log.records;
    json kept{{"of", identity}};
    for (const auto& [variant, record] : log.records)
        kept["variants"][variant] = {{"torque", record.torque}, {"slipping", record.slipping}};
    std::filesystem::create_directories(file.parent_path());
    write_atomically(file, kept.dump() + "\n");
    return log.records;
}

// Largest second differences of the torque, as shares of its range.
struct Roughness {
    double within = 0;       // but for three steps around the start, the end of the twist and the way back
    double at_reversal = 0;  // in these three, but for the start
};

Roughness roughness(const std::vector<double>& torque, std::size_t twist, std::size_t dwell) {
    const auto [low, high] = std::minmax_element(torque.begin(), torque.end());
    const auto near = [](std::size_t i, std::size_t event) { return i + 3 >= event && i <= event + 3; };
    Roughness r;
    for (std::size_t i = 4; i + 1 < torque.size(); ++i) {
        const double kink = std::abs(torque[i + 1] - 2 * torque[i] + torque[i - 1]) / (*high - *low);
        double& worst = near(i, twist) || near(i, twist + dwell) ? r.at_reversal : r.within;
        worst = std::max(worst, kink);
    }
    return r;
}

// The runs of one case, all seeds.
struct TorqueRuns {
    std::vector<double> within, at_reversal;     // one a seed
    int slipping = 0;                            // most components that slipped in one step
    std::vector<std::vector<double>> rows = {};  // of seed 1: time [s], angle [degrees], torque [N m]
};

std::string torque_file(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char ch) { return ch == ' ' || ch == ',' || ch == '='; }, '_');
    return name;
}

// Time [s], angle [degrees], torque [N m].
std::vector<std::vector<double>> rows_of(const TorqueRecord& record, double h, double degrees,
                                         std::size_t twist, std::size_t pause) {
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < record.torque.size(); ++i) {
        const double there = std::min(1.0, double(i + 1) / double(twist)),
                     back = i < twist + pause ? 0 : double(i + 1 - twist - pause) / double(twist);
        rows.push_back({double(i + 1) * h, degrees * (there - back), record.torque[i]});
    }
    return rows;
}

// By variant.
std::map<std::string, TorqueRuns> run_case(const ExperimentContext& bench, const TorqueCase& c,
                                           double degrees, const TorqueTube& tube) {
    std::map<std::string, TorqueRuns> of;
    const auto twist = static_cast<std::size_t>(std::lround(1 / c.h));
    // At 5 degrees nothing buckles and nothing touches: where steps are many, two seeds show that they agree.
    const int seeds =
        degrees == 5 && c.h < 0.01 ? std::min(2, seeds_of(bench.size())) : seeds_of(bench.size());
    for (int seed = 1; seed <= seeds; ++seed) {
        const std::string name = torque_file(fmt::format("{:g}deg-{}-seed{}", degrees, c.name, seed));
        for (const auto& [variant, record] : record(bench, stability_tube(c, degrees, tube, seed), name)) {
            TorqueRuns& o = of[variant];
            const std::size_t pause = variant == kDwell ? kDwellSteps : 0;
            const Roughness r = roughness(record.torque, twist, pause);
            o.within.push_back(r.within), o.at_reversal.push_back(r.at_reversal);
            o.slipping = std::max(o.slipping, record.slipping);
            if (seed == 1) o.rows = rows_of(record, c.h, degrees, twist, pause);
        }
    }
    return of;
}

Series curve(const TorqueCase& c, const std::vector<std::vector<double>>& rows) {
    Series series;
    series.name = c.name;
    series.dashed = c.paper_rule;
    for (const auto& row : rows) {
        series.x.push_back(row[1]);
        series.y.push_back(1e6 * row[2]);
    }
    return series;
}

void add_torque_claims(std::vector<Claim>& claims, const std::string& what, const TorqueRuns& o, bool dwell,
                       double degrees) {
    const std::string note =
        fmt::format("at most {} strain components slipped in a step{}", o.slipping,
                    degrees == 5 ? "" : "; the tube buckles at this angle, which is a jump of its own");
    const Bound smooth = at_most(0.02, "a kink of a fiftieth of the range is seen in a plot of the torque");
    if (dwell) {
        claims.push_back(make_claim(what + ", after a dwell of 500 s: the torque breaks away without a jump",
                                    {"largest second difference / range", o.within}, smooth, note));
        return;
    }
    claims.push_back(make_claim(what + ": the torque has no jump",
                                {"largest second difference / range", o.within}, smooth, note));
    claims.push_back(make_claim(
        what + ": nor at the reversal", {"largest second difference at the reversal / range", o.at_reversal},
        at_most(
            0.04,
            "turning back at once bends a straight line by 0.02 at h = 0.01 s; as much again for inertia"),
        note));
}

std::string torque_title(double degrees, const std::string& variant) {
    return fmt::format("torque-{:g}deg{}", degrees, variant == kDwell ? "-dwell" : "");
}

void show_torque(ExperimentContext& bench, double degrees, const std::string& variant, const Plot& plot) {
    bench.plot(torque_title(degrees, variant),
               fmt::format("Torque on the top while it turns by {:g} degrees and back{}. The paper "
                           "sees an abrupt change with friction and h = 0.01 s, and none at h = 0.001 "
                           "s or without friction.",
                           degrees, variant == kDwell ? ", held for 500 s between" : ""),
               plot);
}

std::vector<Claim> reproduce_stability(ExperimentContext& bench) {
    const bool smoke = bench.size() == Size::smoke, paper = bench.size() == Size::paper;
    const TorqueTube tube = smoke   ? TorqueTube{24, 11, 0.004}
                            : paper ? TorqueTube{128, 55, kSpecimenHeight}
                                    : TorqueTube{64, 28, 0.004};
    const std::vector<TorqueCase> cases{{"elastic", 0.01, false, false},
                                        {"friction, h = 0.01 s", 0.01, true, false},
                                        {"friction, h = 0.001 s", 0.001, true, false},
                                        {"friction, d_c = 0, h = 0.01 s", 0.01, true, true},
                                        {"friction, d_c = 0, h = 0.001 s", 0.001, true, true}};
    std::vector<Claim> claims;
    for (const double degrees : smoke ? std::vector{5.0} : std::vector{5.0, 45.0}) {
        std::map<std::string, Plot> plots;  // by variant
        std::map<std::string, std::vector<Claim>> judged;
        for (const TorqueCase& c : cases) {
            if (smoke && c.h < 0.01) continue;
            for (const auto& [variant, o] : run_case(bench, c, degrees, tube)) {
                const std::string title = torque_title(degrees, variant);
                plots[variant].series.push_back(curve(c, o.rows));
                bench.write_table(torque_file(title + "-" + c.name), {"time_s", "angle_deg", "torque_Nm"},
                                  o.rows);
                add_torque_claims(judged[variant], fmt::format("{:g} degrees, {}", degrees, c.name), o,
                                  variant == kDwell, degrees);
            }
        }
        for (auto& [variant, plot] : plots) {
            plot.x = {"angle", "degrees"};
            plot.y = {"torque", "µN m"};
            show_torque(bench, degrees, variant, plot);
            for (Claim& claim : judged[variant]) claims.push_back(std::move(claim));
        }
    }
    return claims;
}

}  // namespace

Experiment stability_experiment() {
    return {"stability",
            "torque against angle of a twisted tube: is there a jump?",
            "3 min",
            stability_scene,
            reproduce_stability,
            "With friction and h = 0.01 s the reaction torque of a tube twisted by 5 degrees changes "
            "abruptly once; not "
            "without friction, and not at h = 0.001 s. (Supplement, Stability analysis, figure 18.)",
            "The same tube with bending and stretching friction and no plasticity: turned by 5 degrees and "
            "back at once or after a dwell of 500 s, and by 45 degrees, where hinges slip. With our slip "
            "distance and with the paper's rule (d_c = 0). At paper size with the specimen table's reference "
            "height of 2.5 mm. The claim judged is our own: that there is no jump."};
}

}  // namespace rumple
