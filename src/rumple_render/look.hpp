// What a surface looks like: colours of its two sides and how it is woven. Nothing here has to do with how it
// moves; looks are named after the material presets so that cotton looks like cotton.
#pragma once

#include <rumple_render/image.hpp>
#include <string>
#include <vector>

namespace rumple {

enum class Weave { none, plain, twill };

struct Look {
    std::string name = "clay";
    Vec3f front{0.5f, 0.5f, 0.5f};  // mean colour of each side, linear, [0, 1]
    Vec3f back{0.5f, 0.5f, 0.5f};
    Weave weave = Weave::none;
    float pitch = 0.0006f;      // m between threads
    float thread_contrast = 0;  // how dark the gaps between threads are, [0, 1]
    float slub = 0;             // unevenness of the yarn, seen from afar as fine streaks, [0, 0.3]
    float weft_white = 0;       // twill: how pale the cross threads are, [0, 1]
    float sheen = 0;            // fuzz at grazing angles, [0, 1]
    float gloss = 0;            // soft highlight, [0, 1]
    float flatness = 0;         // share of the colour that light does not change, for false colour, [0, 1]
};

const std::vector<std::string>& look_names();
Look look_by_name(const std::string& name);  // InputError with a suggestion
// For a material of a scene, which may have any name: the look of that name, else white cotton.
Look look_for_material(const std::string& material);

// Colour of a woven surface at (u, v), metres along warp and weft. `footprint` [m] is the size of a pixel
// there: whatever is finer fades into its mean, so that threads never alias.
Vec3f woven_colour(const Look& look, float u, float v, float footprint, bool front);

}  // namespace rumple
