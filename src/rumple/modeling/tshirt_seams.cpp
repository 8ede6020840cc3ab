#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <rumple/modeling/seam_tracer.hpp>
#include <rumple/modeling/tshirt_seams.hpp>

namespace rumple {

namespace {

constexpr double kArmhole = 0.018;   // m, how far the armhole's top lies inside the armpit's
constexpr double kBelowNeck = 0.25;  // m below the neck: inside the chest

class Tshirt {
  public:
    Tshirt(const TriMesh& cloth, const BodyLandmarks& mark, double hem)
        : cloth_(cloth), trace_(cloth), mark_(mark), hem_(hem) {}

    std::vector<SeamLine> draw() {
        for (const bool left : {true, false}) {
            const BodyLandmarks::Arm& arm = left ? mark_.left : mark_.right;
            side(left, arm);
            armhole(arm);
            shoulder(left, arm);
        }
        SeamLine collar = top_border(SeamKind::rib, cloth_, mark_.neck_centre);
        if (!collar.points.empty()) lines_.push_back(std::move(collar));
        return std::move(lines_);
    }

  private:
    using Arm = BodyLandmarks::Arm;
    using Rays = std::vector<SeamTracer::Ray>;

    void add(SeamKind kind, const Rays& rays, const std::function<Vec3d(Vec3d)>& left = {}) {
        SeamLine line = trace_.line(kind, rays, left);
        if (line.points.size() > 1) lines_.push_back(std::move(line));
    }
    // Across the arm, downwards and upwards.
    static Vec3d down(const Arm& arm) { return normalized(Vec3d{0, 0, -1} - (-arm.axis.z) * arm.axis); }
    double seam_at(const Arm& arm, double rise) const { return arm.armpit + kArmhole * (1 + rise) / 2; }

    void side(bool left, const Arm& arm) {
        Rays trunk, sleeve;
        const double out = left ? 1 : -1, pit = arm.at(arm.armpit).z;
        for (double z = hem_ + 0.001; z < std::min(mark_.armpit, pit) - 0.01; z += kSeamStep)
            trunk.push_back({{mark_.middle, mark_.neck_centre.y, z}, {out, 0, 0}});
        add(SeamKind::plain, trunk);
        for (double t = arm.wrist - 0.02; t < seam_at(arm, -1); t += kSeamStep)
            sleeve.push_back({arm.at(t), down(arm)});
        add(SeamKind::plain, sleeve);
    }

    void armhole(const Arm& arm) {
        const Vec3d low = down(arm), across = cross(arm.axis, low);
        Rays rays;
        for (int i = 0; i <= 120; ++i) {
            const double angle = 2 * std::numbers::pi * i / 120, rise = -std::cos(angle);
            rays.push_back({arm.at(seam_at(arm, rise)), std::cos(angle) * low + std::sin(angle) * across});
        }
        add(SeamKind::felled, rays, [&](Vec3d) { return arm.axis; });
    }

    // Along the top, from the armhole to the neck.
    void shoulder(bool left, const Arm& arm) {
        const double out = left ? 1 : -1;
        const Vec3d from = arm.at(seam_at(arm, 1));
        const Vec3d to{mark_.middle + out * 0.8 * mark_.neck_half_width, mark_.neck_centre.y,
                       mark_.neck - kBelowNeck};
        const int pieces = 1 + int(std::abs(to.x - from.x) / kSeamStep);
        Rays rays;
        for (int i = 0; i <= pieces; ++i) {
            const double t = double(i) / pieces;
            const Vec3d p = (1 - t) * from + t * to;
            rays.push_back({{p.x, p.y, from.z + (to.z - from.z) * std::min(1.0, 2 * t)}, {0, 0, 1}});
        }
        add(SeamKind::plain, rays);
    }

    const TriMesh& cloth_;
    SeamTracer trace_;
    const BodyLandmarks& mark_;
    double hem_;
    std::vector<SeamLine> lines_;
};

}  // namespace

std::vector<SeamLine> tshirt_seams(const TriMesh& cloth, const BodyLandmarks& mark, double hem) {
    return Tshirt(cloth, mark, hem).draw();
}

}  // namespace rumple
