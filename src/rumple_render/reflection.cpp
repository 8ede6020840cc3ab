#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple_render/fabric.hpp>
#include <rumple_render/reflection.hpp>

namespace rumple {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;

float luminance(Vec3f c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

// Light of one lamp that goes to the viewer; under: colour below sheen and gloss.
Vec3f from_lamp(const Lamp& lamp, const SurfacePoint& s, const ShadedSurface& surface, Vec3f view,
                Vec3f under) {
    // Threads may lean towards a lamp that the cloth turns away from: rays know nothing of it there.
    const float cloth = lamp.share(dot(s.normal, lamp.direction));
    const float share = std::min(2 * cloth, lamp.share(dot(s.bumped, lamp.direction)));
    if (!(share > 0)) return {};
    const Shine& shine = surface.look().shine;
    Vec3f light = share * under;
    if (shine.sheen > 0 || shine.gloss > 0) {
        const Vec3f half = normalized(view + lamp.direction);
        const float n_v = std::max(0.01f, dot(s.bumped, view)),
                    n_h = std::clamp(dot(s.bumped, half), 0.0f, 1.0f);
        float lobes = 0;
        if (shine.sheen > 0) lobes += shine.sheen * sheen_lobe(n_h, n_v, share, shine.sheen_roughness);
        if (shine.gloss > 0) {
            // A wide lamp and slopes too fine to be seen make the highlight wider.
            const float alpha = shine.gloss_roughness * shine.gloss_roughness;
            const float wide = std::sqrt(
                std::min(1.0f, std::sqrt(alpha * alpha + 0.25f * lamp.sine * lamp.sine + 2 * s.spread)));
            float gloss = gloss_lobe(n_h, n_v, share, dot(view, half), wide, shine.gloss_head_on);
            if (shine.gloss_band > 0 && dot(s.warp, s.warp) > 0)
                gloss *= band_ratio(n_h, dot(s.warp, half), wide, shine.gloss_band);
            lobes += std::min(1.0f, shine.gloss * s.shine) * gloss;
        }
        const float l = kPi * lobes;  // a lamp's colour is what a white surface reflects: its light over pi
        light += {l, l, l};
    }
    return tint(lamp.colour, light);
}

}  // namespace

Reflected reflected_light(const Lighting& light, const SurfacePoint& s, const ShadedSurface& surface,
                          Vec3f view) {
    const Look& look = surface.look();
    const float n_v = std::clamp(dot(s.bumped, view), 0.0f, 1.0f);
    const float sheen = look.shine.sheen > 0 ? look.shine.sheen * surface.sheen_albedo().at(n_v) : 0;
    const float gloss = look.shine.gloss > 0
                            ? std::min(1.0f, look.shine.gloss * s.shine) * surface.gloss_albedo().at(n_v)
                            : 0;
    const Vec3f under = ((1 - look.flatness) * (1 - sheen) * (1 - gloss)) * s.colour;
    Reflected out;
    out.lamp = {from_lamp(light.key, s, surface, view, under), from_lamp(light.rim, s, surface, view, under)};
    out.sky = tint(light.sky_on(s.bumped), under + Vec3f{sheen, sheen, sheen}) +
              gloss * light.sky_on(mirrored(-view, s.bumped));
    out.flat = look.flatness * s.colour;
    // The outside of a garment mostly sees the dome: no rays look for what stands there.
    if (s.through > 0) out.flat += s.through * tint(light.on(-s.normal), s.colour);
    return out;
}

Reflected ground_light(const Lighting& light, Vec3f behind) {
    const float key = luminance(light.key.share(light.key.direction.z) * light.key.colour);
    const float sky = luminance(light.sky_on({0, 0, 1}));
    Reflected out;
    out.lamp[0] = (key / (key + sky)) * behind;
    out.sky = (sky / (key + sky)) * behind;
    return out;
}

}  // namespace rumple
