#include <algorithm>
#include <cmath>
#include <rumple_render/occlusion_filter.hpp>

namespace rumple {

namespace {

// Weighted sums over the pixels around one.
struct Sums {
    float weights = 0;
    Vec3f sky;
    std::array<float, kLamps> lamp_weights{}, lamp{};
};

class LightFilter {
  public:
    LightFilter(const Layer& layer, int radius, float pixel_size, Vec3f eye)
        : layer_(layer), radius_(radius), pixel_size_(pixel_size), eye_(eye), curved_(!layer.normal.empty()) {
        const float sigma = std::max(0.5f, 0.5f * static_cast<float>(radius));
        for (int r2 = 0; r2 <= 2 * radius * radius; ++r2)
            bell_.push_back(std::exp(-static_cast<float>(r2) / (2 * sigma * sigma)));
    }

    Vec3f at(int x, int y) const {
        const std::size_t here = layer_.sky.index(x, y);
        if (!(layer_.weight[here] > 0)) return {};
        const Sums sums = around(x, y, here);
        Vec3f light = tint((1 / sums.weights) * sums.sky, layer_.sky.pixels[here]);
        for (std::size_t l = 0; l < kLamps; ++l) {
            const LampLayer& lamp = layer_.lamps[l];
            if (lamp.weight.empty()) continue;
            const float share =
                sums.lamp_weights[l] > 0 ? sums.lamp[l] / sums.lamp_weights[l] : lamp.ratio[here];
            light += share * lamp.light.pixels[here];
        }
        return light;
    }

  private:
    Sums around(int x, int y, std::size_t here) const {
        const Vec3f n = curved_ ? layer_.normal[here] : Vec3f{},
                    p = curved_ ? layer_.position[here] : Vec3f{};
        // Off this pixel's tangent plane by more than about a pixel: another surface, or round the bend.
        const float tolerance = curved_ ? 1.5f * pixel_size_ * norm(p - eye_) : 1;
        Sums sums;
        for (int j = std::max(0, y - radius_); j <= std::min(layer_.sky.height - 1, y + radius_); ++j)
            for (int i = std::max(0, x - radius_); i <= std::min(layer_.sky.width - 1, x + radius_); ++i) {
                const std::size_t there = layer_.sky.index(i, j);
                if (!(layer_.weight[there] > 0)) continue;
                float w = bell_[static_cast<std::size_t>((i - x) * (i - x) + (j - y) * (j - y))];
                if (curved_ && there != here) {
                    const float same = std::max(0.0f, dot(n, layer_.normal[there]));
                    const float same4 = same * same * same * same,
                                off = dot(n, layer_.position[there] - p) / tolerance;
                    w *= same4 * same4 * same4 / (1 + off * off * off * off);
                }
                sums.weights += w * layer_.weight[there];
                sums.sky += (w * layer_.weight[there]) * layer_.sky_ratio[there];
                for (std::size_t l = 0; l < kLamps; ++l) {
                    const LampLayer& lamp = layer_.lamps[l];
                    if (lamp.weight.empty()) continue;
                    sums.lamp_weights[l] += w * lamp.weight[there];
                    sums.lamp[l] += w * lamp.weight[there] * lamp.ratio[there];
                }
            }
        return sums;
    }

    const Layer& layer_;
    int radius_;
    float pixel_size_;
    Vec3f eye_;
    bool curved_;
    std::vector<float> bell_;  // by squared distance
};

}  // namespace

Layer::Layer(int width, int height, std::size_t lamp_count, bool curved)
    : sky(width, height),
      sky_ratio(sky.pixels.size(), Vec3f{1, 1, 1}),
      weight(sky.pixels.size()),
      normal(curved ? sky.pixels.size() : 0),
      position(curved ? sky.pixels.size() : 0) {
    for (std::size_t l = 0; l < lamp_count; ++l)
        lamps[l] = {Image(width, height), std::vector<float>(sky.pixels.size(), 1.0f),
                    std::vector<float>(sky.pixels.size())};
}

Image filtered_light(const Layer& layer, int radius, float pixel_size, Vec3f eye, const Threads& threads) {
    const LightFilter filter(layer, radius, pixel_size, eye);
    Image out(layer.sky.width, layer.sky.height);
    threads.for_each(static_cast<std::size_t>(out.height), 4, [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < out.width; ++x) out.at(x, y) = filter.at(x, y);
    });
    return out;
}

}  // namespace rumple
