// Multigrid: set-up of one level for a new matrix. Prolongation and Galerkin product.
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/matrix_entry.cuh>
#include <rumple_cuda/rigid_modes.cuh>

namespace rumple::cuda {

namespace {

constexpr int kThreads = 256;
constexpr int kSlotThreads = 126;      // a multiple of 3 and of 6
constexpr int kGalerkinThreads = 288;  // a multiple of 36
constexpr std::size_t kMaxSharedBytes = 160000;
constexpr float kRegularisation = 1e-6f;  // of the coarse diagonal: above the rounding of single precision

// Centre of each aggregate, by eight threads.
__global__ void __launch_bounds__(kThreads)
    find_centres(int count, const int* begin, const int* member, const Vec3d* position, Vec3d* centre) {
    constexpr int kShare = 8;
    let_next_start();
    wait_for_previous();
    const int thread = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), own = thread / kShare;
    const int a = min(own, count - 1), first = begin[a], end = begin[a + 1];
    Vec3d sum;
    for (int k = first + thread % kShare; k < end; k += kShare) sum += position[member[k]];
    for (int offset = kShare / 2; offset > 0; offset /= 2)
        sum +=
            Vec3d{__shfl_down_sync(~0u, sum.x, offset, kShare), __shfl_down_sync(~0u, sum.y, offset, kShare),
                  __shfl_down_sync(~0u, sum.z, offset, kShare)};
    if (own < count && thread % kShare == 0) centre[a] = (1.0 / (end - first)) * sum;
}

// Inverse of each diagonal block.
template <int D, class Number>
__global__ void invert_diagonal(MatrixView<Number> a, double* inverse) {
    let_next_start();
    wait_for_previous();
    const int node = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (node >= a.nodes) return;
    const int place = place_of(a, node, 0);
    double m[D][D];
#pragma unroll
    for (int r = 0; r < D; ++r)
#pragma unroll
        for (int c = 0; c < D; ++c) m[r][c] = entry<D>(a.value, place, r, c);
#pragma unroll
    for (int k = 0; k < D; ++k) {  // Gauss and Jordan in place
        const double p = 1 / m[k][k];
#pragma unroll
        for (int c = 0; c < D; ++c)
            if (c != k) m[k][c] *= p;
#pragma unroll
        for (int r = 0; r < D; ++r) {
            if (r == k) continue;
            const double f = m[r][k];
#pragma unroll
            for (int c = 0; c < D; ++c)
                if (c != k) m[r][c] -= f * m[k][c];
            m[r][k] = -f * p;
        }
        m[k][k] = p;
    }
#pragma unroll
    for (int r = 0; r < D; ++r)
#pragma unroll
        for (int c = 0; c < D; ++c) inverse[static_cast<std::size_t>(node) * (D * D) + r * D + c] = m[r][c];
}

struct ProlongationView {
    int slots;
    const int *row, *column, *aggregate_of, *item_begin, *transposed_place;
    const IndexPair* item;
    const std::uint8_t* constrained;  // null: none
    const Vec3d *position, *centre;
    const double* inverse_diagonal;
    double weight;
    float *p, *transposed;
};

// P = (I - w D^-1 A) P_rigid, a thread a row of a slot.
template <int D, class Number>
__global__ void __launch_bounds__(kSlotThreads)
    smooth_prolongation(MatrixView<Number> a, ProlongationView v) {
    let_next_start();
    wait_for_previous();
    __shared__ double product[kSlotThreads][kModes];
    const int thread = static_cast<int>(blockIdx.x) * kSlotThreads + static_cast<int>(threadIdx.x);
    const int row = thread % D;
    const bool on = thread / D < v.slots;
    const int slot = on ? thread / D : v.slots - 1, node = v.row[slot], aggregate = v.column[slot];
    const Vec3d centre = v.centre[aggregate];
    double sum[kModes] = {};
    const int end = v.item_begin[slot + 1];
#pragma unroll 2
    for (int k = v.item_begin[slot]; k < end; ++k) {
        const auto [place, j] = v.item[k];
        if (v.constrained && v.constrained[j]) continue;
        const Vec3d arm = v.position[j] - centre;
        const double e0 = entry<D>(a.value, place, row, 0), e1 = entry<D>(a.value, place, row, 1),
                     e2 = entry<D>(a.value, place, row, 2);
        sum[0] += e0;
        sum[1] += e1;
        sum[2] += e2;
        sum[3] += e2 * arm.y - e1 * arm.z;
        sum[4] += e0 * arm.z - e2 * arm.x;
        sum[5] += e1 * arm.x - e0 * arm.y;
        if (D == 6)
            for (int c = 3; c < D; ++c) sum[c] += entry<D>(a.value, place, row, c);
    }
    for (int mode = 0; mode < kModes; ++mode) product[threadIdx.x][mode] = sum[mode];
    __syncthreads();
    if (!on) return;
    const bool held = v.constrained && v.constrained[node], own = v.aggregate_of[node] == aggregate;
    const int first = static_cast<int>(threadIdx.x) - row;
    const Vec3d arm = v.position[node] - centre;
    for (int mode = 0; mode < kModes; ++mode) {
        double smoothed = 0;
        for (int c = 0; c < D; ++c)
            smoothed += v.inverse_diagonal[static_cast<std::size_t>(node) * (D * D) + row * D + c] *
                        product[first + c][mode];
        const double value = (own ? rigid_mode<D>(mode, row, arm) : 0.0) - v.weight * smoothed;
        const float stored = held ? 0.0f : static_cast<float>(value);
        v.p[static_cast<std::size_t>(slot) * (D * kModes) + row * kModes + mode] = stored;
        v.transposed[static_cast<std::size_t>(v.transposed_place[slot]) * (D * kModes) + mode * D + row] =
            stored;
    }
}

// Row `row` of one slot of A P; number(place, row, column) is that of A.
template <int D, class Numbers>
__device__ void multiply_slot(int slot, int row, const int* begin, const IndexPair* item, const float* p,
                              float* ap, Numbers&& number) {
    double sum[kModes] = {};
    for (int k = begin[slot]; k < begin[slot + 1]; ++k) {
        const IndexPair pair = item[k];
        const float2* factor =
            reinterpret_cast<const float2*>(p + static_cast<std::size_t>(pair.second) * (D * kModes));
#pragma unroll
        for (int c = 0; c < D; ++c) {
            const double e = number(pair.first, row, c);
#pragma unroll
            for (int m = 0; m < 3; ++m) {
                const float2 f = factor[3 * c + m];
                sum[2 * m] += e * f.x;
                sum[2 * m + 1] += e * f.y;
            }
        }
    }
    float2* out =
        reinterpret_cast<float2*>(ap + static_cast<std::size_t>(slot) * ap_stride(D) + row * kModes);
#pragma unroll
    for (int m = 0; m < 3; ++m) out[m] = {static_cast<float>(sum[2 * m]), static_cast<float>(sum[2 * m + 1])};
}

// A P, a thread a row of a slot.
template <int D, class Number>
__global__ void __launch_bounds__(kThreads)
    multiply_prolongation(MatrixView<Number> a, int slots, const int* begin, const IndexPair* item,
                          const float* p, float* ap) {
    let_next_start();
    wait_for_previous();
    const int thread = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), slot = thread / D;
    if (slot >= slots) return;
    multiply_slot<D>(slot, thread % D, begin, item, p, ap,
                     [&](int place, int r, int c) { return entry<D>(a.value, place, r, c); });
}

// The same on a large finest level: a thread block takes a slice, whose blocks of A come to shared memory
// first.
constexpr int kPlane = kSlice + 1;  // rows of a slice, and one that keeps threads on different banks
__global__ void __launch_bounds__(kThreads)
    multiply_prolongation_by_slices(MatrixView<double> a, const int* slice_slots, const int* begin,
                                    const IndexPair* item, const float* p, float* ap) {
    double* const numbers = dynamic_shared();
    const int first = a.slice_begin[blockIdx.x], count = (a.slice_begin[blockIdx.x + 1] - first) * 9 * kSlice;
    const double* from = a.value + static_cast<std::size_t>(first) * (9 * kSlice);
    for (int q = static_cast<int>(threadIdx.x); q < count; q += kThreads)
        numbers[q / kSlice * kPlane + q % kSlice] = from[q];
    __syncthreads();
    const int begin_slot = slice_slots[blockIdx.x], end_slot = slice_slots[blockIdx.x + 1];
    for (int q = static_cast<int>(threadIdx.x); q < (end_slot - begin_slot) * 3; q += kThreads)
        multiply_slot<3>(begin_slot + q / 3, q % 3, begin, item, p, ap, [&](int place, int r, int c) {
            return numbers[((place / kSlice - first) * 9 + c * 3 + r) * kPlane + place % kSlice];
        });
}

__device__ float& coarse_entry(float* value, int place, int r, int c) {
    return value[number_at<6>(place, r, c)];
}

struct GalerkinView {
    int blocks;
    const int* begin;
    const IndexPair *item, *place;
    const float *p, *ap;
    float* value;
};

// A number of the coarse matrix, in the block and in its transpose.
__device__ void store_coarse(const GalerkinView& v, int block, int r, int c, double number) {
    const auto [place, transposed] = v.place[block];
    coarse_entry(v.value, place, r, c) = static_cast<float>(number);
    if (transposed != place) coarse_entry(v.value, transposed, c, r) = static_cast<float>(number);
}

// P^T A P: four threads a number. Few blocks: what counts is that all threads have work.
template <int D>
__global__ void __launch_bounds__(kGalerkinThreads) galerkin_by_numbers(GalerkinView v) {
    constexpr int kShare = 4, kBlocks = kGalerkinThreads / (36 * kShare);
    __shared__ double share[kShare][kBlocks * 36];
    let_next_start();
    wait_for_previous();
    const int t = static_cast<int>(threadIdx.x), number = t % (kBlocks * 36), part = t / (kBlocks * 36);
    const int block = static_cast<int>(blockIdx.x) * kBlocks + number / 36, r = number % 6,
              c = number % 36 / 6;
    const bool on = block < v.blocks;
    const int end = on ? v.begin[block + 1] : 0;
    double sum = 0;
#pragma unroll 4
    for (int k = on ? v.begin[block] + part : 0; k < end; k += kShare) {
        const IndexPair pair = v.item[k];
        const float* p = v.p + static_cast<std::size_t>(pair.first) * (D * kModes) + r;
        const float* ap = v.ap + static_cast<std::size_t>(pair.second) * ap_stride(D) + c;
#pragma unroll
        for (int i = 0; i < D; ++i) sum += static_cast<double>(p[i * kModes]) * ap[i * kModes];
    }
    share[part][number] = sum;
    __syncthreads();
    if (part > 0 || !on) return;
    sum = (share[0][number] + share[1][number]) + (share[2][number] + share[3][number]);
    store_coarse(v, block, r, c, sum);
}

// The same, a thread a row of a block. Many blocks: what counts is that each number is read once.
template <int D>
__global__ void __launch_bounds__(kThreads) galerkin_by_rows(GalerkinView v) {
    let_next_start();
    wait_for_previous();
    const int thread = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), block = thread / 6,
              r = thread % 6;
    if (block >= v.blocks) return;
    double sum[6] = {};
    for (int k = v.begin[block]; k < v.begin[block + 1]; ++k) {
        const IndexPair pair = v.item[k];
        const float* p = v.p + static_cast<std::size_t>(pair.first) * (D * kModes) + r;
        float ap[ap_stride(D)];
        const float4* from =
            reinterpret_cast<const float4*>(v.ap + static_cast<std::size_t>(pair.second) * ap_stride(D));
#pragma unroll
        for (int q = 0; q < ap_stride(D) / 4; ++q) {
            const float4 four = from[q];
            ap[4 * q] = four.x;
            ap[4 * q + 1] = four.y;
            ap[4 * q + 2] = four.z;
            ap[4 * q + 3] = four.w;
        }
#pragma unroll
        for (int i = 0; i < D; ++i) {
            const double f = p[i * kModes];
#pragma unroll
            for (int c = 0; c < 6; ++c) sum[c] += f * ap[6 * i + c];
        }
    }
#pragma unroll
    for (int c = 0; c < 6; ++c) store_coarse(v, block, r, c, sum[c]);
}

// A group that is held, a point or a line lacks modes: they get a stiffness of their own.
__global__ void regularise(MatrixView<float> a) {
    let_next_start();
    wait_for_previous();
    const int node = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (node >= a.nodes) return;
    const int place = place_of(a, node, 0);
    for (int first = 0; first < kModes; first += 3) {
        float largest = 0;
        for (int c = first; c < first + 3; ++c) largest = fmaxf(largest, coarse_entry(a.value, place, c, c));
        for (int c = first; c < first + 3; ++c)
            coarse_entry(a.value, place, c, c) += largest > 0 ? kRegularisation * largest : 1.0f;
    }
}

template <int D, class Number>
void multiply(cudaStream_t stream, const Level& level, const MatrixView<Number>& a, bool overlap) {
    const GalerkinProduct& product = level.galerkin;
    const std::size_t shared = static_cast<std::size_t>(product.widest_slice) * (9 * kPlane) * sizeof(double);
    if constexpr (D == 3) {
        if (!overlap && shared <= kMaxSharedBytes) {
            check(cudaFuncSetAttribute(multiply_prolongation_by_slices,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(kMaxSharedBytes)),
                  "preparing a kernel");
            launch_shared(multiply_prolongation_by_slices,
                          blocks_for(static_cast<std::size_t>(level.nodes), kSlice), kThreads, shared, stream,
                          false, a, product.ap_slice_begin.data(), product.ap_begin.data(),
                          product.ap_item.data(), level.p.value.data(), product.ap.data());
            return;
        }
    }
    launch(multiply_prolongation<D, Number>,
           blocks_for(static_cast<std::size_t>(product.ap_slots) * D, kThreads), kThreads, stream, overlap, a,
           product.ap_slots, product.ap_begin.data(), product.ap_item.data(), level.p.value.data(),
           product.ap.data());
}

template <int D, class Number>
void set_up(cudaStream_t stream, const Level& level, const MatrixView<Number>& a, const Level& coarse,
            bool overlap) {
    const auto blocks = [](int work) { return blocks_for(static_cast<std::size_t>(work), kThreads); };
    const AggregateArrays& groups = level.aggregates;
    const Prolongation& p = level.p;
    const GalerkinProduct& product = level.galerkin;
    launch(find_centres, blocks(8 * groups.count), kThreads, stream, false, groups.count, groups.begin.data(),
           groups.member.data(), level.position, groups.centre.data());
    launch(invert_diagonal<D, Number>, blocks(level.nodes), kThreads, stream, overlap, a,
           level.inverse_diagonal.data());
    const ProlongationView v{p.slots,
                             p.row.data(),
                             p.column.data(),
                             groups.of.data(),
                             p.item_begin.data(),
                             p.transposed_place.data(),
                             p.item.data(),
                             level.constrained,
                             level.position,
                             groups.centre.data(),
                             level.inverse_diagonal.data(),
                             p.weight,
                             p.value.data(),
                             p.transposed.data()};
    launch(smooth_prolongation<D, Number>, blocks_for(static_cast<std::size_t>(p.slots) * D, kSlotThreads),
           kSlotThreads, stream, overlap, a, v);
    multiply<D, Number>(stream, level, a, overlap);
    const GalerkinView g{product.blocks, product.begin.data(), product.item.data(), product.place.data(),
                         p.value.data(), product.ap.data(),    coarse.single.value};
    if (product.by_rows)
        launch(galerkin_by_rows<D>, blocks(product.blocks * 6), kThreads, stream, overlap, g);
    else
        launch(galerkin_by_numbers<D>,
               blocks_for(static_cast<std::size_t>(product.blocks), kGalerkinThreads / 144), kGalerkinThreads,
               stream, overlap, g);
    launch(regularise, blocks(coarse.nodes), kThreads, stream, overlap, coarse.single);
}

}  // namespace

// Prolongation and coarse matrix of level l.
void Multigrid::set_up_level(const Stream& stream, std::size_t l) const {
    if (l == 0)
        cuda::set_up<3, double>(stream, levels_[l], levels_[l].wide, levels_[l + 1], small_);
    else
        cuda::set_up<6, float>(stream, levels_[l], levels_[l].single, levels_[l + 1], small_);
    if (contacts_)
        contacts_->set_up_next(stream, l, levels_[l].position, levels_[l].aggregates.centre.data());
}

// One level's matrix makes the next; the inverses of domains, which nothing waits for, are made beside that.
void Multigrid::set_up(const Stream& stream) const {
    const auto side_follows = [&] {
        check(cudaEventRecord(ready_, stream), "recording an event");
        check(cudaStreamWaitEvent(side_, ready_, 0), "waiting for an event");
    };
    if (contacts_) {
        contacts_->set_up_finest(stream);
        contact_domains_->follow(stream, matrix(), *contacts_);
    }
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
        side_follows();
        invert_domains_of(side_, l);
        set_up_level(stream, l);
    }
    set_up_top(stream);
    check(cudaEventRecord(inverted_, side_), "recording an event");
    check(cudaStreamWaitEvent(stream, inverted_, 0), "waiting for an event");
}

}  // namespace rumple::cuda
