#include <rumple_cuda/conjugate_gradients.hpp>
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/row_product.cuh>

#include <algorithm>
#include <cstddef>

namespace rumple::cuda {

namespace {

// r = b - A x; everything else as before the first step. It comes after the set-up of the preconditioner:
// kernels that follow read what that made before they wait, so they may start only when it is done.
template <class Contacts>
__global__ void __launch_bounds__(kRowThreads)
    begin_iteration(MatrixView<double> a, Contacts contacts, const double* b, const double* x, double* r,
                    double* p, double* q, IterationState* state) {
    wait_for_previous();
    let_next_start();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        state->outcome = Outcome::running;
        state->steps = 0;
        state->rz = state->alpha = state->beta = state->estimate = 0;
    }
    const int part = static_cast<int>(threadIdx.x) / kBlockNodes,
              local = static_cast<int>(threadIdx.x) % kBlockNodes;
    const int node = static_cast<int>(blockIdx.x) * kBlockNodes + local;
    const bool on = node < a.nodes;
    const auto vector = [&](int j) { return reinterpret_cast<const Vec3d*>(x)[j]; };
    Vec3d product = multiply_node<2>(a, on, on ? node : 0, part, vector);
    if constexpr (Contacts::kAny) product += contact_node(contacts, on, node, part, vector);
    product = add_node_parts(product, part, local);
    if (part > 0 || !on) return;
    const std::size_t at = 3 * static_cast<std::size_t>(node);
    for (int c = 0; c < 3; ++c) {
        r[at + c] = b[at + c] - product[c];
        q[at + c] = 0;
        p[kStride * static_cast<std::size_t>(node) + c] = 0;
    }
}

struct DirectionView {
    MatrixView<double> a;
    const float* z;
    const double* p_before;
    double *p, *q, *x;
    double* part;
    unsigned* counter;
};

// With q = A p known: how far to go along p.
__device__ void take_step(IterationState* state, double beta, double pq) {
    const int steps = __ldcg(&state->steps);
    const double rz = __ldcg(&state->rz), alpha = rz / pq;
    // |p|^2 in the preconditioner's norm: p is z plus beta times the last p, to which z is orthogonal in it.
    const double pp = rz + (steps > 0 ? beta * beta * __ldcg(&state->step[steps - 1].pp) : 0);
    state->step[steps] = {rz, pp, pq, alpha * rz};
    state->steps = steps + 1;
    state->alpha = alpha;
    if (!(pq > 0) || !isfinite(pq)) state->outcome = Outcome::failed;
}

// x += alpha p, p = z + beta p, q = A p, four threads a row.
template <class Contacts>
__global__ void __launch_bounds__(kRowThreads)
    turn_and_multiply(DirectionView v, Contacts contacts, IterationState* state) {
    let_next_start();
    const int part = static_cast<int>(threadIdx.x) / kLanes, lane = static_cast<int>(threadIdx.x) % kLanes;
    const std::size_t rows = 3 * static_cast<std::size_t>(v.a.nodes);
    const std::size_t at = blockIdx.x * static_cast<std::size_t>(kLanes) + lane, safe = at < rows ? at : 0;
    const int node = static_cast<int>(safe / 3), r = static_cast<int>(safe % 3);
    RowProduct<3, double> row;
    row.load(v.a, at < rows, node, r, part);
    wait_for_previous();
    if (is_over(state)) return;
    const double alpha = __ldcg(&state->alpha), beta = __ldcg(&state->beta);
    const auto before = [&](int j, int c) { return v.p_before[static_cast<std::size_t>(kStride) * j + c]; };
    const auto direction = [&](int j, int c) {
        return static_cast<double>(v.z[3 * static_cast<std::size_t>(j) + c]) + beta * before(j, c);
    };
    double product = row.times<double>(direction);
    if constexpr (Contacts::kAny)
        product += contact_row<3, double>(contacts, at < rows, node, r, part, direction);
    product = add_parts<kParts>(product, part, lane);
    double pq[1] = {};
    if (part == 0 && at < rows) {
        const double now = direction(node, r);
        v.x[at] += alpha * before(node, r);
        v.p[static_cast<std::size_t>(kStride) * node + r] = now;
        v.q[at] = product;
        pq[0] = now * product;
    }
    if (grid_reduce<kRowThreads>(pq, v.part, v.counter) && threadIdx.x == 0) take_step(state, beta, pq[0]);
}

// On large meshes in two kernels: the product then gathers one vector instead of two.
__global__ void __launch_bounds__(kRowThreads) turn(DirectionView v, const IterationState* state) {
    if (is_over(state)) return;
    const double alpha = __ldcg(&state->alpha), beta = __ldcg(&state->beta);
    const int node = static_cast<int>(blockIdx.x * kRowThreads + threadIdx.x);
    if (node >= v.a.nodes) return;
    const Vec3d before = load_padded(v.p_before, node);
    Vec3d* x = reinterpret_cast<Vec3d*>(v.x) + node;
    const float* z = v.z + 3 * static_cast<std::size_t>(node);
    *x += alpha * before;
    // whole: a sector of which a part is written must be read first
    double2* p = reinterpret_cast<double2*>(v.p) + 2 * static_cast<std::size_t>(node);
    p[0] = {static_cast<double>(z[0]) + beta * before.x, static_cast<double>(z[1]) + beta * before.y};
    p[1] = {static_cast<double>(z[2]) + beta * before.z, 0.0};
}

template <class Contacts>
__global__ void __launch_bounds__(kRowThreads)
    multiply_nodes(DirectionView v, Contacts contacts, IterationState* state) {
    if (is_over(state)) return;
    const int part = static_cast<int>(threadIdx.x) / kBlockNodes,
              local = static_cast<int>(threadIdx.x) % kBlockNodes;
    double pq[1] = {};
    for (int first = static_cast<int>(blockIdx.x) * kBlockNodes; first < v.a.nodes;
         first += static_cast<int>(gridDim.x) * kBlockNodes) {
        const int node = min(first + local, v.a.nodes - 1);
        const auto vector = [&](int j) { return load_padded(v.p, j); };
        const bool on = first + local < v.a.nodes;
        Vec3d product = multiply_node<2>(v.a, on, node, part, vector);
        if constexpr (Contacts::kAny) product += contact_node(contacts, on, node, part, vector);
        product = add_node_parts(product, part, local);
        if (part > 0 || first + local >= v.a.nodes) continue;
        for (int c = 0; c < 3; ++c) v.q[3 * static_cast<std::size_t>(node) + c] = product[c];
        pq[0] += dot(load_padded(v.p, node), product);
    }
    const double beta = __ldcg(&state->beta);
    if (grid_reduce<kRowThreads>(pq, v.part, v.counter) && threadIdx.x == 0) take_step(state, beta, pq[0]);
}

__global__ void __launch_bounds__(kRowThreads)
    finish_solution(std::size_t rows, const double* even, const double* odd, double* x,
                    const IterationState* state) {
    const std::size_t at = blockIdx.x * static_cast<std::size_t>(kRowThreads) + threadIdx.x;
    if (at < rows && state->outcome == Outcome::converged && state->steps > 0)
        x[at] += state->alpha * (state->steps % 2 == 0 ? even : odd)[at / 3 * kStride + at % 3];
}

unsigned direction_blocks(const Multigrid& multigrid) {
    const int nodes = multigrid.matrix().nodes;
    return multigrid.small() ? blocks_for(3 * at(nodes), kLanes) : node_blocks(nodes);
}

}  // namespace

ConjugateGradients::ConjugateGradients(const Multigrid& multigrid, const double* rhs, double* solution)
    : multigrid_(multigrid),
      rhs_(rhs),
      solution_(solution),
      rows_(3 * at(multigrid.matrix().nodes)),
      r_(rows_),
      q_(rows_),
      p_{DeviceArray<double>(kStride * rows_ / 3), DeviceArray<double>(kStride * rows_ / 3)},
      part_(std::max(multigrid.part_count(), static_cast<std::size_t>(direction_blocks(multigrid)))),
      z_(rows_),
      counter_(1),
      state_(1),
      tolerance_(1) {}

void ConjugateGradients::set_tolerance(const Stream& stream, double metres) {
    if (metres == tolerance_[0]) return;
    stream.synchronize();
    tolerance_[0] = metres;
    check(cudaMemcpyAsync(&state_.data()->tolerance, tolerance_.data(), sizeof(double),
                          cudaMemcpyHostToDevice, stream),
          "copying to the device");
}

void ConjugateGradients::start(const Stream& stream) {
    multigrid_.with_contacts([&]<class Contacts>(Contacts contacts) {
        launch(begin_iteration<Contacts>, blocks_for(rows_ / 3, kBlockNodes), kRowThreads, stream, false,
               multigrid_.matrix(), contacts, rhs_, solution_, r_.data(), p_[0].data(), q_.data(),
               state_.data());
    });
    multigrid_.step_and_apply(stream, r_.data(), q_.data(), z_.data(), state_.data(), part_.data(),
                              counter_.data());
}

void ConjugateGradients::iterate(const Stream& stream, double* from, double* to, bool overlap) {
    const DirectionView v{multigrid_.matrix(), z_.data(), from,         to,
                          q_.data(),           solution_, part_.data(), counter_.data()};
    const unsigned blocks = direction_blocks(multigrid_);
    if (!multigrid_.small())
        launch(turn, blocks_for(rows_ / 3, kRowThreads), kRowThreads, stream, false, v, state_.data());
    multigrid_.with_contacts([&]<class Contacts>(Contacts contacts) {
        if (multigrid_.small())
            launch(turn_and_multiply<Contacts>, blocks, kRowThreads, stream, overlap, v, contacts,
                   state_.data());
        else
            launch(multiply_nodes<Contacts>, blocks, kRowThreads, stream, false, v, contacts, state_.data());
    });
    multigrid_.step_and_apply(stream, r_.data(), q_.data(), z_.data(), state_.data(), part_.data(),
                              counter_.data());
}

void ConjugateGradients::iterate_twice(const Stream& stream, bool overlap) {
    iterate(stream, p_[0].data(), p_[1].data(), overlap);
    iterate(stream, p_[1].data(), p_[0].data(), true);
}

void ConjugateGradients::finish(const Stream& stream) {
    launch(finish_solution, blocks_for(rows_, kRowThreads), kRowThreads, stream, false, rows_, p_[0].data(),
           p_[1].data(), solution_, state_.data());
}

void ConjugateGradients::declare_solved(const Stream& stream) {
    static const Outcome converged = Outcome::converged;
    check(cudaMemcpyAsync(&state_.data()->outcome, &converged, sizeof converged, cudaMemcpyHostToDevice,
                          stream),
          "copying to the device");
}

}  // namespace rumple::cuda
