#include <algorithm>
#include <cmath>
#include <rumple_render/occlusion_filter.hpp>

namespace rumple {

Layer::Layer(int width, int height, bool curved)
    : key(width, height),
      sky(width, height),
      key_ratio(key.pixels.size(), 1.0f),
      sky_ratio(key.pixels.size(), Vec3f{1, 1, 1}),
      key_weight(key.pixels.size()),
      weight(key.pixels.size()),
      normal(curved ? key.pixels.size() : 0),
      position(curved ? key.pixels.size() : 0) {}

Image filtered_light(const Layer& layer, int radius, float pixel_size, Vec3f eye, const Threads& threads) {
    const int width = layer.key.width, height = layer.key.height;
    const bool curved = !layer.normal.empty();
    std::vector<float> bell(static_cast<std::size_t>(2 * radius * radius) + 1);  // by squared distance
    const float sigma = std::max(0.5f, 0.5f * static_cast<float>(radius));
    for (std::size_t r2 = 0; r2 < bell.size(); ++r2)
        bell[r2] = std::exp(-static_cast<float>(r2) / (2 * sigma * sigma));

    Image out(width, height);
    threads.for_each(static_cast<std::size_t>(height), 4, [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) {
            const std::size_t here = layer.key.index(x, y);
            if (!(layer.weight[here] > 0)) continue;
            const Vec3f n = curved ? layer.normal[here] : Vec3f{},
                        p = curved ? layer.position[here] : Vec3f{};
            // Off this pixel's tangent plane by more than about a pixel: another surface, or round the bend.
            const float tolerance = curved ? 1.5f * pixel_size * norm(p - eye) : 1;
            float weights = 0, key_weights = 0, key = 0;
            Vec3f sky;
            for (int j = std::max(0, y - radius); j <= std::min(height - 1, y + radius); ++j)
                for (int i = std::max(0, x - radius); i <= std::min(width - 1, x + radius); ++i) {
                    const std::size_t there = layer.key.index(i, j);
                    if (!(layer.weight[there] > 0)) continue;
                    float w = bell[static_cast<std::size_t>((i - x) * (i - x) + (j - y) * (j - y))];
                    if (curved && there != here) {
                        const float same = std::max(0.0f, dot(n, layer.normal[there]));
                        const float same4 = same * same * same * same,
                                    off = dot(n, layer.position[there] - p) / tolerance;
                        w *= same4 * same4 * same4 / (1 + off * off * off * off);
                    }
                    key_weights += w * layer.key_weight[there];
                    key += w * layer.key_weight[there] * layer.key_ratio[there];
                    weights += w * layer.weight[there];
                    sky += w * layer.weight[there] * layer.sky_ratio[there];
                }
            const float key_share = key_weights > 0 ? key / key_weights : layer.key_ratio[here];
            out.pixels[here] =
                key_share * layer.key.pixels[here] + tint((1 / weights) * sky, layer.sky.pixels[here]);
        }
    });
    return out;
}

}  // namespace rumple
