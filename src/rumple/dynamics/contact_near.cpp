// ContactSystem: contacts of what is near, and what friction remembers of them.
#include <rumple/dynamics/contact_system.hpp>

#include <algorithm>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 512;
constexpr double kRestShare = 0.8;  // a pair that lies near in the rest shape repels below this share of that

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ContactSystem::find_near(const Threads& threads, std::span<const ContactPair> pairs,
                              std::span<const Vec3d> x, const ContactMemory& memory,
                              std::span<const std::uint8_t> moved, std::vector<Contact>& list) {
    part_.resize((pairs.size() + kGrain - 1) / kGrain);
    const ProximityFilter filter{surface_, x, {}, reach_};
    threads.for_pieces(pairs.size(), kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<Contact>& found = part_[first / kGrain];
        found.clear();
        filter.for_each_near(pairs.subspan(first, last - first), [&](std::size_t k) {
            const ContactPair pair = pairs[first + k];
            if (!moved.empty() &&
                std::ranges::none_of(pair_vertices(surface_, pair), [&](int v) { return moved[at(v)] != 0; }))
                return;
            Contact contact;
            if (near_contact(pair, x, memory, contact)) found.push_back(contact);
        });
    });
    std::vector<std::size_t> begin{0};
    for (const auto& found : part_) begin.push_back(begin.back() + found.size());
    list.resize(begin.back());
    threads.for_each(part_.size(), 1, [&](std::size_t i) {
        std::copy(part_[i].begin(), part_[i].end(), list.begin() + static_cast<std::ptrdiff_t>(begin[i]));
    });
}

// The later of the two: the obstacle, where one is.
int ContactSystem::body_of(ContactPair pair) const {
    if (pair.kind == PairKind::edge_edge)
        return std::max(surface_.body_of_edge[at(pair.a)], surface_.body_of_edge[at(pair.b)]);
    return std::max(surface_.body_of_vertex[at(pair.a)], surface_.body_of_triangle[at(pair.b)]);
}

bool ContactSystem::near_contact(ContactPair pair, std::span<const Vec3d> x, const ContactMemory& memory,
                                 Contact& contact) const {
    const std::array<int, 4> v = pair_vertices(surface_, pair);
    if (v[0] >= cloth_vertices_ && v[3] >= cloth_vertices_) return false;
    const Vec3d p[4] = {x[at(v[0])], x[at(v[1])], x[at(v[2])], x[at(v[3])]};
    Closest closest = closest_points(pair.kind, p);
    if (closest.distance >= kReach * bodies_[at(body_of(pair))].thickness) return false;
    if (!set_right(pair, v, closest, x)) return false;
    if (!make_contact(pair, closest, contact) || closest.distance >= kReach * contact.thickness) return false;
    contact.stiffness *= neighbourhood_.share(pair, closest, x);
    if (!(contact.stiffness > 0)) return false;
    // What was touched before the step is held from there; what is met now, from here.
    contact.at_begin = Contacts::separation(contact, x);
    if (const Vec3d* offset = remembered_offset(memory, pair)) {
        contact.offset = *offset;
        contact.at_begin = Contacts::separation(contact, begin_);
    }
    return true;
}

// Cloth that is or may be behind an obstacle's surface is pushed to the side where it belongs, not to where
// it is. False: which that is cannot be said.
bool ContactSystem::set_right(ContactPair pair, const std::array<int, 4>& v, Closest& closest,
                              std::span<const Vec3d> x) const {
    bool inside = false, obstacle = false;
    for (int i : v) {
        inside |= exempt_[at(i)] != 0;
        obstacle |= i >= cloth_vertices_;
    }
    if (!obstacle || !inside) return true;
    const Vec3d normal = penetration_.obstacle_normal(pair, closest, x);
    const bool obstacle_first = v[0] >= cloth_vertices_;
    const double height = (obstacle_first ? -1 : 1) * dot(normal, closest.separation);
    if (height < 0) closest.separation = -closest.separation;
    return height != 0;
}

double ContactSystem::area_of(ContactPair pair, bool second) const {
    const int i = second ? pair.b : pair.a;
    if (pair.kind == PairKind::edge_edge) return edge_area_[at(i)];
    if (!second) return vertex_area_[at(i)];
    const auto& t = surface_.triangles[at(i)];
    return vertex_area_[at(t[0])] + vertex_area_[at(t[1])] + vertex_area_[at(t[2])];
}

// Surely further apart than that in the rest shape? By the reach of the primitives from one vertex each.
bool ContactSystem::apart_at_rest(PairKind kind, const std::array<int, 4>& v, double distance) const {
    const auto apart = [&](std::size_t i, std::size_t j) { return norm(rest_[at(v[i])] - rest_[at(v[j])]); };
    const double sizes =
        kind == PairKind::edge_edge ? apart(0, 1) + apart(2, 3) : std::max(apart(1, 3), apart(2, 3));
    return apart(0, 3) > sizes + distance;
}

// A contact with the normal and the weights of these closest points. False: there is none to make.
bool ContactSystem::make_contact(ContactPair pair, const Closest& closest, Contact& contact) const {
    const std::array<int, 4> v = pair_vertices(surface_, pair);
    bool free = v[0] >= cloth_vertices_ && v[3] >= cloth_vertices_;  // a weight on an obstacle
    for (std::size_t i = 0; i < 4; ++i) {
        contact.weight[i] = closest.weight[i];
        if (v[i] >= cloth_vertices_) continue;
        free |= inverse_mass_[at(v[i])] > 0;
        contact.give += closest.weight[i] * closest.weight[i] * inverse_mass_[at(v[i])];
    }
    if (!free || !(closest.distance > 0)) return false;

    const bool faces = pair.kind == PairKind::vertex_face;
    const int body_a = faces ? surface_.body_of_vertex[at(pair.a)] : surface_.body_of_edge[at(pair.a)];
    const int body_b = faces ? surface_.body_of_triangle[at(pair.b)] : surface_.body_of_edge[at(pair.b)];
    const Body& body = bodies_[at(std::max(body_a, body_b))];
    contact.pair = pair;
    contact.vertex = v;
    contact.normal = (1 / closest.distance) * closest.separation;
    set_law(contact, body);
    contact.stiffness =
        model_.contact.settings.stiffness * std::min(area_of(pair, false), area_of(pair, true));
    // neighbours in the rest shape are nearer than the thickness by right
    if (body_a == body_b && !apart_at_rest(pair.kind, v, body.thickness / kRestShare)) {
        const Vec3d rest[4] = {rest_[at(v[0])], rest_[at(v[1])], rest_[at(v[2])], rest_[at(v[3])]};
        const double near = closest_points(pair.kind, rest).distance;
        if (!(near > 0)) return false;
        contact.thickness = std::min(contact.thickness, kRestShare * near);
    }
    return true;
}

bool ContactSystem::adjacent(int a, int b) const {
    for (int i : surface_.triangles[at(a)])
        for (int j : surface_.triangles[at(b)])
            if (i == j) return true;
    return false;
}

// What stuck to a triangle still sticks when its closest point has moved on to the next one.
const Vec3d* ContactSystem::remembered_offset(const ContactMemory& memory, ContactPair pair) const {
    const int kind = static_cast<int>(pair.kind);
    std::size_t low = 0, high = memory.a.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const bool before =
            memory.kind[middle] != kind ? memory.kind[middle] < kind : memory.a[middle] < pair.a;
        before ? low = middle + 1 : high = middle;
    }
    std::size_t neighbour = memory.a.size();
    for (; low < memory.a.size() && memory.kind[low] == kind && memory.a[low] == pair.a; ++low) {
        if (memory.b[low] == pair.b) return &memory.offset[low];
        const bool next = pair.kind == PairKind::vertex_face
                              ? adjacent(memory.b[low], pair.b)
                              : surface_.edges[at(memory.b[low])][0] == surface_.edges[at(pair.b)][0] ||
                                    surface_.edges[at(memory.b[low])][0] == surface_.edges[at(pair.b)][1] ||
                                    surface_.edges[at(memory.b[low])][1] == surface_.edges[at(pair.b)][0] ||
                                    surface_.edges[at(memory.b[low])][1] == surface_.edges[at(pair.b)][1];
        if (next && neighbour == memory.a.size()) neighbour = low;
    }
    return neighbour < memory.a.size() ? &memory.offset[neighbour] : nullptr;
}

}  // namespace rumple
