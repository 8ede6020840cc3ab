#include <rumple/sim/forget.hpp>

namespace rumple {
namespace {

void scale(HistoryArrays& history, std::size_t i, const Forget& what) {
    ComponentHistory<double> h = history.get(i);
    const double e = h.strain;
    if (what.friction != 1) h.friction.anchor = e + what.friction * (h.friction.anchor - e);
    h.friction.stick_time *= what.friction;
    h.dahl_stress *= what.friction;
    h.plasticity.plastic *= what.plasticity;
    h.plasticity.accumulated *= what.plasticity;
    h.plasticity.clock *= what.plasticity;
    if (what.plasticity == 0) {
        h.plasticity.direction = 0;
        h.plasticity.loaded = false;
    }
    history.set(i, h);
    for (std::size_t k = i; k < history.branch.size(); k += history.size())
        history.branch[k] *= what.relaxation;
}

}  // namespace

void forget(const Model& model, const Forget& what, State& state) {
    std::vector<bool> selected(state.x.size());
    for (const int v : what.vertices) selected[static_cast<std::size_t>(v)] = true;
    const auto in = [&](int v) { return bool{selected[static_cast<std::size_t>(v)]}; };
    for (std::size_t i = 0; i < model.hinges.size(); ++i)
        if (in(model.hinges[i][0]) && in(model.hinges[i][1])) scale(state.bending, i, what);
    if (state.membrane.size() == 0) return;
    for (std::size_t t = 0; t < model.triangles.size(); ++t) {
        const auto& [a, b, c] = model.triangles[t];
        if (!in(a) || !in(b) || !in(c)) continue;
        for (std::size_t k = 0; k < 3; ++k) scale(state.membrane, 3 * t + k, what);
    }
}

}  // namespace rumple
