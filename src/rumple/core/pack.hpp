// Numbers side by side in vector registers: the one SIMD type of the library. The compiler splits a pack that
// is wider than the machine's registers; the results are the same.
#pragma once

#include <cstddef>
#include <cstring>

// Without wide registers packs are passed in memory between functions. They never leave the file they are
// made in.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace rumple {

namespace pack_detail {
template <class T, std::size_t N>
struct Vector {
    typedef T Type __attribute__((vector_size(N * sizeof(T))));
};
}  // namespace pack_detail

// N numbers of type T, a power of two. Arithmetic, comparisons and `?:` act on each of them.
template <class T, std::size_t N>
using Pack = typename pack_detail::Vector<T, N>::Type;

template <std::size_t N, class T>
Pack<T, N> load_pack(const T* from) {
    Pack<T, N> pack;
    std::memcpy(&pack, from, sizeof pack);
    return pack;
}
template <class T, class P>
void store_pack(T* to, P pack) {
    std::memcpy(to, &pack, sizeof pack);
}

}  // namespace rumple
