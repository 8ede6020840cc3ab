#include <cmath>
#include <functional>
#include <numbers>
#include <rumple/modeling/limb_shape.hpp>
#include <rumple/modeling/seam_tracer.hpp>
#include <rumple/modeling/trouser_seams.hpp>

namespace rumple {

namespace {

constexpr double kBand = 0.038;                             // m, height of the waistband
constexpr double kFlyWidth = 0.034, kFlyShare = 0.58;       // m; of the height from band to crotch
constexpr double kPocketWide = 0.095, kPocketDeep = 0.075;  // m, of the opening, from the side seam
constexpr double kPatchAway = 0.083, kPatchBelow = 0.088;   // m, from the middle and from the band
constexpr double kPatchHalf = 0.066, kPatchHigh = 0.135, kTip = 0.018;  // m
constexpr double kYokeSide = 0.030, kYokeMiddle = 0.068;                // m below the band
constexpr double kLoopFront = 0.085, kLoopBack = 1.9;                   // m from the middle; rad

class Trousers {
  public:
    Trousers(const TriMesh& cloth, const BodyLandmarks& mark, const TrouserShape& shape)
        : cloth_(cloth),
          trace_(cloth),
          mark_(mark),
          shape_(shape),
          band_(shape.waist - kBand),
          depth_(
              (shape.leg_middle(true, mark.crotch - 0.05).y + shape.leg_middle(false, mark.crotch - 0.05).y) /
              2) {}

    std::vector<SeamLine> draw() {
        for (const bool left : {true, false}) {
            legs(left);
            front_pocket(left);
            back_pocket(left);
            yoke(left);
        }
        crotch();
        waistband();
        fly();
        return std::move(lines_);
    }

  private:
    using Rays = std::vector<SeamTracer::Ray>;

    Vec3d inside(double z) const { return {mark_.middle, depth_, z}; }
    double front() const { return mark_.facing; }
    Vec3d towards(double angle) const { return {std::sin(angle), front() * std::cos(angle), 0}; }
    void add(SeamKind kind, const Rays& rays, const std::function<Vec3d(Vec3d)>& left = {}) {
        SeamLine line = trace_.line(kind, rays, left);
        if (line.points.size() > 1) lines_.push_back(std::move(line));
    }
    // A ray to the place so far around the hips from an angle.
    SeamTracer::Ray hip(double start, double arc, double z) const {
        const Vec3d p = trace_.around(inside(z), front(), start, arc);
        return {inside(z), p - inside(z)};
    }
    // Points between two places, given as arc and height.
    void stretch(Rays& rays, double start, Vec2d from, Vec2d to) const {
        const int pieces = 1 + int(norm(to - from) / kSeamStep);
        for (int i = 0; i <= pieces; ++i) {
            const Vec2d p = from + (double(i) / pieces) * (to - from);
            rays.push_back(hip(start, p.x, p.y));
        }
    }

    void legs(bool left) {
        const double out = left ? 1 : -1;
        Rays side, inner;
        for (double z = shape_.cuff + 0.001; z < band_; z += kSeamStep) {
            Vec3d from = shape_.leg_middle(left, std::min(z, mark_.crotch));
            from.y += smooth_step(mark_.crotch - 0.12, mark_.crotch + 0.06, z) * (depth_ - from.y);
            from.z = z;
            if (z > mark_.crotch + 0.03) from.x = mark_.middle;
            side.push_back({from, {out, 0, 0}});
            if (z < shape_.saddle - 0.002) inner.push_back({from, {-out, 0, 0}});
        }
        add(SeamKind::plain, side);
        add(SeamKind::felled, inner, [&](Vec3d) { return Vec3d{0, -front(), 0}; });
    }

    void crotch() {
        const double pivot = shape_.saddle + 0.055;
        Rays before, behind;
        for (double z = band_; z > pivot; z -= kSeamStep) {
            before.push_back({inside(z), towards(0)});
            behind.push_back({inside(z), towards(std::numbers::pi)});
        }
        for (double a = 0; a <= std::numbers::pi / 2; a += 0.03)
            for (auto* rays : {&before, &behind}) {
                const double side = rays == &before ? front() : -front();
                rays->push_back({inside(pivot), {0, side * std::cos(a), -std::sin(a)}});
            }
        for (const auto* rays : {&before, &behind})
            add(SeamKind::felled, *rays, [](Vec3d) { return Vec3d{1, 0, 0}; });
    }

    void waistband() {
        Rays rays;
        for (int i = 0; i <= 240; ++i)
            rays.push_back({inside(band_), towards(2 * std::numbers::pi * i / 240)});
        add(SeamKind::edge, rays, [](Vec3d) { return Vec3d{0, 0, 1}; });
        SeamLine top = top_border(SeamKind::top, cloth_, {mark_.middle, depth_});
        if (!top.points.empty()) lines_.push_back(std::move(top));
        const auto loop = [&](double start, double arc) {
            Rays up;
            for (double z = band_ - 0.006; z < shape_.waist - 0.001; z += kSeamStep)
                up.push_back(hip(start, arc, z));
            add(SeamKind::loop, up);
        };
        for (const double side : {1.0, -1.0}) {
            loop(0, side * kLoopFront);
            loop(side * kLoopBack, 0);
        }
        loop(std::numbers::pi, 0);
        if (const auto found = trace_.mark(inside(shape_.waist - kBand / 2), towards(0)))
            lines_.push_back({SeamKind::button, {found->point}, {found->normal}});
    }

    void fly() {
        const double bottom = band_ - kFlyShare * (band_ - shape_.saddle), curve = bottom + 0.036;
        const auto ray = [&](double x, double z) {
            return SeamTracer::Ray{{mark_.middle + x, depth_, z}, {0, front(), 0}};
        };
        Rays rays;
        for (double z = band_; z > curve; z -= kSeamStep) rays.push_back(ray(kFlyWidth, z));
        for (double a = 0; a <= std::numbers::pi / 2; a += 0.08)
            rays.push_back(ray(kFlyWidth * std::cos(a), curve - 0.036 * std::sin(a)));
        add(SeamKind::stitch, rays, [](Vec3d) { return Vec3d{-1, 0, 0}; });
    }

    void front_pocket(bool left) {
        const double side = left ? 1 : -1;
        Rays rays;
        for (double a = 0; a <= std::numbers::pi / 2 + 1e-9; a += std::numbers::pi / 2 / 30)
            rays.push_back(hip(side * std::numbers::pi / 2, -side * kPocketWide * std::cos(a),
                               band_ - kPocketDeep * std::sin(a)));
        add(SeamKind::edge, rays, [&](Vec3d p) { return inside(band_ - 0.2) + 0.15 * towards(0) - p; });
    }

    void back_pocket(bool left) {
        const double side = left ? 1 : -1, top = band_ - kPatchBelow, low = top - kPatchHigh;
        const auto place = [&](double x, double z) { return Vec2d{-side * (kPatchAway + x), z}; };
        const Vec2d corner[] = {place(-kPatchHalf, top), place(-0.9 * kPatchHalf, low), place(0, low - kTip),
                                place(0.9 * kPatchHalf, low), place(kPatchHalf, top)};
        Rays around, above;
        for (int i = 0; i < 4; ++i) stretch(around, std::numbers::pi, corner[i], corner[i + 1]);
        stretch(above, std::numbers::pi, corner[4], corner[0]);
        const SeamTracer::Ray middle = hip(std::numbers::pi, -side * kPatchAway, top - kPatchHigh / 2);
        const auto centre = trace_.mark(middle.origin, middle.direction);
        if (!centre) return;
        const auto inwards = [&](Vec3d p) { return centre->point - p; };
        add(SeamKind::edge, around, inwards);
        add(SeamKind::edge, above, inwards);
    }

    void yoke(bool left) {
        const double side = left ? 1 : -1;
        Rays rays;
        for (double t = 0; t <= 1 + 1e-9; t += 0.02)
            rays.push_back({inside(band_ - kYokeSide - t * (kYokeMiddle - kYokeSide)),
                            towards(side * (std::numbers::pi / 2 + t * std::numbers::pi / 2))});
        add(SeamKind::felled, rays, [](Vec3d) { return Vec3d{0, 0, -1}; });
    }

    const TriMesh& cloth_;
    SeamTracer trace_;
    const BodyLandmarks& mark_;
    const TrouserShape& shape_;
    double band_, depth_;  // z of the band's lower edge; y of the middle of the trunk
    std::vector<SeamLine> lines_;
};

}  // namespace

std::vector<SeamLine> trouser_seams(const TriMesh& cloth, const BodyLandmarks& mark,
                                    const TrouserShape& shape) {
    return Trousers(cloth, mark, shape).draw();
}

}  // namespace rumple
