// A 128-bit digest of bytes: XXH3 of libxxhash. It guards against mistakes, not against an adversary.
// Built without that library (RUMPLE_XXHASH=OFF): SHA-256 cut to 128 bits, and other digests.
//
// Every value is preceded by its length where that can vary, so that "ab", "c" differs from "a", "bc".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rumple {

class Digest {
  public:
    Digest();
    Digest(const Digest& other);
    Digest& operator=(const Digest& other);
    ~Digest();

    void add(std::string_view text);
    void add(const std::string& text) { add(std::string_view(text)); }
    void add(const char* text) { add(std::string_view(text)); }
    void add(double x);  // -0 counts as 0
    void add(bool flag) { add(std::int64_t{flag}); }
    void add(int x) { add(std::int64_t{x}); }
    void add(std::int64_t x);
    // The bytes of the elements as they lie in memory; T must have no padding.
    template <class T>
    void add(const std::vector<T>& list) {
        static_assert(std::is_trivially_copyable_v<T>);
        add_bytes(std::as_bytes(std::span(list)));
    }

    std::string hex32() const;  // all of it
    std::string hex16() const;  // the lower half

  private:
    void add_bytes(std::span<const std::byte> bytes);
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rumple
