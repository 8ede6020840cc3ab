// The rigid modes of an aggregate at its nodes.
#pragma once

#include <cuda_runtime.h>

#include <rumple/core/vec.hpp>

namespace rumple::cuda {

// Number `row` of rigid mode `mode` at a node `arm` away from the centre.
template <int D>
__device__ double rigid_mode(int mode, int row, Vec3d arm) {
    if (mode < 3) return row == mode;
    if (D == 6 && row >= 3) return row == mode;
    switch (mode) {
        case 3:
            return row == 1 ? -arm.z : (row == 2 ? arm.y : 0);
        case 4:
            return row == 0 ? arm.z : (row == 2 ? -arm.x : 0);
        default:
            return row == 0 ? -arm.y : (row == 1 ? arm.x : 0);
    }
}

}  // namespace rumple::cuda
