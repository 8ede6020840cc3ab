// Values between the corners of a triangle.
#pragma once

#include <cstddef>

namespace rumple {

inline std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

// u, v: weights of the second and third corner.
template <class V>
V blend(const V& a, const V& b, const V& c, float u, float v) {
    return (1 - u - v) * a + u * b + v * c;
}

}  // namespace rumple
