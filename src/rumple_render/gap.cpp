#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <rumple/contact/bvh.hpp>
#include <rumple/contact/closest.hpp>
#include <rumple_render/gap.hpp>

namespace rumple {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kAcross = 0.5;  // cosine: across the surface rather than beside the vertex
constexpr std::size_t kGrain = 64;

// The way along the mesh's edges from one vertex to others near it.
class Walk {
  public:
    explicit Walk(const RenderObject& object) : x_(object.mesh.positions), neighbours_(x_.size()) {
        for (const auto& t : object.mesh.triangles)
            for (std::size_t i = 0; i < 3; ++i) {
                const auto a = static_cast<std::size_t>(t[i]);
                for (const int b : {t[(i + 1) % 3], t[(i + 2) % 3]})
                    if (std::find(neighbours_[a].begin(), neighbours_[a].end(), b) == neighbours_[a].end())
                        neighbours_[a].push_back(b);
            }
    }

    // Lengths of the shortest ways up to `reach`; vertices further away are not there.
    std::map<int, double> from(int start, double reach) const {
        std::map<int, double> length;
        std::priority_queue<std::pair<double, int>, std::vector<std::pair<double, int>>, std::greater<>> next;
        next.emplace(0, start);
        while (!next.empty()) {
            const auto [so_far, v] = next.top();
            next.pop();
            if (so_far > reach || !length.emplace(v, so_far).second) continue;
            for (const int w : neighbours_[std::size_t(v)])
                if (!length.contains(w))
                    next.emplace(so_far + norm(x_[std::size_t(w)] - x_[std::size_t(v)]), w);
        }
        return length;
    }

  private:
    const std::vector<Vec3d>& x_;
    std::vector<std::vector<int>> neighbours_;
};

std::vector<Vec3d> vertex_normals(const TriMesh& mesh) {
    std::vector<Vec3d> normals(mesh.positions.size());
    const auto at = [&](int v) { return mesh.positions[std::size_t(v)]; };
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d n = cross(at(b) - at(a), at(c) - at(a));
        for (const int v : {a, b, c}) normals[std::size_t(v)] += n;
    }
    for (Vec3d& n : normals)
        if (norm(n) > 0) n = normalized(n);
    return normals;
}

// The triangles of all objects in one tree.
class Surroundings {
  public:
    Surroundings(const std::vector<RenderObject>& objects, const Threads& threads) : objects_(objects) {
        std::vector<contact::Box> boxes;
        for (std::size_t o = 0; o < objects.size(); ++o)
            for (std::size_t t = 0; t < objects[o].mesh.triangles.size(); ++t) {
                items_.push_back({o, t});
                const auto x = corners(items_.back());
                boxes.push_back(
                    contact::joined(contact::box_around(x[0], x[1], 0), contact::box_around(x[2], x[2], 0)));
            }
        tree_ = contact::Bvh(static_cast<int>(items_.size()));
        if (!items_.empty()) tree_.build(threads, boxes);
    }

    double gap(std::size_t object, int vertex, Vec3d normal, const Walk& walk) const {
        const Vec3d x = objects_[object].mesh.positions[std::size_t(vertex)];
        double nearest = kGapReach;
        std::map<int, double> along;  // found only when it is asked for
        const auto offer = [&](const Item& item) {
            const auto corner = corners(item);
            const Vec3d pair[4] = {x, corner[0], corner[1], corner[2]};
            const contact::Closest closest = contact::closest_vertex_face(pair);
            if (!(closest.distance < nearest)) return;
            if (item.object == object) {
                if (std::abs(dot(closest.separation, normal)) < kAcross * closest.distance) return;
                if (along.empty()) along = walk.from(vertex, kFurtherAlong * kGapReach);
                for (const int v : objects_[object].mesh.triangles[item.triangle]) {
                    const auto found = along.find(v);
                    if (found != along.end() && found->second < kFurtherAlong * closest.distance + 1e-12)
                        return;
                }
            }
            nearest = closest.distance;
        };
        std::vector<int> stack{0};
        while (!stack.empty() && !tree_.empty()) {
            const int at = stack.back();
            const contact::Bvh::Node& node = tree_.node(at);
            stack.pop_back();
            if (!contact::overlap(node.box, contact::box_around(x, x, nearest))) continue;
            if (node.second != 0) {
                stack.push_back(node.second);
                stack.push_back(at + 1);
                continue;
            }
            for (int slot = node.begin; slot < tree_.leaf_end(at); ++slot)
                offer(items_[std::size_t(tree_.item(slot))]);
        }
        return nearest;
    }

  private:
    struct Item {
        std::size_t object, triangle;
    };
    std::array<Vec3d, 3> corners(const Item& item) const {
        const TriMesh& mesh = objects_[item.object].mesh;
        const auto& t = mesh.triangles[item.triangle];
        return {mesh.positions[std::size_t(t[0])], mesh.positions[std::size_t(t[1])],
                mesh.positions[std::size_t(t[2])]};
    }

    const std::vector<RenderObject>& objects_;
    std::vector<Item> items_;
    contact::Bvh tree_;
};

}  // namespace

std::vector<std::vector<double>> surface_gaps(const std::vector<RenderObject>& objects,
                                              std::optional<double> ground, const Threads& threads) {
    const Surroundings surroundings(objects, threads);
    std::vector<std::vector<double>> gaps(objects.size());
    for (std::size_t o = 0; o < objects.size(); ++o) {
        if (!objects[o].is_cloth) continue;
        const TriMesh& mesh = objects[o].mesh;
        const std::vector<Vec3d> normals = vertex_normals(mesh);
        const Walk walk(objects[o]);
        gaps[o].resize(mesh.positions.size());
        threads.for_each(gaps[o].size(), kGrain, [&](std::size_t v) {
            const double above = ground ? std::abs(mesh.positions[v].z - *ground) : kInfinity;
            gaps[o][v] = std::min(above, surroundings.gap(o, static_cast<int>(v), normals[v], walk));
        });
    }
    return gaps;
}

}  // namespace rumple
