#include <rumple/scene/scene_keys.hpp>
#include <stdexcept>
#include <string>

namespace rumple {

const std::vector<KeyTable>& scene_key_tables() {
    static const std::vector<KeyTable> tables{
        {"scene",
         {"$schema", "rumple", "name", "description", "gravity", "step", "damping", "output", "from",
          "recovery_from", "cloths", "handles", "contact", "obstacles", "phases", "cameras", "variants"}},
        {"step", {"h", "newton", "tolerance", "newton_tolerance", "solver"}},
        {"damping", {"mass", "stiffness"}},
        {"output", {"rate", "memory", "formats"}},
        {"cloth", {"name", "mesh", "rest", "rest_angles", "warp", "place", "imperfection", "material"}},
        {"tube", {"generator", "radius", "height", "around", "up", "layout"}},
        {"grid", {"generator", "nx", "ny", "width", "height", "layout"}},
        {"disc", {"generator", "radius", "edge", "layout"}},
        {"mesh_file", {"file", "scale", "uv_scale", "up"}},
        {"trousers",
         {"garment", "body", "edge", "rise", "cuff_height", "waist_ease", "hip_ease", "knee_ease",
          "cuff_ease", "crotch_drop", "waistband"}},
        {"tshirt",
         {"garment", "body", "edge", "sleeve", "hem", "chest_ease", "sleeve_ease", "neck_ease", "hem_band"}},
        {"place", {"translate", "rotate", "scale"}},
        {"turn", {"axis", "degrees", "radians"}},
        {"imperfection", {"amplitude", "seed", "direction", "correlation_length"}},
        {"handle", {"name", "cloth", "select", "stiffness", "from_start", "attach"}},
        {"selection", {"box", "ring", "boundary", "uv", "vertices", "near", "set"}},
        {"box", {"min", "max"}},
        {"ring", {"axis", "at", "tolerance"}},
        {"uv_range", {"u", "v"}},
        {"near", {"point", "count"}},
        {"contact", {"thickness", "friction", "stiffness", "self"}},
        {"obstacle",
         {"name", "shape", "mesh", "cache", "body", "place", "friction", "thickness", "present",
          "rigid_body"}},
        {"plane", {"kind", "point", "normal", "size", "depth"}},
        {"sphere", {"kind", "radius", "centre", "edge"}},
        {"block", {"kind", "size", "centre"}},
        {"cylinder", {"kind", "radius", "height", "centre", "axis", "edge"}},
        {"capsule", {"kind", "radius", "length", "centre", "axis", "edge"}},
        {"container", {"kind", "radius", "height", "wall", "floor", "axis", "edge"}},
        {"obstacle_mesh", {"file", "scale", "up"}},
        {"cache", {"file", "mesh", "rate", "start", "speed", "ends", "scale", "up"}},
        {"body", {"mannequin", "file", "chair", "clip", "rate", "start", "speed", "ends", "scale"}},
        {"mannequin", {"height", "edge"}},
        {"chair", {"height", "edge"}},
        {"rigid_body", {"mass", "slider"}},
        {"phase",
         {"name", "duration", "h", "hold", "recover", "steps", "motions", "grab", "release", "obstacles",
          "activate", "deactivate", "forget"}},
        {"forget", {"cloth", "select", "friction", "plasticity", "relaxation"}},
        {"from", {"run", "positions"}},
        {"act", {"from", "to", "rotate", "translate", "ease", "keyframes", "axis", "through"}},
        {"motion", {"rotate", "translate", "ease", "keyframes", "axis", "through"}},
        {"rotate", {"axis", "through", "degrees", "radians"}},
        {"keyframe", {"time", "translate", "degrees", "radians"}},
        {"camera", {"name", "view", "eye", "target", "up", "fov"}},
        {"variant", {"name", "description", "set"}},
    };
    return tables;
}

const std::vector<std::string_view>& scene_keys(std::string_view kind) {
    for (const KeyTable& table : scene_key_tables())
        if (table.kind == kind) return table.keys;
    throw std::logic_error("no key table for " + std::string(kind));
}

}  // namespace rumple
