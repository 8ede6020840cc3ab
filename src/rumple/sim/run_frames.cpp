#include <rumple/sim/run_frames.hpp>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/obj.hpp>
#include <sstream>

namespace rumple {

namespace {

nlohmann::json read_summary(const std::filesystem::path& folder) {
    std::ifstream file(folder / "summary.json");
    nlohmann::json summary = nlohmann::json::parse(file, nullptr, false);
    if (!summary.is_object() || !summary.contains("cloths"))
        throw InputError(folder.string(), "there is no summary.json of a run",
                         "give a folder that `rumple run` wrote, of one variant, when it has ended");
    return summary;
}

// The phase of each frame, from metrics.csv.
std::vector<std::string> read_phases(const std::filesystem::path& folder) {
    std::ifstream file(folder / "metrics.csv");
    std::string line, cell;
    std::getline(file, line);
    std::vector<std::string> phases;
    while (std::getline(file, line)) {
        std::istringstream cells(line);  // frame,time,material_time,phase,...
        for (int i = 0; i < 4; ++i) std::getline(cells, cell, ',');
        phases.push_back(cell);
    }
    return phases;
}

}  // namespace

RunFrames::RunFrames(const std::filesystem::path& folder) {
    const nlohmann::json summary = read_summary(folder);
    const auto add = [&](BodyKind kind, const nlohmann::json& entry) {
        const std::string name = entry["name"];
        Actor actor{kind, read_obj(folder / "cache" / (name + ".obj")), std::nullopt, {}};
        if (kind == BodyKind::cloth || entry["moves"] == true)
            actor.cache.emplace(folder / "cache" / (name + ".pc2"));
        if (entry.contains("present")) actor.present = entry["present"];
        actors_.push_back(std::move(actor));
    };
    for (const auto& cloth : summary["cloths"]) add(BodyKind::cloth, cloth);
    if (summary.contains("obstacles"))
        for (const auto& obstacle : summary["obstacles"]) add(BodyKind::obstacle, obstacle);
    phases_ = read_phases(folder);

    std::vector<BodyMesh> bodies;
    for (const Actor& actor : actors_)
        bodies.push_back(
            {actor.kind, static_cast<int>(actor.mesh.positions.size()), actor.mesh.triangles, true});
    surface_ = make_surface(bodies);
    for (const SurfaceBody& body : surface_.bodies)
        if (body.kind == BodyKind::cloth) cloth_triangles_ = body.triangle_end;
}

std::size_t RunFrames::count() const {
    return std::min<std::size_t>(phases_.size(), actors_.front().cache->frame_count());
}

RunFrames::Frame RunFrames::frame(std::size_t index) const {
    Frame frame;
    for (const Actor& actor : actors_) {
        const std::vector<Vec3d> now = actor.cache ? actor.cache->read_frame(index) : actor.mesh.positions;
        frame.x.insert(frame.x.end(), now.begin(), now.end());
        frame.active.push_back(actor.kind == BodyKind::cloth ||
                               std::ranges::find(actor.present, phases_[index]) != actor.present.end());
    }
    return frame;
}

}  // namespace rumple
