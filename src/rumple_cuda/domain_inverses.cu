// Multigrid: exact inverses over the domains of a level.
#include <rumple_cuda/gauss_jordan.cuh>
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/matrix_entry.cuh>
#include <rumple_cuda/row_product.cuh>

namespace rumple::cuda {

namespace {

constexpr int kInverseThreads = 160;  // kUpperTiles, in whole warps

// Adds a 3x3 tile of the block that contacts give to two nodes.
template <int D, class Contacts>
__device__ void add_contact_tile(const Contacts& contacts, int node, int other, int row, int column,
                                 double (&tile)[9]) {
    for (int k = contacts.begin[node]; k < contacts.begin[node + 1]; ++k) {
        if (contacts.column[k] != other) continue;
        for (int e = 0; e < 9; ++e)
            tile[e] += static_cast<double>(
                contacts.value[static_cast<std::size_t>(k) * (D * D) + (row + e / 3) * D + column + e % 3]);
    }
}

// The nodes of a domain. Listed: they follow contacts.
template <int D, bool Listed>
struct DomainNodes {
    int begin = 0, count = 0;
    const int* member = nullptr;

    __device__ DomainNodes(const DomainView& domains, unsigned domain) {
        if constexpr (Listed) {
            member = domains.member + static_cast<std::size_t>(domain) * (kDomainUnknowns / D);
            count = domains.size[domain];
        } else {
            begin = domains.begin[domain];
            count = domains.begin[domain + 1] - begin;
        }
    }
    __device__ int node(int i) const { return Listed ? member[i] : begin + i; }
    __device__ int find(int node) const {  // -1: it is not of the domain
        if constexpr (Listed) {
            for (int i = 0; i < count; ++i)
                if (member[i] == node) return i;
            return -1;
        } else {
            return node >= begin && node < begin + count ? node - begin : -1;
        }
    }
};

// Inverse of each domain's part of the matrix, a thread block a domain, a thread a tile of
// its upper triangle.
template <int D, class Number, class Contacts>
__global__ void __launch_bounds__(kInverseThreads)
    invert_domains(MatrixView<Number> a, Contacts contacts, DomainView domains) {
    constexpr int kNodes = kDomainUnknowns / D, kTilesOfNode = D / 3;
    __shared__ int place[kNodes][kNodes];
    __shared__ PivotTiles tiles;
    let_next_start();
    wait_for_previous();
    const DomainNodes<D, kListed<D, Contacts>> nodes(domains, blockIdx.x);
    const int count = nodes.count;
    const int t = static_cast<int>(threadIdx.x);
    for (int q = t; q < kNodes * kNodes; q += kInverseThreads) place[q / kNodes][q % kNodes] = -1;
    __syncthreads();
    for (int q = t; q < count * kTiles; q += kInverseThreads)
        for (int k = q % kTiles; k < a.length[nodes.node(q / kTiles)]; k += kTiles) {
            const int at = place_of(a, nodes.node(q / kTiles), k), j = nodes.find(a.column[at]);
            if (j >= 0) place[q / kTiles][j] = at;
        }
    __syncthreads();
    int ty = 1, tx = 0;  // no tile
    if (t < kUpperTiles) upper_tile(t, ty, tx);
    const int node = ty / kTilesOfNode, other = tx / kTilesOfNode, at = place[node][other];
    const int row = ty % kTilesOfNode * 3, column = tx % kTilesOfNode * 3;
    const bool in = node < count && other < count;
    double v[9];
#pragma unroll
    for (int e = 0; e < 9; ++e) {
        v[e] = !in && ty == tx && e % 4 == 0 ? 1.0 : 0.0;  // beyond the domain's nodes
        if (at >= 0) v[e] = entry<D>(a.value, at, row + e / 3, column + e % 3);
    }
    if constexpr (Contacts::kAny)
        if (in && ty <= tx)
            add_contact_tile<D>(contacts, nodes.node(node), nodes.node(other), row, column, v);
    invert_48(v, ty, tx, tiles);
    if (ty > tx) return;
    float* out = domains.inverse + static_cast<std::size_t>(blockIdx.x) * (kDomainUnknowns * kDomainUnknowns);
#pragma unroll
    for (int e = 0; e < 9; ++e) {
        const float value = in ? static_cast<float>(v[e]) : 0.0f;
        const int r = ty * 3 + e / 3, c = tx * 3 + e % 3;
        out[c * kDomainUnknowns + r] = value;
        if (ty < tx) out[r * kDomainUnknowns + c] = value;
    }
}

}  // namespace

void Multigrid::invert_domains_of(const Stream& stream, std::size_t l) const {
    const Level& level = levels_[l];
    const unsigned blocks = static_cast<unsigned>(level.domains.count);
    if (l == 0)
        with_contacts([&]<class Contacts>(Contacts contacts) {
            launch(invert_domains<3, double, Contacts>, blocks, kInverseThreads, stream, false, level.wide,
                   contacts, level.domains);
        });
    else
        with_contacts(l, [&]<class Contacts>(Contacts contacts) {
            launch(invert_domains<6, float, Contacts>, blocks, kInverseThreads, stream, false, level.single,
                   contacts, level.domains);
        });
}

}  // namespace rumple::cuda
