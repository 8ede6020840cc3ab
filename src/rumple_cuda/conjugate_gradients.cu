#include <rumple_cuda/conjugate_gradients.hpp>
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/row_product.cuh>

#include <algorithm>
#include <cstddef>

namespace rumple::cuda {

namespace {

// r = b - A x; everything else as before the first step. It comes after the set-up of the preconditioner:
// kernels that follow read what that made before they wait, so they may start only when it is done.
__global__ void __launch_bounds__(kRowThreads)
    begin_iteration(MatrixView<double> a, const double* b, const double* x, double* r, double* p, double* q,
                    IterationState* state) {
    wait_for_previous();
    let_next_start();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        state->outcome = Outcome::running;
        state->steps = 0;
        state->rz = state->alpha = state->beta = state->estimate = 0;
    }
    const std::size_t rows = 3 * static_cast<std::size_t>(a.nodes);
    const std::size_t at = blockIdx.x * static_cast<std::size_t>(kRowThreads) + threadIdx.x;
    if (at >= rows) return;
    RowProduct<3, 1, double> row;
    row.load(a, true, static_cast<int>(at / 3), static_cast<int>(at % 3), 0);
    r[at] = b[at] - row.times<double>([&](std::size_t i) { return x[i]; });
    p[at] = 0;
    q[at] = 0;
}

struct DirectionView {
    MatrixView<double> a;
    const float* z;
    const double* p_before;
    double *p, *q, *x;
    double* part;
    unsigned* counter;
};

// x += alpha p, p = z + beta p, q = A p, then the length of the next step.
template <int Split>
__global__ void __launch_bounds__(kRowThreads) multiply_direction(DirectionView v, IterationState* state) {
    constexpr int kRows = kRowThreads / Split;
    let_next_start();
    const int part = Split == 1 ? 0 : static_cast<int>(threadIdx.x) / kLanes;
    const int lane = Split == 1 ? static_cast<int>(threadIdx.x) : static_cast<int>(threadIdx.x) % kLanes;
    const std::size_t rows = 3 * static_cast<std::size_t>(v.a.nodes);
    std::size_t at = blockIdx.x * static_cast<std::size_t>(kRows) + lane;
    RowProduct<3, Split, double> row;
    if constexpr (Split > 1) {
        const std::size_t safe = at < rows ? at : 0;
        row.load(v.a, at < rows, static_cast<int>(safe / 3), static_cast<int>(safe % 3), part);
    }
    wait_for_previous();
    if (is_over(state)) return;
    const double alpha = __ldcg(&state->alpha), beta = __ldcg(&state->beta);
    double pq = 0;
    const auto direction = [&](std::size_t i) { return static_cast<double>(v.z[i]) + beta * v.p_before[i]; };
    const auto finish_row = [&](std::size_t i, double product) {
        const double before = v.p_before[i], now = static_cast<double>(v.z[i]) + beta * before;
        v.x[i] += alpha * before;
        v.p[i] = now;
        v.q[i] = product;
        pq += now * product;
    };
    if constexpr (Split > 1) {
        const double product = add_parts<Split>(row.template times<double>(direction), part, lane);
        if (part == 0 && at < rows) finish_row(at, product);
    } else {
        for (; at < rows; at += static_cast<std::size_t>(gridDim.x) * kRows) {
            row.load(v.a, true, static_cast<int>(at / 3), static_cast<int>(at % 3), 0);
            finish_row(at, row.template times<double>(direction));
        }
    }
    pq = block_sum<kRowThreads>(pq);
    if (threadIdx.x == 0) v.part[blockIdx.x] = pq;
    if (!is_last_block(v.counter)) return;
    pq = sum_of_parts<kRowThreads>(v.part, static_cast<int>(gridDim.x));
    if (threadIdx.x > 0) return;
    const int steps = __ldcg(&state->steps);
    const double rz = __ldcg(&state->rz), next = rz / pq;
    // |p|^2 in the preconditioner's norm: p is z plus beta times the last p, to which z is orthogonal in it.
    const double pp = rz + (steps > 0 ? beta * beta * __ldcg(&state->step[steps - 1].pp) : 0);
    state->step[steps] = {rz, pp, pq, next * rz};
    state->steps = steps + 1;
    state->alpha = next;
    if (!(pq > 0) || !isfinite(pq)) state->outcome = Outcome::failed;
}

__global__ void __launch_bounds__(kRowThreads)
    finish_solution(std::size_t rows, const double* even, const double* odd, double* x,
                    const IterationState* state) {
    const std::size_t at = blockIdx.x * static_cast<std::size_t>(kRowThreads) + threadIdx.x;
    if (at < rows && state->outcome == Outcome::converged && state->steps > 0)
        x[at] += state->alpha * (state->steps % 2 == 0 ? even : odd)[at];
}

unsigned direction_blocks(std::size_t rows, bool small) {
    const unsigned blocks = blocks_for(rows, static_cast<unsigned>(kRowThreads / (small ? 4 : 1)));
    return small ? blocks : std::min(blocks, kMaxRowBlocks);
}

}  // namespace

ConjugateGradients::ConjugateGradients(const Multigrid& multigrid, const double* rhs, double* solution)
    : multigrid_(multigrid),
      rhs_(rhs),
      solution_(solution),
      rows_(3 * at(multigrid.matrix().nodes)),
      r_(rows_),
      q_(rows_),
      p_{DeviceArray<double>(rows_), DeviceArray<double>(rows_)},
      part_(std::max(multigrid.part_count(),
                     static_cast<std::size_t>(direction_blocks(rows_, multigrid.small())))),
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
    launch(begin_iteration, blocks_for(rows_, kRowThreads), kRowThreads, stream, false, multigrid_.matrix(),
           rhs_, solution_, r_.data(), p_[0].data(), q_.data(), state_.data());
    multigrid_.step_and_apply(stream, r_.data(), q_.data(), z_.data(), state_.data(), part_.data(),
                              counter_.data());
}

void ConjugateGradients::iterate(const Stream& stream, double* from, double* to, bool overlap) {
    const DirectionView v{multigrid_.matrix(), z_.data(), from,         to,
                          q_.data(),           solution_, part_.data(), counter_.data()};
    const unsigned blocks = direction_blocks(rows_, multigrid_.small());
    if (multigrid_.small())
        launch(multiply_direction<4>, blocks, kRowThreads, stream, overlap, v, state_.data());
    else
        launch(multiply_direction<1>, blocks, kRowThreads, stream, false, v, state_.data());
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
