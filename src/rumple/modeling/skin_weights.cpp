#include <algorithm>
#include <cmath>
#include <numeric>
#include <rumple/modeling/remesh.hpp>
#include <rumple/modeling/skin_weights.hpp>

namespace rumple {

namespace {

// Half lengths of the blends [m].
constexpr double kSpineBlend = 0.075, kNeckBlend = 0.04, kHeadBlend = 0.03;
constexpr double kShoulderBlend = 0.07, kElbowBlend = 0.080, kWristBlend = 0.03;
constexpr double kHipBlend = 0.115, kKneeBlend = 0.085, kAnkleBlend = 0.035, kToeBlend = 0.03;
constexpr double kSmoothing = 0.035;  // m, over which weights are evened out

class Weights {
  public:
    Weights(const MannequinShape& shape, const TriMesh& mesh)
        : shape_(shape), mesh_(mesh), joints_(shape.skeleton.joints.size()) {}

    SkinWeights make() {
        std::vector<double> all(mesh_.positions.size() * joints_);
        for (std::size_t v = 0; v < mesh_.positions.size(); ++v) fill(mesh_.positions[v], &all[v * joints_]);
        // Averaging n times spreads over about sqrt(n) edges.
        const double ratio = kSmoothing / mesh_quality(mesh_).mean_edge;
        const int rounds = std::clamp(int(std::lround(ratio * ratio)), 1, 60);
        for (int i = 0; i < rounds; ++i) smooth(all);
        return strongest_four(all);
    }

  private:
    Vec3d at(std::string_view name) const {
        return shape_.skeleton.joints[shape_.skeleton.index(name)].position;
    }
    double& weight(double* w, const std::string& name) const { return w[shape_.skeleton.index(name)]; }

    void fill(Vec3d p, double* w) const {
        double trunk = 1;
        for (const bool left : {true, false}) {
            const Vec3d q{left ? p.x : -p.x, p.y, p.z};
            trunk -= fill_leg(q, left ? "left" : "right", w);
            trunk -= fill_arm(q, left ? "left" : "right", w);
        }
        if (trunk < 0) {  // at the crotch both legs may claim all
            for (std::size_t j = 0; j < joints_; ++j) w[j] /= 1 - trunk;
            trunk = 0;
        }
        // Up the spine.
        const char* chain[] = {"pelvis", "spine_lower", "spine_upper", "chest", "neck", "head"};
        const double blend[] = {kSpineBlend, kSpineBlend, kSpineBlend, kNeckBlend, kHeadBlend};
        double rest = trunk;
        for (std::size_t i = 0; i < 6; ++i) {
            double beyond = 0;
            if (i < 5) {
                const double z = at(chain[i + 1]).z;
                // The neck leans: its joint's plane lies higher at the back than at the chin.
                const double height = i < 3 ? p.z : p.z + 0.45 * p.y;
                beyond = rest * smooth_step(z - blend[i], z + blend[i], height);
            }
            weight(w, chain[i]) += rest - beyond;
            rest = beyond;
        }
    }

    // q is mirrored to the left. Returns what the leg took.
    double fill_leg(Vec3d q, const std::string& side, double* w) const {
        const Vec3d hip = at("thigh_left");
        if (q.z > hip.z + 0.16 || q.x > 0.35) return 0;  // x: a hand hangs there
        // The groin runs obliquely from the crotch to the hip bone.
        const Vec3d down = normalized(Vec3d{0.75, 0, -0.66});
        const double along = dot(q - hip, shape_.leg_axis);
        double leg = smooth_step(-kHipBlend, kHipBlend, dot(q - hip, down));
        leg = std::max(leg, smooth_step(0.10, 0.20, along));
        leg *= smooth_step(-0.03, 0.03, q.x) * smooth_step(hip.z + 0.16, hip.z + 0.04, q.z);
        if (leg == 0) return 0;
        const double knee = norm(at("shin_left") - hip), ankle = norm(at("foot_left") - hip);
        const double shin = leg * smooth_step(knee - kKneeBlend, knee + kKneeBlend, along);
        const double foot = shin * smooth_step(ankle - kAnkleBlend, ankle + kAnkleBlend,
                                               std::max(along, ankle + (at("foot_left").y - 0.05) - q.y));
        const double toe_y = at("toes_left").y;
        const double toes = foot * smooth_step(-toe_y - kToeBlend, -toe_y + kToeBlend, -q.y);
        weight(w, "thigh_" + side) += leg - shin;
        weight(w, "shin_" + side) += shin - foot;
        weight(w, "foot_" + side) += foot - toes;
        weight(w, "toes_" + side) += toes;
        return leg;
    }

    double fill_arm(Vec3d q, const std::string& side, double* w) const {
        const Vec3d shoulder = at("upper_arm_left");
        if (q.x < 0 || q.z < 0.6) return 0;
        // Of the arm or of the trunk, whichever is nearer; further down the arm there is no doubt.
        const double along = dot(q - shoulder, shape_.arm_axis);
        const double own = smooth_step(-0.035, 0.035, shape_.trunk_field(q) - shape_.arm_field(q));
        const double arm = own * smooth_step(-kShoulderBlend, kShoulderBlend, along);
        const double upper = kElbow(), wrist = kWrist();
        const double forearm = arm * smooth_step(upper - kElbowBlend, upper + kElbowBlend, along);
        const double hand = forearm * smooth_step(wrist - kWristBlend, wrist + kWristBlend, along);
        // The shoulder girdle: the top of the trunk towards the arm.
        const double girdle = (1 - arm) * smooth_step(0.03, 0.16, q.x) * smooth_step(1.24, 1.42, q.z);
        weight(w, "clavicle_" + side) += girdle;
        weight(w, "upper_arm_" + side) += arm - forearm;
        weight(w, "forearm_" + side) += forearm - hand;
        weight(w, "hand_" + side) += hand;
        return arm + girdle;
    }
    double kElbow() const { return norm(at("forearm_left") - at("upper_arm_left")); }
    double kWrist() const { return norm(at("hand_left") - at("upper_arm_left")); }

    // The mean of a vertex and its neighbours.
    void smooth(std::vector<double>& all) const {
        std::vector<double> sum(all);
        std::vector<double> count(mesh_.positions.size(), 1);
        for (const auto& t : mesh_.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const auto a = std::size_t(t[k]), b = std::size_t(t[(k + 1) % 3]);
                for (std::size_t j = 0; j < joints_; ++j) sum[a * joints_ + j] += all[b * joints_ + j];
                ++count[a];  // every neighbour once: the mesh is closed, each edge is walked both ways
            }
        for (std::size_t v = 0; v < count.size(); ++v)
            for (std::size_t j = 0; j < joints_; ++j) sum[v * joints_ + j] /= count[v];
        all = std::move(sum);
    }

    SkinWeights strongest_four(const std::vector<double>& all) const {
        SkinWeights out;
        std::vector<int> order(joints_);
        for (std::size_t v = 0; v < mesh_.positions.size(); ++v) {
            const double* w = &all[v * joints_];
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return w[a] > w[b]; });
            // Of two that weigh the same (left and right, in the middle) both stay or both go: the skin keeps
            // its symmetry.
            std::size_t kept = 4;
            while (kept > 1 && w[order[kept]] > 0 && w[order[kept]] > (1 - 1e-9) * w[order[kept - 1]]) --kept;
            std::array<int, 4> joints{};
            std::array<double, 4> weights{};
            double total = 0;
            for (std::size_t k = 0; k < kept; ++k) {
                joints[k] = order[k];
                total += weights[k] = w[order[k]];
            }
            for (double& x : weights) x /= total;
            out.joints.push_back(joints);
            out.weights.push_back(weights);
        }
        return out;
    }

    const MannequinShape& shape_;
    const TriMesh& mesh_;
    std::size_t joints_;
};

}  // namespace

SkinWeights make_skin_weights(const MannequinShape& shape, const TriMesh& mesh) {
    return Weights(shape, mesh).make();
}

}  // namespace rumple
