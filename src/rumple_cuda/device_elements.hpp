// All hinges and triangles of a model on the device: what dynamics/elements.hpp is on the CPU, with the same
// laws. Every sum has a fixed order: a thread adds up one block of the matrix, one vertex's force.
#pragma once

#include <cstdint>
#include <rumple/constitutive/element_records.hpp>
#include <rumple/constitutive/laws.hpp>
#include <rumple_cuda/block_layout.hpp>
#include <rumple_cuda/device.hpp>
#include <span>

namespace rumple {
struct Model;
}

namespace rumple::cuda {

// Loads of 16 bytes instead of 8: assembly is bound by their number.
template <class T>
struct alignas(16) Aligned {
    T value;
};

// History variables on the device, as State's HistoryArrays. Null: the laws of the model do not use it.
template <class T>
using DevicePointer = T*;
using HistoryView = HistoryColumns<DevicePointer>;

// What a step is given; lies on the device, so that recorded graphs see each step's values.
struct StepParameters {
    double h = 0;
    StepTimes times;
    Vec3d gravity;
    double mass_damping = 0;
    double max_distance = 0, max_stretch = 0;  // beyond, the result is absurd (dynamics/diagnosis.hpp)
    int first_solve = 0;                       // the guess of the first is the motion so far
    bool forces = false;                       // of the caller act on vertices
};

struct MembraneParameters {
    ComponentLaw<double> component[3];
    double k12;
};

// BlockLayout of the matrix.
struct LayoutView {
    const int *slice_begin, *length, *column;
};
struct LayoutArrays {
    DeviceArray<int> slice_begin, length, column;
};

// What components remember.
struct HistoryParameters {
    bool of_membrane;
    HistoryLayout bending, membrane;
};

// The constant part of a model, vertices in the device's numbers, elements in the model's.
struct ModelView {
    int vertices, triangles, hinges;
    HistoryParameters history;
    const double* mass;
    const int* triangle_vertex;  // 3 each
    const double* area;
    const Vec2d* gradient;  // 2 each
    const std::uint16_t* triangle_law;
    const int* hinge_vertex;  // 4 each
    const double *length_over_height, *threshold_scale;
    const double* rest_angle;                           // null where all are flat
    const StiffnessFactors<double>* stiffness_factors;  // null where stiffness has no direction
    const std::uint16_t* hinge_law;
    const MembraneParameters* membrane_laws;
    const ComponentLaw<double>* bending_laws;
    // The elements that give to each block of the matrix: element << 5 | hinge << 4 | local row << 2 | local
    // column.
    const int* item_begin;  // places + 1
    const std::uint32_t* item;
    LayoutView layout;
};

// The ladders of all laws of one kind in a step, and the pull on each component
// (constitutive/relaxation.hpp). Null: none relaxes.
struct RelaxingView {
    RelaxationStep* law;
    double* pull;
};

// What changes: configuration, history, handles and what elements make of it.
struct StateView {
    Vec3d *x, *trial;    // iterate, and one to be compared with it
    Vec3d *x_begin, *v;  // where and how fast the step began
    HistoryView bending, membrane;
    RelaxingView bending_relaxing, membrane_relaxing;
    Vec3d* target;
    double* spring;             // N/m; 0: none
    std::uint8_t* constrained;  // exactly
    Vec3d* force;               // of the caller
    Aligned<HingeBending<double>>* bending_record;
    Aligned<Membrane<double>>* membrane_record;
    StepParameters* step;
    std::uint8_t *flags, *flags_before;  // of every component: now, and where the matrix was assembled last
    int flag_count;
};

// What evaluating a configuration tells the host.
struct EvaluationSums {
    double energy = 0;  // J, of elements
    double potential =
        0;               // inertia, damping, gravity and springs: with h^2 energy, the incremental potential
    double changed = 0;  // flags that differ from those before
    double slipping = 0, yielding = 0;
    double absurd = 0;   // vertices too fast, triangles stretched too far
    double kinetic = 0;  // J, if the step ends there
};

// Thread blocks for one kind of element. A constant, not a property of the card: it fixes the order of the
// sums.
inline constexpr unsigned kMaxElementBlocks = 1056;
inline constexpr unsigned kEvaluationSums = 7;

class DeviceElements {
  public:
    // number: the device's number of each vertex. layout: of the matrix, in those numbers.
    DeviceElements(const Model& model, std::span<const int> number, const BlockPattern& pattern,
                   const BlockLayout& layout);

    const ModelView& view() const { return view_; }

    // Forms what stays the same in a step from where it begins, with the ladders that lie in `state`.
    void begin_step(const Stream& stream, const StateView& state) const;
    // Evaluates every law at `at`. The sums are in *sums when the stream is done.
    void evaluate(const Stream& stream, const StateView& state, const Vec3d* at, EvaluationSums* sums);
    // Matrix, right-hand side and first guess at state.x, where elements were evaluated last. Their flags are
    // kept for comparison.
    void assemble(const Stream& stream, const StateView& state, double* matrix, float* single_matrix,
                  Vec3d* rhs, Vec3d* guess) const;
    // Force of the elements on each vertex.
    void forces(const Stream& stream, const StateView& state, Vec3d* force) const;
    // Puts history strains that differ by rounding from the strains at state.x_begin to these: the direction
    // of Dahl friction is the sign of a difference, which is 0 as a step begins. For states from elsewhere.
    void align_strains(const Stream& stream, const StateView& state) const;
    // What handles exert on their vertices, before the step is committed.
    void reactions(const Stream& stream, const StateView& state, const int* vertex, int count,
                   Vec3d* out) const;
    // Commits a step that ended at state.x: history, velocities, positions.
    void commit(const Stream& stream, const StateView& state) const;

  private:
    void list_items(const Model& model, std::span<const int> number, const BlockPattern& pattern,
                    const BlockLayout& layout);

    DeviceArray<double> mass_, area_, length_over_height_, threshold_scale_, rest_angle_;
    DeviceArray<Vec2d> gradient_;
    DeviceArray<int> triangle_vertex_, hinge_vertex_, item_begin_;
    LayoutArrays layout_;
    DeviceArray<StiffnessFactors<double>> stiffness_factors_;
    DeviceArray<std::uint16_t> triangle_law_, hinge_law_;
    DeviceArray<MembraneParameters> membrane_laws_;
    DeviceArray<ComponentLaw<double>> bending_laws_;
    DeviceArray<std::uint32_t> item_;
    DeviceArray<double> part_;  // partial sums
    DeviceArray<unsigned> counter_;
    ModelView view_{};
};

}  // namespace rumple::cuda
