// Multigrid: one cycle up to the last smoothing (multigrid_smooth_again.cu).
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/row_product.cuh>

namespace rumple::cuda {

namespace {

// r -= alpha q, then y = w S r. Listed: domains follow contacts.
template <int Split, bool Listed>
__global__ void __launch_bounds__(kRowThreads)
    step_and_smooth(DomainView domains, double* r, const double* q, float* y, const IterationState* state) {
    __shared__ float input[kDomainsPerBlock<Split>][kLanes];
    constexpr int kStep = kDomainsPerBlock<Split>;
    let_next_start();
    InverseRow<Split> inverse;
    if constexpr (Split > 1) {
        const DomainRow<3, Split, Listed> row(domains, static_cast<int>(blockIdx.x));
        inverse.load(domains, row.domain, row.lane, row.part);
    }
    wait_for_previous();
    if (is_over(state)) return;
    const double alpha = __ldcg(&state->alpha);
    for (int first = static_cast<int>(blockIdx.x) * kStep; first < domains.count;
         first += static_cast<int>(gridDim.x) * kStep) {
        const DomainRow<3, Split, Listed> row(domains, first);
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
        if (row.writes()) y[row.padded()] = domains.weight * value;
        __syncthreads();
    }
}

// t = b - A y, four threads a row. D = 3: the finest level, where y and t are padded.
template <int D, class Right, class Contacts>
__global__ void __launch_bounds__(kRowThreads)
    find_residual(MatrixView<float> a, Contacts contacts, const Right* b, const float* y, float* t,
                  const IterationState* state) {
    constexpr int kNumbers = D == 3 ? kStride : D;
    let_next_start();
    const int part = static_cast<int>(threadIdx.x) / kLanes, lane = static_cast<int>(threadIdx.x) % kLanes;
    const std::size_t rows = static_cast<std::size_t>(D) * a.nodes;
    const std::size_t at = blockIdx.x * static_cast<std::size_t>(kLanes) + lane, safe = at < rows ? at : 0;
    const int node = static_cast<int>(safe / D), r = static_cast<int>(safe % D);
    RowProduct<D, float> row;
    row.load(a, at < rows, node, r, part);
    wait_for_previous();
    if (is_over(state)) return;
    const auto vector = [&](int j, int c) { return y[static_cast<std::size_t>(kNumbers) * j + c]; };
    float product = row.template times<float>(vector);
    if constexpr (Contacts::kAny)
        product += contact_row<D, float>(contacts, at < rows, node, r, part, vector);
    product = add_parts<kParts>(product, part, lane);
    if (part == 0 && at < rows)
        t[static_cast<std::size_t>(kNumbers) * node + r] = static_cast<float>(b[at]) - product;
}

// The same on a large finest level, three threads a vertex.
template <class Contacts>
__global__ void __launch_bounds__(kRowThreads)
    find_residual_of_nodes(MatrixView<float> a, Contacts contacts, const double* b, const float* y, float* t,
                           const IterationState* state) {
    if (is_over(state)) return;
    const int part = static_cast<int>(threadIdx.x) / kBlockNodes,
              local = static_cast<int>(threadIdx.x) % kBlockNodes;
    for (int first = static_cast<int>(blockIdx.x) * kBlockNodes; first < a.nodes;
         first += static_cast<int>(gridDim.x) * kBlockNodes) {
        const int node = min(first + local, a.nodes - 1);
        const auto vector = [&](int j) { return load_padded(y, j); };
        const bool on = first + local < a.nodes;
        Vec3<float> product = multiply_node<4>(a, on, node, part, vector);
        if constexpr (Contacts::kAny) product += contact_node(contacts, on, node, part, vector);
        product = add_node_parts(product, part, local);
        if (part > 0 || first + local >= a.nodes) continue;
        const double* right = b + 3 * static_cast<std::size_t>(node);
        reinterpret_cast<float4*>(t)[node] = {static_cast<float>(right[0]) - product.x,
                                              static_cast<float>(right[1]) - product.y,
                                              static_cast<float>(right[2]) - product.z, 0.0f};
    }
}

struct RestrictView {
    DomainView domains;  // of the coarse level; no weight: its inverses are not wanted
    const int* begin;    // of each coarse node: its part of P^T
    const int* node;
    const float* p;  // transposed
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
    const auto entry = [&](int k, int c) {
        return v.p[static_cast<std::size_t>(k) * (D * kModes) + mode * D + c];
    };
    float held[kHeld][D];
    int from[kHeld];
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
        const bool in = begin + kParts * k < end;
        const int item = in ? begin + kParts * k : 0;  // loads without a condition overlap
        from[k] = v.node[item];
#pragma unroll
        for (int c = 0; c < D; ++c) {
            const float number = entry(item, c);
            held[k][c] = in ? number : 0.0f;
        }
    }
    wait_for_previous();
    if (is_over(state)) return;
    const auto residual = [&](int j, int c) {
        return v.t[static_cast<std::size_t>(D == 3 ? kStride : D) * j + c];
    };
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kHeld; ++k)
#pragma unroll
        for (int c = 0; c < D; ++c) sum += held[k][c] * residual(from[k], c);
    for (int k = begin + kParts * kHeld; k < end; k += kParts)
        for (int c = 0; c < D; ++c) sum += entry(k, c) * residual(v.node[k], c);
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
    constexpr int kHeld = 20;  // numbers of the row that a thread loads before it waits
    let_next_start();
    const int row = static_cast<int>(blockIdx.x * 256 + threadIdx.x) / 32,
              lane = static_cast<int>(threadIdx.x) % 32;
    const float* from = inverse + static_cast<std::size_t>(min(row, rows - 1)) * padded;
    float held[kHeld];
#pragma unroll
    for (int k = 0; k < kHeld; ++k) held[k] = from[min(lane + 32 * k, rows - 1)];
    wait_for_previous();
    if (row >= rows || is_over(state)) return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kHeld; ++k)
        if (lane + 32 * k < rows) sum += held[k] * b[lane + 32 * k];
#pragma unroll 8
    for (int c = lane + 32 * kHeld; c < rows; c += 32) sum += from[c] * b[c];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (lane == 0) y[row] = sum;
}

// y += P c. D = 3: the finest level, where y is padded.
template <int D>
__global__ void __launch_bounds__(kRowThreads)
    prolong(int nodes, const int* begin, const int* column, const float* p, const float* coarse, float* y,
            const IterationState* state) {
    constexpr int kHeld = 4;  // slots that a thread loads before it waits
    let_next_start();
    const std::size_t at = blockIdx.x * static_cast<std::size_t>(kRowThreads) + threadIdx.x;
    const bool on = at < static_cast<std::size_t>(D) * nodes;
    const int node = on ? static_cast<int>(at / D) : 0, row = on ? static_cast<int>(at % D) : 0;
    const int first = begin[node], end = on ? begin[node + 1] : 0;
    const auto entries = [&](int s) {
        return reinterpret_cast<const float2*>(p + static_cast<std::size_t>(s) * (D * kModes) + row * kModes);
    };
    float2 held[kHeld][3];
    int from[kHeld];
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
        const bool in = first + k < end;
        const int s = in ? first + k : 0;
        from[k] = column[s];
#pragma unroll
        for (int m = 0; m < 3; ++m) {
            const float2 number = entries(s)[m];
            held[k][m] = in ? number : float2{0.0f, 0.0f};
        }
    }
    wait_for_previous();
    if (!on || is_over(state)) return;
    float* const out = y + static_cast<std::size_t>(D == 3 ? kStride : D) * node + row;
    const auto times = [&](const float2* q, int j) {
        const float2* c = reinterpret_cast<const float2*>(coarse + static_cast<std::size_t>(j) * kModes);
        float sum = 0;
#pragma unroll
        for (int m = 0; m < 3; ++m) sum += q[m].x * c[m].x + q[m].y * c[m].y;
        return sum;
    };
    float sum = *out;
#pragma unroll
    for (int k = 0; k < kHeld; ++k) sum += times(held[k], from[k]);
    for (int s = first + kHeld; s < end; ++s) sum += times(entries(s), column[s]);
    *out = sum;
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
                         level.p.transposed_node.data(),
                         level.p.transposed.data(),
                         level.t.data(),
                         coarse.b.data(),
                         coarse.y.data()};
    launch(level.unknowns == 3 ? restrict_and_smooth<3> : restrict_and_smooth<6>,
           static_cast<unsigned>(coarse.domains.count), kRowThreads, stream, true, v, state);
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
    const int visits = w_cycle_ && l >= 2 && l + 2 < levels_.size() ? 2 : 1;
    for (int visit = 0; visit < visits; ++visit) {
        if (visit > 0) smooth_again_on(stream, l, level.z.data(), level.y.data(), state);
        with_contacts(l, [&]<class Contacts>(Contacts contacts) {
            launch(find_residual<6, float, Contacts>, blocks_for(level.rows(), kLanes), kRowThreads, stream,
                   true, level.single, contacts, level.b.data(), level.y.data(), level.t.data(), state);
        });
        visit_coarse(stream, l + 1, state);
        launch_prolong<6>(stream, true, level, levels_[l + 1], state);
        smooth_again_on(stream, l, level.y.data(), level.z.data(), state);
    }
}

void Multigrid::step_and_apply(const Stream& stream, double* r, const double* q, float* z,
                               IterationState* state, double* part, unsigned* counter) const {
    const Level& fine = levels_[0];
    const unsigned domain_blocks = row_blocks(fine.domains.count, small_ ? kParts : 1);
    const bool overlap = small_;  // where kernels are large it costs more than it gives
    with_contacts(0, [&]<class Contacts>(Contacts contacts) {
        constexpr bool kFollow = kListed<3, Contacts>;
        launch(small_ ? step_and_smooth<kParts, kFollow> : step_and_smooth<1, kFollow>, domain_blocks,
               kRowThreads, stream, overlap, fine.domains, r, q, fine.y.data(), state);
        if (small_)
            launch(find_residual<3, double, Contacts>, blocks_for(fine.rows(), kLanes), kRowThreads, stream,
                   true, fine.single, contacts, r, fine.y.data(), fine.t.data(), state);
        else
            launch(find_residual_of_nodes<Contacts>, node_blocks(fine.nodes), kRowThreads, stream, false,
                   fine.single, contacts, r, fine.y.data(), fine.t.data(), state);
    });
    visit_coarse(stream, 1, state);
    launch_prolong<3>(stream, overlap, fine, levels_[1], state);
    smooth_again_on_finest(stream, r, q, z, state, part, counter);
}

std::size_t Multigrid::part_count() const {
    return 3 * static_cast<std::size_t>(row_blocks(levels_[0].domains.count, small_ ? 4 : 1));
}

}  // namespace rumple::cuda
