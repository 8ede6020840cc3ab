#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/mesh/edges.hpp>
#include <rumple/modeling/isosurface.hpp>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/mannequin_shape.hpp>
#include <rumple/modeling/remesh.hpp>
#include <rumple/modeling/skin_weights.hpp>

namespace rumple {

namespace {

constexpr double kDifference = 1e-4;   // m, of the field's gradients
constexpr double kLongestMove = 0.01;  // m, of a vertex put back onto the surface
// Edges away from face, hands and feet, over the mean: what these parts take, the rest gives.
constexpr double kCoarsest = 1.14;
constexpr double kFold = 65;  // degrees between triangles: more is a fold of the mesh, not a form
constexpr int kUnfoldRounds = 30;

Vec3d normal_of(const TriMesh& mesh, int triangle) {
    const auto& t = mesh.triangles[std::size_t(triangle)];
    const Vec3d a = mesh.positions[std::size_t(t[0])], b = mesh.positions[std::size_t(t[1])],
                c = mesh.positions[std::size_t(t[2])];
    return normalized(cross(b - a, c - a));
}

// Where a limb is hardly thicker than its triangles are long, as at the tip of a thumb, remeshing may leave a
// fold. Its vertices go to the middle of their neighbours and back onto the surface.
void unfold(TriMesh& mesh, const std::function<Vec3d(Vec3d, bool)>& project) {
    const std::vector<EdgeWalk> walks = sorted_edge_walks(mesh);
    std::vector<char> border(mesh.positions.size());
    for (std::size_t begin = 0; begin < walks.size(); begin += edge_at(walks, begin).size())
        if (edge_at(walks, begin).size() == 1)
            border[std::size_t(walks[begin].from)] = border[std::size_t(walks[begin].to)] = 1;
    const double limit = std::cos(kFold * std::numbers::pi / 180);
    for (int round = 0; round < kUnfoldRounds; ++round) {
        std::vector<char> folded(mesh.positions.size());
        bool any = false;
        for (std::size_t begin = 0; begin < walks.size(); begin += edge_at(walks, begin).size()) {
            const auto edge = edge_at(walks, begin);
            if (edge.size() < 2) continue;
            if (dot(normal_of(mesh, edge[0].triangle), normal_of(mesh, edge[1].triangle)) > limit) continue;
            for (const EdgeWalk& walk : edge)  // both ends, and the corners opposite
                for (const int v : mesh.triangles[std::size_t(walk.triangle)])
                    folded[std::size_t(v)] = border[std::size_t(v)] ? 0 : 1;
            any = true;
        }
        if (!any) return;
        std::vector<Vec3d> sum(mesh.positions.size());
        std::vector<int> count(mesh.positions.size());
        for (std::size_t begin = 0; begin < walks.size(); begin += edge_at(walks, begin).size()) {
            const auto a = std::size_t(walks[begin].from), b = std::size_t(walks[begin].to);
            sum[a] += mesh.positions[b], ++count[a];
            sum[b] += mesh.positions[a], ++count[b];
        }
        for (std::size_t v = 0; v < folded.size(); ++v)
            if (folded[v]) mesh.positions[v] = project((1.0 / count[v]) * sum[v], false);
    }
}

// The left half, with a border in the plane x = 0.
TriMesh left_half(const MannequinShape& shape, double edge_length) {
    const ScalarField field = [&](Vec3d p) { return shape(p); };
    const ScalarField middle = [](Vec3d p) { return p.x; };
    const Bounds box{{0, -0.27, -0.02}, {0.78, 0.19, kStature + 0.02}};
    RemeshOptions options;
    options.edge_length = edge_length;
    options.rounds = 9;
    options.grading = [&](Vec3d p) { return kCoarsest * shape.detail(p); };
    options.project = [&](Vec3d p, bool on_border) {
        // In a groove of the field Newton's method may run away: then the point stays.
        const Vec3d to = on_border ? project_to_zero(field, middle, p, kDifference)
                                   : project_to_zero(field, p, kDifference);
        if (norm(to - p) < kLongestMove) p = to;
        if (on_border) p.x = 0;
        return p;
    };
    const ScalarField start = [&](Vec3d p) { return shape.with_mittens(p); };
    TriMesh half = remesh(isosurface(start, box, 0.013), options);
    unfold(half, options.project);
    return half;
}

// Adds the mirror image; vertices in the plane x = 0 belong to both halves.
TriMesh mirrored(const TriMesh& half) {
    TriMesh whole = half;
    std::vector<int> twin(half.positions.size());
    for (std::size_t v = 0; v < twin.size(); ++v) {
        const Vec3d p = half.positions[v];
        twin[v] = int(v);
        if (p.x == 0) continue;
        twin[v] = int(whole.positions.size());
        whole.positions.push_back({-p.x, p.y, p.z});
    }
    for (const auto& t : half.triangles)
        whole.triangles.push_back(
            {twin[std::size_t(t[0])], twin[std::size_t(t[2])], twin[std::size_t(t[1])]});
    return whole;
}

}  // namespace

std::vector<Vec3d> Mannequin::positions(const SkeletonPose& pose) const {
    std::vector<Vec3d> out;
    skin(mesh.positions, weights, joint_motions(skeleton, pose), out);
    return out;
}

std::vector<Vec3d> Mannequin::positions(Clip clip, double time) const {
    return positions(clip_pose(skeleton, clip, time));
}

Mannequin make_mannequin(const MannequinOptions& options) {
    const auto require = [](double value, double low, double high, const char* name) {
        if (!(value >= low && value <= high))
            throw InputError("mannequin", fmt::format("{} is {} m", name, value),
                             fmt::format("it must lie between {} and {} m", low, high));
    };
    require(options.height, 1.0, 2.5, "height");
    require(options.edge_length, 0.005, 0.05, "edge_length");
    const double scale = options.height / kStature;
    const MannequinShape shape;
    Mannequin out;
    out.height = options.height;
    out.mesh = mirrored(left_half(shape, options.edge_length / scale));
    out.weights = make_skin_weights(shape, out.mesh);
    out.skeleton = shape.skeleton;
    for (Vec3d& p : out.mesh.positions) p *= scale;
    for (Joint& joint : out.skeleton.joints) joint.position *= scale;
    return out;
}

}  // namespace rumple
