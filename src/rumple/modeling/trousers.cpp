#include <algorithm>
#include <cmath>
#include <rumple/modeling/cut.hpp>
#include <rumple/modeling/limb_shape.hpp>
#include <rumple/modeling/trouser_seams.hpp>
#include <rumple/modeling/trousers.hpp>
#include <rumple/modeling/tube.hpp>

namespace rumple {

namespace {

constexpr double kStep = 0.008;  // m between sections
constexpr double kTaper = 0.18;  // metres a metre by which a hanging leg may narrow
constexpr double kCrotchFillet = 0.014, kLegsFillet = 0.006;  // m
constexpr double kSeatTaper = 0.45;  // metres a metre by which the seat narrows into the legs
constexpr double kInseam = 0.004;    // m, of each leg from the middle right under the crotch

class Tailor {
  public:
    Tailor(const TriMesh& body, const TrousersOptions& options, const std::string& name)
        : body_(body),
          options_(options),
          mark_(find_landmarks(body, name)),
          waist_(mark_.crotch + options.rise * (mark_.waist - mark_.crotch)),
          cuff_(mark_.floor + options.cuff_height),
          saddle_(mark_.crotch - options.crotch_drop),
          left_(leg_tube(true)),
          right_(leg_tube(false)),
          seat_(seat_tube()) {}

    Garment make() const {
        CutOptions cut;
        cut.edge_length = options_.edge_length;
        cut.box = box();
        Garment out = cut_garment([&](Vec3d p) { return shape(p); },
                                  [&](Vec3d p) { return std::min(waist_ - p.z, p.z - cuff_); },
                                  [&](Vec3d p) { return weave(p); }, body_, cut);
        add_sets(out);
        out.seams = trouser_seams(out.mesh, mark_, {waist_, cuff_, saddle_, [this](bool left, double z) {
                                                        return (left ? line_left_ : line_right_).at(z);
                                                    }});
        return out;
    }

  private:
    Tube leg_tube(bool left) const {
        std::vector<Support> sections;
        const double first = cuff_ - 5 * kStep, top = mark_.crotch - 0.004;
        Loop leg;
        for (double z = first; z < mark_.crotch + 0.2; z += kStep) {
            if (z < top) {
                // Below the ankle the foot is wider; a cuff hangs over it.
                const Loop found = leg_section(body_, std::max(z, mark_.ankle), mark_.middle, left);
                if (!found.empty()) leg = convex_hull(found);
            }
            sections.push_back(support_of(leg));  // above the crotch the uppermost section continues
        }
        Tube tube(horizontal(0), first, kStep, std::move(sections));
        tube.hang(kTaper);
        tube.widen([&](double z) { return ease(z); });
        tube.smooth(0.02);
        return tube;
    }
    Tube seat_tube() const {
        std::vector<Support> sections;
        const double first = mark_.crotch + 0.004;
        for (double z = first; z < waist_ + 6 * kStep; z += kStep) {
            const Loop trunk = trunk_section(body_, z, mark_.middle, HUGE_VAL);
            sections.push_back(trunk.empty() ? sections.back() : support_of(convex_hull(trunk)));
        }
        Tube tube(horizontal(0), first, kStep, std::move(sections));
        tube.widen([&](double z) { return ease(z); });
        tube.smooth(0.02);
        return tube;
    }
    double ease(double z) const {
        const double hip = mark_.crotch + 0.3 * (waist_ - mark_.crotch);
        if (z > hip)
            return options_.hip_ease +
                   (options_.waist_ease - options_.hip_ease) * smooth_step(hip, waist_ - 0.02, z);
        const double thigh = mark_.crotch - 0.08;
        if (z > mark_.knee)
            return options_.knee_ease +
                   (options_.hip_ease - options_.knee_ease) * smooth_step(mark_.knee, thigh, z);
        return options_.cuff_ease +
               (options_.knee_ease - options_.cuff_ease) * smooth_step(mark_.ankle, mark_.knee, z);
    }

    double shape(Vec3d p) const {
        // The seat narrows downwards, so that its lower edge lies within the legs and shows only between
        // them.
        const double seat =
            std::max(seat_(p) + kSeatTaper * std::max(0.0, mark_.crotch + 0.04 - p.z), saddle_ - p.z);
        // Right under the crotch the legs keep to their sides of the middle, less and less strictly below.
        const double inseam = kInseam + 0.12 * std::clamp(saddle_ - p.z, 0.0, 0.15);
        const double over = std::max(0.0, p.z - mark_.crotch - 0.06);  // legs end within the seat
        const double left = std::max(left_(p), inseam - (p.x - mark_.middle)) + over;
        const double right = std::max(right_(p), inseam + (p.x - mark_.middle)) + over;
        return smooth_min(smooth_min(left, right, kLegsFillet), seat, kCrotchFillet);
    }

    Bounds box() const {
        Bounds box{{HUGE_VAL, HUGE_VAL, cuff_ - 0.03}, {-HUGE_VAL, -HUGE_VAL, waist_ + 0.03}};
        const auto include = [&](const Loop& loop) {
            for (const Vec2d& p : loop) {
                box.low.x = std::min(box.low.x, p.x - 0.08);
                box.high.x = std::max(box.high.x, p.x + 0.08);
                box.low.y = std::min(box.low.y, p.y - 0.08);
                box.high.y = std::max(box.high.y, p.y + 0.08);
            }
        };
        for (double z = cuff_; z < mark_.crotch - 0.005; z += 0.03)
            for (const bool left : {true, false}) include(leg_section(body_, z, mark_.middle, left));
        for (double z = mark_.crotch + 0.005; z < waist_; z += 0.03)
            include(trunk_section(body_, z, mark_.middle, HUGE_VAL));
        // The plane between the legs must lie on the grid: see cut.cpp.
        const double half = std::max(box.high.x - mark_.middle, mark_.middle - box.low.x);
        box.low.x = mark_.middle - half;
        box.high.x = mark_.middle + half;
        return box;
    }

    struct LegLine {
        Vec3d origin, axis;  // axis upwards, unit
        Vec3d at(double z) const { return origin + ((z - origin.z) / axis.z) * axis; }
    };
    LegLine leg_line(bool left) const {
        const auto at = [&](double z) {
            const Loop leg = leg_section(body_, z, mark_.middle, left);
            const Vec2d c = leg.empty() ? Vec2d{} : centre(leg);
            return Vec3d{c.x, c.y, z};
        };
        const Vec3d ankle = at(mark_.ankle);
        return {ankle, normalized(at(mark_.crotch - 0.1 * mark_.height) - ankle)};
    }
    WeaveFrame weave(Vec3d p) const {
        const bool left = p.x > mark_.middle;
        const LegLine& leg = left ? line_left_ : line_right_;
        const double in_leg = smooth_step(mark_.crotch + 0.06, mark_.crotch - 0.06, p.z);
        const Vec3d warp = in_leg * leg.axis + (1 - in_leg) * Vec3d{0, 0, 1};
        const Vec3d off = p - leg.at(std::min(p.z, mark_.crotch));
        const double side = left ? 1 : -1;
        return {warp, p.z, 0.1 * std::atan2(off.y, side * off.x) * side};
    }

    void add_sets(Garment& g) const {
        const double m = mark_.middle, back = -mark_.facing, tolerance = 0.3 * options_.edge_length;
        const TriMesh& mesh = g.mesh;
        g.sets.push_back(select_border(mesh, "waist", [&](Vec3d p) { return p.z > waist_ - tolerance; }));
        g.sets.push_back(
            select_border(mesh, "cuff_left", [&](Vec3d p) { return p.z < cuff_ + tolerance && p.x > m; }));
        g.sets.push_back(
            select_border(mesh, "cuff_right", [&](Vec3d p) { return p.z < cuff_ + tolerance && p.x < m; }));
        g.sets.push_back(select_vertices(mesh, "waistband",
                                         [&](Vec3d p, Vec3d) { return p.z > waist_ - options_.waistband; }));
        for (const bool left : {true, false})
            g.sets.push_back(select_vertices(
                mesh, left ? "behind_knee_left" : "behind_knee_right", [&, left](Vec3d p, Vec3d n) {
                    return (p.x > m) == left && std::abs(p.z - mark_.knee) < 0.05 * mark_.height &&
                           back * n.y > 0.3;
                }));
        g.sets.push_back(select_vertices(mesh, "seat", [&](Vec3d p, Vec3d n) {
            return p.z > mark_.crotch - 0.03 * mark_.height && p.z < mark_.crotch + 0.09 * mark_.height &&
                   back * n.y > 0.3;
        }));
        g.sets.push_back(select_vertices(mesh, "groin", [&](Vec3d p, Vec3d n) {
            return p.z > mark_.crotch - 0.04 * mark_.height && p.z < mark_.crotch + 0.07 * mark_.height &&
                   back * n.y < -0.3;
        }));
    }

    const TriMesh& body_;
    const TrousersOptions& options_;
    BodyLandmarks mark_;
    double waist_, cuff_, saddle_;  // z
    Tube left_, right_, seat_;
    LegLine line_left_ = leg_line(true), line_right_ = leg_line(false);
};

}  // namespace

Garment make_trousers(const TriMesh& body, const TrousersOptions& options, const std::string& body_name) {
    require_in_range("trousers", {{"edge_length [m]", options.edge_length, 0.003, 0.04},
                                  {"rise", options.rise, 0.4, 1.1},
                                  {"cuff_height [m]", options.cuff_height, 0.02, 0.6},
                                  {"waist_ease [m]", options.waist_ease, 0.005, 0.1},
                                  {"hip_ease [m]", options.hip_ease, 0.005, 0.1},
                                  {"knee_ease [m]", options.knee_ease, 0.005, 0.1},
                                  {"cuff_ease [m]", options.cuff_ease, 0.005, 0.1},
                                  {"crotch_drop [m]", options.crotch_drop, 0.005, 0.1},
                                  {"waistband [m]", options.waistband, 0.005, 0.2}});
    return Tailor(body, options, body_name).make();
}

}  // namespace rumple
