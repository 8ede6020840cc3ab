// One symmetric multigrid cycle as a preconditioner, for matrices of 3x3 blocks: smoothed aggregation with
// rigid modes on all levels (Vanek, Mandel, Brezina 1996).
//
//   smooth        y = w S b             S: exact inverses over domains of up to 48 unknowns
//   coarse        y += P E^-1 P^T (b - A y),  E = P^T A P,  P = (I - w D^-1 A) P_rigid
//   smooth again  z = y + w S (b - A y)
//
// The last level is solved by its dense inverse. Groups that are not smoothed fall apart as soon as the
// coarse problem is itself approximated (docs/gpu.md). Inverses and Galerkin sums are made in double
// precision and stored in single; inside the cycle everything is single.
#pragma once

#include <cstdint>
#include <optional>
#include <rumple/core/vec.hpp>
#include <rumple_cuda/contact_domains.hpp>
#include <rumple_cuda/contact_matrix.hpp>
#include <rumple_cuda/device.hpp>
#include <rumple_cuda/hierarchy.hpp>
#include <vector>

namespace rumple::cuda {

// On the finest level y and t have four numbers a vertex, the last without meaning: a vertex is one load.
inline constexpr int kStride = 4;

// State of the conjugate gradients, on the device. Every kernel of an iteration returns at once when it is
// over.
struct IterationStep {
    double rz, pp, pq, energy;  // r.z, p.B p and p.A p before the step, energy it took away
};
enum class Outcome : int { running = 0, converged = 1, failed = 2 };
inline constexpr int kMaxIterations = 600;
struct IterationCount {
    Outcome outcome;
    int steps;
};
struct IterationState : IterationCount {
    double tolerance;  // m
    double rz, alpha, beta, estimate;
    IterationStep step[kMaxIterations];
};

// P and its transpose; slots as in LevelStructure.
struct Prolongation {
    int slots = 0;
    double weight = 0;  // damping of its smoothing
    DeviceArray<int> begin, column, row, item_begin, transposed_begin, transposed_node, transposed_place;
    DeviceArray<IndexPair> item;
    DeviceArray<float> value, transposed;  // numbers (row, mode) of a slot; of the transpose (mode, row)
};

// Numbers between two slots of A P: a multiple of 4, so that four are one load.
constexpr int ap_stride(int unknowns) { return unknowns == 3 ? 20 : 36; }

// The products A P and P^T A P.
struct GalerkinProduct {
    int ap_slots = 0, blocks = 0, widest_slice = 0;
    bool by_rows = false;  // a thread a row of a block; otherwise four threads a number
    DeviceArray<int> ap_begin, ap_slice_begin, begin;
    DeviceArray<IndexPair> ap_item, item, place;
    DeviceArray<float> ap;
};

struct AggregateArrays {
    int count = 0;
    DeviceArray<int> of, begin, member;
    DeviceArray<Vec3d> centre;
};

struct MatrixStorage {
    DeviceArray<int> slice_begin, length, column;
    DeviceArray<double> wide;  // level 0 alone
    DeviceArray<float> single;
};

struct DomainStorage {
    DeviceArray<int> begin;
    DeviceArray<float> inverse;
};

struct Level {
    int unknowns = 3, nodes = 0;
    MatrixStorage storage;
    MatrixView<double> wide{};
    MatrixView<float> single{};
    DomainStorage domain_storage;
    DomainView domains{};
    AggregateArrays aggregates;
    Prolongation p;
    GalerkinProduct galerkin;
    DeviceArray<double> inverse_diagonal;
    const Vec3d* position = nullptr;            // of the nodes
    const std::uint8_t* constrained = nullptr;  // null: none
    DeviceArray<float> b, y, t, z;              // right-hand side, iterate, residual, iterate smoothed again

    // The level's correction: of the dense level its first and only iterate.
    const float* result() const { return z.empty() ? y.data() : z.data(); }
    std::size_t rows() const { return static_cast<std::size_t>(unknowns) * static_cast<std::size_t>(nodes); }
};

class Multigrid {
  public:
    // positions and constrained lie on the device, in the hierarchy's numbers; they are read in each
    // set_up().
    // contacts: what they add to the matrix on every level; null: the model has none.
    Multigrid(const Hierarchy& hierarchy, const Vec3d* positions, const std::uint8_t* constrained,
              const ContactMatrix* contacts = nullptr);

    const MatrixView<double>& matrix() const { return levels_[0].wide; }
    double* wide_values() const { return levels_[0].storage.wide.data(); }
    float* single_values() const { return levels_[0].storage.single.data(); }

    // Makes the preconditioner for the matrix that lies in wide_values() and single_values().
    void set_up(const Stream& stream) const;
    // What the conjugate gradients ask for: r -= alpha q; z = B^{-1} r; then r.z, z.q and the largest |z_i|^2
    // decide in `state` whether that is good enough.
    void step_and_apply(const Stream& stream, double* r, const double* q, float* z, IterationState* state,
                        double* part, unsigned* counter) const;

    // Calls body with what contacts add to the matrix in double precision, or with NoContacts.
    template <class Body>
    void with_contacts(Body&& body) const {
        contacts_ ? body(contacts_->wide()) : body(NoContacts{});
    }

    std::size_t part_count() const;  // of partial sums that step_and_apply() needs
    std::size_t bytes_per_iteration() const;
    bool small() const { return small_; }

  private:
    // The same on a level, in single precision.
    template <class Body>
    void with_contacts(std::size_t level, Body&& body) const {
        contacts_ ? body(contacts_->single(level)) : body(NoContacts{});
    }
    void add_level(const LevelStructure& structure);
    void set_up_level(const Stream& stream, std::size_t l) const;
    void invert_domains_of(const Stream& stream, std::size_t l) const;
    void set_up_top(const Stream& stream) const;
    void visit_coarse(const Stream& stream, std::size_t l, const IterationState* state) const;
    void smooth_again_on(const Stream& stream, std::size_t l, const float* y, float* z,
                         const IterationState* state) const;
    void smooth_again_on_finest(const Stream& stream, const double* r, const double* q, float* z,
                                IterationState* state, double* part, unsigned* counter) const;

    const ContactMatrix* contacts_;
    std::optional<ContactDomains> contact_domains_;  // where there may be contacts
    bool small_, w_cycle_;                           // see Hierarchy
    Stream side_;                                    // of set-up
    Event ready_, inverted_;
    std::vector<Level> levels_;  // the last is the dense one
    int top_rows_ = 0, top_padded_ = 0;
    DeviceArray<double> top_work_[2], top_pivot_;
    DeviceArray<float> top_inverse_;
};

}  // namespace rumple::cuda
