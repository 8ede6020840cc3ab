#include <rumple_cuda/device_state.hpp>
#include <rumple_cuda/kernels.cuh>

#include <algorithm>

namespace rumple::cuda {

namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    begin_vertices(int vertices, StateView s, StepParameters parameters, const int* handle_of,
                   const HandleTarget* handles) {
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v == 0) *s.step = parameters;
    if (v >= vertices) return;
    const int handle = handle_of[v];
    const double stiffness = handle < 0 ? 0 : handles[handle].stiffness;
    s.x[v] = s.x_begin[v];
    s.target[v] = handle < 0 ? Vec3d{} : handles[handle].target;
    s.spring[v] = stiffness;
    s.constrained[v] = handle >= 0 && stiffness == 0;
}

__global__ void __launch_bounds__(kThreads)
    move_vertices(int vertices, StateView s, const Vec3d* rhs, Vec3d* delta, const IterationState* solve,
                  double* part, unsigned* counter, MoveSums* out) {
    double slope = 0, largest = 0, not_finite = 0;
    const bool solved = solve->outcome == Outcome::converged;
    for (int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); solved && v < vertices;
         v += static_cast<int>(gridDim.x * kThreads)) {
        const bool held = s.constrained[v];
        const Vec3d d = held ? s.target[v] - s.x[v] : delta[v];
        if (held) delta[v] = d;
        s.trial[v] = held ? s.target[v] : s.x[v] + d;
        slope -= dot(rhs[v], d);
        largest = fmax(largest, dot(d, d));
        not_finite += !isfinite(dot(d, d));
    }
    double value[] = {slope, not_finite, largest};
    if (!grid_reduce<kThreads, 1>(value, part, counter)) return;
    if (threadIdx.x > 0) return;
    if (solved) s.step->first_solve = 0;
    *out = {value[0], sqrt(value[2]), value[1], solve->estimate, solve->steps, solve->outcome};
}

__global__ void __launch_bounds__(kThreads)
    share_of_step(int vertices, StateView s, const Vec3d* delta, double share) {
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v < vertices) s.trial[v] = s.x[v] + share * delta[v];
}

__global__ void __launch_bounds__(kThreads) put_handles(int vertices, StateView s) {
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v < vertices && s.constrained[v]) s.trial[v] = s.target[v];
}

__global__ void __launch_bounds__(kThreads) begin_with_handles(int vertices, StateView s, Vec3d* delta) {
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v >= vertices) return;
    s.trial[v] = s.constrained[v] ? s.target[v] : s.x_begin[v];
    if (s.constrained[v]) delta[v] = Vec3d{};
}

__global__ void __launch_bounds__(kThreads) add_vectors(int vertices, const Vec3d* from, Vec3d* to) {
    wait_for_previous();
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v < vertices) to[v] += from[v];
}

unsigned blocks(std::size_t vertices) { return blocks_for(vertices, kThreads); }

}  // namespace

void DeviceState::begin_step(const Stream& stream, const StepParameters& parameters, const int* handle_of,
                             const HandleTarget* handles) const {
    launch(begin_vertices, blocks(vertices_), kThreads, stream, false, static_cast<int>(vertices_), view_,
           parameters, handle_of, handles);
}

void DeviceState::move(const Stream& stream, const IterationState* solve, MoveSums* sums) {
    const unsigned count = std::min(kMaxMoveBlocks, blocks(vertices_));
    launch(move_vertices, count, kThreads, stream, false, static_cast<int>(vertices_), view_, rhs_.data(),
           delta_.data(), solve, reduction_.part.data(), reduction_.counter.data(), sums);
}

void DeviceState::begin_again(const Stream& stream) const {
    launch(begin_with_handles, blocks(vertices_), kThreads, stream, false, static_cast<int>(vertices_), view_,
           delta_.data());
}

void DeviceState::add_to_rhs(const Stream& stream, const Vec3d* forces) const {
    launch(add_vectors, blocks(vertices_), kThreads, stream, false, static_cast<int>(vertices_), forces,
           rhs_.data());
}

void DeviceState::place_handles(const Stream& stream) const {
    launch(put_handles, blocks(vertices_), kThreads, stream, false, static_cast<int>(vertices_), view_);
}

void DeviceState::try_share(const Stream& stream, double share) const {
    launch(share_of_step, blocks(vertices_), kThreads, stream, false, static_cast<int>(vertices_), view_,
           delta_.data(), share);
}

}  // namespace rumple::cuda
