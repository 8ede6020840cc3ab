// What a surface looks like: colours of its two sides, how it is woven, how it shines. Nothing here has to do
// with how it moves; looks are named after the material presets so that cotton looks like cotton.
#pragma once

#include <rumple_render/image.hpp>
#include <string>
#include <vector>

namespace rumple {

enum class Weave { none, plain, twill };

struct Yarn {
    Weave weave = Weave::none;
    float pitch = 0.0006f;  // m between threads
    float relief = 0;  // how round threads are: their darkest part, and how far their normals tilt, [0, 1]
    float slub = 0;    // unevenness of the yarn, seen from afar as fine streaks, [0, 0.5]
    Vec3f weft{};      // twill: colour of the threads that cross the warp; they show as specks
    float ripple = 0;  // slope of ripples of a few millimetres, finer than meshes show
};

struct Shine {
    float sheen = 0;               // share of the fibres that stand out, [0, 1]
    float sheen_roughness = 0.5f;  // (0, 1]
    float gloss = 0;               // share of smooth filaments, [0, 1]
    float gloss_roughness = 0.5f;  // (0, 1]
    float gloss_head_on = 0.04f;   // reflectance of a filament, seen head on; satin has many layers
    // Filaments shine along a band across them: 0 the same all round, near 1 a narrow band, [0, 1).
    float gloss_band = 0;
};

struct Hem {
    float width = 0;                    // m; 0: none
    int rows = 1;                       // of stitches
    Vec3f stitch{};                     // colour of the thread
    float wear = 0;                     // how pale the edge is rubbed, [0, 1]
    float thread = 0.0002f;             // m, half as thick as the sewing thread
    float rope = 0.07f;                 // slope of the ridges that sewing leaves in a hem
    float pucker = 1;                   // how much seams pucker this cloth
    Vec3f button{0.30f, 0.28f, 0.25f};  // colour
};

struct Look {
    std::string name = "clay";
    Vec3f front{0.5f, 0.5f, 0.5f};  // mean colour of each side, linear, [0, 1]
    Vec3f back{0.5f, 0.5f, 0.5f};
    float flatness = 0;  // share of the colour that light does not change, for false colour, [0, 1]
    Yarn yarn = {};
    Shine shine = {};
    Hem hem = {};
    float through = 0;  // share of the light on the outside of a garment that reaches its inside, [0, 1]
};

const std::vector<std::string>& look_names();
Look look_by_name(const std::string& name);  // InputError with a suggestion
// For a material of a scene, which may have any name: the look of that name, else white cotton.
Look look_for_material(const std::string& material);

}  // namespace rumple
