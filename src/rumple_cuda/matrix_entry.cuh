// Single numbers of a matrix, for kernels of set-up.
#pragma once

#include <cuda_runtime.h>

#include <rumple_cuda/multigrid.hpp>

namespace rumple::cuda {

template <int D, class Number>
__device__ double entry(const Number* value, int place, int r, int c) {
    return static_cast<double>(value[number_at<D>(place, r, c)]);
}
template <class Number>
__device__ int place_of(const MatrixView<Number>& a, int node, int slot) {
    return (a.slice_begin[node / kSlice] + slot) * kSlice + node % kSlice;
}

}  // namespace rumple::cuda
