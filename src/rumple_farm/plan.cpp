#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/digest.hpp>
#include <rumple/core/error.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple_farm/file_digests.hpp>
#include <rumple_farm/plan.hpp>
#include <unordered_map>

namespace rumple::farm {
namespace {

using nlohmann::json;

constexpr const char* kVariantKey = "variant";

// The hashes of a scene's text: of everything but its phases together with the first of them, the first two,
// and so on; the last is that of the whole. A scene without phases has one.
std::vector<std::string> prefix_hashes(json document, FileDigests& files) {
    for (const char* key : {"$schema", "description", "cameras"}) document.erase(key);
    const auto found = document.find("phases");
    const json phases = found != document.end() && found->is_array() ? *found : json::array();
    document.erase("phases");
    Digest digest;
    files.add(digest, document);
    std::vector<std::string> hashes;
    if (phases.empty()) hashes.push_back(digest.hex16());
    for (const json& phase : phases) {
        files.add(digest, phase);
        hashes.push_back(digest.hex16());
    }
    return hashes;
}

// Requests whose hashes agree, from phase `depth` on: sorts them into jobs and adds the beginnings they
// share.
class Beginnings {
  public:
    Beginnings(Plan& plan, std::vector<Request>& requests,
               const std::vector<std::vector<std::string>>& hashes)
        : plan_(plan), requests_(requests), hashes_(hashes), parent_(requests.size(), -1) {}

    // The beginning that each request continues.
    std::vector<int> find() {
        std::vector<std::size_t> all(requests_.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        split(all, 0, -1);
        return parent_;
    }

  private:
    // `group` agrees on the phases before `depth` and continues `parent`.
    void split(const std::vector<std::size_t>& group, std::size_t depth, int parent) {
        std::vector<std::vector<std::size_t>> parts;  // in the order of their first member
        std::unordered_map<std::string, std::size_t> part_of;
        for (const std::size_t i : group) {
            parent_[i] = parent;
            if (depth >= hashes_[i].size()) continue;  // it has no more phases
            const auto [found, is_new] = part_of.try_emplace(hashes_[i][depth], parts.size());
            if (is_new) parts.emplace_back();
            parts[found->second].push_back(i);
        }
        for (const std::vector<std::size_t>& part : parts) {
            if (part.size() == 1) continue;
            const std::size_t shared = shared_phases(part, depth);
            // Where all agree to the end there is nothing to share: they are one job.
            if (shared == hashes_[part.front()].size() && shared == hashes_[part.back()].size()) continue;
            split(part, shared, add(part.front(), shared, parent));
        }
    }
    std::size_t shared_phases(const std::vector<std::size_t>& part, std::size_t depth) const {
        for (std::size_t k = depth + 1;; ++k)
            for (const std::size_t i : part)
                if (k >= hashes_[i].size() || k >= hashes_[part.front()].size() ||
                    hashes_[i][k] != hashes_[part.front()][k])
                    return k;
    }
    int add(std::size_t leader, std::size_t phases, int parent) {
        Job job;
        job.document = requests_[leader].document;
        job.values = requests_[leader].values;
        job.folder = "beginnings/" + hashes_[leader][phases - 1];
        job.parent = parent;
        job.last_phase = static_cast<int>(phases) - 1;
        plan_.jobs.push_back(std::move(job));
        return static_cast<int>(plan_.jobs.size()) - 1;
    }

    Plan& plan_;
    std::vector<Request>& requests_;
    const std::vector<std::vector<std::string>>& hashes_;
    std::vector<int> parent_;
};

}  // namespace

int Plan::beginnings() const {
    return static_cast<int>(
        std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return job.is_beginning(); }));
}

json document_of(const Plan& plan, std::size_t document, const std::vector<json>& values) {
    json text = plan.documents[document].document;
    for (std::size_t k = 0; k < values.size(); ++k)
        if (plan.keys[k] != kVariantKey) set_json(text, plan.keys[k], values[k]);
    return text;
}

Scene scene_of(const Plan& plan, const Job& job, const std::shared_ptr<AssetCache>& assets) {
    SceneFile file{{}, plan.name, plan.folder, assets};
    return build_scene(file, {"", document_of(plan, job.document, job.values)});
}

void plan_jobs(Plan& plan, std::vector<Request> requests) {
    FileDigests files(plan.folder);
    std::vector<std::vector<std::string>> hashes;
    for (const Request& request : requests)
        hashes.push_back(prefix_hashes(document_of(plan, request.document, request.values), files));
    plan.jobs.clear();
    plan.rows.clear();
    const std::vector<int> parents = Beginnings(plan, requests, hashes).find();
    std::unordered_map<std::string, int> job_in;  // by folder: two points of the same scene are one job
    for (std::size_t i = 0; i < requests.size(); ++i) {
        std::string folder =
            requests[i].folder.empty() ? "jobs/" + hashes[i].back() : std::move(requests[i].folder);
        const auto [found, is_new] = job_in.try_emplace(folder, static_cast<int>(plan.jobs.size()));
        PlanRow& row = plan.rows.emplace_back(PlanRow{found->second, {}});
        if (!is_new) {
            if (plan.jobs[static_cast<std::size_t>(row.job)].values != requests[i].values)
                row.values = std::move(requests[i].values);
            continue;
        }
        plan.jobs.push_back(
            {requests[i].document, std::move(requests[i].values), std::move(folder), parents[i], -1, {}});
    }
}

}  // namespace rumple::farm
