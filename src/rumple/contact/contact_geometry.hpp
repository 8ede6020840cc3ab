// The constant part of contact in one place: the surface of all bodies, their laws, and areas.
#pragma once

#include <rumple/contact/contact.hpp>
#include <rumple/contact/contact_model.hpp>
#include <rumple/contact/contact_state.hpp>
#include <rumple/contact/surface.hpp>

namespace rumple::contact {

struct ContactGeometry {
    struct Law {
        double thickness, friction;
    };
    Surface surface;
    ContactSettings settings;
    int cloth_vertices = 0, cloth_edges = 0, cloth_triangles = 0;  // cloth comes first in the surface
    std::size_t cloth_bodies = 0;                                  // obstacle o is body cloth_bodies + o
    std::vector<Vec3d> rest;                                       // m: where everything begins
    std::vector<Law> law;                                          // one a body
    std::vector<double> thickness, reach;                          // m, one a body
    std::vector<double> vertex_area, edge_area;                    // m^2

    // Of a pair: the obstacle, where one is; else the later cloth. Its law is the contact's.
    int body_of(ContactPair pair) const;
    // m^2 of the first or the second primitive of a pair.
    double area(ContactPair pair, bool second) const;
    bool is_cloth(int vertex) const { return vertex < cloth_vertices; }
    void set_law(Contact& contact, int body) const;
    // Whether what a state remembers can be of this surface: it may come from a file.
    bool matches(const ContactMemory& memory) const;
    // Do two vertices of the pair's rest shape show that it is further apart at rest than `distance`?
    bool apart_at_rest(PairKind kind, const std::array<int, 4>& vertices, double distance) const;
};

ContactGeometry make_contact_geometry(const ContactModel& model, const ClothView& cloth);

}  // namespace rumple::contact
