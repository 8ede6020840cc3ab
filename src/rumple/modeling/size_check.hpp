// Is it in metres, and which way is up? What strangers' files get wrong most often, in one sentence with
// the remedy.
#pragma once

#include <rumple/core/vec.hpp>
#include <span>
#include <string>

namespace rumple {

struct SizeFinding {
    bool fits = true;     // nothing to change
    bool known = true;    // false: something is wrong, and no scale and axis would fix it
    double scale = 1;     // multiply by this
    bool y_up = false;    // then turn: (x, y, z) -> (x, -z, y)
    std::string message;  // empty if it fits; else e.g. "body.obj: 1730 units tall looks like millimetres:
                          // use scale 0.001"

    Vec3d apply(Vec3d p) const {
        p = scale * p;
        return y_up ? Vec3d{p.x, -p.z, p.y} : p;
    }
};

// A standing person: 1.2 to 2.3 m tall along z once scaled. Known units: m, dm, cm, mm, inch, foot.
SizeFinding check_body_size(std::span<const Vec3d> positions, const std::string& name);

// A garment that should lie on the body (already in metres, Z up): scale and axis with which nearly all of it
// is inside of the body's box, a little grown.
SizeFinding check_garment_size(std::span<const Vec3d> garment, std::span<const Vec3d> body,
                               const std::string& name);

}  // namespace rumple
