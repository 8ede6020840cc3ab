#include <algorithm>
#include <bit>
#include <rumple/core/sha256.hpp>

namespace rumple {

namespace {

// Fractional parts of the cube roots of the first 64 primes.
constexpr std::uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t spread(std::uint32_t x, int a, int b, int c) {
    return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c);
}

}  // namespace

void Sha256::take_block(const std::uint8_t* block) {
    std::uint32_t w[64];
    for (int i = 0; i < 16; ++i, block += 4)
        w[i] = std::uint32_t{block[0]} << 24 | std::uint32_t{block[1]} << 16 | std::uint32_t{block[2]} << 8 |
               block[3];
    for (int i = 16; i < 64; ++i)
        w[i] = w[i - 16] + w[i - 7] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    auto [a, b, c, d, e, f, g, h] = hash_;
    for (int i = 0; i < 64; ++i) {
        const std::uint32_t t = h + spread(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        const std::uint32_t u = spread(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t;
        d = c;
        c = b;
        b = a;
        a = t + u;
    }
    const Result step{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < step.size(); ++i) hash_[i] += step[i];
}

void Sha256::update(const void* bytes, std::size_t count) {
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    while (count > 0) {
        const std::size_t filled = count_ % waiting_.size(),
                          share = std::min(count, waiting_.size() - filled);
        std::copy_n(from, share, waiting_.begin() + static_cast<std::ptrdiff_t>(filled));
        count_ += share;
        count -= share;
        from += share;
        if (filled + share == waiting_.size()) take_block(waiting_.data());
    }
}

Sha256::Result Sha256::result() const {
    Sha256 end = *this;
    constexpr std::uint8_t kOne = 0x80, kZero = 0;
    end.update(&kOne, 1);
    while (end.count_ % 64 != 56) end.update(&kZero, 1);
    std::uint8_t bits[8];
    for (int i = 0; i < 8; ++i) bits[i] = static_cast<std::uint8_t>(8 * count_ >> (56 - 8 * i));
    end.update(bits, sizeof bits);
    return end.hash_;
}

}  // namespace rumple
