// One contact: who touches whom, with which normal and weights. Its geometry is frozen when it is made; gap
// and tangential displacement are then functions of positions:
//
//   gap(x)          = n . sum_i w_i x_i + gap offset
//   displacement(x) = (1 - n n^T) (displacement at the beginning + sum_i w_i (x_i - x_i at the beginning))
#pragma once

#include <rumple/contact/closest.hpp>
#include <rumple/contact/pair.hpp>
#include <span>

namespace rumple::contact {

struct Contact {
    ContactPair pair;
    std::array<int, 4> vertex{};
    std::array<double, 4> weight{};
    Vec3d normal;  // from b to a
    double thickness = 0, stiffness = 0, friction = 0;
    double smallest_gap = 0;            // m: below, the normal force is its tangent
    double slip_length = 0;             // m
    Vec3d tangential_displacement;      // m, at the beginning of the step
    Vec3d at_begin;                     // sum_i w_i x_i at the beginning of the step
    double load = 0;                    // N: of the last evaluate_with_loads(), what limits friction
    double gap_offset = 0;              // m: what is inside an obstacle is pushed out little by little
    double inverse_effective_mass = 0;  // 1/kg: sum of w_i^2 / m_i over the cloth's vertices

    Vec3d separation(std::span<const Vec3d> x) const {
        Vec3d sum;
        for (std::size_t i = 0; i < 4; ++i) sum += weight[i] * x[static_cast<std::size_t>(vertex[i])];
        return sum;
    }
    double gap(std::span<const Vec3d> x) const { return dot(normal, separation(x)) + gap_offset; }
    Vec3d displacement(std::span<const Vec3d> x) const { return displacement_of(separation(x)); }
    Vec3d displacement_of(Vec3d separation) const {
        const Vec3d u = tangential_displacement + separation - at_begin;
        return u - dot(normal, u) * normal;
    }
};

}  // namespace rumple::contact
