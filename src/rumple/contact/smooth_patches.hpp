// Which leaves of a cloth's tree lie so smoothly that nothing in them is near anything else in them: a search
// of cloth against itself need not look at them, and most of its time would go there.
//
// Normal cones (Volino and Magnenat-Thalmann 1994) ask the same but know no thickness, and need a test of the
// patch's outline. Here instead the patch is compared with its rest shape X, in which all distances are
// known, through a linear map that may be any, so it is a quick fit: N and d are normals of the patch at rest
// and now, Y and Z, y and z the parts of X and x in the plane and along it, and
//
//     y = B Y + e,   z = Z + f.
//
// Two points p and q of the patch's triangles that share no vertex have |X_p - X_q| >= r, r known. Their e
// and f are means of those at vertices, so they differ by no more than the diameters |e|, |f| of what the
// vertices have. With s = min(1, smallest singular value of B) and T the patch's thickness at rest along N
//
//     |x_p - x_q| >= |(s (Y_p - Y_q), s max(0, |Z_p - Z_q| - |f|))| - |e|
//                 >= s sqrt(r^2 - c) - |e|,   c = 2 T |f| - |f|^2 where |f| < T, else T^2.
//
// Nothing is assumed of the patch: it may have holes, be in pieces, curl or cross itself, and then one of the
// terms is large. On a straight way both ends are asked with one map, since e and f are linear in time. What
// bends costs little, being quadratic in |e|; wrinkles and folds cost a leaf its exemption.
#pragma once

#include <array>
#include <rumple/contact/bvh.hpp>
#include <rumple/contact/proximity_filter.hpp>
#include <rumple/contact/surface.hpp>
#include <rumple/core/pack.hpp>
#include <rumple/core/parallel.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

// Of each vertex the distance to the nearest triangle of its cloth that does not have it, of each edge that
// to the nearest edge that shares no vertex with it, at rest [m]; `most` where it is more. Cloth only.
struct RestGaps {
    std::vector<float> vertex, edge;
};
// Are most triangles of cloth higher than `within`? In finer cloth neighbours are near, and no patch is of
// use.
bool has_gaps(const Surface& surface, std::span<const Vec3d> rest, double within);
RestGaps rest_gaps(const Threads& threads, const Surface& surface, std::span<const Vec3d> rest, double most);

// The leaves of one tree.
class SmoothPatches {
  public:
    // After the tree was built.
    void build(const Surface& surface, const SurfaceBody& body, const Bvh& tree, const RestGaps& gaps,
               std::span<const Vec3d> rest);
    // Before a search of the filter's way.
    void update(const Threads& threads, const ProximityFilter& filter, double within);

    // Is everything in these two leaves, or in this one, that shares no vertex further apart than `within` on
    // the whole way? Where it says no, it may be all the same.
    bool apart(int leaf_a, int leaf_b) const;

  private:
    static constexpr int kLanes = 16;
    using Lanes = Pack<float, kLanes>;
    struct Patch {
        Lanes rest[3], now[3], back[3];   // m: of the vertices, from their means; back: from the end of the
                                          // way to its beginning, as the filter's
        Vec3d rest_mean, mean;            // m
        Vec3<float> rest_normal, normal;  // m^2
        Mat3<float> rest_moment, moment;  // m^2: sums of X X^T and of x X^T over the vertices
        float gap = 0;                    // m: the least of what the leaf stands for
        float size = 0;                   // m: no vertex is further from the mean, or moves further
        int count = 0;
        int vertex[kLanes];  // the first again where there are fewer
        int first_triangle = 0, triangle_end = 0;
        bool smooth = false;  // everything in it is apart
    };
    struct Fit;
    struct Spread;
    void measure(Patch& patch, const ProximityFilter& filter) const;
    bool apart(const Patch& a, const Patch& b) const;

    std::vector<int> of_node_;  // -1: not a leaf, or of too many vertices
    std::vector<Patch> patches_;
    std::vector<std::array<int, 3>> triangles_;  // in the order of the leaves
    float within_ = 0;                           // m
};

}  // namespace rumple::contact
