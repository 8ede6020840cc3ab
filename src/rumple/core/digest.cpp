#include <fmt/format.h>
#ifndef RUMPLE_WITHOUT_XXHASH
#include <xxhash.h>
#endif

#include <new>
#include <rumple/core/digest.hpp>
#include <rumple/core/sha256.hpp>

namespace rumple {

#ifdef RUMPLE_WITHOUT_XXHASH

struct Digest::State {
    void update(const void* bytes, std::size_t count) { sha.update(bytes, count); }
    std::string hex() const {
        const Sha256::Result all = sha.result();
        return fmt::format("{:08x}{:08x}{:08x}{:08x}", all[0], all[1], all[2], all[3]);
    }

    Sha256 sha;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::Digest(const Digest& other) : state_(std::make_unique<State>(*other.state_)) {}
Digest& Digest::operator=(const Digest& other) {
    *state_ = *other.state_;
    return *this;
}

#else

struct Digest::State {
    State() : xxh(XXH3_createState()) {
        if (xxh == nullptr) throw std::bad_alloc();
        XXH3_128bits_reset(xxh);
    }
    ~State() { XXH3_freeState(xxh); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    void update(const void* bytes, std::size_t count) { XXH3_128bits_update(xxh, bytes, count); }
    std::string hex() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(xxh);
        return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    }

    XXH3_state_t* xxh;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::Digest(const Digest& other) : Digest() { XXH3_copyState(state_->xxh, other.state_->xxh); }
Digest& Digest::operator=(const Digest& other) {
    XXH3_copyState(state_->xxh, other.state_->xxh);
    return *this;
}

#endif

Digest::~Digest() = default;

void Digest::add(std::int64_t x) { state_->update(&x, sizeof x); }

void Digest::add(double x) {
    x += 0.0;  // -0 + 0 is 0
    state_->update(&x, sizeof x);
}

void Digest::add(std::string_view text) { add_bytes(std::as_bytes(std::span(text))); }

void Digest::add_bytes(std::span<const std::byte> bytes) {
    add(static_cast<std::int64_t>(bytes.size()));
    if (!bytes.empty()) state_->update(bytes.data(), bytes.size());
}

std::string Digest::hex32() const { return state_->hex(); }

std::string Digest::hex16() const { return hex32().substr(16); }

}  // namespace rumple
