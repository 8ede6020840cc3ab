#include <array>
#include <bit>
#include <rumple_farm/sobol.hpp>

namespace rumple::farm {
namespace {

// A primitive polynomial over GF(2) of this degree, whose inner coefficients are the bits of `inner`, and the
// first direction numbers.
struct Primitive {
    int degree;
    std::uint32_t inner;
    std::array<std::uint32_t, 5> first;
};

// clang-format off
constexpr std::array<Primitive, kMaxSobolDimensions - 1> kPrimitives{{  // of the second dimension on
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
}};
// clang-format on

}  // namespace

SobolSequence::SobolSequence(int dimensions) : x_(static_cast<std::size_t>(dimensions)) {
    for (int d = 0; d < dimensions; ++d) {
        std::vector<std::uint32_t>& v = directions_.emplace_back(kBits);
        if (d == 0) {
            for (std::size_t i = 0; i < kBits; ++i) v[i] = std::uint32_t{1} << (kBits - 1 - i);
            continue;
        }
        const Primitive& p = kPrimitives[static_cast<std::size_t>(d - 1)];
        const auto s = static_cast<std::size_t>(p.degree);
        for (std::size_t i = 0; i < s; ++i) v[i] = p.first[i] << (kBits - 1 - i);
        for (std::size_t i = s; i < kBits; ++i) {
            v[i] = v[i - s] ^ (v[i - s] >> s);
            for (std::size_t k = 1; k < s; ++k)
                if ((p.inner >> (s - 1 - k)) & 1u) v[i] ^= v[i - k];
        }
    }
}

std::vector<double> SobolSequence::next() {
    std::vector<double> point;
    for (const std::uint32_t x : x_) point.push_back(x * 0x1p-32);
    // Gray code (Antonov and Saleev 1979): the next point differs by one direction number.
    const auto bit = static_cast<std::size_t>(std::countr_one(count_));
    ++count_;
    if (bit < kBits)
        for (std::size_t d = 0; d < x_.size(); ++d) x_[d] ^= directions_[d][bit];
    return point;
}

}  // namespace rumple::farm
