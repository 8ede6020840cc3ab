// A second file that sees every header: linking fails where a header defines something that is not inline.
// Before main it checks that the flags that determinism needs arrived here.
#include <cstdio>
#include <cstdlib>
#include <rumple/core/version.hpp>
#include <rumple/rumple.hpp>

namespace {

// A fused multiply-add does not round the product: then this is not 0.
[[gnu::noinline]] double product_rounding(double a, double b, double c) { return a * b + c; }

[[maybe_unused]] const bool checked = [] {
    volatile double a = 1 + 0x1p-30, product = a * a;
    if (product_rounding(a, a, -product) != 0) {
        std::fputs("multiplications and additions are fused here: -ffp-contract=off did not arrive\n",
                   stderr);
        std::exit(1);
    }
    if (rumple::version().empty() || rumple::source_hash().size() != 16) {
        std::fputs("the library does not know its version\n", stderr);
        std::exit(1);
    }
    return true;
}();

}  // namespace
