// What contacts add to the matrix, on every level of the hierarchy: rows of blocks beside the fixed pattern,
// other ones in each solve.
//
// On the finest level these are all blocks of all contacts, also those for which the pattern would have a
// place: P is smoothed by the cloth's own matrix alone, and a contact that were restricted in part by that
// and in part by the rigid modes would not stay semidefinite. C' = R^T C R with the rigid modes R of the
// aggregates has one block for each pair of aggregates that touch. Structure is found on the host, numbers
// are made on the device.
#pragma once

#include <rumple/core/parallel.hpp>
#include <rumple/linear/off_pattern_blocks.hpp>
#include <rumple_cuda/device.hpp>
#include <rumple_cuda/hierarchy.hpp>
#include <vector>

namespace rumple::cuda {

// Blocks row by row, each with its numbers row by row.
template <class Number>
struct ContactView {
    static constexpr bool kAny = true;
    const int *begin, *column;
    const Number* value;
};
struct NoContacts {
    static constexpr bool kAny = false;
};

// An array that the host fills and the device reads. It only grows.
template <class T>
class UploadArray {
  public:
    // True: it lies elsewhere now. Where memory is short it stays as it was.
    bool resize(std::size_t count) {
        const bool moves = count > host_.size() || !host_.data();
        if (moves) {
            DeviceArray<T> device(count + count / 2 + 64);
            host_ = PinnedArray<T>(device.size());
            device_ = std::move(device);
        }
        count_ = count;
        return moves;
    }
    T* host() const { return host_.data(); }
    const T* device() const { return device_.data(); }
    void upload(const Stream& stream) const {
        if (count_ == 0) return;
        check(
            cudaMemcpyAsync(device_.data(), host_.data(), count_ * sizeof(T), cudaMemcpyHostToDevice, stream),
            "copying contacts");
    }

  private:
    std::size_t count_ = 0;
    PinnedArray<T> host_;
    DeviceArray<T> device_;
};

class ContactMatrix {
  public:
    explicit ContactMatrix(const Hierarchy& hierarchy);  // keeps a reference

    // Takes the blocks of all contacts, both triangles, in the device's numbers; none of constrained
    // vertices. The stream has come to its end. True: arrays lie elsewhere now, and recorded graphs no longer
    // hold.
    bool upload(const Threads& threads, const Stream& stream, const OffPatternBlocks& blocks);

    ContactView<double> wide() const;
    ContactView<float> single(std::size_t level) const;

    // Queue: single precision of the finest level; the numbers of level l + 1 from those of l; those of the
    // last level in its dense matrix.
    void set_up_finest(const Stream& stream) const;
    void set_up_next(const Stream& stream, std::size_t l, const Vec3d* position, const Vec3d* centre) const;
    void add_to_dense(const Stream& stream, int padded, double* dense) const;

    float* tie() const { return tie_.data(); }  // a number a block of the finest level, for ContactDomains

    std::size_t blocks(std::size_t level) const { return levels_[level].blocks; }

  private:
    struct Level {
        std::size_t rows = 0, blocks = 0;
        UploadArray<int> begin, column, item_begin;
        UploadArray<IndexPair> item;  // of each block: (block of the finer level, its row)
        DeviceArray<float> value;
    };
    struct Piece;  // of rows
    bool find_next(const Threads& threads, std::size_t l);
    bool make_room(std::size_t l, std::size_t blocks, std::size_t items);

    const Hierarchy& hierarchy_;
    std::vector<Level> levels_;
    UploadArray<double> wide_;
    DeviceArray<float> tie_;
};

}  // namespace rumple::cuda
