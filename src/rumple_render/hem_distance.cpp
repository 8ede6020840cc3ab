#include <algorithm>
#include <cmath>
#include <map>
#include <rumple_render/hem_distance.hpp>
#include <rumple_render/subdivision.hpp>

namespace rumple {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d ab = b - a;
    const double length2 = dot(ab, ab), t = length2 > 0 ? std::clamp(dot(p - a, ab) / length2, 0.0, 1.0) : 0;
    return norm(p - (a + t * ab));
}

using Box = std::array<int, 3>;

Box box_of(Vec3d p, double size) {
    const auto index = [size](double c) {
        return static_cast<int>(std::clamp(std::floor(c / size), -1e9, 1e9));
    };
    return {index(p.x), index(p.y), index(p.z)};
}

}  // namespace

std::vector<float> border_distances(std::span<const Vec3d> x, std::span<const std::array<int, 3>> triangles,
                                    double reach) {
    std::vector<float> distances(x.size(), static_cast<float>(reach));
    const LoopLevel level =
        loop_level({triangles.begin(), triangles.end()}, static_cast<int>(x.size()), nullptr);
    // Border edges by boxes as large as the reach; a long edge lies in every box that its points lie in.
    std::map<Box, std::vector<int>> boxes;
    for (std::size_t e = 0; e < level.edges.size(); ++e) {
        const LoopEdge& edge = level.edges[e];
        if (edge.triangles != 1) continue;
        const Vec3d a = x[at(edge.a)], b = x[at(edge.b)];
        const int pieces = 1 + static_cast<int>(std::min(1000.0, norm(b - a) / reach));
        for (int i = 0; i <= pieces; ++i) {
            auto& box = boxes[box_of(a + (double(i) / pieces) * (b - a), reach)];
            if (box.empty() || box.back() != static_cast<int>(e)) box.push_back(static_cast<int>(e));
        }
    }
    if (boxes.empty()) return distances;
    for (std::size_t v = 0; v < x.size(); ++v) {
        const Box middle = box_of(x[v], reach);
        for (int i = -1; i <= 1; ++i)
            for (int j = -1; j <= 1; ++j)
                for (int k = -1; k <= 1; ++k) {
                    const auto box = boxes.find({middle[0] + i, middle[1] + j, middle[2] + k});
                    if (box == boxes.end()) continue;
                    for (const int e : box->second) {
                        const LoopEdge& edge = level.edges[at(e)];
                        distances[v] = std::min(distances[v], static_cast<float>(distance_to_segment(
                                                                  x[v], x[at(edge.a)], x[at(edge.b)])));
                    }
                }
    }
    return distances;
}

}  // namespace rumple
