#include <algorithm>
#include <cmath>
#include <experiments/imperfection.hpp>
#include <experiments/pressed_strip.hpp>

namespace rumple {

using nlohmann::json;

StripGrid PressedStrip::grid() const {
    return {static_cast<int>(std::lround(length / edge)) + 1, static_cast<int>(std::lround(width / edge)) + 1,
            edge};
}

json pressed_strip_scene(const PressedStrip& o) {
    const double thickness =
        std::min(5e-4, 0.4 * o.edge);  // m; a fine mesh could not be as thick as its edges
    // as much force a vertex as on coarse meshes: less, and the plate presses thin layers through each other
    const double stiffness = 5e6 * (5e-4 / thickness) * (5e-4 / thickness);
    const double opening = o.gap + 0.008;  // m, between the ends when the strip is turned over
    const double plate = 1.8 * opening;    // m, where it comes from: above the loop
    const double half = 0.5 * o.length, clamped = 1.1 * o.edge;
    const json any = nullptr;
    const auto slab = [&](const char* name, double z, bool present) {
        return json{
            {"name", name},
            {"shape", {{"kind", "box"}, {"size", {2 * o.length, 2 * o.width, 0.01}}, {"centre", {0, 0, z}}}},
            {"thickness", thickness},
            {"present", present}};
    };
    const auto down = [](double by) { return json{{"translate", {0, 0, -by}}, {"ease", "smooth"}}; };
    const json over{{"rotate", {{"axis", {0, 1, 0}}, {"degrees", -180}}},
                    {"translate", {0, 0, opening}},
                    {"ease", "smooth"}};
    json scene{
        {"rumple", 1},
        {"name", o.name},
        {"description", "A strip of cloth folded over, pressed between plates, held or not, and let go."},
        {"gravity", {0, 0, o.gravity ? -9.81 : 0.0}},
        {"damping", {{"mass", 20}}},
        {"contact", {{"thickness", thickness}, {"friction", 0.3}, {"stiffness", stiffness}}},
        {"cloths",
         {{{"name", "strip"},
           {"mesh",
            {{"generator", "grid"},
             {"nx", o.grid().columns},
             {"ny", o.grid().rows},
             {"width", o.length},
             {"height", o.width},
             {"layout", "alternating"}}},
           {"material", {{"preset", o.material}, {"friction", {{"gate", "load"}}}}},
           {"imperfection", imperfection(1e-6, o.seed, "normal", o.edge, 0.00125)}}}},
        {"handles",
         {{{"name", "lower"}, {"select", {{"box", {{"max", {clamped - half, any, any}}}}}}},
          {{"name", "upper"}, {"select", {{"box", {{"min", {half - clamped, any, any}}}}}}}}},
        {"obstacles",
         {slab("table", -0.005 - 1.02 * thickness, true), slab("plate", plate + 0.005 + thickness, false)}},
        {"phases",
         {{{"name", "fold"}, {"duration", 1}, {"motions", {{"upper", over}}}},
          {{"name", "press"},
           {"duration", 1},
           {"activate", {"plate"}},
           {"motions", {{"upper", down(opening - o.gap)}}},
           {"obstacles", {{"plate", down(plate - o.gap)}}}},
          {{"name", "rest"}, {"duration", 0.4}},
          {{"name", "hold"}, {"hold", 500}, {"steps", 50}},
          {{"name", "settle"}, {"duration", 2}, {"release", {"upper"}}, {"deactivate", {"plate"}}}}},
        {"variants", {{{"name", "brief"}, {"set", {{"phases.hold.hold", 0}}}}, {{"name", "held"}}}}};
    if (o.half_hour)
        scene["variants"].push_back({{"name", "half-hour"}, {"set", {{"phases.hold.hold", 1800}}}});
    return scene;
}

}  // namespace rumple
