// Hinge values on vertices, to be shown: each vertex gets the mean of the hinges it belongs to, weighted by
// their length.
#pragma once

#include <cstddef>
#include <rumple/mesh/rest_shape.hpp>
#include <span>
#include <vector>

namespace rumple {

// 0 at vertices without hinges.
inline std::vector<double> vertex_mean(const RestShape& rest, std::span<const double> hinge_values,
                                       std::size_t vertices) {
    std::vector<double> sum(vertices), weight(vertices);
    for (std::size_t h = 0; h < rest.hinges.size(); ++h) {
        const Hinge& hinge = rest.hinges[h];
        for (const int v : {hinge.x0, hinge.x1, hinge.x2, hinge.x3}) {
            sum[std::size_t(v)] += rest.hinge_length[h] * hinge_values[h];
            weight[std::size_t(v)] += rest.hinge_length[h];
        }
    }
    for (std::size_t v = 0; v < vertices; ++v)
        if (weight[v] > 0) sum[v] /= weight[v];
    return sum;
}

}  // namespace rumple
