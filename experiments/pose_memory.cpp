#include <experiments/pose_memory.hpp>

namespace rumple {

PoseMemory pose_memory(const RestShape& rest, std::span<const std::array<int, 3>> triangles,
                       const PoseAngles& angles, std::span<const int> region) {
    int last = -1;
    for (const auto& t : triangles)
        for (const int v : t) last = std::max(last, v);
    std::vector<char> in(static_cast<std::size_t>(last + 1), 0);
    for (const int v : region) in[static_cast<std::size_t>(v)] = 1;
    const auto inside = [&](int v) { return in[static_cast<std::size_t>(v)] != 0; };
    double area = 0;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        if (inside(triangles[t][0]) && inside(triangles[t][1]) && inside(triangles[t][2]))
            area += rest.area[t];
    PoseMemory m;
    if (area == 0) return m;
    double along = 0;
    for (std::size_t h = 0; h < rest.hinges.size(); ++h) {
        if (!inside(rest.hinges[h].x0) || !inside(rest.hinges[h].x1)) continue;
        const double weight = rest.hinge_length[h] / rest.hinge_height[h] / area;
        const double bend = angles.posed[h] - angles.cut[h], change = angles.after[h] - angles.before[h];
        m.pose += weight * bend * bend;
        m.change += weight * change * change;
        along += weight * bend * change;
    }
    if (m.pose == 0) return m;
    m.share = along / m.pose;
    if (m.share > 0) m.left = m.share * along;
    return m;
}

}  // namespace rumple
