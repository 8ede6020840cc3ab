// Direct solve of a block system by Eigen's sparse LDL^T with approximate minimum degree ordering: the oracle
// of the tests, and the fallback of the iterative solver. Slow on large meshes, accurate on all.
#pragma once

#include <Eigen/SparseCholesky>
#include <rumple/linear/block_matrix.hpp>

namespace rumple {

class DirectSolver {
  public:
    // Orders the unknowns and finds the fill; once for a pattern.
    void analyze(const BlockPattern& pattern);
    // False when a pivot vanishes or a number is not finite.
    bool factorize(const BlockMatrix& a);
    void solve(std::span<const Vec3d> b, std::span<Vec3d> x);

  private:
    Eigen::SparseMatrix<double> lower_;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt_;
    Eigen::VectorXd b_, x_;
};

}  // namespace rumple
