// Multigrid: the smoothing that ends a cycle, and what the conjugate gradients want to know of its result.
#include <rumple_cuda/kernels.cuh>
#include <rumple_cuda/row_product.cuh>

namespace rumple::cuda {

namespace {

constexpr double kMargin = 6;  // as linear/pcg.cpp: the error is smoother than z

// How much longer the error is than z, in the preconditioner's norm, as it was some iterations ago: see
// LinearSolver::estimate_stretch(). By one warp; each lane loads one step.
__device__ double estimate_stretch(const IterationState* state, int steps) {
    const int lane = static_cast<int>(threadIdx.x) % 32, delay = min(steps, max(3, steps / 2));
    double energy = 0, error = 0, first_rz = 1;
    for (int base = 0; base < delay; base += 32) {
        const IterationStep* own = &state->step[max(0, steps - 1 - base - lane)];
        const double rz = __ldcg(&own->rz), ratio = __ldcg(&own->pp) / __ldcg(&own->pq),
                     e = __ldcg(&own->energy);
        for (int j = 0; j < min(32, delay - base); ++j) {
            const double before = energy;
            energy += __shfl_sync(~0u, e, j);
            error += __shfl_sync(~0u, ratio, j) * (energy + before);
            first_rz = __shfl_sync(~0u, rz, j);
        }
    }
    return delay > 0 ? sqrt(error / first_rz) : 1.0;
}

// What to do after z is known: stop, give up, or how to turn. By the last thread block.
__device__ void conclude(IterationState* state, double rz, double zq, double z_max) {
    if (threadIdx.x >= 32) return;
    const int steps = __ldcg(&state->steps);
    const double estimate = kMargin * estimate_stretch(state, steps) * sqrt(z_max);
    if (threadIdx.x > 0) return;
    state->estimate = estimate;
    // Polak and Ribiere's form forgives a preconditioner that is not quite symmetric.
    state->beta = steps > 0 ? -__ldcg(&state->alpha) * zq / __ldcg(&state->rz) : 0;
    state->rz = rz;
    if (isfinite(rz) && (z_max == 0 || (steps > 0 && estimate < __ldcg(&state->tolerance))))
        state->outcome = Outcome::converged;
    else if (!(rz > 0) || !isfinite(rz) || steps == kMaxIterations)
        state->outcome = Outcome::failed;
}

__device__ double squared_length(const float* z) {
    const double x0 = z[0], x1 = z[1], x2 = z[2];
    return x0 * x0 + x1 * x1 + x2 * x2;
}

template <class Right, class Contacts>
struct SmoothAgainView {
    MatrixView<float> a;
    Contacts contacts;
    DomainView domains;
    const Right* b;
    const float* y;
    float* z;
};
struct SumsView {  // of the finest level
    const double* q;
    double* part;
    unsigned* counter;
};

// z = y + w S (b - A y) with four threads a row; on the finest level with r.z, z.q and the largest |z_i|^2.
template <int D, class Right, bool Finest, class Contacts>
__global__ void __launch_bounds__(kRowThreads)
    smooth_again(SmoothAgainView<Right, Contacts> v, SumsView sums, IterationState* state) {
    __shared__ float input[kLanes], result[Finest ? kLanes : 1];
    constexpr int kNumbers = D == 3 ? kStride : D;
    let_next_start();
    const DomainRow<D, kParts, kListed<D, Contacts>> row(v.domains, static_cast<int>(blockIdx.x));
    const int node = row.on() ? static_cast<int>(row.at() / D) : 0, r = row.lane % D;
    RowProduct<D, float> product;
    InverseRow<kParts> inverse;
    product.load(v.a, row.on(), node, r, row.part);
    inverse.load(v.domains, row.domain, row.lane, row.part);
    wait_for_previous();
    if (is_over(state)) return;
    const auto vector = [&](int j, int c) { return v.y[static_cast<std::size_t>(kNumbers) * j + c]; };
    float ay = product.template times<float>(vector);
    if constexpr (Contacts::kAny)
        ay += contact_row<D, float>(v.contacts, row.on(), node, r, row.part, vector);
    ay = add_parts<kParts>(ay, row.part, row.lane);
    const Right b = row.on() ? v.b[row.at()] : Right(0);
    if (row.part == 0) input[row.lane] = row.on() ? static_cast<float>(b) - ay : 0.0f;
    __syncthreads();
    float value = add_parts<kParts>(inverse.times(input), row.part, row.lane);
    double total[3] = {};
    if (row.writes()) {
        value = vector(node, r) + v.domains.weight * value;
        v.z[row.at()] = value;
        if constexpr (Finest) {
            total[0] = static_cast<double>(b) * value;
            total[1] = sums.q[row.at()] * value;
        }
    }
    if constexpr (Finest) {
        if (row.part == 0) result[row.lane] = row.on() ? value : 0.0f;
        __syncthreads();
        if (row.part == 0 && r == 0) total[2] = squared_length(result + row.lane);
        if (grid_reduce<kRowThreads, 1>(total, sums.part, sums.counter))
            conclude(state, total[0], total[1], total[2]);
    }
}

// The same on a large finest level: three threads a vertex for the product, one a row for the inverse.
template <class Contacts>
__global__ void __launch_bounds__(kRowThreads)
    smooth_again_nodes(SmoothAgainView<double, Contacts> v, SumsView sums, IterationState* state) {
    constexpr int kStep = kDomainsPerBlock<1>, kDomainNodes = kLanes / 3;
    static_assert(kStep * kDomainNodes == kBlockNodes);
    __shared__ float input[kStep][kLanes], result[kStep][kLanes];
    if (is_over(state)) return;
    const int part = static_cast<int>(threadIdx.x) / kBlockNodes,
              local = static_cast<int>(threadIdx.x) % kBlockNodes;
    double total[3] = {};
    for (int first = static_cast<int>(blockIdx.x) * kStep; first < v.domains.count;
         first += static_cast<int>(gridDim.x) * kStep) {
        const int domain = min(first + local / kDomainNodes, v.domains.count - 1),
                  within = local % kDomainNodes;
        bool there = first + local / kDomainNodes < v.domains.count;
        int node = 0;
        if constexpr (Contacts::kAny) {
            there = there && within < v.domains.size[domain];
            if (there) node = v.domains.member[domain * kDomainNodes + within];
        } else {
            const int begin = v.domains.begin[domain];
            there = there && within < v.domains.begin[domain + 1] - begin;
            node = there ? begin + within : begin;
        }
        const auto vector = [&](int j) { return load_padded(v.y, j); };
        Vec3<float> product = multiply_node<4>(v.a, there, node, part, vector);
        if constexpr (Contacts::kAny) product += contact_node(v.contacts, there, node, part, vector);
        product = add_node_parts(product, part, local);
        if (part == 0)
            for (int c = 0; c < 3; ++c)
                input[local / kDomainNodes][within * 3 + c] =
                    there ? static_cast<float>(v.b[3 * static_cast<std::size_t>(node) + c]) - product[c]
                          : 0.0f;
        __syncthreads();
        const DomainRow<3, 1, kListed<3, Contacts>> row(v.domains, first);
        float value = 0;
        if (row.on()) {
            InverseRow<1> inverse;
            inverse.load(v.domains, row.domain, row.lane, 0);
            value = v.y[row.padded()] + v.domains.weight * inverse.times(input[row.group()]);
            v.z[row.at()] = value;
            total[0] += v.b[row.at()] * value;
            total[1] += sums.q[row.at()] * value;
        }
        result[row.group()][row.lane] = value;
        __syncthreads();
        if (row.lane % 3 == 0) total[2] = fmax(total[2], squared_length(result[row.group()] + row.lane));
        __syncthreads();
    }
    if (grid_reduce<kRowThreads, 1>(total, sums.part, sums.counter))
        conclude(state, total[0], total[1], total[2]);
}

}  // namespace

void Multigrid::smooth_again_on(const Stream& stream, std::size_t l, const float* y, float* z,
                                const IterationState* state) const {
    const Level& level = levels_[l];
    with_contacts(l, [&]<class Contacts>(Contacts contacts) {
        const SmoothAgainView<float, Contacts> v{level.single, contacts, level.domains, level.b.data(), y, z};
        launch(smooth_again<6, float, false, Contacts>, static_cast<unsigned>(level.domains.count),
               kRowThreads, stream, true, v, SumsView{}, const_cast<IterationState*>(state));
    });
}

void Multigrid::smooth_again_on_finest(const Stream& stream, const double* r, const double* q, float* z,
                                       IterationState* state, double* part, unsigned* counter) const {
    const Level& fine = levels_[0];
    const SumsView sums{q, part, counter};
    const unsigned blocks = row_blocks(fine.domains.count, small_ ? kParts : 1);
    with_contacts(0, [&]<class Contacts>(Contacts contacts) {
        const SmoothAgainView<double, Contacts> v{fine.single, contacts, fine.domains, r, fine.y.data(), z};
        launch(small_ ? smooth_again<3, double, true, Contacts> : smooth_again_nodes<Contacts>, blocks,
               kRowThreads, stream, small_, v, sums, state);
    });
}

}  // namespace rumple::cuda
