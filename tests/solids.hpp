// Closed surfaces for tests, faces outwards.
#pragma once

#include <array>
#include <map>
#include <rumple/core/vec.hpp>
#include <utility>
#include <vector>

namespace rumple::test {

struct Solid {
    std::vector<Vec3d> vertices;
    std::vector<std::array<int, 3>> triangles;
};

// The same with its faces turned inwards.
inline Solid turned(Solid s) {
    for (auto& t : s.triangles) std::swap(t[1], t[2]);
    return s;
}

inline Solid box(Vec3d size, Vec3d centre = {}) {
    Solid s;
    for (int i = 0; i < 8; ++i)
        s.vertices.push_back(centre + Vec3d{(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                                            (i & 4 ? 0.5 : -0.5) * size.z});
    s.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return s;
}

// An icosahedron cut `level` times, all vertices at the radius.
inline Solid ball(double radius, int level, Vec3d centre = {}) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    Solid s;
    s.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                  {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    s.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                   {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                   {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int l = 0; l < level; ++l) {
        std::map<std::pair<int, int>, int> middle;
        const auto between = [&](int a, int b) {
            const auto [place, fresh] =
                middle.try_emplace(std::minmax(a, b), static_cast<int>(s.vertices.size()));
            if (fresh)
                s.vertices.push_back(0.5 * (s.vertices[static_cast<std::size_t>(a)] +
                                            s.vertices[static_cast<std::size_t>(b)]));
            return place->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : s.triangles) {
            const int ab = between(a, b), bc = between(b, c), ca = between(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        s.triangles = std::move(finer);
        for (Vec3d& p : s.vertices) p = normalized(p);
    }
    for (Vec3d& p : s.vertices) p = centre + radius * normalized(p);
    return s;
}

}  // namespace rumple::test
