// Stretched cloth (paper, "Tensile Friction and Plasticity"): a sheet in a frame is pressed down
// by a square punch, a little or a lot, let go at once or after a hold. What stays is how far it sags.
#include <fmt/format.h>

#include <algorithm>
#include <experiments/catalogue.hpp>
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

json scene_with(int across, bool published) {
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
           {"imperfection", {{"amplitude", 1e-5}, {"seed", 1}}}}}},
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
    const json brief{{"phases.hold.steps", 0}};
    json small_brief = small, elastic = brief;
    small_brief.update(brief);
    elastic["cloths.sheet.material.tensile_friction"] = nullptr;
    elastic["cloths.sheet.material.tensile_plasticity"] = nullptr;
    scene["variants"] = {{{"name", "elastic"}, {"set", elastic}},
                         {{"name", "small-brief"}, {"set", small_brief}},
                         {{"name", "small-held"}, {"set", small}},
                         {{"name", "large-brief"}, {"set", brief}},
                         {{"name", "large-held"}}};
    return scene;
}

json stretch_scene() { return scene_with(41, false); }

std::map<std::string, double> sags(const ExperimentContext& bench, int across, bool published) {  // mm
    std::map<std::string, double> sag;
    for (const RunResult& r :
         bench.run(scene_with(across, published), published ? "published" : "plausible")) {
        const auto& x = r.last.state.x;
        sag[r.variant] =
            -1000 * std::min_element(x.begin(), x.end(), [](Vec3d a, Vec3d b) { return a.z < b.z; })->z;
    }
    return sag;
}

std::vector<Claim> claims_of(const std::map<std::string, double>& sag, bool published) {
    const std::string set = published ? "published set" : "plausible set", ratio = "sag at the end, ratio";
    const std::string why =
        published ? "its friction at eps_0 already balances the elastic stress: there is no room" : "";
    const auto claim = [&](const char* statement, const char* above, const char* below, double bound,
                           const std::string& note) {
        return Claim{set + ": " + statement, ratio, {sag.at(above) / sag.at(below)}, ">=", bound, note};
    };
    return {claim("the deep press stays more than the shallow one, brief: large / small", "large-brief",
                  "small-brief", 1.1, ""),
            claim("the deep press stays more than the shallow one, held: large / small", "large-held",
                  "small-held", 1.1, ""),
            claim("the deep press stays, brief: large / elastic", "large-brief", "elastic", 1.5, ""),
            claim("held stays more than brief, small", "small-held", "small-brief", 1.05, why),
            claim("held stays more than brief, large", "large-held", "large-brief", 1.05, why)};
}

void show(ExperimentContext& bench, const std::map<std::string, double>& sag, bool published) {
    const std::string folder = published ? "published" : "plausible";
    std::vector<Shown> shown;
    for (const std::string hold : {"brief", "held"})
        for (const std::string press : {"small", "large"}) {
            const std::string v = press + "-" + hold;
            shown.push_back({folder + "/" + v, fmt::format("{} mm, {}: sags {:.1f} mm",
                                                           1000 * (press == "small" ? kSmall : kLarge),
                                                           hold == "held" ? "500 s" : "at once", sag.at(v))});
        }
    bench.sheet(
        folder,
        fmt::format("The {} set of tensile parameters, at the end: pressed by 15 mm and by 30 mm, let go at "
                    "once and after 500 s. The number is the sag under the cloth's weight; elastic cloth has "
                    "{:.1f} mm.",
                    folder, sag.at("elastic")),
        shown,
        {.light = LightKind::raking, .from = ViewAngles{35, 32}, .columns = 2, .width = 480, .height = 320});
}

std::vector<Claim> reproduce_stretch(ExperimentContext& bench) {
    const int across = bench.size() == Size::smoke ? 17 : bench.size() == Size::draft ? 41 : 141;
    std::vector<Claim> claims;
    std::vector<std::vector<double>> rows;
    for (const bool published : {true, false}) {
        const auto sag = sags(bench, across, published);
        for (Claim& claim : claims_of(sag, published)) claims.push_back(std::move(claim));
        show(bench, sag, published);
        rows.push_back({published ? 1.0 : 2.0, sag.at("elastic"), sag.at("small-brief"), sag.at("small-held"),
                        sag.at("large-brief"), sag.at("large-held")});
    }
    bench.write_table("stretch",
                      {"set_1_published_2_plausible", "elastic_mm", "small_brief_mm", "small_held_mm",
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
            "mm by 15 or 30 mm, let go at once or after 500 s, with gravity. Measured is how far it sags. "
            "Run with the published tensile parameters and with a set of our own."};
}

}  // namespace rumple
