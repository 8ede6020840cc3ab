#include <algorithm>
#include <cmath>
#include <experiments/imperfection.hpp>
#include <experiments/strip_measure.hpp>
#include <experiments/strip_scene.hpp>
#include <numbers>

namespace rumple {

using nlohmann::json;
using std::numbers::pi;

namespace {
constexpr double kFittedLength = 7.5e-3;  // m, of each limb
// m: springs so long that their force hardly changes while the strip gives way
constexpr double kPullReach = 0.2;

// Selects the vertices left (side -1) or right (+1) of x.
json beyond(int side, double x) {
    const json any = nullptr;
    return {{"box", side < 0 ? json{{"min", {any, any, any}}, {"max", {x, any, any}}}
                             : json{{"min", {x, any, any}}, {"max", {any, any, any}}}}};
}

// Both ends, `half` from the middle, are pulled by springs and let go again.
void add_pull(json& scene, const StripScene& o, double half) {
    const auto end_handle = [&](const char* name, int side) {
        return json{{"name", name},
                    {"cloth", "strip"},
                    {"select", beyond(side, side * (half - 0.1 * o.edge))},
                    {"stiffness", o.pull / (o.rows() * kPullReach)},
                    {"from_start", false}};
    };
    scene["handles"].push_back(end_handle("left_end", -1));
    scene["handles"].push_back(end_handle("right_end", 1));
    scene["phases"].push_back({{"name", "pull"},
                               {"duration", 0.5},
                               {"grab", {"left_end", "right_end"}},
                               {"motions",
                                {{"left_end", {{"translate", {-kPullReach, 0, 0}}}},
                                 {"right_end", {{"translate", {kPullReach, 0, 0}}}}}}});
    scene["phases"].push_back({{"name", "relax"}, {"duration", 2}, {"release", {"left_end", "right_end"}}});
}

}  // namespace

double StripScene::curvature() const { return pi / (free * edge); }

json strip_scene(const StripScene& o) {
    const double half_free = 0.5 * o.free * o.edge, half = half_free + o.limb * o.edge;
    const double half_gap = 2 * half_free / pi;
    const auto limb_handle = [&](const char* name, int side) {
        return json{
            {"name", name}, {"cloth", "strip"}, {"select", beyond(side, side * (half_free - 0.1 * o.edge))}};
    };
    const auto turn_up = [&](int side) {
        return json{
            {"rotate", {{"axis", {0, 1, 0}}, {"through", {side * half_free, 0, 0}}, {"degrees", -90 * side}}},
            {"translate", {-side * (half_free - half_gap), 0, 0}}};
    };
    json scene{
        {"rumple", 1},
        {"name", o.name},
        {"gravity", {0, 0, 0}},
        {"damping", {{"mass", 20}}},
        {"cloths",
         {{{"name", "strip"},
           {"mesh",
            {{"generator", "grid"},
             {"nx", o.columns()},
             {"ny", o.rows()},
             {"width", 2 * half},
             {"height", o.across * o.edge},
             {"layout", "alternating"}}},
           {"material", {{"preset", o.material}, {"friction", {{"gate", o.gate}}}}},
           {"imperfection", imperfection(1e-6, o.seed, "normal", o.edge, 0.0006)}}}},
        {"handles", {limb_handle("left", -1), limb_handle("right", 1)}},
        {"phases",
         {{{"name", "fold"}, {"duration", 1}, {"motions", {{"left", turn_up(-1)}, {"right", turn_up(1)}}}},
          {{"name", "rest"}, {"duration", 0.4}},
          {{"name", "hold"}, {"hold", 500}, {"steps", 50}},
          {{"name", "settle"}, {"duration", o.pull > 0 ? 0.5 : 2.0}, {"release", {"left", "right"}}}}}};
    if (o.pull > 0) add_pull(scene, o, half);
    return scene;
}

double fold_angle(const StripScene& o, std::span<const Vec3d> x) {
    return fold_angle({o.columns(), o.rows(), o.edge}, std::min(o.limb * o.edge, kFittedLength), x);
}

}  // namespace rumple
