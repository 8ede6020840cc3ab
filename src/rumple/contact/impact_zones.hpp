// Cloth that collides with cloth and cannot be pushed apart moves as one piece (Provot, Collision and
// self-collision handling in cloth model dedicated to design garments, 1997; Bridson, Fedkiw and Anderson
// 2002, section 7.4): a rigid motion with the momentum and the angular momentum of its vertices. In it
// nothing comes nearer to anything. Zones that collide become one.
#pragma once

#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

class ImpactZones {
  public:
    explicit ImpactZones(int vertices);

    void clear();  // every vertex by itself
    void join(std::span<const int> vertices);
    // Vertices of the zones that were joined since the last call, ascending.
    std::span<const int> changed() const { return changed_; }
    // Moves each changed zone as a rigid body from x0; x1: where its vertices would go by themselves.
    void move(std::span<const Vec3d> x0, std::span<Vec3d> x1, std::span<const double> inverse_mass);

  private:
    int root(int v);
    void collect();

    std::vector<int> parent_;   // smaller numbers are roots
    std::vector<int> members_;  // vertices of all zones of more than one, as they came
    std::vector<int> touched_;  // roots, since the last move
    std::vector<int> changed_;
    std::vector<std::vector<int>> zones_;  // vertices of each changed zone, ascending
};

}  // namespace rumple::contact
