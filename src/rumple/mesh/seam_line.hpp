// Where the patterns of a garment are sewn together, and what is sewn onto them. Pictures show it; the
// simulation knows nothing of it.
#pragma once

#include <rumple/core/vec.hpp>
#include <string>
#include <vector>

namespace rumple {

enum class SeamKind {
    plain,   // two patterns meet in a groove
    felled,  // folded into one another and stitched down on the left of the line
    edge,    // of a cloth that lies on top, on the left of the line: a pocket, a waistband
    stitch,  // rows of stitches alone
    loop,    // a narrow strip along the line: a belt loop
    button,  // at the first point
    rib,     // knitted ribs from the line to the left, as wide as a collar
    top      // the upper edge of a waistband: it is folded, not hemmed
};
inline const std::vector<std::string>& seam_kind_names() {
    static const std::vector<std::string> names{"plain", "felled", "edge", "stitch",
                                                "loop",  "button", "rib",  "top"};
    return names;
}

// On the garment as it was cut. "Left" is seen from outside, looking along the line.
struct SeamLine {
    SeamKind kind = SeamKind::plain;
    std::vector<Vec3d> points;   // [m], close together
    std::vector<Vec3d> normals;  // outwards, unit, one a point
};

}  // namespace rumple
