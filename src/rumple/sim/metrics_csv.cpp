#include <fmt/format.h>

#include <rumple/sim/cloth_measures.hpp>
#include <rumple/sim/metrics_csv.hpp>

namespace rumple {
namespace {

std::string column_name(const Scene& scene, const std::string& cloth, std::string_view measure) {
    return scene.cloths.size() == 1 ? std::string(measure) : fmt::format("{}.{}", cloth, measure);
}

Vec3d middle_of(std::span<const int> vertices, std::span<const Vec3d> x) {
    Vec3d sum;
    for (int i : vertices) sum += x[static_cast<std::size_t>(i)];
    return (1.0 / static_cast<double>(vertices.size())) * sum;
}

}  // namespace

FrameMetrics frame_metrics(Simulator& sim, std::int64_t frame, const std::string& phase,
                           const StepReport* report) {
    const Scene& scene = sim.scene();
    const State& state = sim.sim_state().state;
    const StepReport at_rest;
    const StepReport& step = report != nullptr ? *report : at_rest;
    FrameMetrics metrics;
    metrics.frame = frame;
    metrics.step = state.step;
    metrics.time = state.time;
    metrics.material_time = state.material_time;
    metrics.phase = phase;
    metrics.kinetic_energy = step.kinetic_energy;
    metrics.potential_energy = report != nullptr ? step.potential_energy : sim.potential_energy();
    require_finite(metrics.kinetic_energy, "kinetic energy", state);
    require_finite(metrics.potential_energy, "potential energy", state);
    metrics.slipping = step.slipping;
    metrics.yielding = step.yielding;
    if (scene.has_contact())
        metrics.contact = {step.contact.pairs, step.contact.touching, step.contact.inside};
    for (std::size_t i = 0; i < scene.handles.size(); ++i) {
        const SceneHandle& handle = scene.handles[i];
        const Wrench wrench = sim.reaction(static_cast<int>(i), middle_of(handle.vertices, state.x));
        metrics.handles.push_back({norm(wrench.force), norm(wrench.torque)});
        require_finite(metrics.handles.back().force, handle.name + ".force", state);
        require_finite(metrics.handles.back().torque, handle.name + ".torque", state);
    }
    return metrics;
}

std::string metrics_header(const Scene& scene) {
    std::string row = "frame,time,material_time,phase,step";
    const WrinkleMeasures any;
    for (const SceneCloth& cloth : scene.cloths)
        for_each_measure(any, [&](std::string_view name, std::string_view, const auto&) {
            row += fmt::format(",{}", column_name(scene, cloth.name, name));
        });
    row += ",kinetic_energy,potential_energy,slipping,yielding";
    if (scene.has_contact()) row += ",contact_pairs,contact_touching,contact_inside";
    for (const SceneHandle& handle : scene.handles) row += fmt::format(",{0}.force,{0}.torque", handle.name);
    return row + "\n";
}

std::string metrics_row(const FrameMetrics& m, const std::vector<ClothMeasures>& measures) {
    std::string row =
        fmt::format("{},{:.12g},{:.12g},{},{}", m.frame, m.time, m.material_time, m.phase, m.step);
    for (const ClothMeasures& cloth : measures)
        for (const MeasureEntry& entry : entries(cloth.measures)) row += fmt::format(",{}", entry.value);
    row += fmt::format(",{},{},{},{}", m.kinetic_energy, m.potential_energy, m.slipping, m.yielding);
    if (m.contact) row += fmt::format(",{},{},{}", m.contact->pairs, m.contact->touching, m.contact->inside);
    for (const FrameMetrics::HandleLoad& load : m.handles)
        row += fmt::format(",{},{}", load.force, load.torque);
    return row + "\n";
}

}  // namespace rumple
