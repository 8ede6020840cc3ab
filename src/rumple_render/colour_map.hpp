// Numbers as colours whose lightness rises evenly, so that equal steps look equal, in grey print and to
// colour-blind eyes as well.
//
// Built in Oklab [B. Ottosson: A perceptual color space for image processing, 2020], where L is lightness
// and (a, b) hue and chroma: `rising` walks from dark violet over blue and green to light yellow with L
// linear in the value; `diverging` from blue over white to red with L falling evenly to both sides.
#pragma once

#include <rumple_render/image.hpp>

namespace rumple {

enum class ColourMap { rising, diverging };

Vec3f map_colour(ColourMap map, double t);  // t in [0, 1], clamped; linear light, inside of the gamut
Vec3f oklab_to_linear(double L, double a, double b);
double oklab_lightness(Vec3f linear);

}  // namespace rumple
