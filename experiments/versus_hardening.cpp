// Plain hardening plasticity (Narain et al. 2013) against ours (paper, "Compare with Hardening Plastic
// Model"): a rectangle, two edges twisted in opposite directions, flattened again.
#include <algorithm>
#include <cmath>
#include <experiments/catalogue.hpp>
#include <experiments/imperfection.hpp>
#include <experiments/tube_scene.hpp>
#include <map>
#include <string>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kWidth = 0.1, kLength = 0.15;  // m
constexpr double kNearer = 0.03;  // m: the edges approach while they turn, so that the cloth crumples

constexpr double kDraftHeight = 0.004;  // m: with 2.5 mm a coarse mesh could not fold sharply enough to yield

// Brief goes through the steps of the hold too, but no material time passes: what differs is time alone.
json hardening_scene_of(double edge, int seed, double h_ref) {
    const json any = nullptr;
    const double end = 0.5 * kLength - 0.1 * edge;
    const auto turn = [](int side, int sign) {
        return json{{"rotate", {{"axis", {0, 1, 0}}, {"degrees", 90 * side * sign}}},
                    {"translate", {0, -0.5 * side * sign * kNearer, 0}},
                    {"ease", "smooth"}};
    };
    const json baseline{{"cloths.sheet.material.friction.law", "none"},
                        {"cloths.sheet.material.plasticity.g", 0}};
    const json brief{{"phases.hold.hold", 0}};
    json baseline_brief = baseline;
    baseline_brief.update(brief);
    return {
        {"rumple", 1},
        {"name", "versus-hardening"},
        {"description", "A rectangle, two edges twisted in opposite directions, held or not, and flattened."},
        {"gravity", {0, 0, 0}},
        {"damping", {{"mass", 2}}},
        {"contact", {{"thickness", std::min(5e-4, 0.4 * edge)}, {"friction", 0.3}}},
        {"cloths",
         {{{"name", "sheet"},
           {"mesh",
            {{"generator", "grid"},
             {"nx", std::lround(kWidth / edge) + 1},
             {"ny", std::lround(kLength / edge) + 1},
             {"width", kWidth},
             {"height", kLength},
             {"layout", "alternating"}}},
           {"material", {{"preset", "cotton"}, {"H_ref", h_ref}, {"friction", {{"gate", "load"}}}}},
           {"imperfection", imperfection(1e-4, seed, "normal", edge, 0.0025)}}}},
        {"handles",
         {{{"name", "near"}, {"select", {{"box", {{"max", {any, -end, any}}}}}}},
          {{"name", "far"}, {"select", {{"box", {{"min", {any, end, any}}}}}}}}},
        {"phases",
         {{{"name", "twist"}, {"duration", 1}, {"motions", {{"near", turn(-1, 1)}, {"far", turn(1, 1)}}}},
          {{"name", "rest"}, {"duration", 0.4}},
          {{"name", "hold"}, {"hold", 500}, {"steps", 50}},
          {{"name", "flatten"}, {"duration", 1}, {"motions", {{"near", turn(-1, -1)}, {"far", turn(1, -1)}}}},
          {{"name", "settle"}, {"duration", 1}}}},
        {"variants",
         {{{"name", "ours-brief"}, {"set", brief}},
          {{"name", "ours-held"}},
          {{"name", "hardening-brief"}, {"set", baseline_brief}},
          {{"name", "hardening-held"}, {"set", baseline}}}}};
}

json hardening_scene() { return hardening_scene_of(0.0025, 1, kDraftHeight); }

std::vector<Claim> reproduce_versus_hardening(ExperimentContext& bench) {
    const Size size = bench.size();
    const double edge = size == Size::smoke ? 0.00625 : size == Size::draft ? 0.0025 : 0.0009;
    const double h_ref = size == Size::paper ? kSpecimenHeight : kDraftHeight;
    std::map<std::string, std::vector<double>> content;
    for (int seed = 1; seed <= seeds_of(size); ++seed)
        for (const RunResult& r :
             bench.run(hardening_scene_of(edge, seed, h_ref), "seed" + std::to_string(seed)))
            content[r.variant].push_back(r.at_end[0].measures.bending_content);
    const std::vector<Shown> shown{{"seed1/ours-brief", "ours, at once"},
                                   {"seed1/ours-held", "ours, 500 s"},
                                   {"seed1/hardening-brief", "hardening, at once"},
                                   {"seed1/hardening-held", "hardening, 500 s"}};
    bench.sheet(
        "flattened", "Flattened, at the end. Light from the side.", shown,
        {.light = LightKind::raking, .from = ViewAngles{35, 28}, .columns = 2, .width = 480, .height = 320});
    bench.sheet("twisted", "Twisted, just before the hold.",
                {{"seed1/ours-held", "ours"}, {"seed1/hardening-held", "hardening"}},
                {.at = "rest", .width = 400, .height = 480});
    const auto compared = [&](const std::string& a, const std::string& b) {
        return ratio_of("bending content", content[a], content[b]);
    };
    const Bound fewer = at_least(1.5, "\"much fewer\" in pictures: a bend a fifth larger, squared");
    return {make_claim("the baseline is the same for brief and held: held / brief",
                       compared("hardening-held", "hardening-brief"),
                       within_of_one(1e-6, "the law has no time: equal but for rounding")),
            make_claim("the baseline has fewer wrinkles, brief: ours / baseline",
                       compared("ours-brief", "hardening-brief"), fewer),
            make_claim("the baseline has fewer wrinkles, held: ours / baseline",
                       compared("ours-held", "hardening-held"), fewer),
            make_claim("ours: held keeps more than brief: held / brief", compared("ours-held", "ours-brief"),
                       at_least(1.2, "a fifth more is the least that pictures beside each other show"))};
}

}  // namespace

Experiment versus_hardening_experiment() {
    return {"versus-hardening",
            "a rectangle, two edges twisted in opposite directions and flattened: plain hardening "
            "plasticity against ours",
            "2 min",
            hardening_scene,
            reproduce_versus_hardening,
            "With the same yield strain, the wrinkles of plain hardening plasticity are identical however "
            "long the cloth is twisted, and much fewer, since there is no internal friction; with our "
            "model the duration matters. (Compare with Hardening Plastic Model.)",
            "A rectangle of 100 by 150 mm, its short edges turned by 90 degrees in opposite directions and "
            "brought nearer by 30 mm, so that the cotton crumples; 500 s or none; flattened. The baseline "
            "is our plasticity without its time (g = 0) and without friction. Brief runs take the steps of "
            "the hold as well, without material time."};
}

}  // namespace rumple
