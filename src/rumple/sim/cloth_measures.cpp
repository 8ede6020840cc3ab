#include <fmt/format.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/measure/vertex_mean.hpp>
#include <rumple/sim/cloth_measures.hpp>

namespace rumple {
namespace {

// The values of cloth i among those of all cloths.
template <class T>
std::span<const T> part(std::span<const T> values, const std::vector<int>& begin, std::size_t i) {
    const auto first = static_cast<std::size_t>(begin[i]), end = static_cast<std::size_t>(begin[i + 1]);
    return values.subspan(first, end - first);
}

std::span<const double> hinge_values(const std::vector<double>& values, const Model& model, std::size_t i) {
    return part(std::span<const double>(values), model.parts.hinge_begin, i);
}

}  // namespace

void require_finite(double value, std::string_view name, const State& state) {
    if (!std::isfinite(value))
        throw SimulationError(fmt::format(
            "{} is not a finite number at time {:.6g} s; the frame was not written", name, state.time));
}

State visible_part(const State& state) {
    State visible;
    visible.x = state.x;
    visible.bending.anchor = state.bending.anchor;
    visible.bending.stick_time = state.bending.stick_time;
    visible.bending.plastic = state.bending.plastic;
    visible.time = state.time;
    return visible;
}

std::vector<ClothMeasures> measure_cloths(const Simulator& sim, const State& state) {
    const Scene& scene = sim.scene();
    const Model& model = sim.model();
    std::vector<ClothMeasures> cloths;
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const SceneCloth& cloth = scene.cloths[i];
        MeasureExtras extras;
        extras.reference = cloth.reference;
        extras.plastic = hinge_values(state.bending.plastic, model, i);
        extras.anchor = hinge_values(state.bending.anchor, model, i);
        cloths.push_back(
            {cloth.name, measure_wrinkles(cloth.rest, cloth.mesh.triangles,
                                          part(std::span<const Vec3d>(state.x), model.parts.vertex_begin, i),
                                          part(sim.reference_angles(), model.parts.hinge_begin, i), extras)});
        for (const MeasureEntry& entry : entries(cloths.back().measures))
            require_finite(entry.value, entry.name, state);
    }
    return cloths;
}

std::vector<RegionTable> measure_regions(const Simulator& sim) {
    const Scene& scene = sim.scene();
    const Model& model = sim.model();
    const State& state = sim.sim_state().state;
    std::vector<RegionTable> all(scene.cloths.size());
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const SceneCloth& cloth = scene.cloths[i];
        const auto x = part(std::span<const Vec3d>(state.x), model.parts.vertex_begin, i);
        const auto angles = part(sim.reference_angles(), model.parts.hinge_begin, i);
        const auto plastic = hinge_values(state.bending.plastic, model, i);
        for (const auto& [name, vertices] : cloth.sets)
            all[i][name] = measure_region(cloth.rest, cloth.mesh.triangles, x, angles, vertices, plastic);
    }
    return all;
}

std::vector<Vec3d> cloth_memory(const Simulator& sim, const State& state) {
    const Scene& scene = sim.scene();
    const HistoryArrays& bending = state.bending;
    std::vector<Vec3d> memory;
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const SceneCloth& cloth = scene.cloths[i];
        const std::size_t first = memory.size(), count = cloth.mesh.positions.size();
        memory.resize(first + count);
        const std::vector<double>* const columns[] = {&bending.plastic, &bending.anchor, &bending.stick_time};
        for (int c = 0; c < 3; ++c) {
            const auto own = hinge_values(*columns[c], sim.model(), i);
            std::vector<double> magnitudes(own.begin(), own.end());
            for (double& value : magnitudes) value = std::abs(value);
            const std::vector<double> mean = vertex_mean(cloth.rest, magnitudes, count);
            for (std::size_t v = 0; v < count; ++v) memory[first + v][c] = mean[v];
        }
    }
    return memory;
}

std::vector<std::optional<double>> recovery_of(const std::vector<ClothMeasures>& at_recovery,
                                               const std::vector<ClothMeasures>& at_end) {
    std::vector<std::optional<double>> all(at_end.size());
    for (std::size_t i = 0; i < at_recovery.size() && i < at_end.size(); ++i)
        all[i] = recovery(at_recovery[i].measures, at_end[i].measures);
    return all;
}

}  // namespace rumple
