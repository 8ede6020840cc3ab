// Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi's method: an oracle that shares nothing
// with the closed forms it checks. (Eigen's solvers make g++ 12 warn when it compiles for AVX-512.)
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace rumple {

template <std::size_t N>
using SquareMatrix = std::array<std::array<double, N>, N>;

template <std::size_t N>
struct Eigensystem {
    std::array<double, N> values{};  // in no order
    SquareMatrix<N> vectors{};       // column j belongs to values[j]
};

template <std::size_t N>
Eigensystem<N> jacobi_eigen(SquareMatrix<N> A) {
    Eigensystem<N> result;
    for (std::size_t i = 0; i < N; ++i) result.vectors[i][i] = 1;
    for (int sweep = 0; sweep < 30; ++sweep)
        for (std::size_t p = 0; p < N; ++p)
            for (std::size_t q = p + 1; q < N; ++q) {
                const double phi = 0.5 * std::atan2(2 * A[p][q], A[q][q] - A[p][p]);
                const double c = std::cos(phi), s = std::sin(phi);
                const auto turn = [c, s](double& a, double& b) {
                    const double old_a = a;
                    a = c * old_a - s * b;
                    b = s * old_a + c * b;
                };
                for (std::size_t i = 0; i < N; ++i) turn(A[i][p], A[i][q]);
                for (std::size_t i = 0; i < N; ++i) turn(A[p][i], A[q][i]);
                for (std::size_t i = 0; i < N; ++i) turn(result.vectors[i][p], result.vectors[i][q]);
            }
    for (std::size_t i = 0; i < N; ++i) result.values[i] = A[i][i];
    return result;
}

}  // namespace rumple
