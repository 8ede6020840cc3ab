#include <algorithm>
#include <cmath>
#include <rumple/io/gltf_animation.hpp>

namespace rumple {

namespace {

using Four = std::array<double, 4>;

Quat quaternion(const Four& v) {
    const Quat q{v[3], v[0], v[1], v[2]};
    return dot(q, q) > 0 ? normalized(q) : Quat{};
}

// Cubic Hermite between keys that are h seconds apart, at the fraction u (glTF 2.0, appendix C.5).
Four hermite(const Four& p0, const Four& m0, const Four& p1, const Four& m1, double h, double u) {
    const double u2 = u * u, u3 = u2 * u;
    Four out{};
    for (std::size_t k = 0; k < 4; ++k)
        out[k] = (2 * u3 - 3 * u2 + 1) * p0[k] + h * (u3 - 2 * u2 + u) * m0[k] + (3 * u2 - 2 * u3) * p1[k] +
                 h * (u3 - u2) * m1[k];
    return out;
}

}  // namespace

Affine GltfNode::local() const {
    if (has_matrix) return matrix;
    Affine out{{}, translation};
    const Vec3d axes[] = {{scale.x, 0, 0}, {0, scale.y, 0}, {0, 0, scale.z}};
    for (int c = 0; c < 3; ++c) {
        const Vec3d column = rotate(rotation, axes[c]);
        for (int r = 0; r < 3; ++r) out.linear(r, c) = column[r];
    }
    return out;
}

void GltfChannel::apply(double time, GltfNode& target) const {
    const bool cubic = interpolation == GltfInterpolation::cubic;
    const auto value = [&](std::size_t key) -> const Four& { return values[cubic ? 3 * key + 1 : key]; };
    const auto after = std::size_t(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    Four v{};
    Quat q;
    if (after == 0 || after == times.size() || interpolation == GltfInterpolation::step) {
        v = value(after == 0 ? 0 : after - 1);
        q = quaternion(v);
    } else {
        const std::size_t before = after - 1;
        const double h = times[after] - times[before], u = (time - times[before]) / h;
        if (cubic) {
            v = hermite(value(before), values[3 * before + 2], value(after), values[3 * after], h, u);
            q = quaternion(v);
        } else {
            const Four &a = value(before), &b = value(after);
            for (std::size_t k = 0; k < 4; ++k) v[k] = (1 - u) * a[k] + u * b[k];
            q = slerp(quaternion(a), quaternion(b), u);
        }
    }
    const Vec3d xyz{v[0], v[1], v[2]};
    if (path == GltfPath::translation) target.translation = xyz;
    if (path == GltfPath::scale) target.scale = xyz;
    if (path == GltfPath::rotation) target.rotation = q;
}

std::vector<Affine> places(const std::vector<GltfNode>& nodes, const std::vector<std::size_t>& order) {
    std::vector<Affine> out(nodes.size());
    for (const std::size_t n : order) {
        const Affine local = nodes[n].local();
        out[n] = nodes[n].parent < 0 ? local : out[std::size_t(nodes[n].parent)] * local;
    }
    return out;
}

}  // namespace rumple
