#include <rumple/dynamics/elements.hpp>

#include <algorithm>
#include <numeric>

namespace rumple {

namespace {
constexpr std::size_t kGrain = 512;  // elements a piece of work

std::size_t pieces(std::size_t elements) { return (elements + kGrain - 1) / kGrain; }

// The flags of a component with the side on which it slips or yields. A Newton step that throws it across
// from one side to the other has passed two kinks, though it slips (yields) before and after.
std::uint8_t sided(std::uint8_t flags, const ComponentHistory<double>& history, double e) {
    const int below =
        (e < history.friction.anchor ? kSlipping : 0) | (e < history.plasticity.plastic ? kYielding : 0);
    return static_cast<std::uint8_t>(flags | (flags & below) << 4);
}

}  // namespace

Elements::Elements(const Model& model) : model_(model), membrane_has_history_(model.membrane_has_history()) {
    bending_.resize(model.hinges.size());
    membrane_.resize(model.triangles.size());
    bending_energy_.resize(pieces(bending_.size()));
    membrane_energy_.resize(pieces(membrane_.size()));
    flags_.resize(model.hinges.size() + (membrane_has_history_ ? 3 * model.triangles.size() : 0));
}

double Elements::bending_strain(std::size_t e, std::span<const Vec3d> x) const {
    const auto [a, b, c, d] = model_.hinges[e];
    const auto at = [&](int v) { return x[static_cast<std::size_t>(v)]; };
    return hinge_angle(at(a), at(b), at(c), at(d)) - model_.rest_angle_of(e);
}

GreenStrain<double> Elements::membrane_strain(std::size_t t, std::span<const Vec3d> x) const {
    const auto [a, b, c] = model_.triangles[t];
    const auto at = [&](int v) { return x[static_cast<std::size_t>(v)]; };
    return green_strain<double>({at(a), at(b), at(c)}, model_.gradients_of(t));
}

double Elements::evaluate_hinge(std::size_t e, const State& state, std::span<const Vec3d> x,
                                StepTimes times) {
    const auto [a, b, c, d] = model_.hinges[e];
    const auto at = [&](int v) { return x[static_cast<std::size_t>(v)]; };
    const ComponentHistory<double> history = state.bending.get(e);
    const double strain = bending_strain(e, x);
    const auto w = rumple::evaluate(model_.bending_law_of(e), history, strain, times);
    bending_[e] = hinge_bending<double>({at(a), at(b), at(c), at(d)}, model_.length_over_height[e], w);
    flags_[e] = sided(w.flags, history, strain);
    return hinge_energy<double>(model_.length_over_height[e], w);
}

double Elements::evaluate_triangle(std::size_t t, const State& state, std::span<const Vec3d> x,
                                   StepTimes times) {
    const Model::MembraneLaw& law = model_.membrane_law_of(t);
    const GreenStrain<double> E = membrane_strain(t, x);
    const double strain[3] = {E.uu, E.vv, E.uv};
    ComponentHistory<double> history[3];
    if (membrane_has_history_) {
        for (std::size_t c = 0; c < 3; ++c) history[c] = state.membrane.get(3 * t + c);
    } else if (times.damping_per_h > 0) {
        const GreenStrain<double> before = membrane_strain(t, state.x);
        history[0].strain = before.uu;
        history[1].strain = before.vv;
        history[2].strain = before.uv;
    }
    ComponentResponse<double> w[3];
    for (int c = 0; c < 3; ++c) w[c] = rumple::evaluate(law.component[c], history[c], strain[c], times);
    membrane_[t] = stvk_membrane<double>(model_.area[t], E, law.k12, w[0], w[1], w[2]);
    if (membrane_has_history_)
        for (std::size_t c = 0; c < 3; ++c)
            flags_[model_.hinges.size() + 3 * t + c] = sided(w[c].flags, history[c], strain[c]);
    return membrane_energy<double>(model_.area[t], E, law.k12, w[0], w[1], w[2]);
}

void Elements::evaluate(const Threads& threads, const State& state, std::span<const Vec3d> x,
                        StepTimes times) {
    const auto each = [&](std::vector<double>& energy, std::size_t elements, const auto& evaluate_one) {
        threads.for_pieces(elements, kGrain, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += evaluate_one(i);
            energy[begin / kGrain] = sum;
        });
    };
    each(bending_energy_, bending_.size(), [&](std::size_t e) { return evaluate_hinge(e, state, x, times); });
    each(membrane_energy_, membrane_.size(),
         [&](std::size_t t) { return evaluate_triangle(t, state, x, times); });
}

Vec3d Elements::gather_force(std::size_t vertex) const {
    Vec3d f;
    for (const Model::Incidence& in : model_.triangles_at(vertex))
        f += membrane_force(membrane_[in.element], model_.gradients_of(in.element)[in.local()]);
    for (const Model::Incidence& in : model_.hinges_at(vertex)) {
        const HingeBending<double>& b = bending_[in.element];
        f -= b.torque * b.gradient[in.local()];
    }
    return f;
}

void Elements::gather_row(std::size_t vertex, double scale, Mat3d* row) const {
    const auto add_blocks = [&](const Model::Incidence& in, const auto& corners, const auto& block_with)
        __attribute__((always_inline)) {
        row[0] += block_with(in.local());
        for (std::size_t i = 0; i + 1 < corners.size() && in.slot[i] != Model::Incidence::kNone; ++i) {
            const std::size_t b = in.other(i);
            const std::size_t slot =
                in.slot[i] != Model::Incidence::kFar ? in.slot[i] : model_.far_slot(vertex, corners[b]);
            row[slot] += block_with(b);
        }
    };
    for (const Model::Incidence& in : model_.triangles_at(vertex)) {
        const std::size_t t = in.element;
        const Membrane<double>& m = membrane_[t];
        const auto gradient = model_.gradients_of(t);
        const Vec2d own = scale * gradient[in.local()];
        const SymmetricTensor<double> p = tension(m);
        add_blocks(in, model_.triangles[t],
                   [&](std::size_t b) { return membrane_stiffness(m, p, own, gradient[b]); });
    }
    for (const Model::Incidence& in : model_.hinges_at(vertex)) {
        const HingeBending<double>& h = bending_[in.element];
        const std::array<Vec3d, 4> gradient = h.gradient.all();
        const Vec3d own = (scale * h.stiffness) * gradient[in.local()];
        add_blocks(in, model_.hinges[in.element], [&](std::size_t b) { return outer(own, gradient[b]); });
    }
}

double Elements::energy() const {
    return std::accumulate(bending_energy_.begin(), bending_energy_.end(), 0.0) +
           std::accumulate(membrane_energy_.begin(), membrane_energy_.end(), 0.0);
}

int Elements::count(std::uint8_t flag) const {
    return static_cast<int>(
        std::count_if(flags_.begin(), flags_.end(), [flag](auto f) { return (f & flag) != 0; }));
}

void Elements::advance(const Threads& threads, State& state, std::span<const Vec3d> x,
                       StepTimes times) const {
    const auto commit = [&](HistoryArrays& arrays, std::size_t i, const ComponentLaw<double>& law,
                            double strain) {
        ComponentHistory<double> history = arrays.get(i);
        rumple::advance(law, history, strain, times);
        arrays.set(i, history);
    };
    threads.for_each(model_.hinges.size(), kGrain, [&](std::size_t e) {
        commit(state.bending, e, model_.bending_law_of(e), bending_strain(e, x));
    });
    if (!membrane_has_history_) return;
    threads.for_each(model_.triangles.size(), kGrain, [&](std::size_t t) {
        const Model::MembraneLaw& law = model_.membrane_law_of(t);
        const GreenStrain<double> E = membrane_strain(t, x);
        commit(state.membrane, 3 * t, law.component[0], E.uu);
        commit(state.membrane, 3 * t + 1, law.component[1], E.vv);
        commit(state.membrane, 3 * t + 2, law.component[2], E.uv);
    });
}

}  // namespace rumple
