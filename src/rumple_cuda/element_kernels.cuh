// What all kernels over elements share: which thread takes which element, its strain, law and history.
#pragma once

#include <algorithm>
#include <array>
#include <rumple/constitutive/hinge_bending.hpp>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/constitutive/stvk_membrane.hpp>
#include <rumple_cuda/device_elements.hpp>
#include <rumple_cuda/kernels.cuh>
#include <type_traits>

namespace rumple::cuda {

inline constexpr int kElementThreads = 128;

// Which thread blocks take hinges, triangles and vertices.
struct Shares {
    unsigned hinges, triangles, vertices;
    unsigned total() const { return hinges + triangles + vertices; }
};
inline Shares shares(const ModelView& m) {
    const auto blocks = [](int count) {
        return std::min(kMaxElementBlocks,
                        std::max(1u, blocks_for(static_cast<std::size_t>(count), kElementThreads)));
    };
    return {blocks(m.hinges), blocks(m.triangles), blocks(m.vertices)};
}

// Calls one of the three for every element of its kind that this thread takes.
template <class Hinge, class Triangle, class Vertex>
__device__ inline void for_each_element(const ModelView& m, Shares s, Hinge&& hinge, Triangle&& triangle,
                                        Vertex&& vertex) {
    const auto loop = [](unsigned block, unsigned blocks, int count, auto&& body) {
        for (int i = static_cast<int>(block * kElementThreads + threadIdx.x); i < count;
             i += static_cast<int>(blocks * kElementThreads))
            body(i);
    };
    const unsigned block = blockIdx.x;
    if (block < s.hinges)
        loop(block, s.hinges, m.hinges, hinge);
    else if (block < s.hinges + s.triangles)
        loop(block - s.hinges, s.triangles, m.triangles, triangle);
    else
        loop(block - s.hinges - s.triangles, s.vertices, m.vertices, vertex);
}

__device__ inline ComponentHistory<double> load(const HistoryView& h, int i) {
    ComponentHistory<double> history;
    for_each_history_field(
        [i](auto& field, const auto* column) {
            if (column) field = static_cast<std::remove_reference_t<decltype(field)>>(column[i]);
        },
        history, h);
    return history;
}
__device__ inline void store(const ComponentHistory<double>& from, const HistoryView& h, int i) {
    for_each_history_field(
        [i](const auto& field, auto* column) {
            if (column) column[i] = static_cast<std::remove_reference_t<decltype(*column)>>(field);
        },
        from, h);
}

// The same with what relaxation does to component i in this step. More: there may be relaxation, or stiffness
// by direction. Kernels that know of them take more registers than there are.
template <bool More>
__device__ inline ComponentHistory<double> load(const HistoryView& h, int i, const RelaxingView& relaxing,
                                                int law) {
    ComponentHistory<double> history = load(h, i);
    if constexpr (More)
        if (relaxing.law) history.relaxation = {relaxing.pull[i], relaxing.law[law].mean_b};
    return history;
}

__device__ inline std::array<Vec3d, 4> hinge_corners(const ModelView& m, int e, const Vec3d* x) {
    const int4 v = reinterpret_cast<const int4*>(m.hinge_vertex)[e];
    return {x[v.x], x[v.y], x[v.z], x[v.w]};
}
__device__ inline double bending_strain(const ModelView& m, int e, const std::array<Vec3d, 4>& c) {
    const double angle = hinge_angle(c[0], c[1], c[2], c[3]);
    return m.rest_angle ? angle - m.rest_angle[e] : angle;
}
template <bool More = true>
__device__ inline ComponentLaw<double> bending_law(const ModelView& m, int e) {
    ComponentLaw<double> law = scaled_thresholds(m.bending_laws[m.hinge_law[e]], m.threshold_scale[e]);
    if constexpr (More)
        if (m.stiffness_factors) law = scaled_stiffness(law, m.stiffness_factors[e]);
    return law;
}
__device__ inline std::array<Vec2d, 3> gradients(const ModelView& m, int e) {
    const Vec2d b = m.gradient[2 * e], c = m.gradient[2 * e + 1];
    return {Vec2d{-b.x - c.x, -b.y - c.y}, b, c};
}
__device__ inline GreenStrain<double> membrane_strain(const ModelView& m, int e, const Vec3d* x) {
    const int* v = m.triangle_vertex + 3 * e;
    return green_strain<double>({x[v[0]], x[v[1]], x[v[2]]}, gradients(m, e));
}

}  // namespace rumple::cuda
