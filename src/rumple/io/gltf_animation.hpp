// Nodes that move: translation, rotation and scale over time, by keys; places of all nodes of a tree.
#pragma once

#include <array>
#include <rumple/core/quaternion.hpp>
#include <rumple/core/vec.hpp>
#include <string>
#include <vector>

namespace rumple {

// x -> linear x + shift.
struct Affine {
    Mat3d linear = Mat3d::identity();
    Vec3d shift;

    Vec3d operator()(Vec3d x) const { return linear * x + shift; }
    friend Affine operator*(const Affine& a, const Affine& b) { return {a.linear * b.linear, a(b.shift)}; }
};

struct GltfNode {
    int parent = -1;
    bool has_matrix = false;
    Affine matrix;  // if has_matrix; otherwise:
    Vec3d translation;
    Quat rotation;
    Vec3d scale{1, 1, 1};

    Affine local() const;
};

enum class GltfPath { translation, rotation, scale };
enum class GltfInterpolation { linear, step, cubic };

struct GltfChannel {
    std::size_t node;
    GltfPath path;
    GltfInterpolation interpolation;
    std::vector<double> times;  // s, rising
    std::vector<std::array<double, 4>>
        values;  // one a time; cubic: in-tangent, value, out-tangent; xyz or xyzw

    // Sets the node's translation, rotation or scale at the time.
    void apply(double time, GltfNode& node) const;
};

struct GltfClip {
    std::string name;
    double duration = 0;  // s
    std::vector<GltfChannel> channels;
};

// Where each node is; `order` has parents before their children.
std::vector<Affine> places(const std::vector<GltfNode>& nodes, const std::vector<std::size_t>& order);

}  // namespace rumple
