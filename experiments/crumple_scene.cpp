#include <experiments/crumple_scene.hpp>

#include <experiments/experiment_context.hpp>
#include <experiments/imperfection.hpp>

namespace rumple {

using nlohmann::json;

SheetOptions lifted_sheet() {
    return {.light = LightKind::raking,
            .from = kLiftedFrom,
            .follow = true,
            .columns = 2,
            .width = 480,
            .height = 480};
}

namespace {

json crumple_variants() {
    const json bare{{"phases.weight.duration", 0}, {"phases.lift.deactivate", {"pot"}}};
    json bare_brief = bare;
    bare_brief["phases.hold.hold"] = 0;
    json elastic = bare_brief;
    elastic["cloths.sheet.material.friction.law"] = "none";
    elastic["cloths.sheet.material.plasticity.law"] = "none";
    return {{{"name", "elastic"}, {"set", elastic}},
            {{"name", "brief"}, {"set", bare_brief}},
            {{"name", "held"}, {"set", bare}},
            {{"name", "weight-brief"}, {"set", {{"phases.hold.hold", 0}}}},
            {{"name", "weight-held"}}};
}

}  // namespace

json crumple_scene(const CrumpleScene& o) {
    const double pot = 0.25 * o.side, height = 0.9 * o.side;  // m
    const double start = height + 0.003;                      // m, of the sheet
    const double corner = 0.03 * o.side;
    const auto move = [](double by) { return json{{"translate", {0, 0, by}}, {"ease", "smooth"}}; };
    const json up = move(1.2 * o.side);
    return {
        {"rumple", 1},
        {"name", o.name},
        {"description",
         "A sheet is pushed into a pot, pressed by a weight or not, held or not, and lifted by two corners."},
        {"step", {{"h", 0.01}}},
        {"contact", {{"thickness", 0.0005}, {"friction", 0.3}}},
        {"cloths",
         {{{"name", "sheet"},
           {"mesh",
            {{"generator", "grid"},
             {"nx", o.across},
             {"ny", o.across},
             {"width", o.side},
             {"height", o.side},
             {"layout", "alternating"}}},
           {"place", {{"translate", {0, 0, start}}}},
           {"material", {{"preset", o.material}, {"H_ref", o.h_ref}, {"friction", {{"gate", "load"}}}}},
           {"imperfection", imperfection(1e-4, o.seed, "normal", o.side / (o.across - 1), 0.005)}}}},
        {"handles",
         {{{"name", "middle"}, {"select", {{"near", {{"point", {0, 0, start}}, {"count", 5}}}}}},
          {{"name", "left"},
           {"from_start", false},
           {"select", {{"uv", {{"u", {0, corner}}, {"v", {0, corner}}}}}}},
          {{"name", "right"},
           {"from_start", false},
           {"select", {{"uv", {{"u", {o.side - corner, nullptr}}, {"v", {0, corner}}}}}}}}},
        {"obstacles",
         {{{"name", "pot"}, {"shape", {{"kind", "container"}, {"radius", pot}, {"height", height}}}},
          {{"name", "ground"}, {"shape", {{"kind", "plane"}, {"size", 10 * o.side}}}, {"present", false}},
          {{"name", "weight"},
           {"shape",
            {{"kind", "cylinder"},
             {"radius", pot - 0.003},
             {"height", 0.03},
             {"centre", {0, 0, height - 0.01}}}},
           {"present", false},
           {"rigid_body", {{"mass", o.mass}, {"slider", {0, 0, 1}}}}}}},
        {"phases",
         {{{"name", "push"}, {"duration", 1}, {"motions", {{"middle", move(0.01 - start)}}}},
          {{"name", "drop"}, {"duration", 0.6}, {"release", {"middle"}}},
          {{"name", "weight"}, {"duration", 1.5}, {"activate", {"weight"}}},
          {{"name", "hold"}, {"hold", o.hold}, {"steps", 50}},
          {{"name", "lift"},
           {"duration", 1},
           {"deactivate", {"weight", "pot"}},
           {"activate", {"ground"}},
           {"grab", {"left", "right"}},
           {"motions", {{"left", up}, {"right", up}}}},
          {{"name", "hang"}, {"duration", 0.8}}}},
        {"variants", crumple_variants()}};
}

}  // namespace rumple
