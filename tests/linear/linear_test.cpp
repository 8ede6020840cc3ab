#include <gtest/gtest.h>

#include <Eigen/Sparse>
#include <cstring>
#include <limits>
#include <rumple/linear/direct.hpp>
#include <rumple/linear/pcg.hpp>

#include "linear/cloth_matrix.hpp"

namespace rumple {
namespace {

using test::ClothOptions;
using test::ClothSystem;
using test::make_cloth;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Case {
    const char* name;
    ClothOptions cloth;
};

std::vector<Case> cases() {
    ClothOptions tube2k, tube7k, sheet, denim, light;
    tube7k.around = 128;
    tube7k.along = 55;
    sheet.tube = sheet.hold_ends = false;
    sheet.around = 90;
    sheet.along = 40;
    denim.membrane = 200;
    denim.bending = 1.2e-4;
    denim.density = 0.25;
    denim.step = 0.03;
    light.step = 0.001;
    return {{"tube 2K", tube2k},
            {"tube 7K", tube7k},
            {"free sheet", sheet},
            {"denim", denim},
            {"small step", light}};
}

Eigen::SparseMatrix<double> to_eigen(const BlockMatrix& a) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < a.pattern->rows; ++i)
        for (int k = a.pattern->row_begin[std::size_t(i)]; k < a.pattern->row_begin[std::size_t(i) + 1]; ++k)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    entries.emplace_back(3 * i + r, 3 * a.pattern->column[std::size_t(k)] + c,
                                         a.block[std::size_t(k)](r, c));
    Eigen::SparseMatrix<double> m(3 * a.pattern->rows, 3 * a.pattern->rows);
    m.setFromTriplets(entries.begin(), entries.end());
    return m;
}

std::vector<Vec3d> solve_directly(ClothSystem& s) {
    DirectSolver direct;
    direct.analyze(s.pattern);
    EXPECT_TRUE(direct.factorize(s.matrix()));
    std::vector<Vec3d> x(s.b.size());
    direct.solve(s.b, x);
    return x;
}

double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double d = 0;
    for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, norm(a[i] - b[i]));
    return d;
}

SolveReport solve(ClothSystem& s, std::vector<Vec3d>& x, const SolveOptions& options, int threads = 1) {
    LinearSolver solver(s.pattern, s.positions);
    x.assign(s.b.size(), Vec3d{});
    return solver.solve(Threads(threads), s.matrix(), s.positions, s.constrained, s.b, x, options);
}

TEST(BlockPattern, IsSymmetricSortedAndHasTheDiagonal) {
    const std::vector<std::pair<int, int>> couplings = {{3, 1}, {1, 3}, {0, 2}, {0, 2}, {2, 2}};
    const BlockPattern p = make_block_pattern(5, couplings);
    EXPECT_EQ(p.row_begin, (std::vector<int>{0, 2, 4, 6, 8, 9}));
    EXPECT_EQ(p.column, (std::vector<int>{0, 2, 1, 3, 0, 2, 1, 3, 4}));
    EXPECT_EQ(p.diagonal, (std::vector<int>{0, 2, 5, 7, 8}));
    EXPECT_EQ(find_block(p, 3, 1), 6);
    EXPECT_EQ(find_block(p, 3, 2), -1);
}

TEST(BlockMatrix, ProductAgreesWithEigen) {
    ClothSystem s = make_cloth({});
    const std::size_t n = s.b.size();
    std::vector<Vec3d> xs(n), ys(n);
    Eigen::VectorXd x(Eigen::Index(3 * n));
    for (std::size_t i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) x[Eigen::Index(3 * i) + c] = xs[i][c] = std::sin(double(3 * i) + c);
    multiply(Threads(2), s.matrix(), xs, ys);
    const Eigen::VectorXd y = to_eigen(s.a) * x;
    for (std::size_t i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(ys[i][c], y[Eigen::Index(3 * i) + c], 1e-16);
}

TEST(BlockMatrix, TestMatrixIsSymmetricAndCoversAWideSpectrum) {
    ClothSystem s = make_cloth({});
    const Eigen::SparseMatrix<double> a = to_eigen(s.matrix());
    EXPECT_LT((a - Eigen::SparseMatrix<double>(a.transpose())).norm(), 1e-15 * a.norm());
    EXPECT_GT(a.coeff(300, 300), 1e3 * 0.06 * 16e-6);  // stiffness far above mass: a hard system
}

TEST(DirectSolver, LeavesARoundOffResidual) {
    ClothSystem s = make_cloth({});
    const std::vector<Vec3d> x = solve_directly(s);
    std::vector<Vec3d> ax(x.size());
    multiply(Threads(1), s.matrix(), x, ax);
    double scale = 0;
    for (const Vec3d& v : s.b) scale = std::max(scale, norm(v));
    EXPECT_LT(largest_difference(ax, s.b), 1e-11 * scale);
}

TEST(DirectSolver, RefusesIndefiniteAndNaN) {
    ClothSystem s = make_cloth({.around = 8, .along = 6});
    DirectSolver direct;
    direct.analyze(s.pattern);
    Mat3d& d = s.a.block[std::size_t(s.pattern.diagonal[20])];
    d(0, 0) -= 1;
    EXPECT_FALSE(direct.factorize(s.matrix()));
    d(0, 0) = kNaN;
    EXPECT_FALSE(direct.factorize(s.matrix()));
}

class EachPreconditioner : public testing::TestWithParam<PreconditionerKind> {};

TEST_P(EachPreconditioner, TrueErrorIsBelowTheToleranceAsked) {
    for (Case& c : cases()) {
        ClothSystem s = make_cloth(c.cloth);
        const std::vector<Vec3d> exact = solve_directly(s);
        for (const double relative : {1e-3, 1e-5}) {
            SolveOptions options{.displacement_tolerance = relative * s.edge_length,
                                 .preconditioner = GetParam()};
            std::vector<Vec3d> x;
            const SolveReport report = solve(s, x, options);
            EXPECT_TRUE(report.converged) << c.name;
            EXPECT_STRNE(report.method, "direct") << c.name;
            EXPECT_LT(report.error_estimate, options.displacement_tolerance) << c.name;
            EXPECT_LT(largest_difference(x, exact), options.displacement_tolerance)
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
    s.a.block[std::size_t(s.pattern.diagonal[100]) + 1](1, 2) = kNaN;
    EXPECT_FALSE(solve(s, x, options).converged);
    for (double& e : s.a.block[std::size_t(s.pattern.diagonal[100])].m) e = kNaN;
    EXPECT_FALSE(solve(s, x, options).converged);
}

TEST_P(EachPreconditioner, IndefiniteMatrixIsReported) {
    ClothSystem s = make_cloth({.around = 32, .along = 14});
    for (double& e : s.a.block[std::size_t(s.pattern.diagonal[100])].m) e = -e;
    std::vector<Vec3d> x;
    EXPECT_FALSE(solve(s, x, {.displacement_tolerance = 1e-9, .preconditioner = GetParam()}).converged);
}

TEST_P(EachPreconditioner, AllConstrainedGivesZero) {
    ClothSystem s = make_cloth({.around = 16, .along = 9});
    std::fill(s.constrained.begin(), s.constrained.end(), std::uint8_t{1});
    std::fill(s.b.begin(), s.b.end(), Vec3d{});
    std::fill(s.a.block.begin(), s.a.block.end(), Mat3d{});
    for (const int d : s.pattern.diagonal) s.a.block[std::size_t(d)] = Mat3d::identity();
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
    s.a.block.insert(s.a.block.end(), two.a.block.begin(), two.a.block.end());
    s.a.block.push_back(Mat3d::identity(1e-8));
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
                         testing::Values(PreconditionerKind::block_jacobi, PreconditionerKind::multilevel,
                                         PreconditionerKind::automatic),
                         [](const auto& p) {
                             return p.param == PreconditionerKind::block_jacobi ? "BlockJacobi"
                                    : p.param == PreconditionerKind::multilevel ? "Multilevel"
                                                                                : "Automatic";
                         });

}  // namespace
}  // namespace rumple
