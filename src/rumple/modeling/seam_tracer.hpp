// Draws seams on a garment: finds where rays from inside leave the cloth, and joins such points into lines.
#pragma once

#include <functional>
#include <optional>
#include <rumple/mesh/seam_line.hpp>
#include <rumple/mesh/tri_mesh.hpp>

namespace rumple {

inline constexpr double kSeamStep = 0.004;  // m between the points of a seam

class SeamTracer {
  public:
    // The mesh must outlive the tracer.
    explicit SeamTracer(const TriMesh& cloth);

    struct Mark {
        Vec3d point, normal;  // normal: along the ray, unit
    };
    // Where a ray first meets the cloth. Rays that stay at one height are fast.
    std::optional<Mark> mark(Vec3d origin, Vec3d direction) const;

    // A line through the marks of these rays. Rays that miss are left out; where the next mark lies
    // elsewhere, the line ends. `left`: direction that should lie on its left at a point; the line is turned
    // round if it does not.
    struct Ray {
        Vec3d origin, direction;
    };
    SeamLine line(SeamKind kind, const std::vector<Ray>& rays,
                  const std::function<Vec3d(Vec3d)>& left = {}) const;

    // Points at this height all around an origin inside, by angle: from `front` towards +X.
    Vec3d around(Vec3d origin, double facing, double start, double arc) const;

  private:
    const TriMesh& cloth_;
    double low_ = 0;
    std::vector<std::vector<int>> layers_;  // triangles by height
};

// The line along the loop of the border that lies highest around a point of the plane, the cloth on its left;
// without points if there is none.
SeamLine top_border(SeamKind kind, const TriMesh& cloth, Vec2d middle);

}  // namespace rumple
