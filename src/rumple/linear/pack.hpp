// A pack of numbers that the compiler keeps in one vector register, whatever the machine has for it.
#pragma once

#include <cstring>

// Without AVX packs are passed in memory between functions. They never leave the file they are made in.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace rumple {

template <class T>
struct Pack {
    static constexpr int kSize = 32 / static_cast<int>(sizeof(T));
    typedef T Type __attribute__((vector_size(32)));
    static Type load(const T* p) {
        Type v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    static void store(T* p, Type v) { std::memcpy(p, &v, sizeof v); }
};

}  // namespace rumple
