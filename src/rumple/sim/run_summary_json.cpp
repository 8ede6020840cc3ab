#include <rumple/sim/run_json.hpp>
#include <rumple/sim/run_summary.hpp>
#include <type_traits>

namespace rumple {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::vector<ClothMeasures>& cloths) {
    Json all = Json::object();
    for (const ClothMeasures& cloth : cloths) {
        Json& one = all[cloth.cloth] = Json::object();
        for (const MeasureEntry& entry : entries(cloth.measures)) one[std::string(entry.name)] = entry.value;
    }
    return all;
}

Json to_json(const RunSummary::Obstacle& obstacle) {
    Json json{{"name", obstacle.name},
              {"kind", obstacle.kind},
              {"vertices", obstacle.vertices},
              {"triangles", obstacle.triangles},
              {"moves", obstacle.moves}};
    if (obstacle.mass > 0) json["mass"] = obstacle.mass;
    if (obstacle.present) json["present"] = *obstacle.present;
    return json;
}

Json to_json(const RunSummary::Contact& contact) {
    const ContactCounts& counts = contact.counts;
    Json json{{"self", contact.self},
              {"thickness", contact.thickness},
              {"friction", contact.friction},
              {"max_pairs", counts.max_pairs},
              {"max_touching", counts.max_touching},
              {"closest", counts.closest},
              {"collisions", counts.collisions},
              {"extra_substeps", counts.substeps},
              {"rolled_back", counts.rolled_back},
              {"inside", counts.inside},
              {"deepest", counts.deepest}};
    Json& frames = json["trouble"] = Json::array();
    for (const ContactTrouble& row : contact.trouble)
        frames.push_back({{"frame", row.frame},
                          {"rolled_back", row.rolled_back},
                          {"inside", row.inside},
                          {"deepest", row.deepest},
                          {"substeps", row.substeps}});
    return json;
}

Json to_json(const RegionTable& regions) {
    Json all = Json::object();
    for (const auto& [name, m] : regions)
        all[name] = {{"angle_change_rms", m.angle_change_rms},
                     {"bending_content", m.bending_content},
                     {"crease_density", m.crease_density},
                     {"area", m.area}};
    return all;
}

Json to_json(const RunSummary::Recovery& recovery) {
    Json json = Json::object();
    json["from_phase"] = recovery.from_phase;
    json["then"] = to_json(recovery.then);
    for (const auto& [cloth, value] : recovery.value)
        json["value"][cloth] = value ? Json(*value) : Json(nullptr);
    return json;
}

void add_scene(Json& json, const RunSummary& summary) {
    json["rumple"] = summary.program.version;
    if (!summary.program.source.empty()) json["source"] = summary.program.source;
    if (!summary.program.backend.empty()) json["backend"] = summary.program.backend;
    json["scene"] = summary.scene;
    if (!summary.variant.empty()) json["variant"] = summary.variant;
    json["scene_hash"] = summary.scene_hash;
    json["status"] = summary.failure.empty() ? "complete" : "failed";
    if (!summary.failure.empty()) json["failure"] = summary.failure;
    Json& cloths = json["cloths"] = Json::array();
    for (const RunSummary::Cloth& cloth : summary.cloths)
        cloths.push_back({{"name", cloth.name},
                          {"material", cloth.material},
                          {"vertices", cloth.vertices},
                          {"triangles", cloth.triangles},
                          {"hinges", cloth.hinges}});
    for (const RunSummary::Obstacle& obstacle : summary.obstacles)
        json["obstacles"].push_back(to_json(obstacle));
    for (const SceneCamera& camera : summary.cameras) json["cameras"].push_back(Json(to_json(camera)));
    json["output_rate"] = summary.output_rate;
}

// Measures by cloth. The order of the cloths is that of the file: `cloths` lists them.
std::vector<ClothMeasures> measures_from(const JsonObject& json,
                                         const std::vector<RunSummary::Cloth>& cloths) {
    std::vector<ClothMeasures> all;
    for (const RunSummary::Cloth& cloth : cloths) {
        if (json.find(cloth.name.c_str()) == nullptr) continue;
        const JsonObject values = json.object(cloth.name.c_str());
        ClothMeasures& one = all.emplace_back(ClothMeasures{cloth.name, {}});
        for_each_measure(one.measures, [&](const char* name, const char*, auto& field) {
            if (values.find(name) != nullptr) field = values.number(name);
        });
    }
    return all;
}

RunSummary::Obstacle obstacle_from(const JsonObject& json) {
    RunSummary::Obstacle obstacle;
    obstacle.name = json.text("name");
    obstacle.kind = json.text("kind");
    obstacle.vertices = static_cast<std::size_t>(json.integer("vertices"));
    obstacle.triangles = static_cast<std::size_t>(json.integer("triangles"));
    obstacle.moves = json.flag("moves");
    obstacle.mass = json.number("mass");
    if (json.find("present") != nullptr) obstacle.present = json.texts("present");
    return obstacle;
}

constexpr const char* kOldRolledBack = "held_back";  // alias: of version 0.1

RunSummary::Contact contact_from(const JsonObject& json) {
    RunSummary::Contact contact;
    contact.self = json.flag("self");
    contact.thickness = json.number("thickness");
    contact.friction = json.number("friction");
    contact.counts.max_pairs = json.integer("max_pairs", "most_pairs");
    contact.counts.max_touching = json.integer("max_touching", "most_touching");
    contact.counts.closest = json.number("closest");
    contact.counts.collisions = json.integer("collisions");
    contact.counts.substeps = json.integer("extra_substeps");
    contact.counts.rolled_back = json.integer("rolled_back", kOldRolledBack);
    contact.counts.inside = json.integer("inside");
    contact.counts.deepest = json.number("deepest");
    for (const JsonObject& row : json.objects("trouble"))
        contact.trouble.push_back({row.integer("frame"), row.integer("rolled_back", kOldRolledBack),
                                   row.integer("inside"), row.integer("substeps"), row.number("deepest")});
    return contact;
}

RegionTable regions_from(const JsonObject& json) {
    RegionTable regions;
    for (const auto& [name, value] : json.json().items()) {
        const JsonObject m(value);
        regions[name] = {m.number("angle_change_rms"), m.number("bending_content"),
                         m.number("crease_density"), m.number("area")};
    }
    return regions;
}

RunSummary::Recovery recovery_from(const JsonObject& json, const std::vector<RunSummary::Cloth>& cloths) {
    RunSummary::Recovery recovery{json.text("from_phase"), measures_from(json.object("then"), cloths), {}};
    const JsonObject values = json.object("value");
    for (const RunSummary::Cloth& cloth : cloths) {
        const nlohmann::json* value = values.find(cloth.name.c_str());
        if (value == nullptr) continue;
        recovery.value.emplace_back(cloth.name,
                                    value->is_number() ? std::optional(value->get<double>()) : std::nullopt);
    }
    return recovery;
}

void read_scene(RunSummary& summary, const JsonObject& json) {
    summary.program = {json.text("rumple"), json.text("source"), json.text("backend")};
    summary.scene = json.text("scene");
    summary.variant = json.text("variant");
    summary.scene_hash = json.text("scene_hash");
    summary.failure = json.text("failure");
    for (const JsonObject& cloth : json.objects("cloths"))
        summary.cloths.push_back({cloth.text("name"), cloth.text("material"),
                                  static_cast<std::size_t>(cloth.integer("vertices")),
                                  static_cast<std::size_t>(cloth.integer("triangles")),
                                  static_cast<std::size_t>(cloth.integer("hinges"))});
    for (const JsonObject& obstacle : json.objects("obstacles"))
        summary.obstacles.push_back(obstacle_from(obstacle));
    for (const JsonObject& camera : json.objects("cameras"))
        if (auto read = camera_from_json(camera.json())) summary.cameras.push_back(std::move(*read));
    summary.output_rate = json.number("output_rate", RunSummary{}.output_rate);
}

}  // namespace

nlohmann::ordered_json counts_to_json(const StepCounts& counts) {
    nlohmann::ordered_json json{{"steps", counts.steps},
                                {"solves", counts.solves},
                                {"iterations", counts.iterations},
                                {"direct_fallbacks", counts.direct_fallbacks},
                                {"newton_not_converged", counts.newton_not_converged},
                                {"retried", counts.retried}};
    if (counts.not_at_rest > 0) json["not_at_rest"] = counts.not_at_rest;
    return json;
}

StepCounts counts_from_json(const JsonObject& json) {
    StepCounts counts;
    counts.steps = json.integer("steps");
    counts.solves = json.integer("solves");
    counts.iterations = json.integer("iterations");
    counts.direct_fallbacks = json.integer("direct_fallbacks");
    counts.newton_not_converged = json.integer("newton_not_converged");
    counts.retried = json.integer("retried");
    counts.not_at_rest = json.integer("not_at_rest");
    return counts;
}

std::string summary_text(const RunSummary& summary) {
    Json json;
    add_scene(json, summary);
    json["frames"] = summary.frames;
    json["time"] = summary.time;
    json["material_time"] = summary.material_time;
    json["counts"] = counts_to_json(summary.counts);
    for (const StepRetry& retry : summary.retries)
        json["retries"].push_back({{"frame", retry.frame},
                                   {"step", retry.step},
                                   {"pieces", retry.pieces},
                                   {"reason", retry.reason}});
    if (summary.contact) json["contact"] = to_json(*summary.contact);
    json["final"] = to_json(summary.at_end);
    for (const auto& [cloth, regions] : summary.regions) json["regions"][cloth] = to_json(regions);
    if (summary.recovery) json["recovery"] = to_json(*summary.recovery);
    json["warnings"] = summary.warnings;
    return json.dump(2) + "\n";
}

std::optional<RunSummary> parse_summary(const std::string& text) {
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (!document.is_object()) return std::nullopt;
    const JsonObject json(document);
    RunSummary summary;
    read_scene(summary, json);
    summary.frames = json.integer("frames");
    summary.time = json.number("time");
    summary.material_time = json.number("material_time");
    summary.counts = counts_from_json(json.object("counts"));
    for (const JsonObject& retry : json.objects("retries"))
        summary.retries.push_back(
            {retry.integer("frame"), retry.integer("step"), retry.integer("pieces"), retry.text("reason")});
    if (json.find("contact") != nullptr) {
        summary.contact = contact_from(json.object("contact"));
        summary.counts.contact = summary.contact->counts;
    }
    summary.at_end = measures_from(json.object("final"), summary.cloths);
    const JsonObject regions = json.object("regions");
    for (const RunSummary::Cloth& cloth : summary.cloths)
        if (regions.find(cloth.name.c_str()) != nullptr)
            summary.regions.emplace_back(cloth.name, regions_from(regions.object(cloth.name.c_str())));
    if (json.find("recovery") != nullptr)
        summary.recovery = recovery_from(json.object("recovery"), summary.cloths);
    summary.warnings = json.texts("warnings");
    return summary;
}

}  // namespace rumple
