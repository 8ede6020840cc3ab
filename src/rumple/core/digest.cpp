#include <fmt/format.h>
#include <xxhash.h>

#include <new>
#include <rumple/core/digest.hpp>

namespace rumple {

struct Digest::State {
    State() : xxh(XXH3_createState()) {
        if (xxh == nullptr) throw std::bad_alloc();
        XXH3_128bits_reset(xxh);
    }
    ~State() { XXH3_freeState(xxh); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    void update(const void* bytes, std::size_t count) { XXH3_128bits_update(xxh, bytes, count); }

    XXH3_state_t* xxh;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::Digest(const Digest& other) : Digest() { XXH3_copyState(state_->xxh, other.state_->xxh); }
Digest& Digest::operator=(const Digest& other) {
    XXH3_copyState(state_->xxh, other.state_->xxh);
    return *this;
}
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

std::string Digest::hex32() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string Digest::hex16() const { return hex32().substr(16); }

}  // namespace rumple
