#include <cmath>
#include <rumple/linear/direct.hpp>

namespace rumple {

void DirectSolver::analyze(const BlockPattern& pattern) {
    // Column 3i+a of the lower triangle is row 3i+a of the upper one: the blocks (i, j >= i) in their order.
    const int n = 3 * pattern.rows;
    lower_.resize(n, n);
    Eigen::VectorXi count(n);
    for (int i = 0; i < pattern.rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        for (int a = 0; a < 3; ++a)
            count[3 * i + a] = 3 * (pattern.row_begin[row + 1] - pattern.diagonal[row]) - a;
    }
    lower_.reserve(count);
    for (int i = 0; i < pattern.rows; ++i)
        for (int a = 0; a < 3; ++a)
            for (int k = pattern.diagonal[static_cast<std::size_t>(i)];
                 k < pattern.row_begin[static_cast<std::size_t>(i) + 1]; ++k) {
                const int j = pattern.column[static_cast<std::size_t>(k)];
                for (int b = j == i ? a : 0; b < 3; ++b) lower_.insert(3 * j + b, 3 * i + a) = 1;
            }
    lower_.makeCompressed();
    ldlt_.analyzePattern(lower_);
    b_.resize(n);
    x_.resize(n);
}

bool DirectSolver::factorize(const BlockMatrix& a) {
    const BlockPattern& pattern = *a.pattern;
    double* value = lower_.valuePtr();
    bool finite = true;
    for (std::size_t i = 0; i < static_cast<std::size_t>(pattern.rows); ++i)
        for (int row = 0; row < 3; ++row)
            for (int k = pattern.diagonal[i]; k < pattern.row_begin[i + 1]; ++k) {
                const Mat3d& block = a.block[a.place(i, k)];
                for (int b = k == pattern.diagonal[i] ? row : 0; b < 3; ++b) {
                    *value++ = block(row, b);
                    finite = finite && std::isfinite(block(row, b));
                }
            }
    if (!finite) return false;
    ldlt_.factorize(lower_);
    if (ldlt_.info() != Eigen::Success) return false;
    const auto d = ldlt_.vectorD();
    for (Eigen::Index i = 0; i < d.size(); ++i)
        if (!(d[i] > 0)) return false;
    return true;
}

void DirectSolver::solve(std::span<const Vec3d> b, std::span<Vec3d> x) {
    for (std::size_t i = 0; i < b.size(); ++i)
        for (int a = 0; a < 3; ++a) b_[3 * static_cast<Eigen::Index>(i) + a] = b[i][a];
    x_ = ldlt_.solve(b_);
    for (std::size_t i = 0; i < x.size(); ++i)
        for (int a = 0; a < 3; ++a) x[i][a] = x_[3 * static_cast<Eigen::Index>(i) + a];
}

}  // namespace rumple
