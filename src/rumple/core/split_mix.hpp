// splitmix64 (Steele, Lea, Flood 2014): a seeded generator with the same bits on every machine and library.
#pragma once

#include <cstdint>

namespace rumple {

class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1), 53 bits

  private:
    std::uint64_t state_;
};

}  // namespace rumple
