// Rows of products with sparse matrices and with the inverses of domains, the way all kernels of an iteration
// compute them.
//
// A thread block has 192 threads. Split 1: 48 threads take the rows of one domain, so that a thread block
// takes four domains; in products with the matrix three threads share a vertex (NodeProduct). Split 4: four
// threads share a row, each with a quarter of its blocks, and the thread block takes one domain. That is for
// small problems, where the time of one load after the other counts. Then what set-up made is loaded into
// registers before the kernel waits for the one before it (load(), later times()).
#pragma once

#include <rumple_cuda/multigrid.hpp>

namespace rumple::cuda {

inline constexpr int kLanes = kDomainUnknowns, kParts = 4, kRowThreads = kLanes * kParts;
// Thread blocks of kernels with Split 1. A constant, not a property of the card: it fixes the order of the
// sums.
inline constexpr unsigned kMaxRowBlocks = 2112;

template <int Split>
inline constexpr int kDomainsPerBlock = kParts / Split;

inline unsigned row_blocks(int domains, int split) {
    const unsigned blocks = static_cast<unsigned>((domains * split + kParts - 1) / kParts);
    return split == 1 && blocks > kMaxRowBlocks ? kMaxRowBlocks : blocks;
}

inline unsigned node_blocks(int nodes) {
    const unsigned blocks = static_cast<unsigned>((nodes + kRowThreads / 3 - 1) / (kRowThreads / 3));
    return blocks > kMaxRowBlocks ? kMaxRowBlocks : blocks;
}

// Do the domains of a level follow these contacts? Then their members are listed.
template <int D, class Contacts>
inline constexpr bool kListed = D == 3 && Contacts::kAny;

// Which domain and which row of it a thread has.
template <int D, int Split, bool Listed = false>
struct DomainRow {
    int domain, part, lane, rows;
    std::size_t first;  // number of the domain's first unknown; Listed: of the thread's node's

    __device__ DomainRow(const DomainView& domains, int first_of_block) {
        const int group = static_cast<int>(threadIdx.x) / kLanes;
        lane = static_cast<int>(threadIdx.x) % kLanes;
        part = Split == 1 ? 0 : group;
        domain = first_of_block + (Split == 1 ? group : 0);
        const bool in = domain < domains.count;
        if constexpr (Listed) {
            rows = in ? D * domains.size[domain] : 0;
            first = on() ? static_cast<std::size_t>(D) * domains.member[domain * (kLanes / D) + lane / D] : 0;
        } else {
            const int begin = in ? domains.begin[domain] : 0;
            rows = in ? D * (domains.begin[domain + 1] - begin) : 0;
            first = static_cast<std::size_t>(D) * begin;
        }
    }
    __device__ bool on() const { return lane < rows; }
    __device__ bool writes() const { return on() && part == 0; }
    __device__ std::size_t at() const { return first + (Listed ? lane % D : lane); }
    __device__ std::size_t padded() const { return at() / 3 * kStride + lane % 3; }  // on the finest level
    __device__ int group() const { return static_cast<int>(threadIdx.x) / kLanes; }
};

// A quarter of a scalar row of a matrix of DxD blocks.
template <int D, class Number>
class RowProduct {
  public:
    __device__ void load(const MatrixView<Number>& a, bool on, int node, int row, int part) {
        const int slice = a.slice_begin[node / kSlice];
        part_ = part;
        length_ = on ? a.length[node] : 0;
        column_ = a.column + static_cast<std::size_t>(slice) * kSlice + node % kSlice;
        value_ = a.value + number_at<D>(slice * kSlice + node % kSlice, row, 0);
#pragma unroll
        for (int k = 0; k < kHeld; ++k) {
            const bool in = part + kParts * k < length_;
            const int slot = in ? part + kParts * k : 0;  // loads without a condition overlap
            held_column_[k] = column_[slot * kSlice];
#pragma unroll
            for (int c = 0; c < D; ++c) {
                const Number number = value_[static_cast<std::size_t>(slot) * kBlock + c * (D * kSlice)];
                held_[k][c] = in ? number : Number(0);
            }
        }
    }

    // The row times a vector; y(j, c) is number c of node j.
    template <class Sum, class Vector>
    __device__ Sum times(Vector&& y) const {
        Sum sum = 0;
#pragma unroll
        for (int k = 0; k < kHeld; ++k)
#pragma unroll
            for (int c = 0; c < D; ++c)
                sum += static_cast<Sum>(held_[k][c]) * static_cast<Sum>(y(held_column_[k], c));
        for (int slot = part_ + kParts * kHeld; slot < length_; slot += kParts) {
            const int j = column_[slot * kSlice];
#pragma unroll
            for (int c = 0; c < D; ++c)
                sum += static_cast<Sum>(value_[static_cast<std::size_t>(slot) * kBlock + c * (D * kSlice)]) *
                       static_cast<Sum>(y(j, c));
        }
        return sum;
    }

  private:
    static constexpr int kBlock = D * D * kSlice;  // numbers of one block of all rows of a slice
    static constexpr int kHeld = D == 3 ? 4 : 5;

    int part_, length_;
    const int* column_;
    const Number* value_;
    int held_column_[kHeld];
    Number held_[kHeld][D];
};

// What contacts add to such a quarter of a row.
template <int D, class Sum, class Contacts, class Vector>
__device__ Sum contact_row(const Contacts& contacts, bool on, int node, int row, int part, Vector&& y) {
    Sum sum = 0;
    if constexpr (Contacts::kAny) {
        const int end = on ? contacts.begin[node + 1] : 0;
        for (int k = on ? contacts.begin[node] + part : 0; k < end; k += kParts) {
            const int j = contacts.column[k];
            for (int c = 0; c < D; ++c)
                sum += static_cast<Sum>(contacts.value[static_cast<std::size_t>(k) * (D * D) + row * D + c]) *
                       static_cast<Sum>(y(j, c));
        }
    }
    return sum;
}

// A vertex's three rows times a vector, by three threads with a third of its blocks each. y(j) is what the
// vector has for vertex j.
inline constexpr int kNodeParts = 3, kBlockNodes = kRowThreads / kNodeParts;
template <int Unroll, class Number, class Vector>
__device__ auto multiply_node(const MatrixView<Number>& a, bool on, int node, int part, Vector&& y) {
    constexpr int kBlock = 9 * kSlice;
    const int slice = a.slice_begin[node / kSlice], length = on ? a.length[node] : 0;
    const int* column = a.column + static_cast<std::size_t>(slice) * kSlice + node % kSlice;
    const Number* value = a.value + static_cast<std::size_t>(slice) * kBlock + node % kSlice;
    Vec3<Number> sum;
#pragma unroll Unroll
    for (int slot = part; slot < length; slot += kNodeParts) {
        const Number* block = value + static_cast<std::size_t>(slot) * kBlock;
        const Vec3<Number> v = y(column[slot * kSlice]);
        sum.x += block[0] * v.x + block[3 * kSlice] * v.y + block[6 * kSlice] * v.z;
        sum.y += block[kSlice] * v.x + block[4 * kSlice] * v.y + block[7 * kSlice] * v.z;
        sum.z += block[2 * kSlice] * v.x + block[5 * kSlice] * v.y + block[8 * kSlice] * v.z;
    }
    return sum;
}
// What contacts add to such a third of a vertex's rows.
template <class Number, class Vector>
__device__ Vec3<Number> contact_node(const ContactView<Number>& contacts, bool on, int node, int part,
                                     Vector&& y) {
    Vec3<Number> sum;
    const int end = on ? contacts.begin[node + 1] : 0;
    for (int k = on ? contacts.begin[node] + part : 0; k < end; k += kNodeParts) {
        const Number* block = contacts.value + static_cast<std::size_t>(k) * 9;
        const Vec3<Number> v = y(contacts.column[k]);
        sum.x += block[0] * v.x + block[1] * v.y + block[2] * v.z;
        sum.y += block[3] * v.x + block[4] * v.y + block[5] * v.z;
        sum.z += block[6] * v.x + block[7] * v.y + block[8] * v.z;
    }
    return sum;
}
__device__ inline Vec3<float> load_padded(const float* y, int node) {
    const float4 v = reinterpret_cast<const float4*>(y)[node];
    return {v.x, v.y, v.z};
}
__device__ inline Vec3<double> load_padded(const double* p, int node) {
    const double2 xy = reinterpret_cast<const double2*>(p)[2 * node];
    return {xy.x, xy.y, p[kStride * static_cast<std::size_t>(node) + 2]};
}

// Adds up the parts of kBlockNodes vertices. Threads with part 0 get the sum.
template <class Number>
__device__ Vec3<Number> add_node_parts(Vec3<Number> value, int part, int local) {
    __shared__ Number share[kNodeParts - 1][3][kBlockNodes];
    if (part > 0)
        for (int c = 0; c < 3; ++c) share[part - 1][c][local] = value[c];
    __syncthreads();
    if (part == 0)
        for (int q = 0; q < kNodeParts - 1; ++q)
            value += Vec3<Number>{share[q][0][local], share[q][1][local], share[q][2][local]};
    __syncthreads();
    return value;
}

// One row of a domain's inverse, or a quarter of it.
template <int Split>
class InverseRow {
  public:
    __device__ void load(const DomainView& domains, int domain, int lane, int part) {
        from_ = domains.inverse + static_cast<std::size_t>(domain) * (kLanes * kLanes) + lane;
        part_ = part;
        if constexpr (Split > 1) {
#pragma unroll
            for (int c = 0; c < kShare; ++c) held_[c] = from_[(part * kShare + c) * kLanes];
        }
    }
    __device__ float times(const float* x) const {
        float sum[4] = {};
        if constexpr (Split > 1) {
#pragma unroll
            for (int c = 0; c < kShare; ++c) sum[c % 4] += held_[c] * x[part_ * kShare + c];
        } else {
#pragma unroll
            for (int c = 0; c < kLanes; ++c) sum[c % 4] += from_[c * kLanes] * x[c];
        }
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

  private:
    static constexpr int kShare = kLanes / Split;
    const float* from_;
    int part_;
    float held_[Split > 1 ? kShare : 1];
};

// The sum of the four parts of a row; all of its threads get it.
template <int Split, class Number>
__device__ Number add_parts(Number value, int part, int lane) {
    if constexpr (Split == 1) {
        return value;
    } else {
        __shared__ Number share[kParts][kLanes];
        share[part][lane] = value;
        __syncthreads();
        value = (share[0][lane] + share[1][lane]) + (share[2][lane] + share[3][lane]);
        __syncthreads();
        return value;
    }
}

// Read past the first cache: kernels that overlap write these.
__device__ inline bool is_over(const IterationState* state) {
    return __ldcg(reinterpret_cast<const int*>(&state->outcome)) != static_cast<int>(Outcome::running);
}

}  // namespace rumple::cuda
