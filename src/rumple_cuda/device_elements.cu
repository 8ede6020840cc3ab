#include <rumple/constitutive/hinge_bending.hpp>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/constitutive/stvk_membrane.hpp>
#include <rumple_cuda/device_elements.hpp>
#include <rumple_cuda/kernels.cuh>

#include <algorithm>
#include <array>
#include <type_traits>

namespace rumple::cuda {

namespace {

constexpr int kThreads = 128;
constexpr int kSums = kEvaluationSums;
constexpr int kAssembleWarps = 8;

// Which thread blocks take hinges, triangles and vertices.
struct Shares {
    unsigned hinges, triangles, vertices;
    unsigned total() const { return hinges + triangles + vertices; }
};
Shares shares(const ModelView& m) {
    const auto blocks = [](int count) {
        return std::min(kMaxElementBlocks,
                        std::max(1u, blocks_for(static_cast<std::size_t>(count), kThreads)));
    };
    return {blocks(m.hinges), blocks(m.triangles), blocks(m.vertices)};
}

// Calls one of the three for every element of its kind that this thread takes.
template <class Hinge, class Triangle, class Vertex>
__device__ void for_each_element(const ModelView& m, Shares s, Hinge&& hinge, Triangle&& triangle,
                                 Vertex&& vertex) {
    const auto loop = [](unsigned block, unsigned blocks, int count, auto&& body) {
        for (int i = static_cast<int>(block * kThreads + threadIdx.x); i < count;
             i += static_cast<int>(blocks * kThreads))
            body(i);
    };
    const unsigned block = blockIdx.x;
    if (block < s.hinges)
        loop(block, s.hinges, m.hinges, hinge);
    else if (block < s.hinges + s.triangles)
        loop(block - s.hinges, s.triangles, m.triangles, triangle);
    else
        loop(block - s.hinges - s.triangles, s.vertices, m.vertices, vertex);
}

__device__ ComponentHistory<double> load(const HistoryView& h, int i) {
    ComponentHistory<double> history;
    for_each_history_field(
        [i](auto& field, const auto* column) {
            if (column) field = static_cast<std::remove_reference_t<decltype(field)>>(column[i]);
        },
        history, h);
    return history;
}
__device__ void store(const ComponentHistory<double>& from, const HistoryView& h, int i) {
    for_each_history_field(
        [i](const auto& field, auto* column) {
            if (column) column[i] = static_cast<std::remove_reference_t<decltype(*column)>>(field);
        },
        from, h);
}

// The same with what relaxation does to component i in this step.
__device__ ComponentHistory<double> load(const HistoryView& h, int i, const RelaxingView& relaxing, int law) {
    ComponentHistory<double> history = load(h, i);
    if (relaxing.law) history.relaxation = {relaxing.pull[i], relaxing.law[law].mean_b};
    return history;
}

__device__ std::array<Vec3d, 4> hinge_corners(const ModelView& m, int e, const Vec3d* x) {
    const int4 v = reinterpret_cast<const int4*>(m.hinge_vertex)[e];
    return {x[v.x], x[v.y], x[v.z], x[v.w]};
}
__device__ double bending_strain(const ModelView& m, int e, const std::array<Vec3d, 4>& c) {
    const double angle = hinge_angle(c[0], c[1], c[2], c[3]);
    return m.rest_angle ? angle - m.rest_angle[e] : angle;
}
__device__ ComponentLaw<double> bending_law(const ModelView& m, int e) {
    const ComponentLaw<double> law = scaled_thresholds(m.bending_laws[m.hinge_law[e]], m.threshold_scale[e]);
    return m.stiffness_factors ? scaled_stiffness(law, m.stiffness_factors[e]) : law;
}
__device__ std::array<Vec2d, 3> gradients(const ModelView& m, int e) {
    const Vec2d b = m.gradient[2 * e], c = m.gradient[2 * e + 1];
    return {Vec2d{-b.x - c.x, -b.y - c.y}, b, c};
}
__device__ GreenStrain<double> membrane_strain(const ModelView& m, int e, const Vec3d* x) {
    const int* v = m.triangle_vertex + 3 * e;
    return green_strain<double>({x[v[0]], x[v[1]], x[v[2]]}, gradients(m, e));
}

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

__device__ void evaluate_hinge(const ModelView& m, const StateView& s, const Vec3d* x, int e, Sums& sums) {
    const std::array<Vec3d, 4> corner = hinge_corners(m, e, x);
    const ComponentHistory<double> history = load(s.bending, e, s.bending_relaxing, m.hinge_law[e]);
    const double strain = bending_strain(m, e, corner), ratio = m.length_over_height[e];
    const auto w = rumple::evaluate(bending_law(m, e), history, strain, s.step->times);
    s.bending_record[e] = {hinge_bending<double>(corner, ratio, w)};
    const std::uint8_t flag = flags_of(w, history, strain);
    s.flags[e] = flag;
    sums.count(flag, s.flags_before[e]);
    sums.energy += hinge_energy<double>(ratio, w);
}

__device__ void evaluate_triangle(const ModelView& m, const StateView& s, const Vec3d* x, int e, Sums& sums) {
    const MembraneParameters& law = m.membrane_laws[m.triangle_law[e]];
    const GreenStrain<double> E = membrane_strain(m, e, x);
    const StepTimes times = s.step->times;
    const double strain[3] = {E.uu, E.vv, E.uv};
    ComponentHistory<double> history[3];
    if (m.history.of_membrane) {
        for (int c = 0; c < 3; ++c)
            history[c] = load(s.membrane, 3 * e + c, s.membrane_relaxing, m.triangle_law[e]);
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

__global__ void __launch_bounds__(kThreads, 4)
    evaluate_elements(ModelView m, StateView s, Shares share, const Vec3d* x, double* part, unsigned* counter,
                      EvaluationSums* out) {
    Sums sums;
    for_each_element(
        m, share, [&](int e) { evaluate_hinge(m, s, x, e, sums); },
        [&](int e) { evaluate_triangle(m, s, x, e, sums); },
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

// `components`: of which the history is one.
__device__ void commit(const ComponentLaw<double>& law, const HistoryView& h, int i, std::size_t components,
                       const RelaxationStep* ladder, double strain, StepTimes times) {
    ComponentHistory<double> history = load(h, i);
    if (ladder) advance(*ladder, h.branch + i, components, strain - history.strain);
    advance(law, history, strain, times);
    store(history, h, i);
}

__global__ void __launch_bounds__(kThreads) commit_elements(ModelView m, StateView s, Shares share) {
    const StepTimes times = s.step->times;
    const auto ladder = [](const RelaxingView& relaxing, int law) {
        return relaxing.law ? relaxing.law + law : nullptr;
    };
    for_each_element(
        m, share,
        [&](int e) {
            commit(bending_law(m, e), s.bending, e, static_cast<std::size_t>(m.hinges),
                   ladder(s.bending_relaxing, m.hinge_law[e]), bending_strain(m, e, hinge_corners(m, e, s.x)),
                   times);
        },
        [&](int e) {
            if (!m.history.of_membrane) return;
            const GreenStrain<double> E = membrane_strain(m, e, s.x);
            const double strain[3] = {E.uu, E.vv, E.uv};
            const MembraneParameters& law = m.membrane_laws[m.triangle_law[e]];
            for (int c = 0; c < 3; ++c)
                commit(law.component[c], s.membrane, 3 * e + c, 3 * static_cast<std::size_t>(m.triangles),
                       ladder(s.membrane_relaxing, m.triangle_law[e]), strain[c], times);
        },
        [&](int v) {
            const Vec3d velocity = (1 / s.step->h) * (s.x[v] - s.x_begin[v]);
            s.v[v] = velocity;
            s.x_begin[v] = s.x[v];
        });
}

// The pull of each component's ladder. law_of says by which law it relaxes.
template <class LawOf>
__device__ void form_pull(const RelaxingView& relaxing, const HistoryView& h, int i, std::size_t components,
                          LawOf&& law_of) {
    const RelaxationStep& step = relaxing.law[law_of(i)];
    relaxing.pull[i] = step.branches > 0 ? relaxation_pull(step, h.branch + i, components) : 0.0;
}
__global__ void __launch_bounds__(kThreads) form_pulls(ModelView m, StateView s, Shares share) {
    for_each_element(
        m, share,
        [&](int e) {
            if (s.bending_relaxing.law)
                form_pull(s.bending_relaxing, s.bending, e, static_cast<std::size_t>(m.hinges),
                          [&](int i) { return m.hinge_law[i]; });
        },
        [&](int e) {
            if (!s.membrane_relaxing.law) return;
            for (int c = 0; c < 3; ++c)
                form_pull(s.membrane_relaxing, s.membrane, 3 * e + c,
                          3 * static_cast<std::size_t>(m.triangles), [&](int) { return m.triangle_law[e]; });
        },
        [](int) {});
}

__global__ void __launch_bounds__(kThreads) align_history(ModelView m, StateView s, Shares share) {
    constexpr double kRounding = 1e-12;
    const auto align = [](double& strain, double now) {
        if (fabs(strain - now) <= kRounding) strain = now;
    };
    for_each_element(
        m, share,
        [&](int e) { align(s.bending.strain[e], bending_strain(m, e, hinge_corners(m, e, s.x_begin))); },
        [&](int e) {
            if (!m.history.of_membrane) return;
            const GreenStrain<double> E = membrane_strain(m, e, s.x_begin);
            const double strain[3] = {E.uu, E.vv, E.uv};
            for (int c = 0; c < 3; ++c) align(s.membrane.strain[3 * e + c], strain[c]);
        },
        [](int) {});
}

}  // namespace

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

void DeviceElements::evaluate(const Stream& stream, const StateView& state, const Vec3d* at,
                              EvaluationSums* sums) {
    const Shares share = shares(view_);
    launch(evaluate_elements, share.total(), kThreads, stream, false, view_, state, share, at, part_.data(),
           counter_.data(), sums);
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

void DeviceElements::commit(const Stream& stream, const StateView& state) const {
    const Shares share = shares(view_);
    launch(commit_elements, share.total(), kThreads, stream, false, view_, state, share);
}

}  // namespace rumple::cuda
