// History of the elements: what a step forms before it begins, and commits when it ends. For one file.
#pragma once

#include <rumple_cuda/element_kernels.cuh>

namespace rumple::cuda {

// `components`: of which the history is one.
__device__ inline void commit(const ComponentLaw<double>& law, const HistoryView& h, int i,
                              std::size_t components, const RelaxationStep* ladder, double strain,
                              StepTimes times) {
    ComponentHistory<double> history = load(h, i);
    if (ladder) advance(*ladder, h.branch + i, components, strain - history.strain);
    advance(law, history, strain, times);
    store(history, h, i);
}

static __global__ void __launch_bounds__(kElementThreads)
    commit_elements(ModelView m, StateView s, Shares share) {
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
static __global__ void __launch_bounds__(kElementThreads) form_pulls(ModelView m, StateView s, Shares share) {
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

static __global__ void __launch_bounds__(kElementThreads)
    align_history(ModelView m, StateView s, Shares share) {
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

}  // namespace rumple::cuda
