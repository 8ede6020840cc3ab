// Numbers as bytes in a stated order, whatever the order of the machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

namespace rumple {

template <std::endian order, class T>
T load_number(const char* from) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    if constexpr (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
}

template <std::endian order, class T>
void store_number(char* to, T value) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if constexpr (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
    std::memcpy(to, bytes.data(), sizeof(T));
}

template <std::endian order, class T>
void append_number(std::string& to, T value) {
    char bytes[sizeof(T)];
    store_number<order>(bytes, value);
    to.append(bytes, sizeof(T));
}

}  // namespace rumple
