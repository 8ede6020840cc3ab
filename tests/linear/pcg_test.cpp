#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "linear/solve_cloth.hpp"

namespace rumple {
namespace {

using namespace test;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class EachPreconditioner : public testing::TestWithParam<PreconditionerKind> {};

TEST_P(EachPreconditioner, TrueErrorIsBelowTheToleranceAsked) {
    for (Case& c : cases()) {
        ClothSystem& s = c.system;
        for (const double relative : {1e-3, 1e-5}) {
            SolveOptions options{.displacement_tolerance = relative * s.edge_length,
                                 .preconditioner = GetParam()};
            std::vector<Vec3d> x;
            const SolveReport report = solve(s, x, options);
            EXPECT_TRUE(report.converged) << c.name;
            EXPECT_STRNE(report.method, "direct") << c.name;
            EXPECT_LT(report.error_estimate, options.displacement_tolerance) << c.name;
            EXPECT_LT(largest_difference(x, c.exact), options.displacement_tolerance)
                << c.name << " " << relative;
        }
    }
}

TEST_P(EachPreconditioner, GivesTheSameBitsForAnyNumberOfThreads) {
    ClothSystem s = make_cloth({.around = 128, .along = 55});
    const SolveOptions options{.displacement_tolerance = 1e-3 * s.edge_length, .preconditioner = GetParam()};
    std::vector<Vec3d> one, other;
    solve(s, one, options, 1);
    for (const int threads : {2, 3}) {
        solve(s, other, options, threads);
        EXPECT_EQ(0, std::memcmp(one.data(), other.data(), one.size() * sizeof(Vec3d))) << threads;
    }
}

TEST_P(EachPreconditioner, AnswerDoesNotDependOnEarlierSolves) {
    ClothSystem s = make_cloth({});
    ClothSystem t = make_cloth({.bending = 1e-4, .step = 0.02, .crumple = 3e-3});
    const SolveOptions options{.displacement_tolerance = 1e-5 * s.edge_length, .preconditioner = GetParam()};
    std::vector<Vec3d> fresh, used(s.b.size()), x(s.b.size());
    solve(s, fresh, options);
    LinearSolver solver(s.pattern, s.positions);
    solver.solve(Threads(2), t.matrix(), t.positions, t.constrained, t.b, x, options);
    solver.solve(Threads(2), s.matrix(), s.positions, s.constrained, s.b, used, options);
    EXPECT_EQ(fresh, used);
}

TEST_P(EachPreconditioner, ConstrainedVerticesStayExactlyZero) {
    ClothSystem s = make_cloth({});
    const SolveOptions options{.displacement_tolerance = 1e-5 * s.edge_length, .preconditioner = GetParam()};
    LinearSolver solver(s.pattern, s.positions);
    std::vector<Vec3d> x(s.b.size(), Vec3d{1e-4, 0, 0});  // a guess that is wrong at the constraints
    EXPECT_TRUE(solver.solve(Threads(1), s.matrix(), s.positions, s.constrained, s.b, x, options).converged);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (s.constrained[i]) {
            EXPECT_EQ(x[i], Vec3d{});
        }
    EXPECT_LT(largest_difference(x, solve_directly(s)), options.displacement_tolerance);
}

TEST_P(EachPreconditioner, ZeroLoadGivesZeroAtOnce) {
    ClothSystem s = make_cloth({});
    std::fill(s.b.begin(), s.b.end(), Vec3d{});
    std::vector<Vec3d> x;
    const SolveReport report = solve(s, x, {.preconditioner = GetParam()});
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 0);
    for (const Vec3d& v : x) EXPECT_EQ(v, Vec3d{});
}

TEST_P(EachPreconditioner, ExactGuessTakesFewIterations) {
    ClothSystem s = make_cloth({});
    std::vector<Vec3d> x = solve_directly(s);
    LinearSolver solver(s.pattern, s.positions);
    const SolveOptions options{.displacement_tolerance = 1e-5 * s.edge_length, .preconditioner = GetParam()};
    const SolveReport report =
        solver.solve(Threads(1), s.matrix(), s.positions, s.constrained, s.b, x, options);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 3);
}

TEST_P(EachPreconditioner, FallsBackToTheDirectSolverWhenOutOfIterations) {
    ClothSystem s = make_cloth({.around = 32, .along = 14});
    std::vector<Vec3d> x;
    const SolveReport report =
        solve(s, x, {.displacement_tolerance = 1e-15, .max_iterations = 1, .preconditioner = GetParam()});
    EXPECT_TRUE(report.converged);
    EXPECT_STREQ(report.method, "direct");
    EXPECT_LT(largest_difference(x, solve_directly(s)), 1e-12);
}

TEST_P(EachPreconditioner, NaNIsReportedAndEndsTheSolve) {
    const SolveOptions options{.preconditioner = GetParam()};
    std::vector<Vec3d> x;
    ClothSystem s = make_cloth({.around = 32, .along = 14});
    s.b[100].y = kNaN;
    EXPECT_FALSE(solve(s, x, options).converged);
    s = make_cloth({.around = 32, .along = 14});
    (&s.a.diagonal(100))[1](1, 2) = kNaN;
    EXPECT_FALSE(solve(s, x, options).converged);
    for (double& e : s.a.diagonal(100).m) e = kNaN;
    EXPECT_FALSE(solve(s, x, options).converged);
}

TEST_P(EachPreconditioner, IndefiniteMatrixIsReported) {
    ClothSystem s = make_cloth({.around = 32, .along = 14});
    for (double& e : s.a.diagonal(100).m) e = -e;
    std::vector<Vec3d> x;
    EXPECT_FALSE(solve(s, x, {.displacement_tolerance = 1e-9, .preconditioner = GetParam()}).converged);
}

TEST_P(EachPreconditioner, AllConstrainedGivesZero) {
    ClothSystem s = make_cloth({.around = 16, .along = 9});
    std::fill(s.constrained.begin(), s.constrained.end(), std::uint8_t{1});
    std::fill(s.b.begin(), s.b.end(), Vec3d{});
    std::fill(s.a.block.begin(), s.a.block.end(), Mat3d{});
    for (std::size_t i = 0; i < s.b.size(); ++i) s.a.diagonal(i) = Mat3d::identity();
    std::vector<Vec3d> x;
    EXPECT_TRUE(solve(s, x, {.preconditioner = GetParam()}).converged);
    for (const Vec3d& v : x) EXPECT_EQ(v, Vec3d{});
}

TEST_P(EachPreconditioner, TinySystemsAreSolved) {
    struct Size {
        int around, along;
    };
    for (const Size size : {Size{1, 1}, Size{2, 2}, Size{7, 1}, Size{2, 9}, Size{4, 8}, Size{17, 2}}) {
        ClothSystem s =
            make_cloth({.around = size.around, .along = size.along, .tube = false, .hold_ends = false});
        std::vector<Vec3d> x;
        const SolveOptions options{.displacement_tolerance = 1e-5 * s.edge_length,
                                   .preconditioner = GetParam()};
        const SolveReport report = solve(s, x, options);
        EXPECT_TRUE(report.converged);
        EXPECT_LT(largest_difference(x, solve_directly(s)), options.displacement_tolerance)
            << size.around << "x" << size.along;
    }
}

TEST_P(EachPreconditioner, DisconnectedPiecesAreSolvedTogether) {
    ClothSystem one = make_cloth({.around = 20, .along = 11, .tube = false, .hold_ends = false});
    ClothSystem two = make_cloth({.around = 24, .along = 9, .bending = 1e-4});
    const int shift = one.pattern.rows;
    ClothSystem s = one;
    std::vector<std::pair<int, int>> couplings;
    for (ClothSystem* part : {&one, &two})
        for (int i = 0; i < part->pattern.rows; ++i)
            for (int k = part->pattern.row_begin[std::size_t(i)];
                 k < part->pattern.row_begin[std::size_t(i) + 1]; ++k) {
                const int offset = part == &one ? 0 : shift;
                couplings.emplace_back(i + offset, part->pattern.column[std::size_t(k)] + offset);
            }
    const int loose = shift + two.pattern.rows;  // and one vertex that touches nothing
    s.pattern = make_block_pattern(loose + 1, couplings);
    s.a = BlockMatrix(s.pattern);
    const auto rest = std::copy(one.a.block.begin(), one.a.block.end(), s.a.block.begin());
    std::copy(two.a.block.begin(), two.a.block.end(), rest);
    s.a.block.back() = Mat3d::identity(1e-8);
    s.b.insert(s.b.end(), two.b.begin(), two.b.end());
    s.b.push_back({1e-11, 0, 0});
    s.constrained.insert(s.constrained.end(), two.constrained.begin(), two.constrained.end());
    s.constrained.push_back(0);
    s.positions.insert(s.positions.end(), two.positions.begin(), two.positions.end());
    s.positions.push_back({1, 1, 1});
    std::vector<Vec3d> x;
    const SolveOptions options{.displacement_tolerance = 1e-8, .preconditioner = GetParam()};
    EXPECT_TRUE(solve(s, x, options).converged);
    EXPECT_LT(largest_difference(x, solve_directly(s)), options.displacement_tolerance);
    EXPECT_NEAR(x.back().x, 1e-3, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Linear, EachPreconditioner,
                         testing::Values(PreconditionerKind::block_jacobi, PreconditionerKind::multilevel),
                         [](const auto& p) {
                             return p.param == PreconditionerKind::block_jacobi ? "BlockJacobi"
                                                                                : "Multilevel";
                         });

}  // namespace
}  // namespace rumple
