// Everything that stays constant during a simulation: topology, masses, rest shape, laws, and where each
// element's blocks go in the matrix. All cloths of a scene lie one after the other in one Model.
#pragma once

#include <rumple/dynamics/contact_model.hpp>
#include <rumple/dynamics/state.hpp>
#include <rumple/linear/block_matrix.hpp>
#include <rumple/material/material.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <span>

namespace rumple {

struct ClothPart {
    const TriMesh* mesh;  // initial positions; also the numbering
    const RestShape* rest;
    const Material* material;
};

struct Model {
    // vertices
    std::vector<Vec3d> initial;  // m: where the cloth begins
    std::vector<double>
        mass;  // kg, lumped: a third of each triangle's rest area; > 0 also where unreferenced
    std::vector<int> part_begin;  // first vertex of each part, and the end
    std::vector<int> part_triangle_begin, part_hinge_begin;

    // triangles
    std::vector<std::array<int, 3>> triangles;
    std::vector<double> area;                    // m^2
    std::vector<std::array<Vec2d, 3>> gradient;  // 1/m
    std::vector<int> triangle_law;               // index into membrane_laws

    // hinges
    std::vector<std::array<int, 4>> hinges;
    std::vector<double> length_over_height;  // l/H
    std::vector<double> rest_angle;          // rad
    std::vector<double> threshold_scale;     // H/H_ref, or 1 with the angle metric
    std::vector<int> hinge_law;              // index into bending_laws

    struct MembraneLaw {
        ComponentLaw<double> component[3];
        double k12 = 0;
        bool has_history = false;  // tensile friction or plasticity is on
    };
    std::vector<MembraneLaw> membrane_laws;
    std::vector<ComponentLaw<double>> bending_laws;  // unscaled

    double mean_edge_length = 0;  // m, rest; what tolerances are measured in
    double total_mass = 0;        // kg

    // The matrix pattern, and for each vertex the elements around it with the slots of their blocks in its
    // row.
    BlockPattern pattern;
    struct Incidence {
        std::uint32_t element : 30;
        std::uint32_t local : 2;  // which of the element's vertices this is
        std::uint16_t slot[4];    // block of local vertex b in this row, relative to the row's begin
    };
    std::vector<int> triangle_incidence_begin, hinge_incidence_begin;  // vertices + 1
    std::vector<Incidence> triangle_incidence, hinge_incidence;

    ContactModel contact;

    int vertex_count() const { return static_cast<int>(mass.size()); }
    int triangle_count() const { return static_cast<int>(triangles.size()); }
    int hinge_count() const { return static_cast<int>(hinges.size()); }
    bool membrane_has_history() const;
    ComponentLaw<double> bending_law_of(std::size_t hinge) const {  // thresholds scaled
        return scaled_thresholds(bending_laws[static_cast<std::size_t>(hinge_law[hinge])],
                                 threshold_scale[hinge]);
    }
};

Model make_model(std::span<const ClothPart> parts);
// The same with contact: of cloth with cloth, as the settings say, and with obstacles.
Model make_model(std::span<const ClothPart> parts, const ContactSettings& contact,
                 std::vector<ObstaclePart> obstacles);

// Cloth at rest at these positions: nothing has slipped, yielded or moved.
State make_state(const Model& model, std::span<const Vec3d> positions);

}  // namespace rumple
