// Everything that stays constant during a simulation: topology, masses, rest shape, laws, and where each
// element's blocks go in the matrix. All cloths of a scene lie one after the other in one Model.
#pragma once

#include <rumple/contact/contact_model.hpp>
#include <rumple/dynamics/state.hpp>
#include <rumple/linear/block_pattern.hpp>
#include <rumple/material/material.hpp>
#include <rumple/mesh/numbering.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <span>

namespace rumple {

struct ClothPart {
    const TriMesh* mesh;  // initial positions; also the numbering
    const RestShape* rest;
    const Material* material;
    const Numbering* source_ids = nullptr;  // how messages number it; null: as the mesh does
};

// Triangles of all parts, one entry each.
struct ModelTriangles {
    std::vector<std::array<int, 3>> triangles;
    std::vector<double> area;                    // m^2
    std::vector<std::array<Vec2d, 2>> gradient;  // 1/m: of vertices 1 and 2; see gradients_of()
    std::vector<std::uint16_t> triangle_law;     // index into membrane_laws
};

// Hinges of all parts, one entry each.
struct ModelHinges {
    std::vector<std::array<int, 4>> hinges;
    std::vector<double> length_over_height;                   // l/H
    std::vector<double> rest_angle;                           // rad; empty where all are flat
    std::vector<double> threshold_scale;                      // H/H_ref, or 1 with the angle metric
    std::vector<std::uint16_t> hinge_law;                     // index into bending_laws
    std::vector<StiffnessFactors<double>> stiffness_factors;  // empty where stiffness has no direction
};

struct Model : ModelTriangles, ModelHinges {
    std::vector<Vec3d> initial;  // m: where the cloth begins, one entry a vertex
    std::vector<double> mass;    // kg, lumped: a third of each triangle's rest area; > 0 also where unused
    struct Parts {               // first vertex, triangle and hinge of each part, and the end
        std::vector<int> vertex_begin, triangle_begin, hinge_begin;
    } parts;

    struct MembraneLaw {
        ComponentLaw<double> component[3];
        double k12 = 0;
        bool has_history = false;  // tensile friction, plasticity or relaxation is on
    };
    std::vector<MembraneLaw> membrane_laws;
    std::vector<ComponentLaw<double>> bending_laws;   // unscaled
    HistoryLayout bending_history, membrane_history;  // what the laws of all parts remember

    double mean_edge_length = 0;  // m, rest; what tolerances are measured in
    double total_mass = 0;        // kg

    BlockPattern pattern;  // of the matrix

    // An element at a vertex, with the places of its blocks in the vertex's row of BlockMatrix: those of the
    // element's vertices with higher numbers.
    struct Incidence {
        static constexpr std::uint8_t kNone = 0, kFar = 255;
        std::uint32_t element;
        std::uint8_t slot[3];  // places after the diagonal block; kNone: no more; kFar: see far_slot()
        std::uint8_t locals;   // two bits each: the vertex's number in the element, and those of the slots

        std::size_t local() const { return locals & 3u; }
        std::size_t other(std::size_t i) const { return (locals >> (2 * i + 2)) & 3u; }
    };
    // The elements at each vertex, in the order of the elements.
    struct Incidences {
        std::vector<int> begin;  // vertices + 1
        std::vector<Incidence> list;

        std::span<const Incidence> at(std::size_t vertex) const {
            const auto first = static_cast<std::size_t>(begin[vertex]);
            return std::span(list).subspan(first, static_cast<std::size_t>(begin[vertex + 1]) - first);
        }
    };
    Incidences triangle_incidence, hinge_incidence;

    ContactModel contact;

    Numbering source_ids;  // the numbers that messages use, of all parts; see source_vertex()

    std::span<const Incidence> triangles_at(std::size_t vertex) const {
        return triangle_incidence.at(vertex);
    }
    std::span<const Incidence> hinges_at(std::size_t vertex) const { return hinge_incidence.at(vertex); }
    // Place in its row of a block too far from the diagonal for a slot.
    std::size_t far_slot(std::size_t row, int column) const {
        return static_cast<std::size_t>(find_block(pattern, static_cast<int>(row), column) -
                                        pattern.diagonal[row]);
    }

    int vertex_count() const { return static_cast<int>(mass.size()); }
    int triangle_count() const { return static_cast<int>(triangles.size()); }
    int hinge_count() const { return static_cast<int>(hinges.size()); }
    // The author of a scene knows vertices and elements by the numbers of the author's files.
    int source_vertex(int v) const { return old_number(source_ids.vertices, static_cast<std::size_t>(v)); }
    int source_triangle(std::size_t t) const { return old_number(source_ids.triangles, t); }
    int source_hinge(std::size_t e) const { return old_number(source_ids.hinges, e); }
    bool membrane_has_history() const;
    std::array<Vec2d, 3> gradients_of(std::size_t triangle) const {  // they sum to 0
        const auto& [b, c] = gradient[triangle];
        return {Vec2d{-b.x - c.x, -b.y - c.y}, b, c};
    }
    const MembraneLaw& membrane_law_of(std::size_t triangle) const {
        return membrane_laws[triangle_law[triangle]];
    }
    double rest_angle_of(std::size_t hinge) const { return rest_angle.empty() ? 0.0 : rest_angle[hinge]; }
    ComponentLaw<double> bending_law_of(std::size_t hinge) const {  // scaled
        const auto law = scaled_thresholds(bending_laws[hinge_law[hinge]], threshold_scale[hinge]);
        return stiffness_factors.empty() ? law : scaled_stiffness(law, stiffness_factors[hinge]);
    }
};

Model make_model(std::span<const ClothPart> parts);
// The same with contact: of cloth with cloth, as the settings say, and with obstacles.
Model make_model(std::span<const ClothPart> parts, const ContactSettings& contact,
                 std::vector<ObstaclePart> obstacles);

// Cloth at rest at these positions: nothing has slipped, yielded or moved.
State make_state(const Model& model, std::span<const Vec3d> positions);

}  // namespace rumple
