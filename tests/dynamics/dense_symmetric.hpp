// A dense symmetric matrix with the two questions the tests ask of one: how many eigenvalues are negative
// (Sylvester: as many as pivots of L D L^T), and what is the eigenpair nearest to a shift (inverse
// iteration). Shares nothing with the solvers it judges. (Eigen's dense solvers make g++ 12 warn when it
// compiles for AVX-512.)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace rumple {

struct Eigenpair {
    double value = 0;
    std::vector<double> vector;  // of length 1
};

class DenseSymmetric {
  public:
    explicit DenseSymmetric(std::size_t n) : n_(n), a_(n * n) {}
    std::size_t size() const { return n_; }
    double& operator()(std::size_t i, std::size_t j) { return a_[i * n_ + j]; }
    double operator()(std::size_t i, std::size_t j) const { return a_[i * n_ + j]; }

    double norm() const {
        double sum = 0;
        for (double e : a_) sum += e * e;
        return std::sqrt(sum);
    }
    double asymmetry() const {  // Frobenius norm of A - A^T
        double sum = 0;
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j)
                sum += ((*this)(i, j) - (*this)(j, i)) * ((*this)(i, j) - (*this)(j, i));
        return std::sqrt(sum);
    }

    // Eigenvalues below `shift`.
    int eigenvalues_below(double shift) const {
        const DenseSymmetric f = factorized(shift);
        int count = 0;
        for (std::size_t i = 0; i < n_; ++i) count += f(i, i) < 0;
        return count;
    }

    // Inverse iteration, its shift moved to the Rayleigh quotient now and then: neighbours part slowly
    // otherwise.
    Eigenpair nearest_eigenpair(double shift) const {
        std::vector<double> x(n_);
        for (std::size_t i = 0; i < n_; ++i) x[i] = 1 + 0.5 * std::sin(12.9898 * static_cast<double>(i + 1));
        for (int round = 0; round < 4; ++round) {
            const DenseSymmetric f = factorized(shift);
            double growth = 0;
            for (int iteration = 0; iteration < 20; ++iteration) {
                const std::vector<double> y = f.solve(x);
                double before = 0, along = 0, after = 0;
                for (std::size_t i = 0; i < n_; ++i) {
                    before += x[i] * x[i];
                    along += x[i] * y[i];
                    after += y[i] * y[i];
                }
                growth = along / before;
                for (std::size_t i = 0; i < n_; ++i) x[i] = y[i] / std::sqrt(after);
                if (std::abs(along * along / (before * after) - 1) < 1e-15) return {shift + 1 / growth, x};
            }
            shift += 1 / growth;
        }
        return {shift, x};
    }

  private:
    // L below the diagonal, D on it; keeps to the rows' first nonzeros (meshes have bands).
    DenseSymmetric factorized(double shift) const {
        DenseSymmetric f = *this;
        f.first_.resize(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            std::size_t& first = f.first_[i];
            while (first < i && f(i, first) == 0) ++first;
            for (std::size_t j = first; j < i; ++j) {  // here f(i, j) becomes L_ij D_j
                const std::size_t begin = std::max(first, f.first_[j]);
                for (std::size_t k = begin; k < j; ++k) f(i, j) -= f(i, k) * f(j, k);
            }
            f(i, i) -= shift;
            for (std::size_t j = first; j < i; ++j) {
                const double scaled = f(i, j) / f(j, j);
                f(i, i) -= scaled * f(i, j);
                f(i, j) = scaled;
            }
        }
        return f;
    }
    std::vector<double> solve(std::vector<double> b) const {
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t k = first_[i]; k < i; ++k) b[i] -= (*this)(i, k) * b[k];
        for (std::size_t i = 0; i < n_; ++i) b[i] /= (*this)(i, i);
        for (std::size_t i = n_; i-- > 0;)
            for (std::size_t k = first_[i]; k < i; ++k) b[k] -= (*this)(i, k) * b[i];
        return b;
    }

    std::size_t n_;
    std::vector<double> a_;
    std::vector<std::size_t> first_;  // of a factorization
};

}  // namespace rumple
