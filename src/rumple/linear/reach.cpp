#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple/linear/reach.hpp>

namespace rumple {

namespace {

constexpr std::size_t kGrain = 16;  // groups a piece of work

}  // namespace

void Reach::find(const Threads& threads, const Aggregates& groups, std::span<const int> row_begin,
                 std::span<const int> column) {
    const std::size_t count = at(groups.count());
    start_.assign(count + 1, 0);
    count_.assign(count, 0);
    outside_count_.assign(count, 0);
    for (std::size_t g = 0; g < count; ++g) {
        start_[g + 1] = start_[g];
        for (int m = groups.begin[g]; m < groups.begin[g + 1]; ++m) {
            const std::size_t v = at(groups.member[at(m)]);
            start_[g + 1] += row_begin[v + 1] - row_begin[v];
        }
    }
    list_.resize(at(start_.back()));
    threads.for_each(count, kGrain, [&](std::size_t g) {
        const auto first = list_.begin() + start_[g];
        auto last = first;
        for (int m = groups.begin[g]; m < groups.begin[g + 1]; ++m) {
            const std::size_t v = at(groups.member[at(m)]);
            last = std::copy(column.begin() + row_begin[v], column.begin() + row_begin[v + 1], last);
        }
        const auto outsider = [&](int v) { return at(groups.of[at(v)]) != g; };
        const auto middle = std::partition(first, last, outsider);
        std::sort(first, middle);
        std::sort(middle, last);
        const auto outside_end = std::unique(first, middle);
        outside_count_[g] = static_cast<int>(outside_end - first);
        const auto end = std::copy(middle, std::unique(middle, last), outside_end);
        count_[g] = static_cast<int>(end - first);
    });

    begin.assign(count + 1, 0);
    restricted_begin.assign(count + 1, 0);
    outside.resize(count);
    max_size = 0;
    for (std::size_t g = 0; g < count; ++g) {
        outside[g] = begin[g] + outside_count_[g];
        begin[g + 1] = begin[g] + count_[g];
        restricted_begin[g + 1] = restricted_begin[g] + outside_count_[g];
        max_size = std::max(max_size, at(count_[g]));
    }
    vertex.resize(at(begin.back()));
    slot.resize(column.size());
    threads.for_each(count, kGrain, [&](std::size_t g) {
        std::copy_n(list_.begin() + start_[g], count_[g], vertex.begin() + begin[g]);
        const auto first = vertex.begin() + begin[g], middle = vertex.begin() + outside[g],
                   last = vertex.begin() + begin[g + 1];
        for (int m = groups.begin[g]; m < groups.begin[g + 1]; ++m) {
            const std::size_t v = at(groups.member[at(m)]);
            for (int k = row_begin[v]; k < row_begin[v + 1]; ++k) {
                const int w = column[at(k)];
                const auto found = at(groups.of[at(w)]) != g ? std::lower_bound(first, middle, w)
                                                             : std::lower_bound(middle, last, w);
                slot[at(k)] = static_cast<int>(found - first);
            }
        }
    });
}

}  // namespace rumple
