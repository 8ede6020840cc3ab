// Multigrid: one cycle, and what the conjugate gradients want to know of its result.
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/row_product.cuh>

namespace rumple::cuda {

namespace {

constexpr double kMargin = 6;  // as linear/pcg.cpp: the error is smoother than z

// Which domain and which row of it a thread has.
template <int D, int Split>
struct DomainRow {
    int domain, part, lane, rows;
    std::size_t first;  // number of the domain's first unknown

    __device__ DomainRow(const DomainView& domains, int first_of_block) {
        const int group = static_cast<int>(threadIdx.x) / kLanes;
        lane = static_cast<int>(threadIdx.x) % kLanes;
        part = Split == 1 ? 0 : group;
        domain = first_of_block + (Split == 1 ? group : 0);
        const bool in = domain < domains.count;
        const int begin = in ? domains.begin[domain] : 0;
        rows = in ? D * (domains.begin[domain + 1] - begin) : 0;
        first = static_cast<std::size_t>(D) * begin;
    }
    __device__ bool on() const { return lane < rows; }
    __device__ bool writes() const { return on() && part == 0; }
    __device__ std::size_t at() const { return first + lane; }
    __device__ int group() const { return static_cast<int>(threadIdx.x) / kLanes; }
};

// r -= alpha q, then y = w S r.
template <int Split>
__global__ void __launch_bounds__(kRowThreads)
    step_and_smooth(DomainView domains, double* r, const double* q, float* y, const IterationState* state) {
    __shared__ float input[kDomainsPerBlock<Split>][kLanes];
    constexpr int kStep = kDomainsPerBlock<Split>;
    let_next_start();
    InverseRow<Split> inverse;
    if constexpr (Split > 1) {
        const DomainRow<3, Split> row(domains, static_cast<int>(blockIdx.x));
        inverse.load(domains, row.domain, row.lane, row.part);
    }
    wait_for_previous();
    if (is_over(state)) return;
    const double alpha = __ldcg(&state->alpha);
    for (int first = static_cast<int>(blockIdx.x) * kStep; first < domains.count;
         first += static_cast<int>(gridDim.x) * kStep) {
        const DomainRow<3, Split> row(domains, first);
        const int group = Split == 1 ? row.group() : 0;
        if (row.part == 0) {
            double value = 0;
            if (row.on()) {
                value = r[row.at()] - alpha * q[row.at()];
                r[row.at()] = value;
            }
            input[group][row.lane] = static_cast<float>(value);
        }
        __syncthreads();
        if constexpr (Split == 1)
            if (row.on()) inverse.load(domains, row.domain, row.lane, 0);
        float value = 0;
        if (Split > 1 || row.on()) value = inverse.times(input[group]);
        value = add_parts<Split>(value, row.part, row.lane);
        if (row.writes()) y[row.at()] = domains.weight * value;
        __syncthreads();
    }
}

// t = b - A y.
template <int D, int Split, class Right>
__global__ void __launch_bounds__(kRowThreads)
    find_residual(MatrixView<float> a, const Right* b, const float* y, float* t,
                  const IterationState* state) {
    constexpr int kRows = kRowThreads / Split;
    let_next_start();
    const int part = Split == 1 ? 0 : static_cast<int>(threadIdx.x) / kLanes;
    const int lane = Split == 1 ? static_cast<int>(threadIdx.x) : static_cast<int>(threadIdx.x) % kLanes;
    const std::size_t rows = static_cast<std::size_t>(D) * a.nodes;
    const auto vector = [&](std::size_t i) { return y[i]; };
    RowProduct<D, Split, float> row;
    std::size_t at = blockIdx.x * static_cast<std::size_t>(kRows) + lane;
    if constexpr (Split > 1) {
        const std::size_t safe = at < rows ? at : 0;
        row.load(a, at < rows, static_cast<int>(safe / D), static_cast<int>(safe % D), part);
    }
    wait_for_previous();
    if (is_over(state)) return;
    if constexpr (Split > 1) {
        const float product = add_parts<Split>(row.template times<float>(vector), part, lane);
        if (part == 0 && at < rows) t[at] = static_cast<float>(b[at]) - product;
    } else {
        for (; at < rows; at += static_cast<std::size_t>(gridDim.x) * kRows) {
            row.load(a, true, static_cast<int>(at / D), static_cast<int>(at % D), 0);
            t[at] = static_cast<float>(b[at]) - row.template times<float>(vector);
        }
    }
}

struct RestrictView {
    DomainView domains;  // of the coarse level; no weight: its inverses are not wanted
    const int* begin;    // of each coarse node: its part of P^T
    const IndexPair* item;
    const float* p;
    const float* t;
    float *b, *y;
};

// b = P^T t, then y = w S b on the coarse level. A thread block takes a coarse domain, four threads an
// unknown. D is that of the finer level.
template <int D>
__global__ void __launch_bounds__(kRowThreads)
    restrict_and_smooth(RestrictView v, const IterationState* state) {
    constexpr int kHeld = D == 3 ? 12 : 6;  // entries of P^T that a thread holds
    __shared__ float input[kLanes];
    let_next_start();
    const DomainRow<kModes, kParts> row(v.domains, static_cast<int>(blockIdx.x));
    const bool smooth = v.domains.weight > 0;
    InverseRow<kParts> inverse;
    if (smooth) inverse.load(v.domains, row.domain, row.lane, row.part);
    const int node = static_cast<int>(row.first / kModes) + (row.on() ? row.lane / kModes : 0),
              mode = row.lane % kModes;
    const int begin = v.begin[node] + row.part, end = row.on() ? v.begin[node + 1] : 0;
    float held[kHeld][D];
    std::size_t place[kHeld];
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
        const bool in = begin + kParts * k < end;
        const IndexPair item = v.item[in ? begin + kParts * k : 0];  // loads without a condition overlap
        place[k] = static_cast<std::size_t>(item.first) * D;
#pragma unroll
        for (int c = 0; c < D; ++c) {
            const float number =
                v.p[static_cast<std::size_t>(item.second) * (D * kModes) + c * kModes + mode];
            held[k][c] = in ? number : 0.0f;
        }
    }
    wait_for_previous();
    if (is_over(state)) return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kHeld; ++k)
#pragma unroll
        for (int c = 0; c < D; ++c) sum += held[k][c] * v.t[place[k] + c];
    for (int k = begin + kParts * kHeld; k < end; k += kParts) {
        const IndexPair item = v.item[k];
        for (int c = 0; c < D; ++c)
            sum += v.p[static_cast<std::size_t>(item.second) * (D * kModes) + c * kModes + mode] *
                   v.t[static_cast<std::size_t>(item.first) * D + c];
    }
    sum = add_parts<kParts>(sum, row.part, row.lane);
    if (row.part == 0) {
        input[row.lane] = sum;
        if (row.on()) v.b[row.at()] = sum;
    }
    if (!smooth) return;
    __syncthreads();
    const float value = add_parts<kParts>(inverse.times(input), row.part, row.lane);
    if (row.writes()) v.y[row.at()] = v.domains.weight * value;
}

// y = E^-1 b on the last level, a warp a row.
__global__ void __launch_bounds__(256) solve_dense(int rows, int padded, const float* inverse, const float* b,
                                                   float* y, const IterationState* state) {
    let_next_start();
    wait_for_previous();
    if (is_over(state)) return;
    const int row = static_cast<int>(blockIdx.x * 256 + threadIdx.x) / 32,
              lane = static_cast<int>(threadIdx.x) % 32;
    if (row >= rows) return;
    const float* from = inverse + static_cast<std::size_t>(row) * padded;
    float sum = 0;
#pragma unroll 8
    for (int c = lane; c < rows; c += 32) sum += from[c] * b[c];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (lane == 0) y[row] = sum;
}

// y += P c.
template <int D>
__global__ void __launch_bounds__(kRowThreads)
    prolong(int nodes, const int* begin, const int* column, const float* p, const float* coarse, float* y,
            const IterationState* state) {
    let_next_start();
    wait_for_previous();
    if (is_over(state)) return;
    const std::size_t at = blockIdx.x * static_cast<std::size_t>(kRowThreads) + threadIdx.x;
    if (at >= static_cast<std::size_t>(D) * nodes) return;
    const int node = static_cast<int>(at / D), row = static_cast<int>(at % D);
    float sum = y[at];
    for (int s = begin[node]; s < begin[node + 1]; ++s) {
        const float2* from =
            reinterpret_cast<const float2*>(p + static_cast<std::size_t>(s) * (D * kModes) + row * kModes);
        const float2* c =
            reinterpret_cast<const float2*>(coarse + static_cast<std::size_t>(column[s]) * kModes);
#pragma unroll
        for (int m = 0; m < 3; ++m) sum += from[m].x * c[m].x + from[m].y * c[m].y;
    }
    y[at] = sum;
}

// How much longer the error is than z, in the preconditioner's norm, as it was some iterations ago: see
// LinearSolver::estimate_stretch(). By one warp; each lane loads one step.
__device__ double estimate_stretch(const IterationState* state, int steps) {
    const int lane = static_cast<int>(threadIdx.x) % 32, delay = min(steps, max(3, steps / 2));
    double energy = 0, error = 0, first_rz = 1;
    for (int base = 0; base < delay; base += 32) {
        const IterationStep* own = &state->step[max(0, steps - 1 - base - lane)];
        const double rz = __ldcg(&own->rz), ratio = __ldcg(&own->pp) / __ldcg(&own->pq),
                     e = __ldcg(&own->energy);
        for (int j = 0; j < min(32, delay - base); ++j) {
            const double before = energy;
            energy += __shfl_sync(~0u, e, j);
            error += __shfl_sync(~0u, ratio, j) * (energy + before);
            first_rz = __shfl_sync(~0u, rz, j);
        }
    }
    return delay > 0 ? sqrt(error / first_rz) : 1.0;
}

// What to do after z is known: stop, give up, or how to turn. By the last thread block.
__device__ void conclude(IterationState* state, double rz, double zq, double z_max) {
    if (threadIdx.x >= 32) return;
    const int steps = __ldcg(&state->steps);
    const double estimate = kMargin * estimate_stretch(state, steps) * sqrt(z_max);
    if (threadIdx.x > 0) return;
    state->estimate = estimate;
    // Polak and Ribiere's form forgives a preconditioner that is not quite symmetric.
    state->beta = steps > 0 ? -__ldcg(&state->alpha) * zq / __ldcg(&state->rz) : 0;
    state->rz = rz;
    if (isfinite(rz) && (z_max == 0 || (steps > 0 && estimate < __ldcg(&state->tolerance))))
        state->outcome = Outcome::converged;
    else if (!(rz > 0) || !isfinite(rz) || steps == kMaxIterations)
        state->outcome = Outcome::failed;
}

template <class Right>
struct SmoothAgainView {
    MatrixView<float> a;
    DomainView domains;
    const Right* b;
    const float* y;
    float* z;
};
struct SumsView {  // of the finest level
    const double* q;
    double* part;
    unsigned* counter;
};

__device__ void conclude_from_parts(const SumsView& sums, double rz, double zq, double z_max,
                                    IterationState* state) {
    rz = block_sum<kRowThreads>(rz);
    zq = block_sum<kRowThreads>(zq);
    z_max = block_max<kRowThreads>(z_max);
    const unsigned blocks = gridDim.x;
    if (threadIdx.x == 0) {
        sums.part[blockIdx.x] = rz;
        sums.part[blocks + blockIdx.x] = zq;
        sums.part[2 * blocks + blockIdx.x] = z_max;
    }
    if (!is_last_block(sums.counter)) return;
    rz = sum_of_parts<kRowThreads>(sums.part, static_cast<int>(blocks));
    zq = sum_of_parts<kRowThreads>(sums.part + blocks, static_cast<int>(blocks));
    z_max = max_of_parts<kRowThreads>(sums.part + 2 * blocks, static_cast<int>(blocks));
    conclude(state, rz, zq, z_max);
}

// z = y + w S (b - A y); on the finest level with r.z, z.q and the largest |z_i|^2.
template <int D, int Split, class Right, bool Finest>
__global__ void __launch_bounds__(kRowThreads)
    smooth_again(SmoothAgainView<Right> v, SumsView sums, IterationState* state) {
    __shared__ float input[kDomainsPerBlock<Split>][kLanes],
        result[Finest ? kDomainsPerBlock<Split> : 1][kLanes];
    constexpr int kStep = kDomainsPerBlock<Split>;
    let_next_start();
    const auto vector = [&](std::size_t i) { return v.y[i]; };
    RowProduct<D, Split, float> product;
    InverseRow<Split> inverse;
    const auto load = [&](const DomainRow<D, Split>& row) {
        const int node = row.on() ? static_cast<int>(row.at() / D) : 0;
        product.load(v.a, row.on(), node, row.lane % D, row.part);
        if (Split > 1 || row.on()) inverse.load(v.domains, row.domain, row.lane, row.part);
    };
    if constexpr (Split > 1) load(DomainRow<D, Split>(v.domains, static_cast<int>(blockIdx.x)));
    wait_for_previous();
    if (is_over(state)) return;
    double rz = 0, zq = 0, z_max = 0;
    for (int first = static_cast<int>(blockIdx.x) * kStep; first < v.domains.count;
         first += static_cast<int>(gridDim.x) * kStep) {
        const DomainRow<D, Split> row(v.domains, first);
        const int group = Split == 1 ? row.group() : 0;
        if constexpr (Split == 1) load(row);
        const float ay = add_parts<Split>(product.template times<float>(vector), row.part, row.lane);
        const Right b = row.on() ? v.b[row.at()] : Right(0);
        if (row.part == 0) input[group][row.lane] = row.on() ? static_cast<float>(b) - ay : 0.0f;
        __syncthreads();
        float value = 0;
        if (Split > 1 || row.on()) value = inverse.times(input[group]);
        value = add_parts<Split>(value, row.part, row.lane);
        if (row.writes()) {
            value = v.y[row.at()] + v.domains.weight * value;
            v.z[row.at()] = value;
            if constexpr (Finest) {
                rz += static_cast<double>(b) * value;
                zq += sums.q[row.at()] * value;
            }
        }
        if constexpr (Finest) {
            if (row.part == 0) result[group][row.lane] = row.on() ? value : 0.0f;
            __syncthreads();
            if (row.part == 0 && row.lane % 3 == 0) {
                const float* z = &result[group][row.lane];
                const double x0 = z[0], x1 = z[1], x2 = z[2];
                z_max = fmax(z_max, x0 * x0 + x1 * x1 + x2 * x2);
            }
        }
        __syncthreads();
    }
    if constexpr (Finest) conclude_from_parts(sums, rz, zq, z_max, state);
}

unsigned blocks_of_rows(std::size_t rows, int split) {
    const unsigned blocks = blocks_for(rows, static_cast<unsigned>(kRowThreads / split));
    return split == 1 && blocks > kMaxRowBlocks ? kMaxRowBlocks : blocks;
}

template <int D>
void launch_prolong(cudaStream_t stream, bool overlap, const Level& level, const Level& coarse,
                    const IterationState* state) {
    launch(prolong<D>, blocks_for(level.rows(), kRowThreads), kRowThreads, stream, overlap, level.nodes,
           level.p.begin.data(), level.p.column.data(), level.p.value.data(), coarse.result(), level.y.data(),
           state);
}

void launch_restrict(cudaStream_t stream, const Level& level, const Level& coarse,
                     const IterationState* state) {
    const RestrictView v{coarse.domains,
                         level.p.transposed_begin.data(),
                         level.p.transposed_item.data(),
                         level.p.value.data(),
                         level.t.data(),
                         coarse.b.data(),
                         coarse.y.data()};
    launch(level.unknowns == 3 ? restrict_and_smooth<3> : restrict_and_smooth<6>,
           static_cast<unsigned>(coarse.domains.count), kRowThreads, stream, true, v, state);
}

template <int Split>
void step_and_apply(const Stream& stream, const std::vector<Level>& levels, double* r, const double* q,
                    float* z, IterationState* state, const SumsView& sums, const auto& visit_coarse) {
    const Level& fine = levels[0];
    constexpr bool kOverlap = Split > 1;  // where kernels are large it costs more than it gives
    launch(step_and_smooth<Split>, row_blocks(fine.domains.count, Split), kRowThreads, stream, kOverlap,
           fine.domains, r, q, fine.y.data(), state);
    launch(find_residual<3, Split, double>, blocks_of_rows(fine.rows(), Split), kRowThreads, stream, kOverlap,
           fine.single, r, fine.y.data(), fine.t.data(), state);
    visit_coarse();
    launch_prolong<3>(stream, kOverlap, fine, levels[1], state);
    const SmoothAgainView<double> v{fine.single, fine.domains, r, fine.y.data(), z};
    launch(smooth_again<3, Split, double, true>, row_blocks(fine.domains.count, Split), kRowThreads, stream,
           kOverlap, v, sums, state);
}

}  // namespace

// From the residual t of level l - 1 to the correction y of level l.
void Multigrid::visit_coarse(const Stream& stream, std::size_t l, const IterationState* state) const {
    const Level &finer = levels_[l - 1], &level = levels_[l];
    launch_restrict(stream, finer, level, state);
    if (l + 1 == levels_.size()) {
        launch(solve_dense, blocks_for(at(top_rows_) * 32, 256), 256, stream, true, top_rows_, top_padded_,
               top_inverse_.data(), level.b.data(), level.y.data(), state);
        return;
    }
    const unsigned domains = static_cast<unsigned>(level.domains.count);
    const auto smooth = [&](const float* y, float* z) {
        const SmoothAgainView<float> v{level.single, level.domains, level.b.data(), y, z};
        launch(smooth_again<6, 4, float, false>, domains, kRowThreads, stream, true, v, SumsView{},
               const_cast<IterationState*>(state));
    };
    const int visits = w_cycle_ && l >= 2 && l + 2 < levels_.size() ? 2 : 1;
    for (int visit = 0; visit < visits; ++visit) {
        if (visit > 0) smooth(level.z.data(), level.y.data());
        launch(find_residual<6, 4, float>, blocks_of_rows(level.rows(), 4), kRowThreads, stream, true,
               level.single, level.b.data(), level.y.data(), level.t.data(), state);
        visit_coarse(stream, l + 1, state);
        launch_prolong<6>(stream, true, level, levels_[l + 1], state);
        smooth(level.y.data(), level.z.data());
    }
}

void Multigrid::step_and_apply(const Stream& stream, double* r, const double* q, float* z,
                               IterationState* state, double* part, unsigned* counter) const {
    const SumsView sums{q, part, counter};
    const auto coarse = [&] { visit_coarse(stream, 1, state); };
    if (small_)
        cuda::step_and_apply<4>(stream, levels_, r, q, z, state, sums, coarse);
    else
        cuda::step_and_apply<1>(stream, levels_, r, q, z, state, sums, coarse);
}

std::size_t Multigrid::part_count() const {
    return 3 * static_cast<std::size_t>(row_blocks(levels_[0].domains.count, small_ ? 4 : 1));
}

}  // namespace rumple::cuda
