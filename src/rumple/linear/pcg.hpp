// Preconditioned conjugate gradients for A x = b, where x is a displacement in metres.
//
// The iteration stops by an estimate of the displacement error, never by the residual: the residual that
// gives 1e-5 of an edge differs by orders of magnitude between meshes. Let B be the preconditioner, e the
// error, r = A e the residual and z = B^{-1} r. Hestenes and Stiefel (1952) give e.A e and e.B e as sums over
// later steps, known after some more iterations. e.B e costs nothing, since |p|_B^2 follows a recurrence. The
// estimate is max_i |z_i| times the stretch |e|_B / |z|_B times a margin, which is calibrated against direct
// solves (tests/linear).
//
// The result depends on the arguments alone, not on earlier solves and not on the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <rumple/linear/block_matrix.hpp>
#include <rumple/linear/direct.hpp>
#include <rumple/linear/multilevel.hpp>
#include <rumple/linear/off_pattern_blocks.hpp>

namespace rumple {

enum class PreconditionerKind { automatic, block_jacobi, multilevel };

struct SolveOptions {
    // [m] Stop when the estimated largest error of any vertex is below this.
    double displacement_tolerance = 1e-8;
    int max_iterations = 2000;                                          // then the direct solver takes over
    PreconditionerKind preconditioner = PreconditionerKind::automatic;  // automatic: multilevel
};

struct SolveReport {
    int iterations = 0;
    // False: a number was not finite, or A is not positive definite; x must not be used.
    bool converged = false;
    double error_estimate = 0;  // m, largest of any vertex
    double setup_seconds = 0, iterate_seconds = 0;
    const char* method = "";  // "block Jacobi", "multilevel", "direct"
};

class LinearSolver {
  public:
    // Both must outlive the solver. Rest positions guide the grouping of vertices.
    LinearSolver(const BlockPattern& pattern, std::span<const Vec3d> rest_positions);

    // positions     current ones [m], for the rigid modes of groups of vertices
    // constrained   1 where a row of A is the identity and b is 0: x is exactly 0 there
    // x             in: initial guess, out: solution
    // extra         added to A, which is positive definite with and without it; entries in constrained rows
    //               and columns are ignored
    SolveReport solve(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                      std::span<const std::uint8_t> constrained, std::span<const Vec3d> b, std::span<Vec3d> x,
                      const SolveOptions& options, const OffPatternBlocks& extra = {});
    // The same with another right-hand side: matrix, positions, constraints, preconditioner and extra blocks
    // are those of the last solve().
    SolveReport solve_again(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> b,
                            std::span<Vec3d> x, const SolveOptions& options);

    // Bytes that an iteration of the last solve reads and writes, each array once a pass: for comparison with
    // the memory's bandwidth.
    std::size_t bytes_per_iteration() const;

  private:
    struct Sums {
        double rz = 0, zq = 0, z_max = 0;  // r.z, z.q, largest |z_i|^2
    };
    struct Step {
        double rz, pp, pq, energy;  // r.z, p.B p, p.A p before the step; the energy that it removed
    };
    bool set_up(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> positions,
                std::span<const std::uint8_t> constrained, bool multilevel);
    bool iterate(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> b, std::span<Vec3d> x,
                 const SolveOptions& options, SolveReport& report);
    Vec3d product_row(const BlockMatrix& a, std::size_t i, const Vec3d* x) const;
    void start(const Threads& threads, const BlockMatrix& a, std::span<const Vec3d> b, std::span<Vec3d> x);
    void update_direction(const Threads& threads, double alpha, double beta, std::span<Vec3d> x);
    double multiply_direction(const Threads& threads, const BlockMatrix& a);
    Sums apply_preconditioner(const Threads& threads, double alpha);
    double estimate_stretch() const;
    void solve_directly(const BlockMatrix& a, std::span<const Vec3d> b, std::span<Vec3d> x,
                        SolveReport& report);

    const BlockPattern& pattern_;
    std::unique_ptr<Multilevel> for_cloth_, for_dense_contact_;  // made on first use
    Multilevel* multilevel_ = nullptr;                           // of this solve
    std::span<const Vec3d> rest_positions_;
    std::size_t grain_;        // rows a piece of work
    bool two_levels_ = false;  // in this solve
    bool ready_ = false;       // the preconditioner, for this solve
    std::vector<std::uint8_t> constrained_;
    const OffPatternBlocks* extra_ = nullptr;  // of this solve; null: none
    OffPatternBlocks free_extra_;              // without those of constrained vertices
    std::vector<Mat3d> inverse_diagonal_;
    std::vector<Vec3d> r_, p_, q_;
    std::vector<Vec3f> z_;
    std::vector<Sums> part_;
    std::vector<Step> step_;  // of this solve
    DirectSolver direct_;
    bool direct_ready_ = false;
};

}  // namespace rumple
