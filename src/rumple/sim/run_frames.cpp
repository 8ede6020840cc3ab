#include <algorithm>
#include <rumple/sim/run_frames.hpp>

namespace rumple {

RunFrames::RunFrames(const std::filesystem::path& folder) {
    const RunArchive archive(folder);
    const RunSummary& summary = archive.require_summary();
    for (const RunSummary::Cloth& cloth : summary.cloths)
        actors_.push_back(
            {contact::BodyKind::cloth, archive.mesh(cloth.name), archive.cache(cloth.name), {}});
    for (const RunSummary::Obstacle& obstacle : summary.obstacles) {
        actors_.push_back(
            {contact::BodyKind::obstacle, archive.mesh(obstacle.name), std::nullopt, obstacle.present});
        if (obstacle.moves) actors_.back().cache.emplace(archive.cache(obstacle.name));
    }
    notes_ = archive.frames();

    std::vector<contact::BodyMesh> bodies;
    for (const Actor& actor : actors_)
        bodies.push_back(
            {actor.kind, static_cast<int>(actor.mesh.positions.size()), actor.mesh.triangles, true});
    surface_ = contact::make_surface(bodies);
    for (const contact::SurfaceBody& body : surface_.bodies)
        if (body.kind == contact::BodyKind::cloth) cloth_triangles_ = body.triangle_end;
}

std::size_t RunFrames::count() const {
    return std::min<std::size_t>(notes_.size(), actors_.front().cache->frame_count());
}

RunFrames::Frame RunFrames::frame(std::size_t index) const {
    Frame frame;
    for (const Actor& actor : actors_) {
        const std::vector<Vec3d> now = actor.cache ? actor.cache->read_frame(index) : actor.mesh.positions;
        frame.x.insert(frame.x.end(), now.begin(), now.end());
        frame.active.push_back(actor.kind == contact::BodyKind::cloth || !actor.present ||
                               std::ranges::find(*actor.present, notes_[index].phase) !=
                                   actor.present->end());
    }
    return frame;
}

}  // namespace rumple
