// The whole matrix of a model at one configuration, gathered as the stepper gathers it, without its masses.
#pragma once

#include <rumple/dynamics/elements.hpp>

#include "dense_symmetric.hpp"

namespace rumple {

// Degree of freedom 3 v + c: coordinate c of vertex v.
inline DenseSymmetric stiffness_matrix(const Model& model, const Elements& evaluated) {
    DenseSymmetric k(3 * model.mass.size());
    const BlockPattern& pattern = model.pattern;
    for (std::size_t v = 0; v < model.mass.size(); ++v) {
        const auto begin = static_cast<std::size_t>(pattern.diagonal[v]);
        std::vector<Mat3d> row(static_cast<std::size_t>(pattern.row_begin[v + 1]) - begin);
        evaluated.gather_row(v, 1.0, row.data());
        for (std::size_t b = 0; b < row.size(); ++b)
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c) {
                    const std::size_t w = static_cast<std::size_t>(pattern.column[begin + b]);
                    k(3 * v + r, 3 * w + c) = row[b].m[3 * r + c];
                    if (w != v) k(3 * w + c, 3 * v + r) = row[b].m[3 * r + c];
                }
    }
    return k;
}

inline std::vector<double> flattened(const std::vector<Vec3d>& a) {
    std::vector<double> flat;
    for (const Vec3d& v : a) flat.insert(flat.end(), {v.x, v.y, v.z});
    return flat;
}

}  // namespace rumple
