// The ray tracer: meshes, a camera and light in; an image out.
//
// Each sample sees one point of a surface. What light that point would get with nothing in the way is known
// exactly (lighting.hpp); rays find out how much of it arrives, as a ratio for the lamp and one for the sky
// (light bounced once from what stands in the way included). The ratios are noisy but vary slowly, the exact
// light carries the wrinkles: only the ratios are smoothed, across pixels that show the same surface.
// [HHM18] E. Heitz, S. Hill, M. McGuire: Combining analytic direct illumination and stochastic shadows, I3D
// (2018). The same bits come out for any number of threads.
#pragma once

#include <optional>
#include <rumple/core/parallel.hpp>
#include <rumple/mesh/seam_line.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <rumple_render/camera.hpp>
#include <rumple_render/image.hpp>
#include <rumple_render/lighting.hpp>
#include <rumple_render/look.hpp>
#include <string>
#include <vector>

namespace rumple {

struct RenderObject {
    std::string name;         // for errors
    TriMesh mesh;             // as it is now
    std::vector<Vec3d> rest;  // where the threads were woven, when there are no UVs; empty: as it is now
    Look look;
    std::vector<SeamLine> seams = {};  // where the threads were woven
    std::vector<Vec3f> colours;        // one a vertex, linear, instead of the look's; empty: none
    bool is_cloth = true;              // not a body or an obstacle
    bool framed = true;                // the camera shows all of it
};

struct RenderScene {
    std::vector<RenderObject> objects;
    std::optional<double> ground;  // height of a plane that shows nothing but shadows [m]
};

struct RenderSettings {
    int width = 960, height = 720;  // 1..16384, 64 million pixels at most
    int samples = 8;                // a pixel; a power of two, 1..1024
};

// InputError: a setting out of range, a camera that sees nothing, a mesh with a wrong index or a coordinate
// that is not finite.
Image render(const RenderScene& scene, const Camera& camera, const Lighting& lighting,
             const RenderSettings& settings, const Threads& threads);

}  // namespace rumple
