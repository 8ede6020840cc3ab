// ContactSystem: what is kept of the contacts at the end of a step.
#include <algorithm>
#include <cmath>
#include <rumple/core/stopwatch.hpp>
#include <rumple/dynamics/contact_system.hpp>

namespace rumple {

namespace {

constexpr std::size_t kPart = 16384;  // contacts a piece of work

}  // namespace

// What friction holds at end_, and counts of what touches.
struct ContactSystem::Held {
    ContactMemory memory;
    int touching = 0, sliding = 0;
    double closest = HUGE_VAL;

    void add(const Contact& c, bool slides, std::span<const Vec3d> x) {
        if (!(c.load > 0)) return;
        ++touching;
        sliding += slides;
        closest = std::min(closest, Contacts::gap(c, x));
        if (c.friction > 0) remember(c.pair, held_offset(Contacts::offset_at(c, x), c.slip_length));
    }
    void remember(ContactPair pair, Vec3d offset) {
        memory.kind.push_back(static_cast<std::int32_t>(pair.kind));
        memory.a.push_back(pair.a);
        memory.b.push_back(pair.b);
        memory.offset.push_back(offset);
    }
    ContactPair pair(std::size_t k) const {
        return {static_cast<PairKind>(memory.kind[k]), memory.a[k], memory.b[k]};
    }
};

// Of the list, without those that have moved since it was made.
ContactSystem::Held ContactSystem::hold_list(const Threads& threads) const {
    const std::vector<Contact>& list = contacts_.list();
    std::vector<Held> parts((list.size() + kPart - 1) / kPart);
    threads.for_pieces(list.size(), kPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            if (!moved_after_update_ || !any_moved(list[k].vertex))
                parts[begin / kPart].add(list[k], (contacts_.flags()[k] & kSliding) != 0, end_);
    });
    Held all;
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (const Held& part : parts) {
        append(all.memory.kind, part.memory.kind);
        append(all.memory.a, part.memory.a);
        append(all.memory.b, part.memory.b);
        append(all.memory.offset, part.memory.offset);
        all.touching += part.touching;
        all.sliding += part.sliding;
        all.closest = std::min(all.closest, part.closest);
    }
    return all;
}

// Both are ascending.
void ContactSystem::hold_too(Held& all, const Held& added) {
    all.touching += added.touching;
    all.sliding += added.sliding;
    all.closest = std::min(all.closest, added.closest);
    if (added.memory.a.empty()) return;
    Held both;
    std::size_t i = 0;
    for (std::size_t k = 0; k < added.memory.a.size(); ++k) {
        for (; i < all.memory.a.size() && all.pair(i) < added.pair(k); ++i)
            both.remember(all.pair(i), all.memory.offset[i]);
        both.remember(added.pair(k), added.memory.offset[k]);
    }
    for (; i < all.memory.a.size(); ++i) both.remember(all.pair(i), all.memory.offset[i]);
    all.memory = std::move(both.memory);
}

void ContactSystem::commit(const Threads& threads, State& state, std::span<const Vec3d> cloth,
                           const StepInput& input, StepReport& report) {
    put_cloth(cloth);
    if (moved_after_update_) {  // by the response: these have other contacts than those of the list
        const Stopwatch watch(report.timing.contact_narrow);
        find_renewed(threads, end_, state.contact);
    }
    Held held = hold_list(threads), others;
    for (Contact& c : renewed_) {
        c.load = push(Contacts::gap(c, end_), c.thickness, c.stiffness).force;
        others.add(c, Contacts::slides(c, end_), end_);
    }
    hold_too(held, others);
    Held of_weights;  // on obstacles
    std::ranges::sort(weight_contacts_, {}, &Contact::pair);
    for (const Contact& c : weight_contacts_)
        if (c.load > 0 && c.friction > 0) of_weights.remember(c.pair, c.offset);
    hold_too(held, of_weights);

    report.contact.touching = held.touching;
    report.contact.sliding = held.sliding;
    report.contact.closest = held.touching > 0 ? held.closest : 0;
    report.contact.deepest = 0;
    for (const Guided& g : guided_) {
        weights_[g.which].position = weights_before_[g.which].position + g.way * g.along;
        weights_[g.which].velocity = (g.way / input.h) * g.along;
        weights_[g.which].spin = {};
    }
    state.rigid_bodies = weights_;
    if (troubled_ || !inside_.empty()) {  // who is inside now, and how deep
        penetration_.place(threads, end_, active_);
        for (int v : penetration_.find(threads)) {
            held.memory.inside.push_back(v);
            report.contact.deepest =
                std::max(report.contact.deepest, -penetration_.nearest(v, kDeepest).height);
        }
    }
    report.contact.inside = static_cast<int>(held.memory.inside.size());
    state.contact = std::move(held.memory);
}

}  // namespace rumple
