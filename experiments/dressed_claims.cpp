#include <fmt/format.h>

#include <algorithm>
#include <experiments/dressed_claims.hpp>

namespace rumple {

DressedScene sized_dress(DressedScene scene, Size size, double paper_edge) {
    if (size == Size::smoke) {
        scene.edge = scene.garment == "tshirt" ? 0.03 : 0.04;  // longer: sleeves begin inside the arms
        scene.body_edge = 0.04;
        scene.h = 0.02;
        scene.hold_steps = 5;
        scene.pace = 0.4;
        scene.self_contact = false;
    }
    if (size == Size::paper) scene.edge = paper_edge, scene.body_edge = 0.0142;
    return scene;
}

std::vector<std::string> keepers_of(Size size) {
    if (size == Size::smoke) return {"cotton"};
    return {"cotton", "denim"};
}

std::vector<std::string> cloths_of(Size size) {
    std::vector<std::string> cloths = keepers_of(size);
    cloths.emplace_back("polyester");
    return cloths;
}

namespace {

// The mean over the sides of a number of each seed's run.
template <class Number>
std::vector<double> by_seed(const DressedAt& at, const std::string& region, const Sides& sides,
                            Number number) {
    std::vector<double> values;
    for (const DressedRun& run : at.runs) {
        double sum = 0;
        for (const std::string& side : sides) sum += number(run, region + side);
        values.push_back(sum / static_cast<double>(sides.size()));
    }
    return values;
}

std::vector<double> remembered(const DressedAt& at, const std::string& region, const Sides& sides,
                               double PoseMemory::*field) {
    return by_seed(at, region, sides, [&](const DressedRun& run, const std::string& where) {
        return run.memory.at(at.variant).at(where).*field;
    });
}

std::string in_words(const DressedAt& at, const std::string& region, const Sides& sides) {
    const auto mean = [](const std::vector<double>& values) { return estimate_mean(values).mean; };
    const auto field = [&](double PoseMemory::*f) { return mean(remembered(at, region, sides, f)); };
    const std::vector<double> yielding =
        by_seed(at, region, sides, [&](const DressedRun& run, const std::string& where) {
            return run.yielding.at(at.variant).at(where);
        });
    return fmt::format(
        "{:.3f} of {:.0f} 1/m^2 are left; all change {:.0f} 1/m^2; {:.1f} % of the hinges yielded",
        field(&PoseMemory::share), field(&PoseMemory::pose), field(&PoseMemory::change),
        100 * mean(yielding));
}

std::string compared(const DressedAt& a, const DressedAt& b, const std::string& region, const Sides& sides) {
    return fmt::format("{}; compared with {}", in_words(a, region, sides), in_words(b, region, sides));
}

}  // namespace

Claim keeps_more(const std::string& statement, const DressedAt& a, const DressedAt& b,
                 const std::string& region, const Sides& sides) {
    return make_claim(statement,
                      {"share of the pose's bend that is left, difference",
                       differences(remembered(a, region, sides, &PoseMemory::share),
                                   remembered(b, region, sides, &PoseMemory::share))},
                      at_least(0, "an order, as the paper says of its figure",
                               "measure and bound were chosen after a first look"),
                      compared(a, b, region, sides));
}

Claim keeps_times(const std::string& statement, const DressedAt& a, const DressedAt& b,
                  const std::string& region, const Bound& bound, const Sides& sides) {
    return make_claim(
        statement,
        ratio_of("bending content that is left of the pose", remembered(a, region, sides, &PoseMemory::left),
                 remembered(b, region, sides, &PoseMemory::left)),
        bound, compared(a, b, region, sides));
}

Claim stays_outside(const std::map<std::string, DressedRuns>& runs) {
    std::vector<double> inside;
    for (const auto& [name, seeds] : runs)
        for (const DressedRun& run : seeds)
            inside.push_back(static_cast<double>(run.inside_steps) /
                             static_cast<double>(std::max<std::int64_t>(1, run.steps)));
    return make_claim(
        "the cloth stays outside of the body", {"vertices inside, a step", inside},
        at_most(0, "nothing may pass through"),
        "counted pinches are pushed out again; summary.json of each run says when and how deep");
}

}  // namespace rumple
