#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple_render/fabric.hpp>

namespace rumple {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;

float fifth_power(float x) { return x * x * x * x * x; }

}  // namespace

float sheen_lobe(float n_h, float n_v, float n_l, float roughness) {
    if (n_l <= 0 || n_v <= 0) return 0;
    const float inverse = 1 / roughness, sine2 = std::max(0.0f, 1 - n_h * n_h);
    const float distribution = (2 + inverse) * std::pow(sine2, 0.5f * inverse) / (2 * kPi);
    const float visibility = 1 / (4 * (n_l + n_v - n_l * n_v));
    return distribution * visibility * n_l;
}

float gloss_lobe(float n_h, float n_v, float n_l, float v_h, float roughness, float head_on) {
    if (n_l <= 0 || n_v <= 0) return 0;
    const float a2 = roughness * roughness * roughness * roughness;  // alpha = roughness^2
    const float d = n_h * n_h * (a2 - 1) + 1;
    const float distribution = a2 / (kPi * d * d);
    const auto lambda = [a2](float c) { return std::sqrt(c * c * (1 - a2) + a2); };
    const float visibility = 0.5f / (n_l * lambda(n_v) + n_v * lambda(n_l));
    const float fresnel = head_on + (1 - head_on) * fifth_power(1 - std::clamp(v_h, 0.0f, 1.0f));
    return distribution * visibility * fresnel * n_l;
}

float band_ratio(float n_h, float t_h, float roughness, float band) {
    // Slopes along threads are small, those across large; their product is that of the plain lobe.
    const float a2 = roughness * roughness * roughness * roughness, aspect = std::sqrt(1 - band);
    const float t2 = t_h * t_h, b2 = std::max(0.0f, 1 - n_h * n_h - t2);
    const float plain = n_h * n_h + (t2 + b2) / a2, banded = n_h * n_h + (t2 / aspect + b2 * aspect) / a2;
    return (plain * plain) / (banded * banded);
}

LobeAlbedo::LobeAlbedo(Lobe lobe, float roughness, float head_on) {
    constexpr int kRings = 48, kSectors = 24;
    for (int s = 0; s <= kSteps; ++s) {
        const float n_v = std::max(0.01f, static_cast<float>(s) / kSteps), v_x = std::sqrt(1 - n_v * n_v);
        double sum = 0;
        for (int i = 0; i < kRings; ++i)
            for (int j = 0; j < kSectors; ++j) {
                const float z = (static_cast<float>(i) + 0.5f) / kRings, r = std::sqrt(1 - z * z);
                const float phi = kPi * (static_cast<float>(j) + 0.5f) / kSectors;  // both halves are alike
                const Vec3f view{v_x, 0, n_v}, light{r * std::cos(phi), r * std::sin(phi), z};
                const Vec3f half = normalized(view + light);
                sum += lobe == Lobe::sheen ? sheen_lobe(half.z, n_v, z, roughness)
                                           : gloss_lobe(half.z, n_v, z, dot(view, half), roughness, head_on);
            }
        table_[static_cast<std::size_t>(s)] =
            std::min(1.0f, static_cast<float>(sum * 2 * kPi / (kRings * kSectors)));
    }
}

float LobeAlbedo::at(float n_v) const {
    const float x = std::clamp(n_v, 0.0f, 1.0f) * kSteps;
    const auto i = std::min<std::size_t>(static_cast<std::size_t>(x), kSteps - 1);
    const float t = x - static_cast<float>(i);
    return (1 - t) * table_[i] + t * table_[i + 1];
}

}  // namespace rumple
