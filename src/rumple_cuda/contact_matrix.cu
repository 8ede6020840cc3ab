// The numbers of what contacts add, level by level.
#include <rumple_cuda/contact_matrix.hpp>
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/rigid_modes.cuh>

#include <algorithm>

namespace rumple::cuda {

namespace {

constexpr int kThreads = 192;  // a multiple of 6
// The number of blocks is known to the device alone: recorded graphs have a fixed number of threads.
constexpr unsigned kMaxBlocks = 1056;

unsigned blocks_of(std::size_t rows) {
    return std::min(kMaxBlocks, std::max(1u, blocks_for(kModes * kModes * rows, kThreads)));
}

__global__ void __launch_bounds__(kThreads)
    narrow_contacts(int rows, const int* begin, const double* wide, float* single) {
    wait_for_previous();
    const int count = 9 * begin[rows];
    for (int q = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); q < count;
         q += static_cast<int>(gridDim.x * kThreads))
        single[q] = static_cast<float>(wide[q]);
}

template <class Number>
struct NextView {
    ContactView<Number> fine;
    int rows;
    const int *begin, *column, *item_begin;
    const IndexPair* item;
    const Vec3d *position, *centre;  // of the finer nodes, of their aggregates
    float* value;
};

// The row of a block: the last whose blocks begin before.
__device__ int row_of_block(const int* begin, int rows, int block) {
    int low = 0, high = rows;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (begin[middle] <= block ? low : high) = middle;
    }
    return low;
}

// R^T C R, a thread a row of a block, its items in their order.
template <int D, class Number>
__global__ void __launch_bounds__(kThreads) restrict_contacts(NextView<Number> v) {
    wait_for_previous();
    const int count = v.begin[v.rows], mode = static_cast<int>(threadIdx.x) % kModes;
    for (int block = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) / kModes; block < count;
         block += static_cast<int>(gridDim.x * kThreads) / kModes) {
        const Vec3d row_centre = v.centre[row_of_block(v.begin, v.rows, block)],
                    column_centre = v.centre[v.column[block]];
        double sum[kModes] = {};
        for (int q = v.item_begin[block]; q < v.item_begin[block + 1]; ++q) {
            const auto [k, i] = v.item[q];
            const int j = v.fine.column[k];
            const Vec3d arm = v.position[i] - row_centre, other = v.position[j] - column_centre;
            const Number* number = v.fine.value + static_cast<std::size_t>(k) * (D * D);
            for (int c = 0; c < D; ++c) {
                double left = 0;
                for (int r = 0; r < D; ++r)
                    left += rigid_mode<D>(mode, r, arm) * static_cast<double>(number[r * D + c]);
                for (int m = 0; m < kModes; ++m) sum[m] += left * rigid_mode<D>(m, c, other);
            }
        }
        for (int m = 0; m < kModes; ++m)
            v.value[(static_cast<std::size_t>(block) * kModes + mode) * kModes + m] =
                static_cast<float>(sum[m]);
    }
}

__global__ void __launch_bounds__(kThreads)
    add_dense_contacts(ContactView<float> c, int rows, int padded, double* dense) {
    wait_for_previous();
    const int count = c.begin[rows] * (kModes * kModes);
    for (int q = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); q < count;
         q += static_cast<int>(gridDim.x * kThreads)) {
        const int block = q / (kModes * kModes), within = q % (kModes * kModes);
        const int row = kModes * row_of_block(c.begin, rows, block) + within / kModes,
                  column = kModes * c.column[block] + within % kModes;
        dense[static_cast<std::size_t>(row) * static_cast<std::size_t>(padded) + column] += c.value[q];
    }
}

}  // namespace

void ContactMatrix::set_up_finest(const Stream& stream) const {
    const Level& level = levels_[0];
    launch(narrow_contacts, blocks_of(level.rows), kThreads, stream, false, static_cast<int>(level.rows),
           level.begin.device(), wide_.device(), level.value.data());
}

void ContactMatrix::set_up_next(const Stream& stream, std::size_t l, const Vec3d* position,
                                const Vec3d* centre) const {
    const Level& next = levels_[l + 1];
    const auto queue = [&]<class Number>(auto kernel, ContactView<Number> fine) {
        const NextView<Number> v{fine,
                                 static_cast<int>(next.rows),
                                 next.begin.device(),
                                 next.column.device(),
                                 next.item_begin.device(),
                                 next.item.device(),
                                 position,
                                 centre,
                                 next.value.data()};
        launch(kernel, blocks_of(next.rows), kThreads, stream, false, v);
    };
    if (l == 0)
        queue(restrict_contacts<3, double>, wide());
    else
        queue(restrict_contacts<6, float>, single(l));
}

void ContactMatrix::add_to_dense(const Stream& stream, int padded, double* dense) const {
    const Level& top = levels_.back();
    launch(add_dense_contacts, blocks_of(top.rows), kThreads, stream, false, single(levels_.size() - 1),
           static_cast<int>(top.rows), padded, dense);
}

}  // namespace rumple::cuda
