#include <rumple/modeling/skeleton.hpp>
#include <stdexcept>

namespace rumple {

std::size_t Skeleton::index(std::string_view name) const {
    for (std::size_t j = 0; j < joints.size(); ++j)
        if (joints[j].name == name) return j;
    throw std::out_of_range("no joint named " + std::string(name));
}

std::vector<JointMotion> joint_motions(const Skeleton& skeleton, const SkeletonPose& pose) {
    std::vector<JointMotion> motions(skeleton.joints.size());
    for (std::size_t j = 0; j < motions.size(); ++j) {
        const Joint& joint = skeleton.joints[j];
        const bool root = joint.parent < 0;
        const JointMotion parent =
            root ? JointMotion{{}, pose.root_motion} : motions[std::size_t(joint.parent)];
        const Quat q = parent.turn * pose.turns[j];
        motions[j] = {q, parent(joint.position) - rotate(q, joint.position)};
    }
    return motions;
}

void skin(std::span<const Vec3d> bind, const SkinWeights& weights, std::span<const JointMotion> motions,
          std::vector<Vec3d>& positions) {
    std::vector<Quat> dual(motions.size());  // half of (0, shift) * turn
    for (std::size_t j = 0; j < motions.size(); ++j) {
        const Vec3d s = motions[j].shift;
        dual[j] = 0.5 * (Quat{0, s.x, s.y, s.z} * motions[j].turn);
    }
    positions.resize(bind.size());
    for (std::size_t v = 0; v < bind.size(); ++v) {
        const auto& joints = weights.joints[v];
        const auto& w = weights.weights[v];
        const Quat first = motions[std::size_t(joints[0])].turn;
        Quat real{0, 0, 0, 0}, moved{0, 0, 0, 0};
        for (std::size_t k = 0; k < 4; ++k) {
            const auto j = std::size_t(joints[k]);
            const double sign = dot(first, motions[j].turn) < 0 ? -w[k] : w[k];  // the shorter way round
            real = real + sign * motions[j].turn;
            moved = moved + sign * dual[j];
        }
        const double scale = 1 / std::sqrt(dot(real, real));
        real = scale * real;
        const Quat shift = (2 * scale) * (moved * conjugate(real));
        positions[v] = rotate(real, bind[v]) + Vec3d{shift.x, shift.y, shift.z};
    }
}

}  // namespace rumple
