#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/measure/vertex_mean.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/summary.hpp>
#include <thread>

namespace rumple {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRecoveryMeasure = "angle_change_rms";

void require_finite(double value, std::string_view name, const State& state) {
    if (!std::isfinite(value))
        throw SimulationError(fmt::format(
            "{} is not a finite number at time {:.6g} s; the frame was not written", name, state.time));
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
            {"newton_not_converged", counts.newton_not_converged},
            {"retried", counts.retried}};
}

Json to_json(const SceneObstacle& obstacle, const std::vector<std::string>& present) {
    Json json{{"name", obstacle.name},
              {"kind", obstacle.kind},
              {"vertices", obstacle.mesh.positions.size()},
              {"triangles", obstacle.mesh.triangles.size()},
              {"moves", obstacle.changes()}};
    if (obstacle.mass > 0) json["mass"] = obstacle.mass;
    json["present"] = present;
    return json;
}

// The phases in which an obstacle is there.
std::vector<std::string> phases_with(const Scene& scene, const ObstacleTimeline& timeline,
                                     std::size_t obstacle) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < scene.phases.size(); ++k)
        if (scene.phases[k].steps > 0 && timeline.present(static_cast<int>(k))[obstacle])
            names.push_back(scene.phases[k].name);
    return names;
}

Json contact_json(const Scene& scene, const RunResult& result) {
    const ContactCounts& counts = result.counts.contact;
    Json json{{"self", scene.contact.cloth_on_cloth},
              {"thickness", scene.contact.thickness},
              {"friction", scene.contact.friction},
              {"most_pairs", counts.most_pairs},
              {"most_touching", counts.most_touching},
              {"closest", counts.closest},
              {"collisions", counts.collisions},
              {"extra_substeps", counts.substeps},
              {"rolled_back", counts.rolled_back},
              {"inside", counts.inside},
              {"deepest", counts.deepest}};
    Json& frames = json["trouble"] = Json::array();
    for (const ContactTrouble& row : result.trouble)
        frames.push_back({{"frame", row.frame},
                          {"rolled_back", row.rolled_back},
                          {"inside", row.inside},
                          {"deepest", row.deepest},
                          {"substeps", row.substeps}});
    return json;
}

// The values of cloth i among those of all cloths.
template <class T>
std::span<const T> part(std::span<const T> values, const std::vector<int>& begin, std::size_t i) {
    const auto first = static_cast<std::size_t>(begin[i]), end = static_cast<std::size_t>(begin[i + 1]);
    return values.subspan(first, end - first);
}

Json to_json(const std::map<std::string, RegionMeasures>& regions) {
    Json all = Json::object();
    for (const auto& [name, m] : regions)
        all[name] = {{"angle_change_rms", m.angle_change_rms},
                     {"bending_content", m.bending_content},
                     {"crease_density", m.crease_density},
                     {"area", m.area}};
    return all;
}

}  // namespace

State shown_part(const State& state) {
    State shown;
    shown.x = state.x;
    shown.bending.anchor = state.bending.anchor;
    shown.bending.stick_time = state.bending.stick_time;
    shown.bending.plastic = state.bending.plastic;
    shown.time = state.time;
    return shown;
}

std::vector<ClothMeasures> measure_cloths(const Simulator& sim, const State& state) {
    const Scene& scene = sim.scene();
    const Model& model = sim.model();
    std::vector<ClothMeasures> cloths;
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const SceneCloth& cloth = scene.cloths[i];
        MeasureExtras extras;
        extras.reference = cloth.reference;
        extras.plastic = part(std::span<const double>(state.bending.plastic), model.parts.hinge_begin, i);
        extras.anchor = part(std::span<const double>(state.bending.anchor), model.parts.hinge_begin, i);
        const WrinkleMeasures measures = measure_wrinkles(
            cloth.rest, cloth.mesh.triangles, part(std::span<const Vec3d>(state.x), model.parts.vertex_begin, i),
            part(sim.reference_angles(), model.parts.hinge_begin, i), extras);
        cloths.push_back({cloth.name, {}});
        for (const MeasureEntry& entry : entries(measures)) {
            require_finite(entry.value, entry.name, state);
            cloths.back().values.push_back({std::string(entry.name), entry.value});
        }
    }
    return cloths;
}

std::vector<std::map<std::string, RegionMeasures>> measure_regions(const Simulator& sim) {
    const Scene& scene = sim.scene();
    const Model& model = sim.model();
    const State& state = sim.sim_state().state;
    std::vector<std::map<std::string, RegionMeasures>> all(scene.cloths.size());
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const SceneCloth& cloth = scene.cloths[i];
        const auto x = part(std::span<const Vec3d>(state.x), model.parts.vertex_begin, i);
        const auto angles = part(sim.reference_angles(), model.parts.hinge_begin, i);
        const auto plastic = part(std::span<const double>(state.bending.plastic), model.parts.hinge_begin, i);
        for (const auto& [name, vertices] : cloth.sets)
            all[i][name] = measure_region(cloth.rest, cloth.mesh.triangles, x, angles, vertices, plastic);
    }
    return all;
}

std::vector<Vec3d> cloth_memory(const Simulator& sim, const State& state) {
    const Scene& scene = sim.scene();
    const Model& model = sim.model();
    const HistoryArrays& bending = state.bending;
    std::vector<Vec3d> memory;
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const SceneCloth& cloth = scene.cloths[i];
        const std::size_t first = memory.size(), count = cloth.mesh.positions.size();
        memory.resize(first + count);
        const std::vector<double>* const columns[] = {&bending.plastic, &bending.anchor, &bending.stick_time};
        for (int c = 0; c < 3; ++c) {
            const auto mine = part(std::span<const double>(*columns[c]), model.parts.hinge_begin, i);
            std::vector<double> sizes(mine.begin(), mine.end());
            for (double& value : sizes) value = std::abs(value);
            const std::vector<double> mean = vertex_mean(cloth.rest, sizes, count);
            for (std::size_t v = 0; v < count; ++v) memory[first + v][c] = mean[v];
        }
    }
    return memory;
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
    if (scene.has_contact()) row += ",contact_pairs,contact_touching,contact_inside";
    for (const SceneHandle& handle : scene.handles) row += fmt::format(",{0}.force,{0}.torque", handle.name);
    return row + "\n";
}

std::string MetricsRow::with(const std::vector<ClothMeasures>& measures) const {
    std::string row = before;
    for (const ClothMeasures& cloth : measures)
        for (const NamedValue& entry : cloth.values) row += fmt::format(",{}", entry.value);
    return row + after;
}

MetricsRow metrics_row(Simulator& sim, const FrameFacts& facts) {
    const State& state = sim.sim_state().state;
    std::string row;
    const auto add = [&](double value, const std::string& name) {
        require_finite(value, name, state);
        row += fmt::format(",{}", value);
    };
    const StepReport at_rest;
    const StepReport& report = facts.report != nullptr ? *facts.report : at_rest;
    add(report.kinetic_energy, "kinetic energy");
    add(facts.report != nullptr ? report.potential_energy : sim.potential_energy(), "potential energy");
    row += fmt::format(",{},{}", report.slipping, report.yielding);
    const Scene& scene = sim.scene();
    if (scene.has_contact())
        row += fmt::format(",{},{},{}", report.contact.pairs, report.contact.touching, report.contact.inside);
    for (std::size_t i = 0; i < scene.handles.size(); ++i) {
        const Wrench wrench =
            sim.reaction(static_cast<int>(i), middle_of(scene.handles[i].vertices, state.x));
        add(norm(wrench.force), scene.handles[i].name + ".force");
        add(norm(wrench.torque), scene.handles[i].name + ".torque");
    }
    return {fmt::format("{},{:.12g},{:.12g},{},{}", facts.frame, state.time, state.material_time, facts.phase,
                        state.step),
            row + "\n"};
}

std::string summary_text(const Scene& scene, const RunResult& result, std::int64_t frames) {
    Json json;
    json["rumple"] = version();
    json["source"] = source_hash();
    json["scene"] = scene.name;
    if (!scene.variant.empty()) json["variant"] = scene.variant;
    json["scene_hash"] = scene_hash(scene);
    json["status"] = result.failure.empty() ? "complete" : "failed";
    if (!result.failure.empty()) json["failure"] = result.failure;
    Json& cloths = json["cloths"] = Json::array();
    for (const SceneCloth& cloth : scene.cloths)
        cloths.push_back({{"name", cloth.name},
                          {"material", cloth.material.name},
                          {"vertices", cloth.mesh.positions.size()},
                          {"triangles", cloth.mesh.triangles.size()},
                          {"hinges", cloth.rest.hinges.size()}});
    if (!scene.obstacles.empty()) {
        const ObstacleTimeline timeline(scene);
        Json& obstacles = json["obstacles"] = Json::array();
        for (std::size_t i = 0; i < scene.obstacles.size(); ++i)
            obstacles.push_back(to_json(scene.obstacles[i], phases_with(scene, timeline, i)));
    }
    for (const SceneCamera& camera : scene.cameras) json["cameras"].push_back(Json(to_json(camera)));
    json["output_rate"] = scene.output_rate;
    json["frames"] = frames;
    json["time"] = result.last.state.time;
    json["material_time"] = result.last.state.material_time;
    json["counts"] = to_json(result.counts);
    for (const StepRetry& retry : result.retries)
        json["retries"].push_back({{"frame", retry.frame},
                                   {"step", retry.step},
                                   {"pieces", retry.pieces},
                                   {"reason", retry.reason}});
    if (scene.has_contact()) json["contact"] = contact_json(scene, result);
    json["final"] = to_json(result.at_end);
    for (std::size_t i = 0; i < result.regions.size(); ++i)
        if (!result.regions[i].empty()) json["regions"][scene.cloths[i].name] = to_json(result.regions[i]);
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
    json["rumple"] = version();
    json["source"] = source_hash();
    json["seconds"] = {{"evaluate", timing.step.evaluate}, {"assemble", timing.step.assemble},
                       {"solve", timing.step.solve},       {"advance", timing.step.advance},
                       {"output", timing.output},          {"output_wait", timing.output_wait},
                       {"writing", timing.writing},        {"total", timing.total}};
    const StepTiming& step = timing.step;
    if (step.contact_broad + step.contact_narrow + step.contact_response > 0) {
        json["seconds"]["contact_broad"] = step.contact_broad;
        json["seconds"]["contact_narrow"] = step.contact_narrow;
        json["seconds"]["contact_response"] = step.contact_response;
    }
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
    timing.step.evaluate = get("evaluate");
    timing.step.assemble = get("assemble");
    timing.step.solve = get("solve");
    timing.step.advance = get("advance");
    timing.step.contact_broad = get("contact_broad");
    timing.step.contact_narrow = get("contact_narrow");
    timing.step.contact_response = get("contact_response");
    timing.output = get("output");
    timing.output_wait = get("output_wait");
    timing.writing = get("writing");
    timing.total = get("total");
    return timing;
}

}  // namespace rumple
