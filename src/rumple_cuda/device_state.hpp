// A State on the device, with the scratch memory of a step, and the small kernels that move vertices about.
#pragma once

#include <rumple_cuda/conjugate_gradients.hpp>
#include <rumple_cuda/device_elements.hpp>

namespace rumple {
struct Model;
struct State;
struct HistoryArrays;
}  // namespace rumple

namespace rumple::cuda {

// Thread blocks that leave partial sums. A constant, not a property of the card: it fixes the order of the
// sums.
inline constexpr unsigned kMaxMoveBlocks = 528;

// A handle as the host writes it; the device reads it where it is.
struct HandleTarget {
    Vec3d target;
    double stiffness = 0;
};

// What a Newton step tells the host.
struct MoveSums {
    double slope = 0;    // of the incremental potential along the step
    double largest = 0;  // m: step of a vertex
    double not_finite = 0;
    double estimate = 0;  // m: of the linear solve's error
    int iterations = 0;
    Outcome outcome = Outcome::running;
};

class DeviceHistory {
  public:
    DeviceHistory() = default;
    DeviceHistory(std::size_t count, const HistoryLayout& layout);
    HistoryView view() const;
    HistoryLayout layout() const { return layout_of(columns_); }
    void upload(const Stream& stream, const HistoryArrays& from) const;
    // Into memory of bytes() bytes that the device writes directly; and from there, once the stream is done.
    void download(const Stream& stream, std::byte* staging) const;
    static void take(const std::byte* staging, HistoryArrays& to);
    std::size_t bytes() const;
    void copy_from(const Stream& stream, const DeviceHistory& other) const;
    std::size_t size() const { return columns_.strain.size(); }

  private:
    HistoryColumns<DeviceArray> columns_;
};

// What handles do to each vertex, and the caller's forces.
struct HandleArrays {
    DeviceArray<Vec3d> target;
    DeviceArray<double> spring;
    DeviceArray<std::uint8_t> constrained;
    DeviceArray<Vec3d> force;
};

// What the laws of one kind do in a step. Arrays are empty where none relaxes.
struct RelaxingArrays {
    std::vector<RelaxationTimes> times;  // of each law
    PinnedArray<RelaxationStep> ladder;  // likewise, as the host writes them
    DeviceArray<RelaxationStep> law;
    DeviceArray<double> pull;

    RelaxingArrays() = default;
    RelaxingArrays(std::vector<RelaxationTimes> of_laws, std::size_t components)
        : times(std::move(of_laws)), ladder(times.size()), law(times.size()), pull(components) {}
    RelaxingView view() const { return {law.data(), pull.data()}; }
    void set(const Stream& stream, double material_dt) const;
};
struct StepLadders {
    RelaxingArrays bending, membrane;
};

// Copies go by memory that the device reads and writes directly. Nothing is under way between calls.
struct StagingArrays {
    PinnedArray<Vec3d> vertices;   // positions or velocities
    PinnedArray<std::byte> state;  // a whole one; made where it is asked for
};

// Partial sums of thread blocks, and how many have left theirs.
struct ReductionArrays {
    DeviceArray<double> part;
    DeviceArray<unsigned> counter;
};

class DeviceState {
  public:
    DeviceState(const Model& model, const ModelView& view, std::span<const int> number);

    const StateView& view() const { return view_; }
    Vec3d* rhs() const { return rhs_.data(); }
    Vec3d* delta() const { return delta_.data(); }

    void upload(const Stream& stream, const State& state);
    void download(const Stream& stream, State& state);                               // waits
    std::vector<Vec3d> download(const Stream& stream, const Vec3d* vertices) const;  // in the model's numbers
    // Keeps positions, velocities and history of a state, and brings them back.
    class Snapshot;
    void save(const Stream& stream, Snapshot& to) const;
    void restore(const Stream& stream, const Snapshot& from) const;

    // The ladders of all laws in a step of this much material time. The stream has come to its end.
    void set_material_time(const Stream& stream, double material_dt) const;
    // handle_of: of each vertex the number of its handle, or -1.
    void begin_step(const Stream& stream, const StepParameters& parameters, const int* handle_of,
                    const HandleTarget* handles) const;
    // Completes the Newton step in delta() where handles hold, and puts its end into `trial`.
    void move(const Stream& stream, const IterationState* solve, MoveSums* sums);
    void try_share(const Stream& stream, double share) const;  // trial = x + share delta
    void place_handles(const Stream& stream) const;            // exact ones, in trial
    // trial = where the step began, with exact handles where they go; their step is then 0.
    void begin_again(const Stream& stream) const;
    void accept(const Stream& stream) const;  // x = trial
    // From the model's numbers.
    void upload(const Stream& stream, std::span<const Vec3d> vertices, Vec3d* to) const;
    void add_to_rhs(const Stream& stream, const Vec3d* forces) const;  // in the device's numbers

  private:
    std::size_t vertices_;
    DeviceArray<int> number_;
    DeviceArray<Vec3d> x_, trial_, x_begin_, v_, rhs_, delta_;
    HandleArrays handles_;
    ReductionArrays reduction_;
    DeviceArray<std::uint8_t> flags_[2];
    DeviceArray<Aligned<HingeBending<double>>> bending_record_;
    DeviceArray<Aligned<Membrane<double>>> membrane_record_;
    DeviceArray<StepParameters> step_;
    DeviceHistory bending_, membrane_;
    StepLadders ladders_;
    StateView view_{};
    std::vector<int> host_number_;
    StagingArrays staging_;
};

class DeviceState::Snapshot {
    friend class DeviceState;
    DeviceArray<Vec3d> x_, v_;
    DeviceHistory bending_, membrane_;
};

}  // namespace rumple::cuda
