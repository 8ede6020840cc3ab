// Throws out pairs whose boxes overlap but that are further apart than anyone asks: most of them, since in a
// sheet every edge has a dozen others near it that it does not touch. Sixteen pairs at once, in single
// precision, and on the safe side.
#pragma once

#include <cstdint>
#include <rumple/contact/pair.hpp>
#include <rumple/core/vec.hpp>
#include <span>
#include <vector>

namespace rumple {

struct ProximityFilter {
    const Surface& surface;
    std::span<const Vec3d> x1;          // m: at the end of the way
    std::span<const Vec3<float>> back;  // m: from there to its beginning
    std::span<const double> within;     // m, one a body; of two, the later's

    // Keeps every pair that comes within its distance on the way, and a few more, in their order. packed: a
    // in the high half, b in the low.
    void keep(PairKind kind, std::vector<std::uint64_t>& packed) const;
};

}  // namespace rumple
