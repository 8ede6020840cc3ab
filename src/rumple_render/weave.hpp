// Threads: colour and slope of a woven surface, filtered by the size of a pixel.
//
//   plain weave      twill 3/1         Twill moves on by one thread from row to row: the pale weft threads
//   draw # . # .          # # # .           diagonal lines. Its back shows three weft threads in four. . # .
//   #          # # . # # . # .          # . # #           # warp on top, . weft on top . # . #          . # #
//   #
//
// Whatever is finer than a pixel fades into its mean colour, and its slopes into `spread`, which makes
// highlights wider: the surface is as bright from afar as from near, and nothing aliases.
#pragma once

#include <rumple_render/look.hpp>

namespace rumple {

struct WovenPoint {
    Vec3f colour;
    float slope_u = 0, slope_v = 0;  // of the surface along warp and weft: rise over run
    float spread = 0;                // variance of the slopes that are too fine to be seen
    float shine = 1;                 // of this thread, over the look's own
};

// At (u, v), metres along warp and weft. `footprint` [m] is the size of a pixel there.
WovenPoint woven_at(const Look& look, float u, float v, float footprint, bool front);

// Cloth is never quite even: shallow ripples, shorter than the edges of a mesh.
struct Ripple {
    Vec3f slopes;      // in space
    float spread = 0;  // see WovenPoint
};
// Where the cloth was woven [m].
Ripple ripple_at(const Yarn& yarn, Vec3f woven, float footprint);

// Stitches and wear of a hem at this distance from the border [m]; `along` runs along it [m].
Vec3f hem_colour(const Hem& hem, Vec3f cloth, float distance, float along, float footprint);

// How much of a pattern of this period a pixel of this size can show: nothing from half a period on
// (Nyquist), all of it, with the edges of its threads, from a sixth.
float visible_pattern(float footprint, float period);

// Share of a pixel that a line covers: the pixel is centred `offset` from the line's middle.
float line_coverage(float offset, float half_width, float footprint);

// Share of a twill's face that shows the other thread.
float speck_share(const Yarn& yarn);

}  // namespace rumple
