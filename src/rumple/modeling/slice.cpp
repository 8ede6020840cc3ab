#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <rumple/modeling/slice.hpp>

namespace rumple {

std::vector<Loop> slice(const TriMesh& mesh, const SectionFrame& frame) {
    std::vector<double> height(mesh.positions.size());
    for (std::size_t v = 0; v < height.size(); ++v)
        height[v] = dot(mesh.positions[v] - frame.origin, frame.normal);
    // Each edge that crosses the plane is a point; each triangle joins two of them. Walking a triangle's
    // edges in order, the one that goes down leads to the one that goes up, so every loop is followed one
    // way.
    using Edge = std::pair<int, int>;
    std::map<Edge, Edge> next;
    for (const auto& t : mesh.triangles) {
        Edge down{-1, -1}, up{-1, -1};
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            const bool a_above = height[std::size_t(a)] >= 0, b_above = height[std::size_t(b)] >= 0;
            if (a_above && !b_above) down = std::minmax(a, b);
            if (!a_above && b_above) up = std::minmax(a, b);
        }
        if (down.first >= 0) next[down] = up;
    }
    std::vector<Loop> loops;
    while (!next.empty()) {
        Loop loop;
        for (auto at = next.begin(); at != next.end();) {
            const auto [a, b] = at->first;
            const double ha = height[std::size_t(a)], hb = height[std::size_t(b)], s = ha / (ha - hb);
            loop.push_back(frame.in_plane((1 - s) * mesh.positions[std::size_t(a)] +
                                          s * mesh.positions[std::size_t(b)]));
            const Edge to = at->second;
            next.erase(at);
            at = next.find(to);
        }
        if (loop.size() >= 3) loops.push_back(std::move(loop));
    }
    return loops;
}

double enclosed_area(const Loop& loop) {
    double twice = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) twice += cross(loop[i], loop[(i + 1) % loop.size()]);
    return twice / 2;
}

Vec2d centre(const Loop& loop) {
    Vec2d sum;
    double total = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Vec2d a = loop[i], b = loop[(i + 1) % loop.size()];
        const double length = norm(b - a);
        sum = sum + (length / 2) * (a + b);
        total += length;
    }
    return total > 0 ? (1 / total) * sum : loop.front();
}

// Andrew's monotone chain.
Loop convex_hull(Loop points) {
    std::sort(points.begin(), points.end(),
              [](Vec2d a, Vec2d b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    Loop hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t begin = hull.size();
        for (const Vec2d& p : points) {
            while (hull.size() >= begin + 2 &&
                   cross(hull[hull.size() - 1] - hull[hull.size() - 2], p - hull[hull.size() - 2]) <= 0)
                hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();  // the last point begins the other side
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

double perimeter(const Loop& loop) {
    double sum = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) sum += norm(loop[(i + 1) % loop.size()] - loop[i]);
    return sum;
}

}  // namespace rumple
