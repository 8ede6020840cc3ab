// The factorisation by blocks against the matrix it was made of, on graphs small and large enough for each
// way in which it is divided among threads.
#include <gtest/gtest.h>

#include <rumple/core/split_mix.hpp>
#include <rumple/linear/block_cholesky.hpp>

namespace rumple {
namespace {

struct Grid {
    BlockPattern pattern;
    std::vector<Vec3d> position;

    explicit Grid(int side) {
        std::vector<std::pair<int, int>> couplings;
        const auto node = [side](int i, int j) { return i + side * j; };
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i) {
                position.push_back({double(i), double(j), 0});
                if (i + 1 < side) couplings.emplace_back(node(i, j), node(i + 1, j));
                if (j + 1 < side) couplings.emplace_back(node(i, j), node(i, j + 1));
                if (i + 1 < side && j + 1 < side) couplings.emplace_back(node(i, j), node(i + 1, j + 1));
            }
        pattern = make_block_pattern(side * side, couplings);
    }
};

// Diagonally dominant, with the same numbers for any order of elimination.
template <int B, class T>
T entry(int row, int column, int r, int c) {
    if (row == column && r == c) return T(10 * B);
    const bool swap = row > column || (row == column && r > c);
    const auto key = static_cast<std::uint64_t>(swap ? ((column * 7919 + row) * B + c) * B + r
                                                     : ((row * 7919 + column) * B + r) * B + c);
    return static_cast<T>(SplitMix64(key).uniform() - 0.5);
}

template <int B, class T>
void fill(const Grid& grid, BlockCholesky<B, T>& cholesky, const Threads& threads) {
    cholesky.clear(threads);
    for (int row = 0; row < grid.pattern.rows; ++row)
        for (int k = grid.pattern.row_begin[static_cast<std::size_t>(row)];
             k < grid.pattern.row_begin[static_cast<std::size_t>(row) + 1]; ++k) {
            const int column = grid.pattern.column[static_cast<std::size_t>(k)];
            const auto place = cholesky.place(row, column);
            if (place.offset < 0) continue;
            T* value = cholesky.values().data() + place.offset;
            for (int c = 0; c < B; ++c)
                for (int r = 0; r < B; ++r)
                    value[static_cast<std::size_t>(r) + static_cast<std::size_t>(c) * place.stride] =
                        entry<B, T>(row, column, r, c);
        }
}

template <int B, class T>
std::vector<T> solve(const Grid& grid, int threads, std::span<const T> b) {
    const Threads pool(threads);
    BlockCholesky<B, T> cholesky;
    cholesky.analyze(grid.pattern, grid.position);
    fill(grid, cholesky, pool);
    EXPECT_TRUE(cholesky.factorize(pool));
    std::vector<T> x(b.size());
    cholesky.solve(pool, b, x);
    return x;
}

// Largest entry of b - A x.
template <int B, class T>
double residual(const Grid& grid, std::span<const T> b, std::span<const T> x) {
    double largest = 0;
    for (int row = 0; row < grid.pattern.rows; ++row)
        for (int r = 0; r < B; ++r) {
            double sum = b[static_cast<std::size_t>(B * row + r)];
            for (int k = grid.pattern.row_begin[static_cast<std::size_t>(row)];
                 k < grid.pattern.row_begin[static_cast<std::size_t>(row) + 1]; ++k) {
                const int column = grid.pattern.column[static_cast<std::size_t>(k)];
                for (int c = 0; c < B; ++c)
                    sum -= double(entry<B, T>(row, column, r, c)) *
                           double(x[static_cast<std::size_t>(B * column + c)]);
            }
            largest = std::max(largest, std::abs(sum));
        }
    return largest;
}

template <int B, class T>
void check(int side, double tolerance) {
    const Grid grid(side);
    std::vector<T> b(static_cast<std::size_t>(B * side * side));
    SplitMix64 random(3);
    for (T& v : b) v = static_cast<T>(random.uniform() - 0.5);
    const std::vector<T> x = solve<B, T>(grid, 1, b);
    EXPECT_LT((residual<B, T>(grid, b, x)), tolerance) << side;
    EXPECT_EQ(x, (solve<B, T>(grid, 3, b))) << side;
    EXPECT_EQ(x, (solve<B, T>(grid, 4, b))) << side;
}

TEST(BlockCholesky, SolvesAtEverySizeWithTheSameBitsForAnyNumberOfThreads) {
    for (const int side : {1, 3, 12, 31, 33, 60}) {
        check<3, double>(side, 1e-13);
        check<6, float>(side, 1e-5);
    }
    check<6, float>(92, 1e-5);
}

TEST(BlockCholesky, SaysWhenAPivotIsNotPositive) {
    for (const int side : {12, 60}) {
        const Grid grid(side);
        const Threads threads(2);
        BlockCholesky<6, float> cholesky;
        cholesky.analyze(grid.pattern, grid.position);
        for (const int bad : {0, side * side / 2, side * side - 1}) {
            fill(grid, cholesky, threads);
            cholesky.values()[static_cast<std::size_t>(cholesky.place(bad, bad).offset)] = -1;
            EXPECT_FALSE(cholesky.factorize(threads)) << side << ", " << bad;
        }
    }
}

}  // namespace
}  // namespace rumple
