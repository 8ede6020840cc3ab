#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/bounds.hpp>
#include <rumple/core/error.hpp>
#include <rumple/modeling/landmarks.hpp>
#include <set>

namespace rumple {

namespace {

// Fractions of the stature after Drillis and Contini 1966 (see body/mannequin_shape.hpp).
constexpr double kKnee = 0.285, kForearm = 0.146, kHand = 0.108;

const Loop* largest(const std::vector<Loop>& loops, const auto& belongs) {
    const Loop* best = nullptr;
    for (const Loop& loop : loops)
        if (belongs(loop) && (!best || std::abs(enclosed_area(loop)) > std::abs(enclosed_area(*best))))
            best = &loop;
    return best;
}

bool crosses(const Loop& loop, double x) {
    const auto [low, high] =
        std::minmax_element(loop.begin(), loop.end(), [](Vec2d a, Vec2d b) { return a.x < b.x; });
    return low->x < x && high->x > x;
}

class Finder {
  public:
    Finder(const TriMesh& body, const std::string& name) : body_(body), name_(name) {}

    BodyLandmarks find() {
        find_extent();
        find_crotch();
        find_facing();
        mark_.knee = mark_.floor + kKnee * mark_.height;
        mark_.ankle = narrowest(0.03, 0.14, [&](double z) {
            const Loop leg = leg_section(body_, z, mark_.middle, true);
            return leg.empty() ? HUGE_VAL : perimeter(convex_hull(leg));
        });
        mark_.left = find_arm(1);
        mark_.right = find_arm(-1);
        find_armpits();
        mark_.waist = narrowest((mark_.crotch - mark_.floor) / mark_.height + 0.10,
                                (mark_.armpit - mark_.floor) / mark_.height - 0.04,
                                [&](double z) { return trunk_girth(z); });
        find_neck();
        return mark_;
    }

  private:
    [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
        throw InputError(name_, what, remedy);
    }

    void find_extent() {
        if (body_.positions.empty()) refuse("the body has no vertices", "give a closed mesh");
        const Bounds box = bounds_of(body_.positions);
        mark_.floor = box.low.z;
        mark_.height = box.size().z;
        if (!(mark_.height > 0.8 && mark_.height < 2.6))
            refuse(fmt::format("the body is {:.4g} m tall (along z)", mark_.height),
                   "a standing person in metres, Z up, is needed: scale or turn the mesh");
        double left = -HUGE_VAL, right = HUGE_VAL;
        for (const Vec3d& p : body_.positions)
            if (p.z < mark_.floor + 0.25 * mark_.height) {
                left = std::max(left, p.x);
                right = std::min(right, p.x);
            }
        mark_.middle = (left + right) / 2;
    }

    void find_crotch() {
        // The lowest point of the surface in the plane between left and right.
        double lowest = HUGE_VAL;
        for (const auto& t : body_.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d a = body_.positions[std::size_t(t[k])],
                            b = body_.positions[std::size_t(t[(k + 1) % 3])];
                if ((a.x > mark_.middle) == (b.x > mark_.middle)) continue;
                const double s = (mark_.middle - a.x) / (b.x - a.x);
                lowest = std::min(lowest, (1 - s) * a.z + s * b.z);
            }
        mark_.crotch = lowest;
        const double share = (lowest - mark_.floor) / mark_.height;
        if (!(share > 0.35 && share < 0.6))
            refuse("no crotch was found where one should be",
                   "the body must stand with its legs apart in the x direction, in metres, Z up, facing -Y "
                   "or +Y");
    }

    void find_facing() {
        // Toes reach further from the ankle than heels do.
        const Loop ankle = leg_section(body_, mark_.floor + 0.06 * mark_.height, mark_.middle, true);
        if (ankle.empty()) refuse("the left leg has no ankle", "a body with two separate legs is needed");
        const double y = centre(ankle).y;
        double front = 0, back = 0;
        for (const Vec3d& p : body_.positions)
            if (p.z < mark_.floor + 0.05 * mark_.height) {
                front = std::max(front, y - p.y);
                back = std::max(back, p.y - y);
            }
        mark_.facing = front >= back ? -1 : 1;
    }

    double trunk_girth(double z) const {
        const Loop trunk =
            trunk_section(body_, z, mark_.middle, mark_.arm_gap > 0 ? mark_.arm_gap : HUGE_VAL);
        return trunk.size() < 3 ? HUGE_VAL : perimeter(convex_hull(trunk));
    }

    // The z with the smallest value between two fractions of the height.
    template <class Value>
    double narrowest(double low, double high, Value&& value) const {
        double best = HUGE_VAL, at = mark_.floor + low * mark_.height;
        for (double s = low; s <= high; s += 0.004) {
            const double z = mark_.floor + s * mark_.height, v = value(z);
            if (v < best) best = v, at = z;
        }
        return at;
    }

    BodyLandmarks::Arm find_arm(double side) const {
        BodyLandmarks::Arm arm;
        const double above = mark_.floor + 0.33 * mark_.height;
        double furthest = 0;
        std::size_t tip = 0;
        for (std::size_t v = 0; v < body_.positions.size(); ++v) {
            const Vec3d p = body_.positions[v];
            if (p.z < above || side * (p.x - mark_.middle) <= furthest) continue;
            furthest = side * (p.x - mark_.middle);
            tip = v;
        }
        arm.tip = body_.positions[tip];
        if (furthest < 0.22 * mark_.height)
            refuse("the arms lie against the trunk", "a body in A-pose or T-pose is needed");
        // Centres of the skin at two distances from the tip: on the hand's root and above the elbow.
        // Distances go along the skin, so that a hip beside the hand does not count.
        const std::vector<double> distance = distances_from(tip, 0.3 * mark_.height);
        const auto around = [&](double wanted) {
            Vec3d sum;
            double count = 0;
            for (std::size_t v = 0; v < distance.size(); ++v)
                if (std::abs(distance[v] - wanted) < 0.02 * mark_.height) {
                    sum += body_.positions[v];
                    ++count;
                }
            if (count == 0) refuse("an arm was not found", "a body in A-pose or T-pose is needed");
            return (1 / count) * sum;
        };
        const Vec3d hand = around(0.12 * mark_.height), upper = around(0.27 * mark_.height);
        arm.axis = normalized(upper - hand);
        const Vec3d off = arm.tip - hand;
        arm.tip = hand + dot(off, arm.axis) * arm.axis;
        arm.wrist = kHand * mark_.height;
        arm.elbow = (kHand + kForearm) * mark_.height;
        return arm;
    }

    // Along edges (Dijkstra), up to `limit`; beyond it infinite.
    std::vector<double> distances_from(std::size_t source, double limit) const {
        std::vector<std::vector<int>> around(body_.positions.size());
        for (const auto& t : body_.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                around[std::size_t(t[k])].push_back(t[(k + 1) % 3]);
                around[std::size_t(t[(k + 1) % 3])].push_back(t[k]);
            }
        std::vector<double> distance(body_.positions.size(), HUGE_VAL);
        std::set<std::pair<double, std::size_t>> waiting{{0, source}};
        distance[source] = 0;
        while (!waiting.empty() && waiting.begin()->first < limit) {
            const auto [d, v] = *waiting.begin();
            waiting.erase(waiting.begin());
            for (const int n : around[v]) {
                const auto w = std::size_t(n);
                const double longer = d + norm(body_.positions[w] - body_.positions[v]);
                if (longer >= distance[w]) continue;
                waiting.erase({distance[w], w});
                distance[w] = longer;
                waiting.insert({longer, w});
            }
        }
        return distance;
    }

    void find_armpits() {
        for (BodyLandmarks::Arm* arm : {&mark_.left, &mark_.right}) {
            const auto girth = [&](double t) {
                const Loop loop = arm_section(body_, *arm, t);
                return loop.empty() ? 0 : perimeter(convex_hull(loop));
            };
            const double typical = girth(0.28 * mark_.height);
            double t = 0.28 * mark_.height;
            while (t < 0.5 * mark_.height && girth(t) < 1.6 * typical) t += 0.004 * mark_.height;
            arm->armpit = t;
        }
        const Vec3d left = mark_.left.at(mark_.left.armpit), right = mark_.right.at(mark_.right.armpit);
        mark_.arm_gap =
            std::max(0.07 * mark_.height, std::min(left.x - mark_.middle, mark_.middle - right.x));
        // Below the armpit the trunk is a loop of its own that does not reach out to the arms.
        const double reach = 1.25 * mark_.arm_gap;
        double z = std::min(left.z, right.z);
        while (z > mark_.crotch + 0.1 * mark_.height) {
            const Loop trunk = trunk_section(body_, z, mark_.middle, HUGE_VAL);
            const bool free = !trunk.empty() && std::all_of(trunk.begin(), trunk.end(), [&](Vec2d p) {
                return std::abs(p.x - mark_.middle) < reach;
            });
            if (free) break;
            z -= 0.003 * mark_.height;
        }
        mark_.armpit = z;
    }

    void find_neck() {
        mark_.neck = narrowest(0.80, 0.90, [&](double z) { return trunk_girth(z); });
        const Loop neck = trunk_section(body_, mark_.neck, mark_.middle, mark_.arm_gap);
        if (neck.size() < 3) refuse("no neck was found", "a body in A-pose or T-pose is needed");
        mark_.neck_centre = {mark_.middle, centre(neck).y};
        for (const Vec2d& p : neck) {
            mark_.neck_half_width = std::max(mark_.neck_half_width, std::abs(p.x - mark_.middle));
            mark_.neck_half_depth = std::max(mark_.neck_half_depth, std::abs(p.y - mark_.neck_centre.y));
        }
    }

    const TriMesh& body_;
    const std::string& name_;
    BodyLandmarks mark_;
};

}  // namespace

BodyLandmarks find_landmarks(const TriMesh& body, const std::string& name) {
    return Finder(body, name).find();
}

Loop trunk_section(const TriMesh& body, double z, double middle, double reach) {
    const std::vector<Loop> loops = slice(body, horizontal(z));
    const Loop* trunk = largest(loops, [&](const Loop& loop) { return crosses(loop, middle); });
    if (!trunk) return {};
    Loop out = *trunk;
    for (Vec2d& p : out) p.x = std::clamp(p.x, middle - reach, middle + reach);
    return out;
}

Loop leg_section(const TriMesh& body, double z, double middle, bool left) {
    const std::vector<Loop> loops = slice(body, horizontal(z));
    // Hands may hang at the same height, further out and thinner.
    const Loop* leg = largest(loops, [&](const Loop& loop) { return (centre(loop).x > middle) == left; });
    return leg ? *leg : Loop{};
}

SectionFrame arm_frame(const BodyLandmarks::Arm& arm) {
    const Vec3d forward{0, -1, 0};
    const Vec3d right = normalized(forward - dot(forward, arm.axis) * arm.axis);
    return {arm.tip, arm.axis, right, cross(arm.axis, right)};
}

Loop arm_section(const TriMesh& body, const BodyLandmarks::Arm& arm, double t) {
    SectionFrame frame = arm_frame(arm);
    frame.origin = arm.at(t);
    const std::vector<Loop> loops = slice(body, frame);
    const Loop* best = nullptr;
    for (const Loop& loop : loops)
        if (!best || norm(centre(loop)) < norm(centre(*best))) best = &loop;
    return best ? *best : Loop{};
}

}  // namespace rumple
