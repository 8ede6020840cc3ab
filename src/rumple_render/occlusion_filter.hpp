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

// Shares of the light that arrive.
struct LightRatio {
    std::array<float, kLamps> lamp{1, 1};
    Vec3f sky{1, 1, 1};
};

// The layer's ratios, smoothed; one a pixel. `radius` in pixels; `pixel_size`: of a pixel on the surface at a
// distance of 1 m [m].
std::vector<LightRatio> filtered_ratios(const Layer& layer, int radius, float pixel_size, Vec3f eye,
                                        const Threads& threads);

// Light that arrives: lamps * ratio + sky * ratio.
Vec3f light_of(const Layer& layer, std::size_t pixel, const LightRatio& ratio);

// The ratio at a point that is seen in a pixel where several surfaces meet: that of the pixels around which
// show its own surface alone. `mixed`: pixels that do not.
class RatioLookup {
  public:
    RatioLookup(const Layer& layer, const std::vector<LightRatio>& ratios, const std::vector<char>& mixed,
                float pixel_size, Vec3f eye);
    // x, y: where in the picture, in pixels. A layer that is flat needs neither position nor normal.
    LightRatio at(float x, float y, Vec3f position, Vec3f normal) const;

  private:
    const Layer& layer_;
    const std::vector<LightRatio>& ratios_;
    const std::vector<char>& mixed_;
    float pixel_size_;
    Vec3f eye_;
};

}  // namespace rumple
