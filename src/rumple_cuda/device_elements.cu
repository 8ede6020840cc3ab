#include <rumple_cuda/element_kernels.cuh>
#include <rumple_cuda/history_kernels.cuh>

namespace rumple::cuda {

namespace {

constexpr int kThreads = kElementThreads;
constexpr int kSums = kEvaluationSums;
constexpr int kAssembleWarps = 8;

// The flags of a component with the side on which it slips or yields, as dynamics/elements.cpp.
__device__ std::uint8_t flags_of(const ComponentResponse<double>& w, const ComponentHistory<double>& h,
                                 double e) {
    int flags = (w.slips ? kSlipping : 0) | (w.yields ? kYielding : 0);
    if (w.slips && e < h.friction.anchor) flags |= kSlipping << 4;
    if (w.yields && e < h.plasticity.plastic) flags |= kYielding << 4;
    return static_cast<std::uint8_t>(flags);
}

struct Sums {
    double energy = 0, potential = 0, changed = 0, slipping = 0, yielding = 0, absurd = 0, kinetic = 0;

    __device__ void count(std::uint8_t flags, std::uint8_t before) {
        changed += flags != before;
        slipping += (flags & kSlipping) != 0;
        yielding += (flags & kYielding) != 0;
    }
};

template <bool More>
__device__ void evaluate_hinge(const ModelView& m, const StateView& s, const Vec3d* x, int e, Sums& sums) {
    const std::array<Vec3d, 4> corner = hinge_corners(m, e, x);
    const ComponentHistory<double> history = load<More>(s.bending, e, s.bending_relaxing, m.hinge_law[e]);
    const double strain = bending_strain(m, e, corner), ratio = m.length_over_height[e];
    const auto w = rumple::evaluate(bending_law<More>(m, e), history, strain, s.step->times);
    s.bending_record[e] = {hinge_bending<double>(corner, ratio, w)};
    const std::uint8_t flag = flags_of(w, history, strain);
    s.flags[e] = flag;
    sums.count(flag, s.flags_before[e]);
    sums.energy += hinge_energy<double>(ratio, w);
}

template <bool More>
__device__ void evaluate_triangle(const ModelView& m, const StateView& s, const Vec3d* x, int e, Sums& sums) {
    const MembraneParameters& law = m.membrane_laws[m.triangle_law[e]];
    const GreenStrain<double> E = membrane_strain(m, e, x);
    const StepTimes times = s.step->times;
    const double strain[3] = {E.uu, E.vv, E.uv};
    ComponentHistory<double> history[3];
    if (m.history.of_membrane) {
        for (int c = 0; c < 3; ++c)
            history[c] = load<More>(s.membrane, 3 * e + c, s.membrane_relaxing, m.triangle_law[e]);
    } else if (times.damping_per_h > 0) {
        const GreenStrain<double> begin = membrane_strain(m, e, s.x_begin);
        history[0].strain = begin.uu;
        history[1].strain = begin.vv;
        history[2].strain = begin.uv;
    }
    ComponentResponse<double> w[3];
    for (int c = 0; c < 3; ++c) w[c] = rumple::evaluate(law.component[c], history[c], strain[c], times);
    const double area = m.area[e];
    s.membrane_record[e] = {stvk_membrane<double>(area, E, law.k12, w[0], w[1], w[2])};
    if (m.history.of_membrane)
        for (int c = 0; c < 3; ++c) {
            const std::uint8_t flag = flags_of(w[c], history[c], strain[c]);
            const int at = m.hinges + 3 * e + c;
            s.flags[at] = flag;
            sums.count(flag, s.flags_before[at]);
        }
    const double most = s.step->max_stretch * s.step->max_stretch;
    sums.absurd += !(dot(E.F_u, E.F_u) <= most && dot(E.F_v, E.F_v) <= most);
    sums.energy += membrane_energy<double>(area, E, law.k12, w[0], w[1], w[2]);
}

__device__ void evaluate_vertex(const ModelView& m, const StateView& s, const Vec3d* x, int v, Sums& sums) {
    const StepParameters& in = *s.step;
    const Vec3d moved = x[v] - s.x_begin[v], off = moved - in.h * s.v[v], stretch = x[v] - s.target[v];
    const double h2 = in.h * in.h;
    sums.potential += 0.5 * m.mass[v] * (dot(off, off) + in.h * in.mass_damping * dot(moved, moved)) -
                      h2 * m.mass[v] * dot(in.gravity, moved);
    if (s.spring[v] > 0) sums.potential += 0.5 * h2 * s.spring[v] * dot(stretch, stretch);
    if (in.forces) sums.potential -= h2 * dot(s.force[v], moved);
    sums.kinetic += 0.5 * m.mass[v] * dot(moved, moved) / h2;
    const double squared = dot(moved, moved), most = in.max_distance * in.max_distance;
    sums.absurd += !(squared <= most || (s.constrained[v] && isfinite(squared)));
}

template <bool More>
__global__ void __launch_bounds__(kThreads, 4)
    evaluate_elements(ModelView m, StateView s, Shares share, const Vec3d* x, double* part, unsigned* counter,
                      EvaluationSums* out) {
    Sums sums;
    for_each_element(
        m, share, [&](int e) { evaluate_hinge<More>(m, s, x, e, sums); },
        [&](int e) { evaluate_triangle<More>(m, s, x, e, sums); },
        [&](int v) { evaluate_vertex(m, s, x, v, sums); });
    double value[kSums] = {sums.energy,   sums.potential, sums.changed, sums.slipping,
                           sums.yielding, sums.absurd,    sums.kinetic};
    if (!grid_reduce<kThreads>(value, part, counter)) return;
    if (threadIdx.x == 0) *out = {value[0], value[1], value[2], value[3], value[4], value[5], value[6]};
}

// One block of the matrix and, where it is on the diagonal, the force on its vertex.
__device__ void gather_block(const ModelView& m, const StateView& s, int place, double scale, bool diagonal,
                             Mat3d& block, Vec3d& force) {
    for (int k = m.item_begin[place]; k < m.item_begin[place + 1]; ++k) {
        const std::uint32_t item = m.item[k];
        const int e = static_cast<int>(item >> 5), a = static_cast<int>(item >> 2 & 3),
                  b = static_cast<int>(item & 3);
        if (item & 16) {
            const HingeBending<double> h = s.bending_record[e].value;
            const Vec3d own = h.gradient[static_cast<std::size_t>(a)];
            block += outer((scale * h.stiffness) * own, h.gradient[static_cast<std::size_t>(b)]);
            if (diagonal) force -= h.torque * own;
        } else {
            const Membrane<double> t = s.membrane_record[e].value;
            const std::array<Vec2d, 3> g = gradients(m, e);
            const Vec2d ga = a == 0 ? g[0] : (a == 1 ? g[1] : g[2]),
                        gb = b == 0 ? g[0] : (b == 1 ? g[1] : g[2]);
            block += membrane_stiffness(t, tension(t), scale * ga, gb);
            if (diagonal) force += membrane_force(t, ga);
        }
    }
}

__device__ void store_block(const Mat3d& block, int place, double* matrix, float* single) {
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
            matrix[number_at<3>(place, r, c)] = block.m[3 * r + c];
            single[number_at<3>(place, r, c)] = static_cast<float>(block.m[3 * r + c]);
        }
}

// (M (1 + h a) + h^2 K) delta = M (x~ - x) - h a M (x - x_n) + h^2 f, rows of exact handles taken out. A
// thread block takes a slice: its first warp the diagonal blocks and forces, the others the rest.
__global__ void __launch_bounds__(32 * kAssembleWarps, 3)
    assemble_rows(ModelView m, StateView s, double* matrix, float* single, Vec3d* rhs, Vec3d* guess) {
    __shared__ double from_handles[kAssembleWarps][3][kSlice];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int row = static_cast<int>(blockIdx.x) * kSlice + lane;
    const bool on = row < m.vertices, held = on && s.constrained[row];
    const StepParameters in = *s.step;
    const double h2 = in.h * in.h, damped = 1 + in.h * in.mass_damping;
    const int first = m.layout.slice_begin[blockIdx.x], length = on ? m.layout.length[row] : 0;
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < s.flag_count;
         i += static_cast<int>(gridDim.x * blockDim.x))
        s.flags_before[i] = s.flags[i];
    Vec3d handles, force;
    for (int slot = warp; slot < length; slot += warp == 0 ? length : kAssembleWarps - 1) {
        const int place = (first + slot) * kSlice + lane, column = m.layout.column[place];
        Mat3d block;
        if (!held) gather_block(m, s, place, h2, slot == 0, block, force);
        if (held || s.constrained[column]) {
            if (!held) handles -= block * (s.target[column] - s.x[column]);
            block = Mat3d::identity(slot == 0 ? 1.0 : 0.0);
        } else if (slot == 0) {
            block += Mat3d::identity(damped * m.mass[row] + h2 * s.spring[row]);
        }
        store_block(block, place, matrix, single);
    }
    for (int c = 0; c < 3; ++c) from_handles[warp][c][lane] = handles[c];
    __syncthreads();
    if (warp > 0 || !on) return;
    for (int w = 1; w < kAssembleWarps; ++w)
        handles += Vec3d{from_handles[w][0][lane], from_handles[w][1][lane], from_handles[w][2][lane]};
    force += m.mass[row] * in.gravity;
    if (s.spring[row] > 0) force += s.spring[row] * (s.target[row] - s.x[row]);
    if (in.forces) force += s.force[row];
    const Vec3d inertia = m.mass[row] * (in.h * s.v[row] - damped * (s.x[row] - s.x_begin[row]));
    rhs[row] = held ? Vec3d{} : inertia + h2 * force + handles;
    guess[row] = held || in.first_solve == 0 ? Vec3d{} : in.h * s.v[row];
}

__device__ Vec3d element_force(const ModelView& m, const StateView& s, int v) {
    Mat3d block;
    Vec3d force;
    gather_block(m, s, m.layout.slice_begin[v / kSlice] * kSlice + v % kSlice, 0, true, block, force);
    return force;
}

__global__ void __launch_bounds__(kThreads) gather_forces(ModelView m, StateView s, Vec3d* force) {
    const int v = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (v < m.vertices) force[v] = element_force(m, s, v);
}

__global__ void __launch_bounds__(kThreads)
    find_reactions(ModelView m, StateView s, const int* vertex, int count, Vec3d* out) {
    const int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (i >= count) return;
    const int v = vertex[i];
    const StepParameters& in = *s.step;
    const Vec3d velocity = (1 / in.h) * (s.x[v] - s.x_begin[v]);
    const Vec3d inertia = (m.mass[v] / in.h) * (velocity - s.v[v]) + (in.mass_damping * m.mass[v]) * velocity;
    Vec3d force = element_force(m, s, v) + m.mass[v] * in.gravity;
    if (in.forces) force += s.force[v];
    out[i] = s.constrained[v] ? inertia - force : s.spring[v] * (s.target[v] - s.x[v]);
}

}  // namespace

void DeviceElements::evaluate(const Stream& stream, const StateView& state, const Vec3d* at,
                              EvaluationSums* sums) {
    const Shares share = shares(view_);
    const bool more = state.bending_relaxing.law || state.membrane_relaxing.law || view_.stiffness_factors;
    launch(more ? evaluate_elements<true> : evaluate_elements<false>, share.total(), kThreads, stream, false,
           view_, state, share, at, part_.data(), counter_.data(), sums);
}

void DeviceElements::assemble(const Stream& stream, const StateView& state, double* matrix,
                              float* single_matrix, Vec3d* rhs, Vec3d* guess) const {
    launch(assemble_rows, blocks_for(static_cast<std::size_t>(view_.vertices), kSlice), 32 * kAssembleWarps,
           stream, false, view_, state, matrix, single_matrix, rhs, guess);
}

void DeviceElements::forces(const Stream& stream, const StateView& state, Vec3d* force) const {
    launch(gather_forces, blocks_for(static_cast<std::size_t>(view_.vertices), kThreads), kThreads, stream,
           false, view_, state, force);
}

void DeviceElements::reactions(const Stream& stream, const StateView& state, const int* vertex, int count,
                               Vec3d* out) const {
    if (count == 0) return;
    launch(find_reactions, blocks_for(static_cast<std::size_t>(count), kThreads), kThreads, stream, false,
           view_, state, vertex, count, out);
}

void DeviceElements::align_strains(const Stream& stream, const StateView& state) const {
    if (!view_.history.bending.dahl && !view_.history.membrane.dahl) return;
    const Shares share = shares(view_);
    launch(align_history, share.total(), kThreads, stream, false, view_, state, share);
}

void DeviceElements::begin_step(const Stream& stream, const StateView& state) const {
    if (!state.bending_relaxing.law && !state.membrane_relaxing.law) return;
    const Shares share = shares(view_);
    launch(form_pulls, share.total(), kThreads, stream, false, view_, state, share);
}

void DeviceElements::commit(const Stream& stream, const StateView& state) const {
    const Shares share = shares(view_);
    launch(commit_elements, share.total(), kThreads, stream, false, view_, state, share);
}

}  // namespace rumple::cuda
