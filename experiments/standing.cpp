// Trousers that hang before they are worn (MODEL, section 10.1): with the paper's clock cloth ages while it
// lies or hangs, and remembers little of what it is bent to later. Friction that ages under load does not.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <experiments/catalogue.hpp>
#include <experiments/dressed_claims.hpp>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kStood = 600;  // s

DressedScene standing_dress(Size size, const std::string& gate, double wait, int seed) {
    return sized_dress(
        {.clip = "sit", .gate = gate, .wait = wait, .brief = false, .bare = false, .seed = seed}, size,
        0.0077);
}

json standing_scene() { return dressed_scene(standing_dress(Size::draft, "load", kStood, 1)); }

// Both knees of a run, 1/m^2: all bending content, and what is left of the pose.
struct Knees {
    std::array<double, 2> content{}, left{};
};

Knees knees_of(const DressedRun& run, const std::string& variant) {
    Knees knees;
    for (const std::size_t i : {0u, 1u}) {
        const std::string region = i == 0 ? "behind_knee_left" : "behind_knee_right";
        knees.content[i] = run.content.at(variant).at(region).bending_content;
        knees.left[i] = run.memory.at(variant).at(region).left;
    }
    return knees;
}

// Geometric mean over both knees of a/b: which knee gets the sharper fold is chance.
double ratio_of_knees(const std::array<double, 2>& a, const std::array<double, 2>& b) {
    return ratio(std::sqrt(a[0] * a[1]), std::sqrt(b[0] * b[1]));
}

std::string geometric_mean(const std::vector<Knees>& seeds) {
    double sum = 0;
    for (const Knees& knees : seeds) sum += 0.5 * std::log(knees.content[0] * knees.content[1]);
    return fmt::format("{:.0f}", std::exp(sum / static_cast<double>(seeds.size())));
}

// What trousers keep behind the knees of sitting for 500 s if they stood for 10 min before, against what
// those keep that sat at once. The latter take the same steps before, without material time: another path
// would find another buckle.
std::vector<Claim> claims_of_gate(const ExperimentContext& bench, const std::string& gate, int seeds) {
    std::vector<Knees> at_once, stood;  // one a seed
    for (int seed = 1; seed <= seeds; ++seed)
        for (const double wait : {0.0, kStood}) {
            const DressedRun run = run_dressed(bench, standing_dress(bench.size(), gate, wait, seed),
                                               fmt::format("stood-{:g}s-gate-{}-seed{}", wait, gate, seed));
            (wait > 0 ? stood : at_once).push_back(knees_of(run, "held"));
        }
    std::vector<double> content, left;
    for (std::size_t i = 0; i < stood.size(); ++i) {
        content.push_back(ratio_of_knees(stood[i].content, at_once[i].content));
        left.push_back(ratio_of_knees(stood[i].left, at_once[i].left));
    }
    const std::string note = fmt::format("mean of both knees, 1/m^2: stood {}, at once {}",
                                         geometric_mean(stood), geometric_mean(at_once));
    const std::string statement = fmt::format(
        "cotton, gate {}, behind the knees: stood for 10 min before it sat for 500 s / sat at once", gate);
    const Sample all{"bending content, ratio", content, Scale::logarithmic};
    if (gate == "none")  // nothing of the pose is left: the other ratio would be 0
        return {make_claim(statement, all,
                           at_most(0.5, "the paper's clock ages cloth that hangs: less than half is left"),
                           note)};
    const Bound bound = at_least(0.8, "standing costs less than a fifth of what sitting leaves");
    return {make_claim(statement, all, bound, note),
            make_claim(statement + ", of the pose's bend",
                       {"bending content that is left of the pose, ratio", left, Scale::logarithmic}, bound)};
}

std::vector<Claim> reproduce_standing(ExperimentContext& bench) {
    const int seeds = bench.size() == Size::smoke ? 1 : 8;
    std::vector<Claim> claims = claims_of_gate(bench, "load", seeds);
    if (bench.size() != Size::smoke)
        for (Claim& claim : claims_of_gate(bench, "none", 5)) claims.push_back(std::move(claim));
    bench.sheet("standing", "From behind, after 500 s of sitting.",
                {{"stood-0s-gate-load-seed1/held", "sat at once"},
                 {fmt::format("stood-{:g}s-gate-load-seed1/held", kStood), "stood for 10 min before"}},
                {.light = LightKind::raking, .view = View::back, .columns = 2, .width = 320, .height = 448});
    return claims;
}

}  // namespace

Experiment standing_experiment() {
    return {
        "standing",
        "trousers that hang for 10 min before they are worn",
        "12 min",
        standing_scene,
        reproduce_standing,
        "Nothing: in the paper the clock of friction runs whenever nothing slips. (Section on internal "
        "friction.)",
        "Cotton trousers stand on the mannequin for 10 min, or for the same steps without material time, "
        "then sit for 500 s without a chair and stand up. Bending content behind the knees, with friction "
        "that ages under load and with the paper's clock. The bounds are ours."};
}

}  // namespace rumple
