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

// Weight of another point: by the cosine between the normals, and by how far it lies off the tangent plane.
float likeness(float cosine, float off) {
    const float same = std::max(0.0f, cosine), same4 = same * same * same * same;
    return same4 * same4 * same4 / (1 + off * off * off * off);
}

// Off a pixel's tangent plane by more than about a pixel: another surface, or round the bend.
constexpr float kOffPlane = 1.5f;
constexpr int kLookup = 3;             // pixels around
constexpr float kLookupSpread = 1.5f;  // pixels
constexpr float kLastResort = 1e-4f;   // weight of pixels that show other surfaces as well

class LightFilter {
  public:
    LightFilter(const Layer& layer, int radius, float pixel_size, Vec3f eye)
        : layer_(layer), radius_(radius), pixel_size_(pixel_size), eye_(eye), curved_(!layer.normal.empty()) {
        const float sigma = std::max(0.5f, 0.5f * static_cast<float>(radius));
        for (int r2 = 0; r2 <= 2 * radius * radius; ++r2)
            bell_.push_back(std::exp(-static_cast<float>(r2) / (2 * sigma * sigma)));
    }

    LightRatio at(int x, int y) const {
        const std::size_t here = layer_.sky.index(x, y);
        LightRatio ratio;
        if (!(layer_.weight[here] > 0)) return ratio;
        const Sums sums = around(x, y, here);
        ratio.sky = (1 / sums.weights) * sums.sky;
        for (std::size_t l = 0; l < kLamps; ++l) {
            const LampLayer& lamp = layer_.lamps[l];
            if (lamp.weight.empty()) continue;
            ratio.lamp[l] = sums.lamp_weights[l] > 0 ? sums.lamp[l] / sums.lamp_weights[l] : lamp.ratio[here];
        }
        return ratio;
    }

  private:
    Sums around(int x, int y, std::size_t here) const {
        const Vec3f n = curved_ ? layer_.normal[here] : Vec3f{},
                    p = curved_ ? layer_.position[here] : Vec3f{};
        const float tolerance = curved_ ? kOffPlane * pixel_size_ * norm(p - eye_) : 1;
        Sums sums;
        for (int j = std::max(0, y - radius_); j <= std::min(layer_.sky.height - 1, y + radius_); ++j)
            for (int i = std::max(0, x - radius_); i <= std::min(layer_.sky.width - 1, x + radius_); ++i) {
                const std::size_t there = layer_.sky.index(i, j);
                if (!(layer_.weight[there] > 0)) continue;
                float w = bell_[static_cast<std::size_t>((i - x) * (i - x) + (j - y) * (j - y))];
                if (curved_ && there != here) {
                    w *= likeness(dot(n, layer_.normal[there]),
                                  dot(n, layer_.position[there] - p) / tolerance);
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

std::vector<LightRatio> filtered_ratios(const Layer& layer, int radius, float pixel_size, Vec3f eye,
                                        const Threads& threads) {
    const LightFilter filter(layer, radius, pixel_size, eye);
    std::vector<LightRatio> out(layer.weight.size());
    threads.for_each(static_cast<std::size_t>(layer.sky.height), 4, [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < layer.sky.width; ++x) out[layer.sky.index(x, y)] = filter.at(x, y);
    });
    return out;
}

Vec3f light_of(const Layer& layer, std::size_t pixel, const LightRatio& ratio) {
    Vec3f light = tint(ratio.sky, layer.sky.pixels[pixel]);
    for (std::size_t l = 0; l < kLamps; ++l)
        if (!layer.lamps[l].weight.empty()) light += ratio.lamp[l] * layer.lamps[l].light.pixels[pixel];
    return light;
}

RatioLookup::RatioLookup(const Layer& layer, const std::vector<LightRatio>& ratios,
                         const std::vector<char>& mixed, float pixel_size, Vec3f eye)
    : layer_(layer), ratios_(ratios), mixed_(mixed), pixel_size_(pixel_size), eye_(eye) {}

LightRatio RatioLookup::at(float x, float y, Vec3f position, Vec3f normal) const {
    const bool curved = !layer_.normal.empty();
    const float tolerance = curved ? kOffPlane * pixel_size_ * norm(position - eye_) : 1;
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    LightRatio sum{{0, 0}, {}};
    float weights = 0;
    for (int j = std::max(0, row - kLookup); j <= std::min(layer_.sky.height - 1, row + kLookup); ++j)
        for (int i = std::max(0, column - kLookup); i <= std::min(layer_.sky.width - 1, column + kLookup);
             ++i) {
            const std::size_t there = layer_.sky.index(i, j);
            if (!(layer_.weight[there] > 0)) continue;
            const float dx = static_cast<float>(i) + 0.5f - x, dy = static_cast<float>(j) + 0.5f - y;
            float w = std::exp(-(dx * dx + dy * dy) / (2 * kLookupSpread * kLookupSpread));
            if (mixed_[there])
                w *= kLastResort;
            else if (curved)
                w *= likeness(dot(normal, layer_.normal[there]),
                              dot(normal, layer_.position[there] - position) / tolerance);
            weights += w;
            sum.sky += w * ratios_[there].sky;
            for (std::size_t l = 0; l < kLamps; ++l) sum.lamp[l] += w * ratios_[there].lamp[l];
        }
    if (!(weights > 0)) return {};
    sum.sky = (1 / weights) * sum.sky;
    for (float& lamp : sum.lamp) lamp /= weights;
    return sum;
}

}  // namespace rumple
