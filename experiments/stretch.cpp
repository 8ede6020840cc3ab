// Stretched cloth (paper, "Tensile Friction and Plasticity"): a sheet in a frame is pressed down
// by a square punch, a little or a lot, let go at once or after a hold. What stays is how far it sags.
#include <fmt/format.h>

#include <algorithm>
#include <experiments/catalogue.hpp>
#include <experiments/imperfection.hpp>
#include <map>

namespace rumple {

namespace {

using nlohmann::json;

constexpr double kSide = 0.2, kPunch = 0.08;     // m
constexpr double kSmall = 0.015, kLarge = 0.03;  // m: 3 % and 12 % strain between frame and punch

// Friction an eighth as stiff as the published one: at eps_0 it holds back 0.125 N/m, a 0.25 % strain's worth
// of elastic stress; after a long hold ten times that. Hardening as in bending: as stiff as the cloth, and
// nine tenths of it relaxes.
json plausible_friction() { return {{"k", {25, 25, 5}}, {"eps_0", 0.005}, {"eps_inf", 0.05}, {"tau", 30}}; }
json plausible_plasticity() { return {{"K_h0", {50, 50, 30}}, {"g", 0.9}, {"tau", 30}, {"eps_Y0", 0.033}}; }

json scene_with(int across, bool published, int seed) {
    const auto depth = [](double by) { return json{{"translate", {0, 0, by}}, {"ease", "smooth"}}; };
    json scene{
        {"rumple", 1},
        {"name", "stretch"},
        {"description",
         "A sheet in a frame is pressed down by a punch, held or not, and let go: it stays stretched."},
        {"damping", {{"mass", 3}}},
        {"contact", {{"thickness", 0.001}, {"friction", 0.3}}},
        {"cloths",
         {{{"name", "sheet"},
           {"mesh",
            {{"generator", "grid"},
             {"nx", across},
             {"ny", across},
             {"width", kSide},
             {"height", kSide},
             {"layout", "alternating"}}},
           {"material",
            {{"preset", "cotton"},
             {"friction", {{"gate", "load"}}},
             {"tensile_friction", published ? json::object() : plausible_friction()},
             {"tensile_plasticity", published ? json::object() : plausible_plasticity()}}},
           {"imperfection", imperfection(1e-5, seed, "normal", kSide / (across - 1), 0.005)}}}},
        {"handles", {{{"name", "frame"}, {"select", {{"boundary", "all"}}}}}},
        {"obstacles",
         {{{"name", "punch"},
           {"shape", {{"kind", "box"}, {"size", {kPunch, kPunch, 0.02}}, {"centre", {0, 0, 0.0115}}}},
           {"thickness", 0.001}}}},
        {"phases",
         {{{"name", "press"}, {"duration", 1}, {"obstacles", {{"punch", depth(-kLarge)}}}},
          {{"name", "rest"}, {"duration", 0.4}},
          {{"name", "hold"}, {"hold", 500}, {"steps", 50}},
          {{"name", "settle"}, {"duration", 2.5}, {"deactivate", {"punch"}}}}}};
    const json small{{"phases.press.obstacles.punch.translate", {0, 0, -kSmall}}};
    const json brief{{"phases.hold.hold", 0}};  // the same steps without material time
    json small_brief = small, elastic = brief;
    small_brief.update(brief);
    elastic["cloths.sheet.material.tensile_friction"] = nullptr;
    elastic["cloths.sheet.material.tensile_plasticity"] = nullptr;
    scene["variants"] = {{{"name", "small-brief"}, {"set", small_brief}},
                         {{"name", "small-held"}, {"set", small}},
                         {{"name", "large-brief"}, {"set", brief}},
                         {{"name", "large-held"}}};
    if (published) scene["variants"].push_back({{"name", "elastic"}, {"set", elastic}});  // the same in both
    return scene;
}

json stretch_scene() { return scene_with(41, false, 1); }

using Sags = std::map<std::string, std::vector<double>>;  // mm, by variant, one a seed

Sags sags(const ExperimentContext& bench, int across, bool published) {
    Sags sag;
    for (int seed = 1; seed <= seeds_of(bench.size()); ++seed)
        for (const RunResult& r :
             bench.run(scene_with(across, published, seed),
                       fmt::format("{}-seed{}", published ? "published" : "plausible", seed))) {
            const auto& x = r.last.state.x;
            const auto lower = [](Vec3d a, Vec3d b) { return a.z < b.z; };
            sag[r.variant].push_back(-1000 * std::min_element(x.begin(), x.end(), lower)->z);
        }
    return sag;
}

std::vector<Claim> claims_of(const Sags& sag, bool published) {
    const std::string set = published ? "published set" : "plausible set";
    const std::string reason =
        published ? "its friction at eps_0 already balances the elastic stress: there is no room" : "";
    const auto claim = [&](const char* statement, const char* above, const char* below, const Bound& bound,
                           const std::string& note) {
        return make_claim(set + ": " + statement, ratio_of("sag at the end", sag.at(above), sag.at(below)),
                          bound, note);
    };
    const Bound deeper = at_least(1.1, "a tenth of the sag, 1 mm of 10, is seen from the side");
    const Bound stays =
        at_least(1.5, "half as much again as elastic cloth: the frame's cloth has become slack");
    const Bound longer = at_least(1.05, "the least that a picture with both outlines shows");
    return {claim("the deep press stays more than the shallow one, brief: large / small", "large-brief",
                  "small-brief", deeper, ""),
            claim("the deep press stays more than the shallow one, held: large / small", "large-held",
                  "small-held", deeper, ""),
            claim("the deep press stays, brief: large / elastic", "large-brief", "elastic", stays, ""),
            claim("held stays more than brief, small", "small-held", "small-brief", longer, reason),
            claim("held stays more than brief, large", "large-held", "large-brief", longer, reason)};
}

void show(ExperimentContext& bench, const Sags& sag, bool published) {
    const std::string folder = published ? "published" : "plausible";
    std::vector<Shown> shown;
    for (const std::string hold : {"brief", "held"})
        for (const std::string press : {"small", "large"}) {
            const std::string v = press + "-" + hold;
            shown.push_back(
                {folder + "-seed1/" + v,
                 fmt::format("{} mm, {}: sags {:.1f} mm", 1000 * (press == "small" ? kSmall : kLarge),
                             hold == "held" ? "500 s" : "at once", sag.at(v).front())});
        }
    bench.sheet(
        folder,
        fmt::format("The {} set of tensile parameters, at the end: pressed by 15 mm and by 30 mm, let go at "
                    "once and after 500 s. The number is the sag under the cloth's weight; elastic cloth has "
                    "{:.1f} mm.",
                    folder, sag.at("elastic").front()),
        shown,
        {.light = LightKind::raking, .from = ViewAngles{35, 32}, .columns = 2, .width = 480, .height = 320});
}

std::vector<Claim> reproduce_stretch(ExperimentContext& bench) {
    const int across = bench.size() == Size::smoke ? 17 : bench.size() == Size::draft ? 41 : 141;
    std::vector<Claim> claims;
    std::vector<std::vector<double>> rows;
    std::vector<double> elastic;
    for (const bool published : {true, false}) {
        Sags sag = sags(bench, across, published);
        if (published)
            elastic = sag.at("elastic");
        else
            sag["elastic"] = elastic;
        for (Claim& claim : claims_of(sag, published)) claims.push_back(std::move(claim));
        show(bench, sag, published);
        for (std::size_t k = 0; k < sag.at("elastic").size(); ++k) {
            rows.push_back({published ? 1.0 : 2.0, double(k + 1)});
            for (const char* v : {"elastic", "small-brief", "small-held", "large-brief", "large-held"})
                rows.back().push_back(sag.at(v)[k]);
        }
    }
    bench.write_table("stretch",
                      {"set_1_published_2_plausible", "seed", "elastic_mm", "small_brief_mm", "small_held_mm",
                       "large_brief_mm", "large_held_mm"},
                      rows);
    return claims;
}

}  // namespace

Experiment stretch_experiment() {
    return {"stretch",
            "a sheet in a frame pressed down by a punch, a little or a lot, held or not: it stays stretched",
            "2 min",
            stretch_scene,
            reproduce_stretch,
            "The cloth stays stretched by tensile friction and plasticity, more after a deep press than "
            "after a shallow one, and the longer it is pressed the more. (Tensile Friction and Plasticity.)",
            "A sheet of cotton, 200 mm square, all four edges fixed, pressed down by a square punch of 80 "
            "mm by 15 or 30 mm, let go at once (the steps of the hold without material "
            "time) or after 500 s, with gravity, over five seeds. Measured is how far it sags. "
            "Run with the published tensile parameters and with a set of our own."};
}

}  // namespace rumple
