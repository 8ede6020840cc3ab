// SHA-256 (FIPS 180-4), for builds without libxxhash (digest.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rumple {

class Sha256 {
  public:
    using Result = std::array<std::uint32_t, 8>;

    void update(const void* bytes, std::size_t count);
    Result result() const;  // of all bytes so far

  private:
    void take_block(const std::uint8_t* block);

    Result hash_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> waiting_{};  // less than a block
    std::uint64_t count_ = 0;                 // bytes
};

}  // namespace rumple
