// Throws out pairs whose boxes overlap but that are further apart than anyone asks: most of them, since in a
// sheet every edge has a dozen others near it that it does not touch. Sixteen pairs at once, in single
// precision, and on the safe side.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <rumple/contact/pair.hpp>
#include <rumple/core/vec.hpp>
#include <span>

namespace rumple::contact {

inline Vec3<float> single(Vec3d d) {
    return {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)};
}

struct ProximityFilter {
    static constexpr std::size_t kLanes = 16;

    const Surface& surface;
    std::span<const Vec3d> x1;          // m: at the end of the way
    std::span<const Vec3<float>> back;  // m: from there to its beginning; empty: there is no way
    std::span<const double> within;     // m, one a body; of two, the later's

    // Bit k is set if the k-th of these pairs, all of one kind, comes within its distance on the way; and of
    // a few more.
    std::uint32_t near(std::span<const ContactPair> pairs) const;

    // Calls visit(index) for all such pairs of a list that is sorted by kind.
    template <class Visit>
    void for_each_near(std::span<const ContactPair> pairs, Visit&& visit) const {
        for (std::size_t begin = 0; begin < pairs.size();) {
            std::size_t count = std::min(kLanes, pairs.size() - begin);
            while (pairs[begin + count - 1].kind != pairs[begin].kind) --count;
            for (std::uint32_t bits = near(pairs.subspan(begin, count)); bits != 0; bits &= bits - 1)
                visit(begin + static_cast<std::size_t>(std::countr_zero(bits)));
            begin += count;
        }
    }
};

}  // namespace rumple::contact
