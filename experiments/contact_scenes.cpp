#include <experiments/contact_scenes.hpp>

namespace rumple {

namespace {

using nlohmann::json;

// What all of them share: gravity as on earth, h = 0.01 s, a small imperfection.
json scene_with(const char* name, const char* description, json cloth) {
    cloth["imperfection"] = {{"amplitude", 1e-4}, {"seed", 1}};
    return {{"rumple", 1},
            {"name", name},
            {"description", description},
            {"step", {{"h", 0.01}}},
            {"contact", {{"thickness", 0.001}, {"friction", 0.3}}},
            {"cloths", {std::move(cloth)}}};
}

json grid(int nx, int ny, double width, double height) {
    return {{"generator", "grid"}, {"nx", nx},         {"ny", ny},
            {"width", width},      {"height", height}, {"layout", "alternating"}};
}

json brief_and_held() {
    return {{{"name", "brief"}, {"set", {{"phases.hold.steps", 0}}}}, {{"name", "held"}}};
}

}  // namespace

json sphere_scene() {
    json scene = scene_with("sphere", "A cloth falls over a ball that stands on the ground.",
                            {{"name", "cloth"},
                             {"mesh", grid(61, 61, 0.4, 0.4)},
                             {"place", {{"translate", {0, 0, 0.23}}}},
                             {"material", "cotton"}});
    scene["obstacles"] = {
        {{"name", "ground"}, {"shape", {{"kind", "plane"}}}},
        {{"name", "ball"}, {"shape", {{"kind", "sphere"}, {"radius", 0.1}, {"centre", {0, 0, 0.11}}}}}};
    scene["phases"] = {{{"name", "fall"}, {"duration", 1}}, {{"name", "settle"}, {"duration", 1}}};
    return scene;
}

json fall_scene() {
    json scene = scene_with(
        "fall", "A cloth falls on edge and folds up on the ground.",
        {{"name", "cloth"},
         {"mesh", grid(61, 61, 0.3, 0.3)},
         {"place", {{"rotate", {{"axis", {1, 0, 0}}, {"degrees", 87}}}, {"translate", {0, 0, 0.2}}}},
         {"material", "cotton"}});
    scene["obstacles"] = {{{"name", "ground"}, {"shape", {{"kind", "plane"}}}}};
    scene["phases"] = {{{"name", "fall"}, {"duration", 1}}, {{"name", "settle"}, {"duration", 1}}};
    return scene;
}

json wring_scene() {
    json scene = scene_with(
        "wring", "A sheet, held at both ends, is wrung through four full turns and rests.",
        {{"name", "sheet"},
         {"mesh", grid(41, 101, 0.16, 0.4)},
         {"place", {{"rotate", {{"axis", {1, 0, 0}}, {"degrees", 90}}}, {"translate", {0, 0, 0.2}}}},
         {"material", "cotton"}});
    scene["handles"] = {{{"name", "bottom"}, {"select", {{"ring", "bottom"}}}},
                        {{"name", "top"}, {"select", {{"ring", "top"}}}}};
    scene["phases"] = {
        {{"name", "wring"},
         {"duration", 4},
         {"motions",
          {{"top", {{"rotate", {{"axis", {0, 0, 1}}, {"degrees", 1440}}}, {"translate", {0, 0, -0.08}}}}}}},
        {{"name", "rest"}, {"duration", 0.5}}};
    return scene;
}

json wring_cylinder_scene() {
    json scene =
        scene_with("wring-cylinder",
                   "A wide tube is wrung from both ends, one and a half turns each, and pushed together.",
                   {{"name", "tube"},
                    {"mesh",
                     {{"generator", "tube"},
                      {"radius", 0.25},
                      {"height", 1.0},
                      {"around", 96},
                      {"up", 76},
                      {"layout", "alternating"}}},
                    {"material", "cotton-garment"}});
    scene["gravity"] = {0, 0, 0};
    scene["handles"] = {{{"name", "bottom"}, {"select", {{"ring", "bottom"}}}},
                        {{"name", "top"}, {"select", {{"ring", "top"}}}}};
    const auto turn = [](double degrees, double along) {
        return json{{"rotate", {{"axis", {0, 0, 1}}, {"degrees", degrees}}}, {"translate", {0, 0, along}}};
    };
    scene["phases"] = {{{"name", "wring"},
                        {"duration", 7.5},
                        {"motions", {{"top", turn(540, -0.1)}, {"bottom", turn(-540, 0.1)}}}}};
    return scene;
}

json sleeve_scene() {
    json scene = scene_with(
        "sleeve", "A sleeve on an arm is pushed together along it by 10 cm, held or not, and drawn back.",
        {{"name", "sleeve"},
         {"mesh",
          {{"generator", "tube"},
           {"radius", 0.05},
           {"height", 0.25},
           {"around", 72},
           {"up", 58},
           {"layout", "alternating"}}},
         {"place", {{"translate", {0, 0, 0.02}}}},
         {"material", {{"preset", "cotton"}, {"H_ref", 0.004}}}});
    scene["handles"] = {{{"name", "cuff"}, {"select", {{"ring", "bottom"}}}},
                        {{"name", "shoulder"}, {"select", {{"ring", "top"}}}}};
    scene["obstacles"] = {
        {{"name", "arm"},
         {"shape", {{"kind", "cylinder"}, {"radius", 0.042}, {"height", 0.36}, {"centre", {0, 0, 0.15}}}}}};
    const auto push = [](double by) {
        return json{{"shoulder", {{"translate", {0, 0, by}}, {"ease", "smooth"}}}};
    };
    scene["phases"] = {{{"name", "push"}, {"duration", 1}, {"motions", push(-0.1)}},
                       {{"name", "rest"}, {"duration", 0.4}},
                       {{"name", "hold"}, {"hold", 500}, {"steps", 50}},
                       {{"name", "back"}, {"duration", 1}, {"motions", push(0.1)}},
                       {{"name", "settle"}, {"duration", 0.5}}};
    scene["variants"] = brief_and_held();
    return scene;
}

const std::vector<ContactScene>& contact_scenes() {
    static const std::vector<ContactScene> all{
        {"sphere", "a cloth falls over a ball", sphere_scene},
        {"fall", "a cloth falls on edge and folds up on the ground", fall_scene},
        {"wring", "a sheet wrung through four full turns", wring_scene},
        {"wring-cylinder", "a wide tube wrung from both ends by one and a half turns each",
         wring_cylinder_scene},
        {"sleeve", "a sleeve pushed together along an arm, held or not", sleeve_scene}};
    return all;
}

}  // namespace rumple
