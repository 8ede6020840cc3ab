#include <gtest/gtest.h>

#include <rumple/linear/aggregation.hpp>

#include "linear/solve_cloth.hpp"

namespace rumple {
namespace {

using namespace test;

TEST(BlockCholesky, AgreesWithTheDirectSolver) {
    for (Case& c : cases())
        EXPECT_LT(largest_difference(solve_by_blocks(c.system), c.exact), 1e-9 * c.system.edge_length)
            << c.name;
}

TEST(Aggregation, GroupsAreCompleteCompactAndOfTheSizeAsked) {
    const ClothSystem& s = cases()[1].system;
    const Aggregates groups = aggregate(s.pattern, s.positions, 12);
    std::vector<int> seen(s.positions.size(), 0);
    for (int g = 0; g < groups.count(); ++g) {
        const int begin = groups.begin[std::size_t(g)], end = groups.begin[std::size_t(g) + 1];
        EXPECT_LE(end - begin, 18);
        EXPECT_GE(end - begin, 4);
        for (int m = begin; m < end; ++m) {
            const int v = groups.member[std::size_t(m)];
            ++seen[std::size_t(v)];
            EXPECT_EQ(groups.of[std::size_t(v)], g);
            // Twelve vertices in a square are 4.2 edges from corner to corner.
            EXPECT_LT(norm(s.positions[std::size_t(v)] -
                           s.positions[std::size_t(groups.member[std::size_t(begin)])]),
                      8 * s.edge_length);
        }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), std::ptrdiff_t(seen.size()));
    EXPECT_LT(groups.count(), int(s.positions.size()) / 10);
}

TEST(Multilevel, IterationsHardlyGrowWithTheMesh) {
    for (Case& c : cases()) {
        const SolveOptions options{.displacement_tolerance = 1e-5 * c.system.edge_length};
        std::vector<Vec3d> x;
        const SolveReport report = solve(c.system, x, options);
        EXPECT_STREQ(report.method, "multilevel");
        EXPECT_LE(report.iterations, 20) << c.name;
    }
}

TEST(Multilevel, SolvesFineStiffAndSlenderClothAsAccuratelyAsAsked) {
    struct Hard {
        const char* name;
        ClothOptions cloth;
        int iterations;
    };
    const Hard hard[] = {
        {"tube 27K", {.around = 256, .along = 107}, 20},
        {"free, step 0.1 s", {.around = 80, .along = 35, .tube = false, .hold_ends = false, .step = 0.1}, 20},
        {"very stiff",
         {.around = 80, .along = 35, .tube = false, .hold_ends = false, .membrane = 2000, .step = 0.03},
         20},
        {"flat, hardly bending",
         {.around = 80, .along = 35, .tube = false, .hold_ends = false, .bending = 1e-12, .crumple = 0},
         30},
        {"rough", {.around = 80, .along = 35, .crumple = 5e-3}, 40},
        {"long strip", {.around = 3, .along = 1500, .tube = false, .hold_ends = false}, 80},
    };
    for (const Hard& h : hard) {
        ClothSystem s = make_cloth(h.cloth);
        const SolveOptions options{.displacement_tolerance = 1e-5 * s.edge_length};
        std::vector<Vec3d> x;
        const SolveReport report = solve(s, x, options, 2);
        EXPECT_TRUE(report.converged) << h.name;
        EXPECT_LE(report.iterations, h.iterations) << h.name;
        EXPECT_LT(largest_difference(x, solve_by_blocks(s)), options.displacement_tolerance) << h.name;
    }
}

}  // namespace
}  // namespace rumple
