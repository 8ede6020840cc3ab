// What each pixel gathered, and the filter that smooths its light ratios across one surface.
#pragma once

#include <rumple/core/parallel.hpp>
#include <rumple_render/image.hpp>
#include <vector>

namespace rumple {

// One layer of a picture: the objects, or the ground with the background behind it.
struct Layer {
    Image key, sky;                // light with nothing in the way, times colour and coverage
    std::vector<float> key_ratio;  // how much of it arrives
    std::vector<Vec3f> sky_ratio;
    std::vector<float>
        key_weight;             // how much was tried; 0: the pixel looks away from the lamp and knows nothing
    std::vector<float> weight;  // rays behind sky_ratio; 0: the layer is not in this pixel
    std::vector<Vec3f> normal;  // mean; empty: the layer is flat
    std::vector<Vec3f> position;

    Layer(int width, int height, bool curved);
};

// Light that arrives: key * smoothed ratio + sky * smoothed ratio. `radius` in pixels; `pixel_size`: of a
// pixel on the surface at a distance of 1 m [m].
Image filtered_light(const Layer& layer, int radius, float pixel_size, Vec3f eye, const Threads& threads);

}  // namespace rumple
