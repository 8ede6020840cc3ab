// Collects what friction remembers of a step's contacts, and counts what touches.
#pragma once

#include <cmath>
#include <rumple/contact/contact.hpp>
#include <rumple/contact/contact_state.hpp>

namespace rumple::contact {

struct FrictionMemoryBuilder {
    ContactMemory memory;
    int touching = 0, sliding = 0;
    double closest = HUGE_VAL;  // m: the smallest gap of what touches

    // A contact with its load at x; contacts come in ascending order.
    void add(const Contact& contact, bool slides, std::span<const Vec3d> x);
    void remember(ContactPair pair, Vec3d displacement);
    // All that `other` has comes after what is here.
    void append(const FrictionMemoryBuilder& other);
    // Both are ascending and have no pair in common.
    void merge(const FrictionMemoryBuilder& other);

  private:
    ContactPair pair(std::size_t k) const {
        return {static_cast<PairKind>(memory.kind[k]), memory.a[k], memory.b[k]};
    }
};

}  // namespace rumple::contact
