#include <algorithm>
#include <rumple_cuda/block_layout.hpp>

namespace rumple::cuda {

BlockLayout::BlockLayout(const BlockPattern& pattern) {
    const int slices = (pattern.rows + kSlice - 1) / kSlice;
    length.resize(at(pattern.rows));
    slice_begin = {0};
    for (int s = 0; s < slices; ++s) {
        int width = 0;
        for (int row = s * kSlice; row < std::min(pattern.rows, (s + 1) * kSlice); ++row) {
            length[at(row)] = pattern.row_begin[at(row) + 1] - pattern.row_begin[at(row)];
            width = std::max(width, length[at(row)]);
        }
        slice_begin.push_back(slice_begin.back() + width);
    }
    column.resize(at(slice_begin.back()) * kSlice);
    for (int row = 0; row < slices * kSlice; ++row) {
        const int width = slice_begin[at(row / kSlice) + 1] - slice_begin[at(row / kSlice)];
        for (int slot = 0; slot < width; ++slot)
            column[at(place(row, slot))] = std::min(row, pattern.rows - 1);
        if (row >= pattern.rows) continue;
        for (int k = pattern.row_begin[at(row)]; k < pattern.row_begin[at(row) + 1]; ++k)
            column[at(place_of_entry(pattern, row, k))] = pattern.column[at(k)];
    }
}

}  // namespace rumple::cuda
