// ContactSet: which contacts there are, in which order, and what friction remembers of them.
#include <algorithm>
#include <rumple/contact/contact_set.hpp>
#include <rumple/contact/contact_tuning.hpp>
#include <rumple/contact/proximity_filter.hpp>
#include <rumple/core/index.hpp>
#include <rumple/core/stopwatch.hpp>

namespace rumple::contact {

namespace {

constexpr std::size_t kGrain = 512;
constexpr std::size_t kMemoryGrain = 16384;

}  // namespace

void merge_sorted(std::vector<Contact>& list, std::span<const Contact> added) {
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

void ContactSet::build(const Threads& threads, const ContactBuilder& builder, const ContactContext& context,
                       std::span<const ContactPair> pairs, std::span<const Vec3d> x,
                       std::span<const Contact> added, std::span<const Collision> collisions) {
    find_near(threads, builder, context, pairs, x, collisions);
    join_parts(threads, added, list_);
    index(threads);
    made_for_.x.assign(x.begin(), x.end());
    made_for_.inverse_mass = context.inverse_mass;
    made_for_.active = context.active;
    made_for_.impacts.clear();
    made_for_.penetrating = !context.penetrating_vertices.empty();
}

void ContactSet::build_at_begin(const Threads& threads, const ContactBuilder& builder,
                                const ContactContext& context, std::span<const ContactPair> pairs) {
    if (can_update_incrementally(context))
        update_moved(threads, builder, context, pairs);
    else
        build(threads, builder, context, pairs, context.begin, context.recovery_contacts);
}

void ContactSet::mark_impacts(std::span<const Collision> collisions) {
    for (const Collision& collision : collisions) made_for_.impacts.push_back(collision.pair);
}

// Has little changed since the list was made? Then most of its contacts still stand.
bool ContactSet::can_update_incrementally(const ContactContext& context) const {
    if (!context.penetrating_vertices.empty() || made_for_.penetrating ||
        made_for_.active != context.active || made_for_.inverse_mass != context.inverse_mass)
        return false;
    std::size_t moved = 0;
    for (std::size_t v = 0; v < context.begin.size(); ++v) moved += context.begin[v] != made_for_.x[v];
    return static_cast<double>(moved) <=
           kContactTuning.max_moved_for_update * static_cast<double>(context.begin.size());
}

// Leaves the near ones of each piece of the pairs in part_, without those that collide.
void ContactSet::find_near(const Threads& threads, const ContactBuilder& builder,
                           const ContactContext& context, std::span<const ContactPair> pairs,
                           std::span<const Vec3d> x, std::span<const Collision> collisions) {
    part_.resize((pairs.size() + kGrain - 1) / kGrain);
    const ProximityFilter filter{builder.geometry().surface, x, {}, builder.geometry().reach};
    threads.for_pieces(pairs.size(), kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<Contact>& found = part_[first / kGrain];
        found.clear();
        filter.for_each_near(pairs.subspan(first, last - first), [&](std::size_t k) {
            Contact contact;
            const ContactPair pair = pairs[first + k];
            if (std::ranges::binary_search(collisions, pair, {}, &Collision::pair)) return;
            if (builder.make_near(context, pair, x, contact)) found.push_back(contact);
        });
    });
}

// All parts, which are ascending, and among them what is added.
void ContactSet::join_parts(const Threads& threads, std::span<const Contact> added,
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
        merge_sorted(part_[i], added.subspan(first[i], first[i + 1] - first[i]));
        begin[i + 1] = begin[i] + part_[i].size();
    }
    list.resize(begin.back());
    threads.for_each(part_.size(), 1, [&](std::size_t i) {
        std::copy(part_[i].begin(), part_[i].end(), list.begin() + static_cast<std::ptrdiff_t>(begin[i]));
    });
}

// Whether a pair is a contact depends on the triangles around it as well.
void ContactSet::mark_moved(const Surface& surface, std::span<const Vec3d> x) {
    moved_.assign(x.size(), 0);
    const auto mark = [&](int v) {
        for (int t : surface.triangles_around(v))
            for (int w : surface.triangles[at(t)]) moved_[at(w)] = 1;
    };
    for (int v = 0; v < surface.vertex_count; ++v)
        if (x[at(v)] != made_for_.x[at(v)]) mark(v);
    for (const ContactPair pair : made_for_.impacts)
        for (int v : pair_vertices(surface, pair)) mark(v);
}

bool ContactSet::any_moved(const std::array<int, 4>& v) const {
    return (moved_[at(v[0])] | moved_[at(v[1])] | moved_[at(v[2])] | moved_[at(v[3])]) != 0;
}

// The contacts of what has moved since the list was made.
std::vector<Contact> ContactSet::make_moved(const Threads& threads, const ContactBuilder& builder,
                                            const ContactContext& context, std::span<const ContactPair> pairs,
                                            std::span<const Vec3d> x) {
    const Surface& surface = builder.geometry().surface;
    mark_moved(surface, x);
    part_.resize((pairs.size() + kGrain - 1) / kGrain);
    threads.for_pieces(pairs.size(), kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<Contact>& found = part_[first / kGrain];
        found.clear();
        for (const ContactPair pair : pairs.subspan(first, last - first)) {
            Contact contact;
            if (any_moved(pair_vertices(surface, pair)) && builder.make_near(context, pair, x, contact))
                found.push_back(contact);
        }
    });
    std::vector<Contact> recovery;
    std::ranges::copy_if(context.recovery_contacts, std::back_inserter(recovery),
                         [&](const Contact& c) { return any_moved(c.vertex); });
    std::vector<Contact> made;
    join_parts(threads, recovery, made);
    return made;
}

// As build(), where little has moved since and nothing collides: only what has moved has other contacts. The
// others have another memory of friction.
void ContactSet::update_moved(const Threads& threads, const ContactBuilder& builder,
                              const ContactContext& context, std::span<const ContactPair> pairs) {
    const std::vector<Contact> made = make_moved(threads, builder, context, pairs, context.begin);
    part_.resize((list_.size() + kGrain - 1) / kGrain);
    threads.for_pieces(list_.size(), kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<Contact>& kept = part_[first / kGrain];
        kept.clear();
        for (std::size_t k = first; k < last; ++k) {
            if (any_moved(list_[k].vertex)) continue;
            kept.push_back(list_[k]);
            builder.set_friction_memory(context, context.begin, kept.back());
            builder.set_smallest_gap(context, kept.back());
        }
    });
    join_parts(threads, made, list_);
    index(threads);
    made_for_.x = context.begin;
    made_for_.impacts.clear();
}

// Where the response moved cloth, its contacts are other than those of the list.
FrictionMemoryBuilder ContactSet::friction_memory(const Threads& threads, const ContactBuilder& builder,
                                                  const ContactContext& context,
                                                  std::span<const ContactPair> pairs, ContactTiming& timing) {
    const std::vector<Vec3d>& x = context.end;
    std::vector<Contact> made;
    if (context.moved_by_response) {
        const Stopwatch watch(timing.contact_narrow);
        made = make_moved(threads, builder, context, pairs, x);
    }
    std::vector<FrictionMemoryBuilder> parts((list_.size() + kMemoryGrain - 1) / kMemoryGrain);
    threads.for_pieces(list_.size(), kMemoryGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            if (!context.moved_by_response || !any_moved(list_[k].vertex))
                parts[begin / kMemoryGrain].add(list_[k], (flags_[k] & kSliding) != 0, x);
    });
    FrictionMemoryBuilder all, others;
    for (const FrictionMemoryBuilder& part : parts) all.append(part);
    for (Contact& c : made) {
        c.load = normal(c, c.gap(x)).force;
        others.add(c, friction(c, c.displacement(x)).slips, x);
    }
    all.merge(others);
    return all;
}

}  // namespace rumple::contact
