#include <fmt/format.h>

#include <cmath>
#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/constitutive/stvk_membrane.hpp>
#include <rumple/core/find_first.hpp>
#include <rumple/core/index.hpp>
#include <rumple/dynamics/diagnosis.hpp>

namespace rumple {

namespace {

constexpr const char* kNotFinite = "is not a finite number";

GreenStrain<double> strain_of(const Model& model, std::size_t t, std::span<const Vec3d> x) {
    const auto [a, b, c] = model.triangles[t];
    return green_strain<double>({x[at(a)], x[at(b)], x[at(c)]}, model.gradients_of(t));
}

std::string triangle_name(const Model& model, std::size_t t) {
    const auto [a, b, c] = model.triangles[t];
    return fmt::format("triangle {} (vertices {}, {}, {})", model.source_triangle(t), model.source_vertex(a),
                       model.source_vertex(b), model.source_vertex(c));
}

std::string hinge_name(const Model& model, std::size_t e) {
    const auto [a, b, c, d] = model.hinges[e];
    return fmt::format("hinge {} (vertices {}, {}, {}, {})", model.source_hinge(e), model.source_vertex(a),
                       model.source_vertex(b), model.source_vertex(c), model.source_vertex(d));
}

// What component i remembers, by the law that it belongs to; empty when all of it is finite.
std::string history_fault(const HistoryArrays& history, std::size_t i) {
    std::string fault;
    for_each_history_column(
        [&](const HistoryVariable& variable, const auto& column) {
            for (std::size_t k = i; k < column.size(); k += history.size())
                if (fault.empty() && !std::isfinite(static_cast<double>(column[k])))
                    fault = fmt::format("{}: the {} {}", variable.law, variable.name, kNotFinite);
        },
        history);
    return fault;
}

// With what its branches do in a step of this length.
ComponentHistory<double> history_in(const HistoryArrays& arrays, std::size_t i,
                                    const ComponentLaw<double>& law, StepTimes times) {
    ComponentHistory<double> history = arrays.get(i);
    if (law.relaxation.times.branches > 0) {
        const RelaxationStep step = relaxation_step(law.relaxation.times, times.material_dt);
        history.relaxation = {relaxation_pull(step, arrays.branches(i), arrays.size()), step.mean_b};
    }
    return history;
}

// Which law of a component gives no number at this strain; empty when all do.
std::string law_fault(const ComponentLaw<double>& law, const ComponentHistory<double>& h, double strain,
                      StepTimes times) {
    const char* part = law_that_is_not_finite(law, h, strain, times);
    return part ? fmt::format("{}: at a strain of {:.3g} its stress {}", part, strain, kNotFinite) : "";
}

StepFault vertex_fault(const Model& model, const State& state, std::span<const Vec3d> x) {
    for (std::size_t v = 0; v < x.size(); ++v) {
        const auto vertex = static_cast<int>(v);
        const auto fault = [&](const char* what) {
            return StepFault{
                fmt::format("the {} of vertex {} {}", what, model.source_vertex(vertex), kNotFinite), vertex};
        };
        if (!finite(x[v])) return fault("place");
        if (!finite(state.v[v])) return fault("velocity");
        if (!std::isfinite(model.mass[v])) return fault("mass");
    }
    return {};
}

StepFault hinge_fault(const Model& model, const State& state, std::span<const Vec3d> x, StepTimes times) {
    for (std::size_t e = 0; e < model.hinges.size(); ++e) {
        const auto [a, b, c, d] = model.hinges[e];
        const double strain = hinge_angle(x[at(a)], x[at(b)], x[at(c)], x[at(d)]) - model.rest_angle_of(e);
        std::string what = history_fault(state.bending, e);
        const ComponentLaw<double> law = model.bending_law_of(e);
        if (what.empty()) what = law_fault(law, history_in(state.bending, e, law, times), strain, times);
        if (!what.empty()) return {fmt::format("{}: bending, {}", hinge_name(model, e), what), a};
    }
    return {};
}

StepFault triangle_fault(const Model& model, const State& state, std::span<const Vec3d> x, StepTimes times) {
    constexpr const char* kDirection[] = {"warp", "weft", "shear"};
    const bool remembers = model.membrane_has_history();
    for (std::size_t t = 0; t < model.triangles.size(); ++t) {
        const GreenStrain<double> now = strain_of(model, t, x), before = strain_of(model, t, state.x);
        const double strain[] = {now.uu, now.vv, now.uv}, last[] = {before.uu, before.vv, before.uv};
        const Model::MembraneLaw& law = model.membrane_law_of(t);
        for (std::size_t c = 0; c < 3; ++c) {
            ComponentHistory<double> history;
            history.strain = last[c];
            if (remembers) history = history_in(state.membrane, 3 * t + c, law.component[c], times);
            std::string what = remembers ? history_fault(state.membrane, 3 * t + c) : "";
            if (what.empty()) what = law_fault(law.component[c], history, strain[c], times);
            if (!what.empty())
                return {fmt::format("{}: stretching in {}, {}", triangle_name(model, t), kDirection[c], what),
                        model.triangles[t][0]};
        }
    }
    return {};
}

StepFault obstacle_fault(const State& state, const StepInput& input) {
    for (const std::span<const Vec3d> places : {input.obstacles.begin, input.obstacles.end})
        for (std::size_t i = 0; i < places.size(); ++i)
            if (!finite(places[i]))
                return {fmt::format("the place of vertex {} of the obstacles {}", i, kNotFinite)};
    for (std::size_t w = 0; w < state.rigid_bodies.size(); ++w)
        if (!finite(state.rigid_bodies[w].position) || !finite(state.rigid_bodies[w].velocity) ||
            !finite(state.rigid_bodies[w].spin))
            return {fmt::format("the position or the velocity of rigid body {} {}", w, kNotFinite)};
    for (std::size_t k = 0; k < state.contact.tangential_displacement.size(); ++k)
        if (!finite(state.contact.tangential_displacement[k]))
            return {fmt::format("contact {}: friction: what it remembers {}", k, kNotFinite)};
    return {};
}

constexpr std::size_t kGrain = 512;         // vertices or elements a piece of work
constexpr std::size_t kFinitePiece = 8192;  // numbers a piece of work

// x - x is 0 for a finite x, and NaN for any other: eight sums side by side, so that this costs next to
// nothing.
bool all_finite(const double* values, std::size_t count) {
    double sum[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t k = 0; k < 8; ++k) sum[k] += values[i + k] - values[i + k];
    for (; i < count; ++i) sum[0] += values[i] - values[i];
    double all = 0;
    for (const double s : sum) all += s;
    return all == 0;
}

bool all_finite(const Threads& threads, const double* values, std::size_t count) {
    const std::size_t pieces = (count + kFinitePiece - 1) / kFinitePiece;
    return find_first(threads, pieces, 1, [&](std::size_t p) {
               const std::size_t begin = p * kFinitePiece;
               return !all_finite(values + begin, std::min(kFinitePiece, count - begin));
           }) == pieces;
}
bool all_finite(const Threads& threads, const std::vector<double>& values) {
    return all_finite(threads, values.data(), values.size());
}
bool all_finite(const Threads& threads, const std::vector<Vec3d>& values) {
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    return values.empty() || all_finite(threads, &values[0].x, 3 * values.size());
}
bool all_finite(const Threads&, const std::vector<std::int8_t>&) { return true; }
bool all_finite(const Threads& threads, const HistoryArrays& history) {
    bool all = true;
    for_each_history_column(
        [&](const HistoryVariable&, const auto& column) { all = all && all_finite(threads, column); },
        history);
    return all;
}

}  // namespace

bool finite_everywhere(const State& state, const Threads& threads) {
    return all_finite(threads, state.x) && all_finite(threads, state.v) &&
           all_finite(threads, state.bending) && all_finite(threads, state.membrane) &&
           all_finite(threads, state.contact.tangential_displacement) &&
           obstacle_fault(state, {}).what.empty();
}

StepFault absurd_result(const Model& model, const State& state, const StepInput& input,
                        std::span<const Vec3d> x, std::span<const std::uint8_t> driven,
                        const Threads& threads) {
    const double furthest = kFastest * input.h;
    const auto squared_way = [&](std::size_t v) {
        const Vec3d displacement = x[v] - state.x[v];
        return dot(displacement, displacement);
    };
    const std::size_t v = find_first(threads, x.size(), kGrain, [&](std::size_t i) {
        const double squared = squared_way(i);
        return !(squared <= furthest * furthest || (driven[i] && std::isfinite(squared)));
    });
    if (v < x.size()) {
        const auto vertex = static_cast<int>(v);
        if (!std::isfinite(squared_way(v)))
            return {fmt::format("vertex {} would be at a position that is not finite",
                                model.source_vertex(vertex)),
                    vertex};
        return {fmt::format("vertex {} would fly off at {:.3g} m/s, faster than cloth can",
                            model.source_vertex(vertex), std::sqrt(squared_way(v)) / input.h),
                vertex};
    }
    const auto squared_stretch = [&](std::size_t t) {
        const GreenStrain<double> strain = strain_of(model, t, x);
        return std::pair{dot(strain.F_u, strain.F_u), dot(strain.F_v, strain.F_v)};
    };
    const std::size_t t = find_first(threads, model.triangles.size(), kGrain, [&](std::size_t i) {
        constexpr double kMost = kMaxStretch * kMaxStretch;
        const auto [warp, weft] = squared_stretch(i);
        return !(warp <= kMost && weft <= kMost);
    });
    if (t == model.triangles.size()) return {};
    const auto [warp, weft] = squared_stretch(t);
    return {
        fmt::format("{} would be stretched to {:.3g} times its length in {}, where its law (StVK) "
                    "means nothing",
                    triangle_name(model, t), std::sqrt(std::max(warp, weft)), warp > weft ? "warp" : "weft"),
        model.triangles[t][0]};
}

StepFault find_fault(const Model& model, const State& state, const StepInput& input,
                     std::span<const Vec3d> x) {
    if (!finite(input.gravity)) return {fmt::format("gravity {}", kNotFinite)};
    if (!std::isfinite(input.mass_damping) || !std::isfinite(input.stiffness_damping))
        return {fmt::format("the damping {}", kNotFinite)};
    const StepTimes times{input.material_dt, input.stiffness_damping / input.h};
    if (StepFault fault = vertex_fault(model, state, x); !fault.what.empty()) return fault;
    if (StepFault fault = hinge_fault(model, state, x, times); !fault.what.empty()) return fault;
    if (StepFault fault = triangle_fault(model, state, x, times); !fault.what.empty()) return fault;
    return obstacle_fault(state, input);
}

}  // namespace rumple
