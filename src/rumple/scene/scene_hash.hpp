// The identity of a run: a 128-bit hash of a canonical text of everything that determines it.
//
// Two lanes read the same bytes. Lane one is FNV-1a (64 bits: xor the byte, multiply by 0x100000001b3). Lane
// two rotates and multiplies by an odd constant (2^64 over the golden ratio). Each ends in the mixer of
// splitmix64. It guards against mistakes, not against an adversary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rumple {

class SceneHash {
  public:
    void add(std::string_view bytes);  // length first, so that "ab","c" differs from "a","bc"

    std::string hex32() const;  // both lanes
    std::string hex16() const;  // both lanes folded into one

  private:
    void add_byte(std::uint8_t byte);

    std::uint64_t fnv_ = 0xcbf29ce484222325u;
    std::uint64_t rot_ = 0x243f6a8885a308d3u;
};

// splitmix64 (Steele, Lea, Flood 2014): a seeded generator with the same bits on every machine and library.
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    double uniform();  // in [0, 1), 53 bits

    static std::uint64_t mixed(std::uint64_t z);

  private:
    std::uint64_t state_;
};

}  // namespace rumple
