#include <fmt/format.h>

#include <bit>
#include <rumple/scene/scene_hash.hpp>

namespace rumple {

namespace {

constexpr std::uint64_t kFnvPrime = 0x100000001b3u;
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;

}  // namespace

void SceneHash::add_byte(std::uint8_t byte) {
    fnv_ = (fnv_ ^ byte) * kFnvPrime;
    rot_ = (std::rotl(rot_, 23) ^ byte) * kGolden;
}

void SceneHash::add(std::string_view bytes) {
    for (std::uint64_t length = bytes.size(), i = 0; i < 8; ++i)
        add_byte(static_cast<std::uint8_t>(length >> (8 * i)));
    for (const char c : bytes) add_byte(static_cast<std::uint8_t>(c));
}

std::string SceneHash::hex32() const {
    return fmt::format("{:016x}{:016x}", SplitMix64::mixed(fnv_), SplitMix64::mixed(rot_));
}

std::string SceneHash::hex16() const {
    return fmt::format("{:016x}", SplitMix64::mixed(SplitMix64::mixed(fnv_) + std::rotl(rot_, 32)));
}

std::uint64_t SplitMix64::mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

std::uint64_t SplitMix64::next() {
    state_ += kGolden;
    return mixed(state_);
}

double SplitMix64::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

}  // namespace rumple
