// ContactSystem: contacts of what is near, and what friction remembers of them.
#include <rumple/core/index.hpp>
#include <rumple/dynamics/contact_system.hpp>

#include <algorithm>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 512;
constexpr double kRestShare = 0.8;  // a pair that lies near in the rest shape repels below this share of that

constexpr double kFewMoved = 0.1;  // of the vertices: not more, and contacts are renewed, not made

}  // namespace

void ContactSystem::put_in(std::vector<Contact>& list, std::span<const Contact> added) {
    if (added.empty()) return;
    std::vector<Contact> all;
    all.reserve(list.size() + added.size());
    auto from = list.begin();
    for (const Contact& c : added) {
        const auto place = std::ranges::lower_bound(from, list.end(), c.pair, {}, &Contact::pair);
        all.insert(all.end(), from, place);
        all.push_back(c);
        from = place != list.end() && place->pair == c.pair ? place + 1 : place;
    }
    all.insert(all.end(), from, list.end());
    list.swap(all);
}

// Has little changed since the list was made? Then most of its contacts still stand, and those of what has
// moved are made anew. What comes out is the same either way.
bool ContactSystem::goes_on() const {
    if (!inside_.empty() || made_for_.inside || made_for_.active != active_ ||
        made_for_.inverse_mass != inverse_mass_)
        return false;
    std::size_t moved = 0;
    for (std::size_t v = 0; v < begin_.size(); ++v) moved += begin_[v] != made_for_.x[v];
    return static_cast<double>(moved) <= kFewMoved * static_cast<double>(begin_.size());
}

void ContactSystem::make_contacts(const Threads& threads, std::span<const ContactPair> pairs,
                                  std::span<const Vec3d> x, const ContactMemory& memory,
                                  std::span<const Contact> added) {
    find_near(threads, pairs, x, memory);
    join_parts(threads, added, contacts_.list());
    contacts_.index(threads);
    made_for_.x.assign(x.begin(), x.end());
    made_for_.inverse_mass = inverse_mass_;
    made_for_.active = active_;
    made_for_.impacts.clear();
    made_for_.inside = !inside_.empty();
}

// Leaves the near ones of each piece of the pairs in part_.
void ContactSystem::find_near(const Threads& threads, std::span<const ContactPair> pairs,
                              std::span<const Vec3d> x, const ContactMemory& memory) {
    part_.resize((pairs.size() + kGrain - 1) / kGrain);
    const ProximityFilter filter{surface_, x, {}, reach_};
    threads.for_pieces(pairs.size(), kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<Contact>& found = part_[first / kGrain];
        found.clear();
        filter.for_each_near(pairs.subspan(first, last - first), [&](std::size_t k) {
            Contact contact;
            if (near_contact(pairs[first + k], x, memory, contact)) found.push_back(contact);
        });
    });
}

// All parts, which are ascending, and among them what is added.
void ContactSystem::join_parts(const Threads& threads, std::span<const Contact> added,
                               std::vector<Contact>& list) {
    if (part_.empty()) part_.emplace_back();
    std::vector<std::size_t> first(part_.size() + 1, 0), begin(part_.size() + 1, 0);  // added; in the list
    first.back() = added.size();
    for (std::size_t i = part_.size() - 1; i > 0; --i)
        first[i] = part_[i].empty()
                       ? first[i + 1]
                       : static_cast<std::size_t>(
                             std::ranges::lower_bound(added, part_[i].front().pair, {}, &Contact::pair) -
                             added.begin());
    for (std::size_t i = 0; i < part_.size(); ++i) {
        put_in(part_[i], added.subspan(first[i], first[i + 1] - first[i]));
        begin[i + 1] = begin[i] + part_[i].size();
    }
    list.resize(begin.back());
    threads.for_each(part_.size(), 1, [&](std::size_t i) {
        std::copy(part_[i].begin(), part_[i].end(), list.begin() + static_cast<std::ptrdiff_t>(begin[i]));
    });
}

// Whether a pair is a contact depends on the triangles around it as well.
void ContactSystem::mark_moved(std::span<const Vec3d> x) {
    moved_.assign(x.size(), 0);
    const auto mark = [&](int v) {
        for (int t : surface_.triangles_around(v))
            for (int w : surface_.triangles[at(t)]) moved_[at(w)] = 1;
    };
    for (int v = 0; v < surface_.vertex_count; ++v)
        if (x[at(v)] != made_for_.x[at(v)]) mark(v);
    for (const ContactPair pair : made_for_.impacts)
        for (int v : pair_vertices(surface_, pair)) mark(v);
}

bool ContactSystem::any_moved(const std::array<int, 4>& v) const {
    return (moved_[at(v[0])] | moved_[at(v[1])] | moved_[at(v[2])] | moved_[at(v[3])]) != 0;
}

// Leaves in renewed_ the contacts of what has moved since the list was made.
void ContactSystem::find_renewed(const Threads& threads, std::span<const Vec3d> x,
                                 const ContactMemory& memory) {
    mark_moved(x);
    const std::span<const ContactPair> pairs = response_.candidates();
    part_.resize((pairs.size() + kGrain - 1) / kGrain);
    threads.for_pieces(pairs.size(), kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<Contact>& found = part_[first / kGrain];
        found.clear();
        for (const ContactPair pair : pairs.subspan(first, last - first)) {
            Contact contact;
            if (any_moved(pair_vertices(surface_, pair)) && near_contact(pair, x, memory, contact))
                found.push_back(contact);
        }
    });
    std::vector<Contact> leading_out;
    std::ranges::copy_if(leading_out_, std::back_inserter(leading_out),
                         [&](const Contact& c) { return any_moved(c.vertex); });
    join_parts(threads, leading_out, renewed_);
}

// As make_contacts(), where little has moved since and nothing meets: only what has moved has other contacts.
// The others have another memory of friction.
void ContactSystem::renew_contacts(const Threads& threads, std::span<const Vec3d> x,
                                   const ContactMemory& memory) {
    find_renewed(threads, x, memory);
    std::vector<Contact>& list = contacts_.list();
    part_.resize((list.size() + kGrain - 1) / kGrain);
    threads.for_pieces(list.size(), kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<Contact>& kept = part_[first / kGrain];
        kept.clear();
        for (std::size_t k = first; k < last; ++k) {
            if (any_moved(list[k].vertex)) continue;
            kept.push_back(list[k]);
            remember(kept.back(), x, memory);
        }
    });
    join_parts(threads, renewed_, list);
    contacts_.index(threads);
    made_for_.x.assign(x.begin(), x.end());
    made_for_.impacts.clear();
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
    if (!(closest.distance > 0) || !set_right(pair, v, closest, x)) return false;
    const double share = neighbourhood_.share(pair, closest, x);
    if (!(share > 0) || !make_contact(pair, closest, contact)) return false;
    contact.stiffness *= share;
    if (closest.distance >= kReach * contact.thickness || !(contact.stiffness > 0)) return false;
    remember(contact, x, memory);
    return true;
}

// What was touched before the step is held from there; what is met now, from here.
void ContactSystem::remember(Contact& contact, std::span<const Vec3d> x, const ContactMemory& memory) const {
    const Vec3d* offset = remembered_offset(memory, contact.pair);
    contact.offset = offset ? *offset : Vec3d{};
    contact.at_begin = Contacts::separation(contact, offset ? begin_ : x);
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
    const auto before = [&](std::size_t i) {
        return memory.kind[i] != kind ? memory.kind[i] < kind : memory.a[i] < pair.a;
    };
    std::size_t low = 0, high = memory.a.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        before(middle) ? low = middle + 1 : high = middle;
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
