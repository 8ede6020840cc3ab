// What each pixel gathered, and the filter that smooths its light ratios across one surface.
#pragma once

#include <array>
#include <rumple/core/parallel.hpp>
#include <rumple_render/image.hpp>
#include <vector>

namespace rumple {

inline constexpr std::size_t kLamps = 2;  // key, rim

struct LampLayer {
    Image light;               // of the lamp with nothing in the way, times colour and coverage
    std::vector<float> ratio;  // how much of it arrives
    // How much was tried; 0: the pixel looks away from the lamp and knows nothing.
    std::vector<float> weight;
};

// One layer of a picture: the objects, or the ground with the background behind it.
struct Layer {
    std::array<LampLayer, kLamps> lamps;  // those that shine on this layer have pixels
    Image sky;
    std::vector<Vec3f> sky_ratio;
    std::vector<float> weight;  // rays behind sky_ratio; 0: the layer is not in this pixel
    std::vector<Vec3f> normal;  // mean; empty: the layer is flat
    std::vector<Vec3f> position;

    Layer(int width, int height, std::size_t lamps, bool curved);
};

// Light that arrives: lamps * smoothed ratio + sky * smoothed ratio. `radius` in pixels; `pixel_size`: of a
// pixel on the surface at a distance of 1 m [m].
Image filtered_light(const Layer& layer, int radius, float pixel_size, Vec3f eye, const Threads& threads);

}  // namespace rumple
