#include <algorithm>
#include <rumple/contact/contact_geometry.hpp>
#include <rumple/contact/contact_law.hpp>
#include <rumple/contact/contact_tuning.hpp>
#include <rumple/core/index.hpp>

namespace rumple::contact {

namespace {

Surface surface_of(const ContactModel& model, const ClothView& cloth) {
    std::vector<std::vector<std::array<int, 3>>> local;
    std::vector<BodyMesh> bodies;
    for (std::size_t p = 0; p + 1 < cloth.part_begin.size(); ++p) {
        local.emplace_back(cloth.triangles.begin() + cloth.part_triangle_begin[p],
                           cloth.triangles.begin() + cloth.part_triangle_begin[p + 1]);
        for (auto& triangle : local.back())
            for (int& v : triangle) v -= cloth.part_begin[p];
    }
    for (std::size_t p = 0; p < local.size(); ++p)
        bodies.push_back({BodyKind::cloth, cloth.part_begin[p + 1] - cloth.part_begin[p], local[p], true});
    for (const ObstaclePart& o : model.obstacles)
        bodies.push_back({o.mass > 0 ? BodyKind::rigid_body : BodyKind::obstacle,
                          static_cast<int>(o.vertices.size()), o.triangles, o.moves || o.mass > 0});
    return make_surface(bodies);
}

void set_areas(ContactGeometry& g) {
    g.vertex_area.assign(at(g.surface.vertex_count), 0.0);
    g.edge_area.assign(g.surface.edges.size(), 0.0);
    for (std::size_t t = 0; t < g.surface.triangles.size(); ++t) {
        const auto& v = g.surface.triangles[t];
        const Vec3d a = g.rest[at(v[0])], b = g.rest[at(v[1])], c = g.rest[at(v[2])];
        const double area = 0.5 * norm(cross(b - a, c - a));
        for (int i : v) g.vertex_area[at(i)] += area / 3;
        for (int e : g.surface.triangle_edges[t]) g.edge_area[at(e)] += area / 3;
    }
}

}  // namespace

ContactGeometry make_contact_geometry(const ContactModel& model, const ClothView& cloth) {
    ContactGeometry g;
    g.surface = surface_of(model, cloth);
    g.settings = model.settings;
    g.cloth_vertices = static_cast<int>(cloth.mass.size());
    g.cloth_bodies = cloth.part_begin.size() - 1;
    g.rest.assign(cloth.initial.begin(), cloth.initial.end());
    g.law.assign(g.cloth_bodies, {model.settings.thickness, model.settings.friction});
    for (const ObstaclePart& o : model.obstacles) {
        g.rest.insert(g.rest.end(), o.vertices.begin(), o.vertices.end());
        g.law.push_back({o.thickness, o.friction});
    }
    for (const ContactGeometry::Law& law : g.law) {
        g.thickness.push_back(law.thickness);
        g.reach.push_back(kContactTuning.reach * law.thickness);
    }
    for (std::size_t b = 0; b < g.cloth_bodies; ++b) {
        g.cloth_edges = std::max(g.cloth_edges, g.surface.bodies[b].edge_end);
        g.cloth_triangles = std::max(g.cloth_triangles, g.surface.bodies[b].triangle_end);
    }
    set_areas(g);
    return g;
}

int ContactGeometry::body_of(ContactPair pair) const {
    if (pair.kind == PairKind::edge_edge)
        return std::max(surface.body_of_edge[at(pair.a)], surface.body_of_edge[at(pair.b)]);
    return std::max(surface.body_of_vertex[at(pair.a)], surface.body_of_triangle[at(pair.b)]);
}

double ContactGeometry::area(ContactPair pair, bool second) const {
    const int i = second ? pair.b : pair.a;
    if (pair.kind == PairKind::edge_edge) return edge_area[at(i)];
    if (!second) return vertex_area[at(i)];
    const auto& t = surface.triangles[at(i)];
    return vertex_area[at(t[0])] + vertex_area[at(t[1])] + vertex_area[at(t[2])];
}

void ContactGeometry::set_law(Contact& contact, int body) const {
    contact.thickness = law[at(body)].thickness;
    contact.friction = law[at(body)].friction;
    contact.smallest_gap = kSmallestGap * contact.thickness;
    contact.slip_length = kSlipLength * contact.thickness;
}

// By the extent of the primitives from one vertex each.
bool ContactGeometry::apart_at_rest(PairKind kind, const std::array<int, 4>& v, double distance) const {
    const auto apart = [&](std::size_t i, std::size_t j) { return norm(rest[at(v[i])] - rest[at(v[j])]); };
    const double sizes =
        kind == PairKind::edge_edge ? apart(0, 1) + apart(2, 3) : std::max(apart(1, 3), apart(2, 3));
    return apart(0, 3) > sizes + distance;
}

bool ContactGeometry::matches(const ContactMemory& memory) const {
    const auto below = [](std::int32_t i, std::size_t count) { return i >= 0 && at(i) < count; };
    for (std::size_t k = 0; k < memory.kind.size(); ++k) {
        const bool edges = memory.kind[k] == static_cast<std::int32_t>(PairKind::edge_edge);
        if (!edges && memory.kind[k] != static_cast<std::int32_t>(PairKind::vertex_face)) return false;
        if (!below(memory.a[k], edges ? surface.edges.size() : at(surface.vertex_count)) ||
            !below(memory.b[k], edges ? surface.edges.size() : surface.triangles.size()))
            return false;
    }
    return std::ranges::all_of(memory.inside, [&](std::int32_t v) { return below(v, at(cloth_vertices)); });
}

}  // namespace rumple::contact
