// Triangles that intersect, found and decided by CGAL alone: boxes by its sweep, triangles by exact
// predicates. Compiles slowly: one file a test program.
#pragma once

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangle_3.h>
#include <CGAL/box_intersection_d.h>

#include <algorithm>
#include <array>
#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple::test {

struct CgalCrossings {
    int cloth = 0, obstacles = 0;  // pairs of triangles
};

// Triangles of cloth first; those at `cloth_triangles` and later are obstacles', which do not count among
// themselves. Triangles that share a vertex do not count.
inline CgalCrossings cgal_crossings(std::span<const Vec3d> x, std::span<const std::array<int, 3>> triangles,
                                    std::size_t cloth_triangles) {
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    using Box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, std::size_t>;
    const auto point = [&](int v) {
        const Vec3d p = x[static_cast<std::size_t>(v)];
        return Kernel::Point_3(p.x, p.y, p.z);
    };
    std::vector<Kernel::Triangle_3> all;
    std::vector<Box> boxes;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        all.emplace_back(point(triangles[t][0]), point(triangles[t][1]), point(triangles[t][2]));
        boxes.emplace_back(all.back().bbox(), t);
    }
    CgalCrossings found;
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Box& one, const Box& other) {
        const auto [a, b] = std::minmax({one.info(), other.info()});
        if (a >= cloth_triangles) return;
        for (const int v : triangles[a])
            if (std::ranges::count(triangles[b], v) > 0) return;
        if (CGAL::do_intersect(all[a], all[b])) ++(b < cloth_triangles ? found.cloth : found.obstacles);
    });
    return found;
}

}  // namespace rumple::test
