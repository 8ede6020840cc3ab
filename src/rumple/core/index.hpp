// Numbers of vertices and elements are ints, as in mesh files; arrays are indexed by std::size_t.
#pragma once

#include <cstddef>

namespace rumple {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace rumple
