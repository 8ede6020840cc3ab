#include <algorithm>
#include <rumple/contact/contact_set.hpp>
#include <rumple/contact/friction_memory.hpp>

namespace rumple::contact {

void FrictionMemoryBuilder::add(const Contact& c, bool slides, std::span<const Vec3d> x) {
    ++touching;
    sliding += slides;
    closest = std::min(closest, c.gap(x));
    if (c.friction > 0) remember(c.pair, ContactSet::held(c, c.displacement(x)));
}

void FrictionMemoryBuilder::remember(ContactPair pair, Vec3d displacement) {
    memory.kind.push_back(static_cast<std::int32_t>(pair.kind));
    memory.a.push_back(pair.a);
    memory.b.push_back(pair.b);
    memory.tangential_displacement.push_back(displacement);
}

void FrictionMemoryBuilder::append(const FrictionMemoryBuilder& other) {
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(memory.kind, other.memory.kind);
    append(memory.a, other.memory.a);
    append(memory.b, other.memory.b);
    append(memory.tangential_displacement, other.memory.tangential_displacement);
    touching += other.touching;
    sliding += other.sliding;
    closest = std::min(closest, other.closest);
}

void FrictionMemoryBuilder::merge(const FrictionMemoryBuilder& other) {
    touching += other.touching;
    sliding += other.sliding;
    closest = std::min(closest, other.closest);
    if (other.memory.a.empty()) return;
    FrictionMemoryBuilder both;
    std::size_t i = 0;
    const auto take = [&] {
        both.remember(pair(i), memory.tangential_displacement[i]);
        ++i;
    };
    for (std::size_t k = 0; k < other.memory.a.size(); ++k) {
        while (i < memory.a.size() && pair(i) < other.pair(k)) take();
        both.remember(other.pair(k), other.memory.tangential_displacement[k]);
    }
    while (i < memory.a.size()) take();
    memory = std::move(both.memory);
}

}  // namespace rumple::contact
