// Which seams pass near a point of a garment, how far away and on which side.
#pragma once

#include <rumple/mesh/seam_line.hpp>
#include <rumple_render/image.hpp>
#include <rumple_render/subdivision.hpp>
#include <span>

namespace rumple {

struct NearSeam {
    SeamKind kind = SeamKind::plain;
    float across = 0;  // m, > 0 on the left of the line
    float along = 0;   // m from the line's beginning
    float length = 0;  // m, of the line
    Vec3f outwards;    // unit, on the cloth: where `across` rises; zero on the line itself
    Vec3f onwards;     // unit, along the line
    std::uint32_t line = 0;
};

class SeamField {
  public:
    static constexpr float kReach = 0.024f;        // m: nothing of a seam is wider
    static constexpr std::size_t kMaxAtPoint = 6;  // seams at one point

    SeamField() = default;
    // Of a mesh as it was cut.
    SeamField(const std::vector<SeamLine>& seams, std::span<const Vec3d> positions,
              const Triangles& triangles);

    bool empty() const { return near_.empty(); }
    // The seams near a point on this triangle, the lowest line first; returns how many.
    std::size_t near(std::size_t triangle, Vec3f point, std::span<NearSeam> out) const;

  private:
    struct Segment {
        std::uint32_t line;
        Vec3f a, b, normal;
        float along;  // m, of a
    };
    std::vector<Segment> segments_;                 // of each line in a row
    std::vector<SeamKind> kinds_;                   // one a line
    std::vector<float> lengths_;                    // m, one a line
    std::vector<std::vector<std::uint32_t>> near_;  // segments near each triangle; empty: no seams
};

}  // namespace rumple
