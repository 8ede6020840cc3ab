// Cloth that is inside an obstacle, or cut by one, though the response works: a garment that starts there, a
// pinch between bodies that cross. Collisions of such vertices with obstacles, which would keep them in, are
// ignored; they are pushed out along the shortest way instead (penetration_recovery.hpp).
//
//   penetrating  corners of the cloth's triangles that cut an obstacle, and whatever lies behind its surface
//                from there on, as far as the cloth is connected
//   pierced      a triangle that cuts an obstacle though none of its corners is behind the surface: a corner
//                or an edge of the obstacle sticks out through it
//   behind       on the back of the nearest face, edge or vertex, by its angle-weighted normal (Baerentzen
//   and
//                Aanaes 2005); obstacles whose faces all point inwards are taken the other way round
#pragma once

#include <rumple/contact/bvh.hpp>
#include <rumple/contact/closest.hpp>
#include <rumple/contact/surface.hpp>
#include <rumple/core/parallel.hpp>
#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

struct NearestFace {
    int triangle = -1;
    Closest closest;    // of the vertex and that triangle
    Vec3d outward;      // unit: the shortest way out, or away from the surface outside
    double height = 0;  // m, signed: negative behind the surface
};

// A point of a pierced triangle that is inside.
struct PiercedPoint {
    double weight[3] = {};  // of the corners
    NearestFace face;       // of the obstacle, to that point; no triangle: it is not pierced
};

class Penetration {
  public:
    explicit Penetration(const Surface& surface);

    // Where everything is, for what is asked next; x must stay until then. active: one a body.
    void place(const Threads& threads, std::span<const Vec3d> x, std::span<const std::uint8_t> active);
    // Cloth vertices that penetrate, ascending.
    std::vector<int> find(const Threads& threads) const;
    // The nearest point of all active obstacles to a cloth vertex, within `reach` [m]; of several, that of
    // the first triangle.
    NearestFace nearest(int vertex, double reach) const {
        return nearest_to(x_[static_cast<std::size_t>(vertex)], reach);
    }
    // The obstacle of a pair with cloth has this normal where it is nearest to the cloth, not of length 1, at
    // positions x; 0 for other pairs.
    Vec3d obstacle_normal(ContactPair pair, const Closest& closest, std::span<const Vec3d> x) const;
    // Of a cloth triangle that cuts an obstacle: a point of it that is inside. Of one that does not: none.
    PiercedPoint pierced(int triangle, double reach) const;

  private:
    struct Obstacle {
        std::size_t body;
        Bvh tree;
        bool inside_out = false;  // its faces are turned inwards
        bool placed = false;
    };
    NearestFace nearest_to(Vec3d p, double reach) const;
    // Calls visit(triangle) for triangles of active obstacles until it returns false: those that meet this
    // one of cloth.
    template <class Visit>
    void visit_meeting(int triangle, Visit&& visit) const;
    std::array<Vec3d, 3> corners(int triangle) const;
    void nearest_of(const Obstacle& obstacle, Vec3d p, double reach, NearestFace& best) const;
    // Of the face, edge or vertex of a triangle that a point is nearest to; not of length 1.
    Vec3d normal_at(int triangle, const Closest& closest, std::span<const Vec3d> x) const;
    bool turned_in(std::size_t body) const;

    const Surface& surface_;
    int cloth_vertices_;
    std::span<const Vec3d> x_;
    std::vector<std::uint8_t> active_;
    std::vector<Obstacle> obstacles_;
};

}  // namespace rumple::contact
