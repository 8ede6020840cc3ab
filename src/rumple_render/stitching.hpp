// How seams look: grooves, folded edges, rows of stitches, ribs; and how sewing puckers the cloth.
#pragma once

#include <rumple_render/look.hpp>
#include <rumple_render/seam_field.hpp>

namespace rumple {

struct Sewn {
    Vec3f colour;     // of the cloth there
    Vec3f slopes;     // of the surface, in space, where it was cut: rise over run
    float shade = 1;  // share of the light that gets into grooves
};

// Adds what a seam does to cloth; `footprint` [m] is the size of a pixel there.
void add_seam(Sewn& cloth, const Look& look, const NearSeam& seam, float footprint);

// A border that is finished in another way than by a hem.
inline bool replaces_hem(SeamKind kind) { return kind == SeamKind::rib || kind == SeamKind::top; }

// Slopes of a hem: the fold at its border, the step where it ends, and the slanting ridges that sewing
// leaves.
struct HemRelief {
    float across = 0, slanting = 0;  // rise over run away from the border, and along the ridges' normal
};
HemRelief hem_relief(const Hem& hem, float distance, float along, float footprint);

}  // namespace rumple
