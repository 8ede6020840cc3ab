#include <gtest/gtest.h>

#include <Eigen/Sparse>
#include <limits>

#include "linear/solve_cloth.hpp"

namespace rumple {
namespace {

using namespace test;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Eigen::SparseMatrix<double> to_eigen(const BlockMatrix& a) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < a.pattern->rows; ++i)
        for (int k = a.pattern->row_begin[std::size_t(i)]; k < a.pattern->row_begin[std::size_t(i) + 1]; ++k)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    entries.emplace_back(3 * i + r, 3 * a.pattern->column[std::size_t(k)] + c,
                                         entry(a, i, k, std::size_t(r), std::size_t(c)));
    Eigen::SparseMatrix<double> m(3 * a.pattern->rows, 3 * a.pattern->rows);
    m.setFromTriplets(entries.begin(), entries.end());
    return m;
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
    ClothSystem& s = cases()[0].system;
    const std::vector<Vec3d>& x = cases()[0].exact;
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
    Mat3d& d = s.a.diagonal(20);
    d(0, 0) -= 1;
    EXPECT_FALSE(direct.factorize(s.matrix()));
    d(0, 0) = kNaN;
    EXPECT_FALSE(direct.factorize(s.matrix()));
}

}  // namespace
}  // namespace rumple
