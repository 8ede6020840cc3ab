// SHA-256 gives the digests of FIPS 180-4's examples, in however many pieces the bytes come.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <rumple/core/sha256.hpp>
#include <string>

namespace rumple {
namespace {

std::string digest_of(const std::string& text, std::size_t piece) {
    Sha256 sha;
    for (std::size_t at = 0; at < text.size(); at += piece)
        sha.update(text.data() + at, std::min(piece, text.size() - at));
    std::string hex;
    for (const std::uint32_t word : sha.result()) hex += fmt::format("{:08x}", word);
    return hex;
}

TEST(Sha256, GivesThePublishedDigests) {
    for (const std::size_t piece : {1u, 7u, 64u, 4096u}) {
        EXPECT_EQ(digest_of("", piece), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        EXPECT_EQ(digest_of("abc", piece),
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", piece),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        EXPECT_EQ(digest_of(std::string(1000000, 'a'), piece),
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}

}  // namespace
}  // namespace rumple
