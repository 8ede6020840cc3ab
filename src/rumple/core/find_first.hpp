// A search on threads, whose result does not depend on their number.
#pragma once

#include <algorithm>
#include <rumple/core/parallel.hpp>
#include <vector>

namespace rumple {

// The first i in [0, n) for which test(i) holds, or n. Looks at pieces of `grain`.
template <class Test>
std::size_t find_first(const Threads& threads, std::size_t n, std::size_t grain, Test&& test) {
    std::vector<std::size_t> first((n + grain - 1) / grain, n);
    threads.for_pieces(n, grain, [&](std::size_t begin, std::size_t end) {
        std::size_t i = begin;
        while (i < end && !test(i)) ++i;
        if (i < end) first[begin / grain] = i;
    });
    return first.empty() ? n : *std::min_element(first.begin(), first.end());
}

}  // namespace rumple
