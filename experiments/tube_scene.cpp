#include <algorithm>
#include <experiments/imperfection.hpp>
#include <experiments/tube_scene.hpp>

namespace rumple {

using nlohmann::json;

json tube_scene(const TubeScene& o) {
    const auto turn = [&](double sign) {
        return json{{"rotate", {{"axis", {0, 0, 1}}, {"through", {0, 0, 0}}, {"degrees", sign * o.degrees}}},
                    {"translate", {0, 0, -sign * o.lowered}}};
    };
    json scene{
        {"rumple", 1},
        {"name", o.name},
        {"gravity", {0, 0, 0}},
        {"step", {{"h", o.h}}},
        {"cloths",
         {{{"name", "tube"},
           {"mesh",
            {{"generator", "tube"},
             {"radius", 0.04},
             {"height", 0.11},
             {"around", o.around},
             {"up", o.up},
             {"layout", "right"}}},
           {"rest", "uv"},
           {"material", {{"preset", o.material}, {"H_ref", o.h_ref}, {"friction", {{"gate", o.gate}}}}},
           {"imperfection", imperfection(2e-5, o.seed, "radial", 0.11 / (o.up - 1), 0.004)}}}},
        {"handles",
         {{{"name", "bottom"}, {"cloth", "tube"}, {"select", {{"ring", "bottom"}}}},
          {{"name", "top"}, {"cloth", "tube"}, {"select", {{"ring", "top"}}}}}},
        {"phases",
         {{{"name", "twist"}, {"duration", o.turn_seconds}, {"motions", {{"top", turn(1)}}}},
          {{"name", "rest"}, {"duration", 0.4}},
          {{"name", "hold"}, {"hold", 500}, {"steps", 50}},
          {{"name", "back"}, {"duration", o.turn_seconds}, {"motions", {{"top", turn(-1)}}}},
          {{"name", "settle"}, {"duration", 0.5}}}}};
    if (o.contact) {  // thinner than a mesh's edges
        const double edge = 0.11 / (o.up - 1);
        scene["contact"] = {{"thickness", std::min(5e-4, 0.4 * edge)}, {"friction", 0.3}};
    }
    json& phases = scene["phases"];
    if (o.wait) phases.insert(phases.begin(), json{{"name", "wait"}, {"hold", *o.wait}, {"steps", 50}});
    return scene;
}

json judged_tube_scene(const TubeScene& options) {
    json scene = tube_scene(options);
    scene["variants"] = {{{"name", "control"}, {"set", {{"phases.hold.hold", 0}}}}, {{"name", "held"}}};
    if (options.seed == 1) scene["output"]["memory"] = true;
    return scene;
}

}  // namespace rumple
