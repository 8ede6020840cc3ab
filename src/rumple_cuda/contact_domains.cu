#include <rumple_cuda/contact_domains.hpp>
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/matrix_entry.cuh>

namespace rumple::cuda {

namespace {

constexpr int kThreads = 128;
constexpr int kRounds = 6;
// A vertex joins another domain where it is tied to that so many times as much as to its own.
constexpr float kMargin = 1.1f;
constexpr int kMaxPulling = 24;  // domains that a vertex looks at: those that it meets first

struct FollowView {
    MatrixView<double> a;
    ContactView<double> contacts;
    float* contact_tie;  // of each block
    int domains;
    const int *begin, *mesh_domain;
    int *of, *next, *wanted;
    float *scale, *gain, *tie;
    int *member, *size;

    __device__ bool touches(int v) const { return contacts.begin[v] < contacts.begin[v + 1]; }
};

// The domains of the mesh; and the size of each vertex's own block, with what contacts add to it.
__global__ void __launch_bounds__(kThreads) begin_following(FollowView f) {
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v >= f.a.nodes) return;
    f.next[v] = f.mesh_domain[v];
    const int place = place_of(f.a, v, 0);
    double block[9];
    for (int e = 0; e < 9; ++e) block[e] = entry<3>(f.a.value, place, e / 3, e % 3);
    for (int k = f.contacts.begin[v]; k < f.contacts.begin[v + 1]; ++k)
        if (f.contacts.column[k] == v)
            for (int e = 0; e < 9; ++e) block[e] += f.contacts.value[static_cast<std::size_t>(k) * 9 + e];
    double sum = 0;
    for (const double e : block) sum += e * e;
    f.scale[v] = sum > 0 ? static_cast<float>(1 / sqrt(sqrt(sum))) : 0.0f;
}

// How much each vertex that touches is tied to its neighbours.
__global__ void __launch_bounds__(kThreads) measure_ties(FollowView f) {
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v >= f.a.nodes || !f.touches(v)) return;
    const float scale = f.scale[v];
    for (int slot = 1; slot < f.a.length[v]; ++slot) {
        const int place = place_of(f.a, v, slot);
        double sum = 0;
        for (int e = 0; e < 9; ++e) {
            const double number = entry<3>(f.a.value, place, e / 3, e % 3);
            sum += number * number;
        }
        f.tie[place] = static_cast<float>(sqrt(sum)) * scale * f.scale[f.a.column[place]];
    }
    for (int k = f.contacts.begin[v]; k < f.contacts.begin[v + 1]; ++k) {
        double sum = 0;
        for (int e = 0; e < 9; ++e) {
            const double number = f.contacts.value[static_cast<std::size_t>(k) * 9 + e];
            sum += number * number;
        }
        f.contact_tie[k] = static_cast<float>(sqrt(sum)) * scale * f.scale[f.contacts.column[k]];
    }
}

// The pulls of domains on one vertex.
struct Pulls {
    int domain[kMaxPulling];
    float pull[kMaxPulling];
    int count = 0;

    __device__ void add(int to, float strength) {
        int i = 0;
        while (i < count && domain[i] != to) ++i;
        if (i == kMaxPulling) return;
        if (i == count) {
            domain[count++] = to;
            pull[i] = 0;
        }
        pull[i] += strength;
    }
};

__global__ void __launch_bounds__(kThreads) choose_domains(FollowView f, bool upwards) {
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v >= f.a.nodes) return;
    const int own = f.next[v];
    f.of[v] = own;
    f.wanted[v] = -1;
    if (!f.touches(v)) return;
    Pulls pulls;
    pulls.add(own, 0);
    for (int slot = 1; slot < f.a.length[v]; ++slot) {
        const int place = place_of(f.a, v, slot);
        pulls.add(f.next[f.a.column[place]], f.tie[place]);
    }
    for (int k = f.contacts.begin[v]; k < f.contacts.begin[v + 1]; ++k)
        if (f.contacts.column[k] != v) pulls.add(f.next[f.contacts.column[k]], f.contact_tie[k]);
    float most = kMargin * pulls.pull[0];
    for (int i = 1; i < pulls.count; ++i) {
        if (upwards != (pulls.domain[i] > own) || !(pulls.pull[i] > most)) continue;
        most = pulls.pull[i];
        f.wanted[v] = pulls.domain[i];
    }
    f.gain[v] = most - pulls.pull[0];
}

// Greater: gains more; of equals the lower number. Never 0.
__device__ unsigned long long rank_of(float gain, int vertex) {
    unsigned bits = 0;
    memcpy(&bits, &gain, sizeof bits);  // of positive numbers the order is that of their bits
    return static_cast<unsigned long long>(bits) << 32 | (0xffffffffu - static_cast<unsigned>(vertex));
}

// The best of the vertices beside `vertex` that want to join `domain`, of those below `below`; by one warp.
__device__ unsigned long long best_beside(const FollowView& f, int vertex, int domain,
                                          unsigned long long below) {
    unsigned long long best = 0;
    const auto look_at = [&](int w) {
        if (f.wanted[w] != domain) return;
        const unsigned long long rank = rank_of(f.gain[w], w);
        if (rank < below && rank > best) best = rank;
    };
    const int lane = static_cast<int>(threadIdx.x);
    for (int slot = 1 + lane; slot < f.a.length[vertex]; slot += 32)
        look_at(f.a.column[place_of(f.a, vertex, slot)]);
    for (int k = f.contacts.begin[vertex] + lane; k < f.contacts.begin[vertex + 1]; k += 32)
        look_at(f.contacts.column[k]);
    return best;
}

// A warp a domain: drops those that left, then takes those that gain most, as far as there is room.
__global__ void __launch_bounds__(32) take_members(FollowView f, bool first_round) {
    __shared__ int member[kDomainVertices];
    __shared__ int kept;
    const int domain = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x);
    const std::size_t list = static_cast<std::size_t>(domain) * kDomainVertices;
    if (lane == 0) {
        const int begin = f.begin[domain],
                  before = first_round ? f.begin[domain + 1] - begin : f.size[domain];
        kept = 0;
        for (int q = 0; q < before; ++q) {
            const int m = first_round ? begin + q : f.member[list + q];
            if (f.of[m] == domain) member[kept++] = m;
        }
    }
    __syncthreads();
    const int old = kept;
    int count = old;
    for (unsigned long long below = ~0ull; count < kDomainVertices; ++count) {
        unsigned long long best = 0;
        for (int q = 0; q < old; ++q) best = max(best, best_beside(f, member[q], domain, below));
        for (int offset = 16; offset > 0; offset /= 2) best = max(best, __shfl_down_sync(~0u, best, offset));
        best = __shfl_sync(~0u, best, 0);
        if (best == 0) break;
        below = best;
        const int joins = static_cast<int>(0xffffffffu - static_cast<unsigned>(best));
        if (lane == 0) {
            f.member[list + count] = joins;
            f.next[joins] = domain;
        }
    }
    if (lane < old) f.member[list + lane] = member[lane];
    if (lane == 0) f.size[domain] = count;
}

// Drops those that left in the last round, and puts the others in order.
__global__ void __launch_bounds__(kThreads) order_members(FollowView f) {
    const int domain = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (domain >= f.domains) return;
    int* const list = f.member + static_cast<std::size_t>(domain) * kDomainVertices;
    int count = 0;
    for (int q = 0; q < f.size[domain]; ++q) {
        const int m = list[q];
        if (f.next[m] != domain) continue;
        int at = count++;
        for (; at > 0 && list[at - 1] > m; --at) list[at] = list[at - 1];
        list[at] = m;
    }
    f.size[domain] = count;
}

}  // namespace

void ContactDomains::follow(const Stream& stream, const MatrixView<double>& a,
                            const ContactMatrix& contacts) const {
    const FollowView f{a,
                       contacts.wide(),
                       contacts.tie(),
                       count_,
                       begin_.data(),
                       mesh_domain_.data(),
                       of_.data(),
                       next_.data(),
                       wanted_.data(),
                       scale_.data(),
                       gain_.data(),
                       tie_.data(),
                       member_.data(),
                       size_.data()};
    const unsigned of_vertices = blocks_for(at(vertices_), kThreads);
    launch(begin_following, of_vertices, kThreads, stream, false, f);
    launch(measure_ties, of_vertices, kThreads, stream, false, f);
    for (int round = 0; round < kRounds; ++round) {
        launch(choose_domains, of_vertices, kThreads, stream, false, f, round % 2 == 1);
        launch(take_members, static_cast<unsigned>(count_), 32, stream, false, f, round == 0);
    }
    launch(order_members, blocks_for(at(count_), kThreads), kThreads, stream, false, f);
}

}  // namespace rumple::cuda
