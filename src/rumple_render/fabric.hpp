// How cloth sends light back, beyond its plain colour: sheen (fibres that stand out, bright at grazing
// angles) and gloss (smooth filaments).
//
// Sheen: the "Charlie" distribution of inverted Gaussians [EK17] A. Conty Estevez, C. Kulla: Production
// Friendly Microfacet Sheen BRDF, SIGGRAPH course (2017), with the visibility of [NP13] D. Neubelt,
// M. Pettineo: Crafting a Next-Gen Material Pipeline for The Order: 1886, SIGGRAPH course (2013).
// Gloss: GGX [W07] B. Walter et al.: Microfacet Models for Refraction, EGSR (2007), with Schlick's Fresnel
// term. The colour below gets only the light that these two have not sent back, so that nothing shines more
// than it receives.
#pragma once

#include <array>
#include <rumple_render/image.hpp>

namespace rumple {

// Both times the cosine of the light. n.h, n.v, n.l, v.h are cosines; roughness in (0, 1].
float sheen_lobe(float n_h, float n_v, float n_l, float roughness);
float gloss_lobe(float n_h, float n_v, float n_l, float v_h, float roughness, float head_on);
// By how much gloss differs from that of gloss_lobe() if it is a band across threads: `band` in [0, 1) says
// how narrow, t_h is the cosine of the half vector to the threads. The ratio of anisotropic to plain GGX
// [B12] B. Burley: Physically Based Shading at Disney, SIGGRAPH course (2012), with the same mean slope.
float band_ratio(float n_h, float t_h, float roughness, float band);

// Share of even light from all sides that a lobe sends towards a viewer, by the cosine of the view.
class LobeAlbedo {
  public:
    enum class Lobe { sheen, gloss };
    LobeAlbedo() = default;
    // head_on: reflectance of the gloss. Sums the lobe over the hemisphere.
    LobeAlbedo(Lobe lobe, float roughness, float head_on = 0.04f);
    float at(float n_v) const;

  private:
    static constexpr int kSteps = 32;
    std::array<float, kSteps + 1> table_{};
};

}  // namespace rumple
