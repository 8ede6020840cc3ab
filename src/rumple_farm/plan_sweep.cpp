#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple_farm/plan.hpp>
#include <set>

namespace rumple::farm {
namespace {

using nlohmann::json;

// The documents that points start from: the scene without its variants, or, where the sweep varies "variant",
// each variant that it names.
std::vector<Variant> documents_of(const Sweep& sweep, const SceneFile& scene, std::size_t variant_key) {
    if (variant_key == sweep.keys.size()) {
        json base = scene.document;
        base.erase("variants");
        return {{"", std::move(base)}};
    }
    return expand_variants(scene);
}

std::size_t document_named(const std::vector<Variant>& documents, const json& value,
                           const std::string& name) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        if (value.is_string() && documents[i].name == value.get<std::string>()) return i;
        names.push_back(documents[i].name);
    }
    throw InputError(name, fmt::format("the scene has no variant {}", value.dump()),
                     suggestion(value.is_string() ? value.get<std::string>() : "", names));
}

std::string kind_of_number(const json& value) {
    const double number = value.get<double>();
    return number == std::floor(number) ? "integer" : "fraction";
}

// Points that together have, of every key, the ends of its numbers, a number of each kind, and every value
// that is no number, as far as kMaxTried goes; then others, in order, to at least kMinTried.
std::vector<std::size_t> points_to_try(const std::vector<std::vector<json>>& points) {
    std::vector<std::size_t> chosen;
    std::vector<bool> taken(points.size());
    const auto take = [&](std::size_t i, std::size_t limit) {
        if (!taken[i] && chosen.size() < limit) chosen.push_back(i);
        taken[i] = true;
    };
    const std::size_t keys = points.empty() ? 0 : points.front().size();
    for (std::size_t k = 0; k < keys; ++k) {
        const auto less = [k](const auto& a, const auto& b) { return a[k] < b[k]; };
        const auto [low, high] = std::minmax_element(points.begin(), points.end(), less);
        take(static_cast<std::size_t>(low - points.begin()), kMaxTried);
        take(static_cast<std::size_t>(high - points.begin()), kMaxTried);
    }
    for (std::size_t k = 0; k < keys; ++k) {
        std::set<std::string> met;
        for (std::size_t i = 0; i < points.size() && met.size() < kMaxTried; ++i) {
            const json& value = points[i][k];
            if (met.insert(value.is_number() ? kind_of_number(value) : value.dump()).second)
                take(i, kMaxTried);
        }
    }
    for (std::size_t i = 0; i < points.size() && chosen.size() < kMinTried; ++i) take(i, kMinTried);
    return chosen;
}

std::string shown(const Plan& plan, const Job& job) {
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < job.values.size(); ++k)
        parts.push_back(plan.keys[k] + " = " + job.values[k].dump());
    return fmt::format("{}", fmt::join(parts, ", "));
}

// Builds some of the scenes: what they do not accept is reported before anything runs, and their sizes are
// known. A job that was not built is taken to be as large as the largest.
void try_scenes(Plan& plan) {
    const int first = plan.beginnings();
    std::vector<std::vector<json>> points;
    for (std::size_t i = static_cast<std::size_t>(first); i < plan.jobs.size(); ++i)
        points.push_back(plan.jobs[i].values);
    const std::vector<std::size_t> tried = points_to_try(points);
    const auto assets = std::make_shared<AssetCache>();
    for (const std::size_t i : tried) {
        Job& job = plan.jobs[i + static_cast<std::size_t>(first)];
        try {
            job.cost = cost_of(scene_of(plan, job, assets));
        } catch (const InputError& error) {
            throw InputError(fmt::format("with {}", shown(plan, job)), error.what());
        }
    }
    JobCost largest;
    for (const Job& job : plan.jobs) {
        largest.vertices = std::max(largest.vertices, job.cost.vertices);
        largest.steps = std::max(largest.steps, job.cost.steps);
    }
    for (Job& job : plan.jobs)
        if (job.cost.vertices == 0) job.cost = largest;
}

}  // namespace

Plan plan_sweep(const Sweep& sweep, const SceneFile& scene, const std::string& name) {
    Plan plan;
    plan.name = scene.name;
    plan.folder = scene.folder.string();
    plan.keys = sweep.keys;
    plan.seed_key = sweep.seed_key;
    const auto variant_key = static_cast<std::size_t>(
        std::find(sweep.keys.begin(), sweep.keys.end(), "variant") - sweep.keys.begin());
    plan.documents = documents_of(sweep, scene, variant_key);
    std::vector<Request> requests;
    for (const std::vector<json>& point : sweep.points) {
        const std::size_t document =
            variant_key == sweep.keys.size() ? 0 : document_named(plan.documents, point[variant_key], name);
        requests.push_back({document, point, ""});
    }
    try {
        plan_jobs(plan, std::move(requests));
    } catch (const InputError& error) {
        throw InputError(name, error.what());
    }
    try_scenes(plan);
    return plan;
}

}  // namespace rumple::farm
