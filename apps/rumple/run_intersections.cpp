#include "run_intersections.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <rumple/contact/intersections.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <sstream>

namespace rumple {
namespace {

// A cloth or an obstacle of the run.
struct Actor {
    BodyKind kind;
    TriMesh mesh;
    std::optional<PointCacheReader> cache;  // none: it stands
    std::vector<std::string> present;       // phases
};

nlohmann::json read_summary(const std::filesystem::path& folder) {
    std::ifstream file(folder / "summary.json");
    nlohmann::json summary = nlohmann::json::parse(file, nullptr, false);
    if (!summary.is_object() || !summary.contains("cloths"))
        throw InputError(folder.string(), "there is no summary.json of a run",
                         "give a folder that `rumple run` wrote, of one variant, when it has ended");
    return summary;
}

std::vector<Actor> read_actors(const std::filesystem::path& folder, const nlohmann::json& summary) {
    std::vector<Actor> actors;
    const auto add = [&](BodyKind kind, const nlohmann::json& entry) {
        const std::string name = entry["name"];
        Actor actor{kind, read_obj(folder / "cache" / (name + ".obj")), std::nullopt, {}};
        if (kind == BodyKind::cloth || entry["moves"] == true)
            actor.cache.emplace(folder / "cache" / (name + ".pc2"));
        if (entry.contains("present")) actor.present = entry["present"];
        actors.push_back(std::move(actor));
    };
    for (const auto& cloth : summary["cloths"]) add(BodyKind::cloth, cloth);
    if (summary.contains("obstacles"))
        for (const auto& obstacle : summary["obstacles"]) add(BodyKind::obstacle, obstacle);
    return actors;
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

std::vector<FrameIntersections> run_intersections(const std::filesystem::path& folder) {
    const std::vector<Actor> actors = read_actors(folder, read_summary(folder));
    const std::vector<std::string> phases = read_phases(folder);
    std::vector<BodyMesh> bodies;
    for (const Actor& actor : actors)
        bodies.push_back(
            {actor.kind, static_cast<int>(actor.mesh.positions.size()), actor.mesh.triangles, true});
    const Surface surface = make_surface(bodies);
    int cloth_triangles = 0;
    for (const SurfaceBody& body : surface.bodies)
        if (body.kind == BodyKind::cloth) cloth_triangles = body.triangle_end;

    const Threads threads;
    std::vector<FrameIntersections> frames;
    for (std::size_t f = 0; f < phases.size() && f < actors[0].cache->frame_count(); ++f) {
        std::vector<Vec3d> x;
        std::vector<std::uint8_t> active;
        for (const Actor& actor : actors) {
            const std::vector<Vec3d> now = actor.cache ? actor.cache->read_frame(f) : actor.mesh.positions;
            x.insert(x.end(), now.begin(), now.end());
            active.push_back(actor.kind == BodyKind::cloth ||
                             std::find(actor.present.begin(), actor.present.end(), phases[f]) !=
                                 actor.present.end());
        }
        FrameIntersections frame{static_cast<int>(f), 0, 0};
        for (const auto& [a, b] : intersecting_triangles(threads, surface, x, active))
            ++(b < cloth_triangles ? frame.cloth : frame.obstacles);
        frames.push_back(frame);
    }
    return frames;
}

}  // namespace rumple
