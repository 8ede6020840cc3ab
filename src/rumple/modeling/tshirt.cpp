#include <algorithm>
#include <cmath>
#include <rumple/modeling/cut.hpp>
#include <rumple/modeling/limb_shape.hpp>
#include <rumple/modeling/tshirt.hpp>
#include <rumple/modeling/tshirt_seams.hpp>
#include <rumple/modeling/tube.hpp>

namespace rumple {

namespace {

constexpr double kStep = 0.008;          // m between sections
constexpr double kArmpitFillet = 0.025;  // m, between sleeve and trunk
constexpr double kTaper = 0.10;          // metres a metre by which the hanging trunk may narrow

constexpr double kSleeveTaper = 0.45;  // metres a metre by which the sleeve narrows into the trunk

using Arm = BodyLandmarks::Arm;

class Tailor {
  public:
    Tailor(const TriMesh& body, const TshirtOptions& options, const std::string& name)
        : body_(body),
          options_(options),
          mark_(find_landmarks(body, name)),
          hem_(mark_.crotch + options.hem),
          trunk_(trunk_tube()),
          left_(sleeve_tube(mark_.left)),
          right_(sleeve_tube(mark_.right)) {}

    Garment make() const {
        CutOptions cut;
        cut.edge_length = options_.edge_length;
        // Long edges cut the corner at the shoulders.
        cut.clearance = 0.006 + std::max(0.0, options_.edge_length - 0.030);
        cut.follow = true;
        cut.box = box();
        Garment out = cut_garment([&](Vec3d p) { return shape(p); }, [&](Vec3d p) { return keep(p); },
                                  [&](Vec3d p) { return weave(p); }, body_, cut);
        add_sets(out);
        out.seams = tshirt_seams(out.mesh, mark_, hem_);
        return out;
    }

  private:
    double cuff(const Arm& arm) const { return arm.armpit + options_.sleeve * (arm.wrist - arm.armpit); }
    double shoulder() const { return mark_.neck - 0.04 * mark_.height; }  // z of about the collar bone

    Tube trunk_tube() const {
        std::vector<Support> sections;
        const double first = hem_ - 5 * kStep;
        // Near the armpits a section begins to take in the arms; it is cut at the width of the ribs below.
        const double ribs = mark_.waist + 0.65 * (mark_.armpit - mark_.waist);
        double reach = 0;
        for (const Vec2d& p : trunk_section(body_, ribs, mark_.middle, HUGE_VAL))
            reach = std::max(reach, std::abs(p.x - mark_.middle));
        for (double z = first; z < shoulder() + kStep; z += kStep) {
            const double at = std::max(z, mark_.crotch + 0.005);
            const Loop trunk = trunk_section(body_, at, mark_.middle, at > ribs ? reach : HUGE_VAL);
            if (trunk.empty() && sections.empty()) continue;
            sections.push_back(trunk.empty() ? sections.back() : support_of(convex_hull(trunk)));
        }
        Tube tube(horizontal(0), first, kStep, std::move(sections));
        tube.hang(kTaper);
        tube.widen([&](double z) {
            return 0.002 + (options_.chest_ease - 0.002) *
                               smooth_step(shoulder(), mark_.armpit - 0.03 * mark_.height, z);
        });
        tube.smooth(0.02);
        return tube;
    }
    Tube sleeve_tube(const Arm& arm) const {
        std::vector<Support> sections;
        const double first = cuff(arm) - 5 * kStep, top = arm.armpit - 0.01 * mark_.height;
        Loop section;
        for (double t = first; t < arm.armpit + 0.12 * mark_.height; t += kStep) {
            if (t < top) {
                const Loop found = arm_section(body_, arm, t);
                if (!found.empty()) section = convex_hull(found);
            }
            sections.push_back(support_of(section));
        }
        Tube tube(arm_frame(arm), first, kStep, std::move(sections));
        tube.hang(kTaper);
        tube.widen([&](double) { return options_.sleeve_ease; });
        tube.smooth(0.02);
        return tube;
    }

    static double along(const Arm& arm, Vec3d p) { return dot(p - arm.tip, arm.axis); }

    double shape(Vec3d p) const {
        double f = std::max(trunk_(p), p.z - shoulder());
        const auto sleeve = [&](const Arm& arm, const Tube& tube) {
            // From the armpit on the sleeve narrows and ends within the trunk.
            return tube(p) + kSleeveTaper * std::max(0.0, along(arm, p) - arm.armpit + 0.01 * mark_.height);
        };
        f = smooth_min(f, sleeve(mark_.left, left_), kArmpitFillet);
        return smooth_min(f, sleeve(mark_.right, right_), kArmpitFillet);
    }

    // Cut away is what lies within an ellipse around the neck and above the collar bones.
    double neck_keep(Vec3d p) const {
        // Wide enough that the opening lies on the shoulders: further in it would climb the neck in a point.
        const double a = mark_.neck_half_width + 1.35 * options_.neck_ease;
        const double b = mark_.neck_half_depth + 0.7 * options_.neck_ease;
        const double y = p.y - (mark_.neck_centre.y + mark_.facing * 0.005);
        const double beside = (std::hypot((p.x - mark_.middle) / a, y / b) - 1) * std::min(a, b);
        const double below = mark_.neck - 0.05 * mark_.height - p.z;
        return -smooth_min(-beside, -below, 0.02);
    }
    double keep(Vec3d p) const {
        return std::min({p.z - hem_, along(mark_.left, p) - cuff(mark_.left),
                         along(mark_.right, p) - cuff(mark_.right), neck_keep(p)});
    }

    Bounds box() const {
        Bounds box{{mark_.middle, HUGE_VAL, hem_ - 0.03}, {mark_.middle, -HUGE_VAL, mark_.neck + 0.02}};
        for (const Vec3d& p : body_.positions) {
            if (keep(p) < 0) continue;
            box.low.x = std::min(box.low.x, p.x - 0.07);
            box.high.x = std::max(box.high.x, p.x + 0.07);
            box.low.y = std::min(box.low.y, p.y - 0.07);
            box.high.y = std::max(box.high.y, p.y + 0.07);
            if (std::abs(p.x - mark_.middle) > mark_.arm_gap) box.high.z = std::max(box.high.z, p.z + 0.05);
        }
        const double half = std::max(box.high.x - mark_.middle, mark_.middle - box.low.x);
        box.low.x = mark_.middle - half;
        box.high.x = mark_.middle + half;
        return box;
    }

    // The side on which p lies, and whether it is in the sleeve: a seam at the armpit, across the arm.
    const Arm& arm_at(Vec3d p) const { return p.x > mark_.middle ? mark_.left : mark_.right; }
    bool in_sleeve(Vec3d p) const {
        return along(arm_at(p), p) < arm_at(p).armpit && distance_to_axis(p) < 0.15;
    }
    double distance_to_axis(Vec3d p) const {
        const Arm& arm = arm_at(p);
        return norm(p - arm.at(along(arm, p)));
    }
    WeaveFrame weave(Vec3d p) const {
        const Arm& arm = arm_at(p);
        if (in_sleeve(p)) {
            const Vec2d q = arm_frame(arm).in_plane(p);
            return {arm.axis, along(arm, p), 0.06 * std::atan2(q.y, q.x)};
        }
        return {{0, 0, 1}, p.z, 0.15 * std::atan2(p.y - mark_.neck_centre.y, p.x - mark_.middle)};
    }

    void add_sets(Garment& g) const {
        const double tolerance = 0.3 * options_.edge_length;
        const TriMesh& mesh = g.mesh;
        g.sets.push_back(select_border(
            mesh, "neck", [&](Vec3d p) { return p.z > mark_.armpit && std::abs(neck_keep(p)) < tolerance; }));
        g.sets.push_back(select_border(mesh, "hem", [&](Vec3d p) { return p.z < hem_ + tolerance; }));
        const auto on_arm = [&](const Arm& arm, Vec3d p, double t, double width) {
            return &arm_at(p) == &arm && in_sleeve(p) && std::abs(along(arm, p) - t) < width;
        };
        for (const Arm* arm : {&mark_.left, &mark_.right})
            g.sets.push_back(select_border(mesh, arm == &mark_.left ? "cuff_left" : "cuff_right",
                                           [&](Vec3d p) { return on_arm(*arm, p, cuff(*arm), tolerance); }));
        g.sets.push_back(select_vertices(mesh, "collar", [&](Vec3d p, Vec3d) {
            return p.z > mark_.armpit && neck_keep(p) < options_.hem_band;
        }));
        for (const Arm* arm : {&mark_.left, &mark_.right}) {
            const std::string side = arm == &mark_.left ? "left" : "right";
            g.sets.push_back(select_vertices(mesh, "elbow_" + side, [&](Vec3d p, Vec3d) {
                return on_arm(*arm, p, arm->elbow, 0.04 * mark_.height);
            }));
            // Under the arm, where sleeve and trunk meet.
            const Vec3d pit = arm->at(arm->armpit) - Vec3d{0, 0, 0.03 * mark_.height};
            g.sets.push_back(select_vertices(mesh, "armpit_" + side, [&](Vec3d p, Vec3d n) {
                return norm(p - pit) < 0.055 * mark_.height && n.z < 0.3;
            }));
        }
    }

    const TriMesh& body_;
    const TshirtOptions& options_;
    BodyLandmarks mark_;
    double hem_;  // z
    Tube trunk_, left_, right_;
};

}  // namespace

Garment make_tshirt(const TriMesh& body, const TshirtOptions& options, const std::string& body_name) {
    require_in_range("T-shirt", {{"edge_length [m]", options.edge_length, 0.003, 0.04},
                                 {"sleeve", options.sleeve, 0.1, 1},
                                 {"hem [m]", options.hem, -0.05, 0.3},
                                 {"chest_ease [m]", options.chest_ease, 0.005, 0.1},
                                 {"sleeve_ease [m]", options.sleeve_ease, 0.005, 0.1},
                                 {"neck_ease [m]", options.neck_ease, 0.005, 0.1},
                                 {"hem_band [m]", options.hem_band, 0.005, 0.1}});
    return Tailor(body, options, body_name).make();
}

}  // namespace rumple
