#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/sim/summary.hpp>
#include <thread>

namespace rumple {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRecoveryMeasure = "angle_change_rms";

void require_finite(double value, const std::string& name, const Simulator& sim) {
    if (!std::isfinite(value))
        throw SimulationError(
            fmt::format("{} is not a finite number at time {:.6g} s; the frame was not written", name,
                        sim.sim_state().state.time));
}

std::string column_name(const Scene& scene, const std::string& cloth, std::string_view measure) {
    return scene.cloths.size() == 1 ? std::string(measure) : fmt::format("{}.{}", cloth, measure);
}

Vec3d middle_of(std::span<const int> vertices, std::span<const Vec3d> x) {
    Vec3d sum;
    for (int i : vertices) sum += x[static_cast<std::size_t>(i)];
    return (1.0 / static_cast<double>(vertices.size())) * sum;
}

Json to_json(const std::vector<ClothMeasures>& cloths) {
    Json all = Json::object();
    for (const ClothMeasures& cloth : cloths) {
        Json& one = all[cloth.cloth] = Json::object();
        for (const NamedValue& entry : cloth.values) one[entry.name] = entry.value;
    }
    return all;
}

Json to_json(const StepCounts& counts) {
    return {{"steps", counts.steps},
            {"solves", counts.solves},
            {"iterations", counts.iterations},
            {"direct_fallbacks", counts.direct_fallbacks},
            {"newton_not_converged", counts.newton_not_converged}};
}

}  // namespace

std::vector<ClothMeasures> measure_cloths(const Simulator& sim) {
    const Scene& scene = sim.scene();
    const Model& model = sim.model();
    const State& state = sim.sim_state().state;
    const auto part = [](auto values, const std::vector<int>& begin, std::size_t i) {
        const auto first = static_cast<std::size_t>(begin[i]), end = static_cast<std::size_t>(begin[i + 1]);
        return values.subspan(first, end - first);
    };
    std::vector<ClothMeasures> cloths;
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const SceneCloth& cloth = scene.cloths[i];
        MeasureExtras extras;
        extras.reference = cloth.reference;
        extras.plastic = part(std::span<const double>(state.bending.plastic), model.part_hinge_begin, i);
        extras.anchor = part(std::span<const double>(state.bending.anchor), model.part_hinge_begin, i);
        const WrinkleMeasures measures = measure_wrinkles(
            cloth.rest, cloth.mesh.triangles, part(std::span<const Vec3d>(state.x), model.part_begin, i),
            part(sim.reference_angles(), model.part_hinge_begin, i), extras);
        cloths.push_back({cloth.name, {}});
        for (const MeasureEntry& entry : entries(measures)) {
            require_finite(entry.value, std::string(entry.name), sim);
            cloths.back().values.push_back({std::string(entry.name), entry.value});
        }
    }
    return cloths;
}

std::vector<std::optional<double>> recovery_of(const std::vector<ClothMeasures>& at_recovery,
                                               const std::vector<ClothMeasures>& at_end) {
    std::vector<std::optional<double>> all(at_end.size());
    for (std::size_t i = 0; i < at_recovery.size() && i < at_end.size(); ++i) {
        WrinkleMeasures before, after;
        before.angle_change_rms = at_recovery[i][kRecoveryMeasure];
        after.angle_change_rms = at_end[i][kRecoveryMeasure];
        all[i] = recovery(before, after);
    }
    return all;
}

std::string metrics_header(const Scene& scene) {
    WrinkleMeasures all;  // with everything that a run knows
    all.roughness = all.crease_density = all.anchor_rms = 0;
    std::string row = "frame,time,material_time,phase,step";
    for (const SceneCloth& cloth : scene.cloths)
        for (const MeasureEntry& entry : entries(all))
            row += fmt::format(",{}", column_name(scene, cloth.name, entry.name));
    row += ",kinetic_energy,potential_energy,slipping,yielding";
    for (const SceneHandle& handle : scene.handles) row += fmt::format(",{0}.force,{0}.torque", handle.name);
    return row + "\n";
}

std::string metrics_row(Simulator& sim, const std::vector<ClothMeasures>& measures, const FrameFacts& facts) {
    const State& state = sim.sim_state().state;
    std::string row = fmt::format("{},{:.12g},{:.12g},{},{}", facts.frame, state.time, state.material_time,
                                  facts.phase, state.step);
    const auto add = [&](double value, const std::string& name) {
        require_finite(value, name, sim);
        row += fmt::format(",{}", value);
    };
    for (const ClothMeasures& cloth : measures)
        for (const NamedValue& entry : cloth.values) add(entry.value, entry.name);
    const StepReport at_rest;
    const StepReport& report = facts.report != nullptr ? *facts.report : at_rest;
    add(report.kinetic_energy, "kinetic energy");
    add(facts.report != nullptr ? report.potential_energy : sim.potential_energy(), "potential energy");
    row += fmt::format(",{},{}", report.slipping, report.yielding);
    const Scene& scene = sim.scene();
    for (std::size_t i = 0; i < scene.handles.size(); ++i) {
        const Wrench wrench =
            sim.reaction(static_cast<int>(i), middle_of(scene.handles[i].vertices, state.x));
        add(norm(wrench.force), scene.handles[i].name + ".force");
        add(norm(wrench.torque), scene.handles[i].name + ".torque");
    }
    return row + "\n";
}

std::string summary_text(const Scene& scene, const RunResult& result, std::int64_t frames) {
    Json json;
    json["rumple"] = RUMPLE_VERSION;
    json["scene"] = scene.name;
    if (!scene.variant.empty()) json["variant"] = scene.variant;
    json["scene_hash"] = scene.hash;
    json["status"] = result.failure.empty() ? "complete" : "failed";
    if (!result.failure.empty()) json["failure"] = result.failure;
    Json& cloths = json["cloths"] = Json::array();
    for (const SceneCloth& cloth : scene.cloths)
        cloths.push_back({{"name", cloth.name},
                          {"material", cloth.material.name},
                          {"vertices", cloth.mesh.positions.size()},
                          {"triangles", cloth.mesh.triangles.size()},
                          {"hinges", cloth.rest.hinges.size()}});
    json["output_rate"] = scene.output_rate;
    json["frames"] = frames;
    json["time"] = result.last.state.time;
    json["material_time"] = result.last.state.material_time;
    json["counts"] = to_json(result.counts);
    json["final"] = to_json(result.at_end);
    if (!result.at_recovery.empty()) {
        Json& recovery = json["recovery"] = Json::object();
        recovery["from_phase"] = scene.phases[static_cast<std::size_t>(scene.recovery_phase)].name;
        recovery["then"] = to_json(result.at_recovery);
        for (std::size_t i = 0; i < result.recovery.size(); ++i)
            recovery["value"][scene.cloths[i].name] =
                result.recovery[i] ? Json(*result.recovery[i]) : Json(nullptr);
    }
    json["warnings"] = scene.warnings;
    return json.dump(2) + "\n";
}

std::string timing_text(const RunTiming& timing, const StepCounts& counts, int threads) {
    Json json;
    json["seconds"] = {{"evaluate", timing.step.evaluate}, {"assemble", timing.step.assemble},
                       {"solve", timing.step.solve},       {"advance", timing.step.advance},
                       {"output", timing.output},          {"total", timing.total}};
    json["counts"] = to_json(counts);
    json["threads"] = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    return json.dump(2) + "\n";
}

RunTiming parse_timing(const std::string& text) {
    RunTiming timing;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("seconds") || !json["seconds"].is_object()) return timing;
    const auto get = [&](const char* key) {
        const auto found = json["seconds"].find(key);
        return found != json["seconds"].end() && found->is_number() ? found->get<double>() : 0.0;
    };
    timing.step = {get("evaluate"), get("assemble"), get("solve"), get("advance")};
    timing.output = get("output");
    timing.total = get("total");
    return timing;
}

}  // namespace rumple
