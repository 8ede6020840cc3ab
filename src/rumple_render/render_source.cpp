#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/seam_file.hpp>
#include <rumple_render/render_source.hpp>

namespace rumple {

namespace fs = std::filesystem;

namespace {

bool is_cache_file(const fs::path& path) { return path.extension() == ".pc2" || path.extension() == ".mdd"; }
std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

}  // namespace

RenderSource::RenderSource(const fs::path& given) {
    const fs::path path = given.has_filename() ? given : given.parent_path();
    if (!fs::exists(path)) throw InputError(path.string(), "there is no such file or folder");
    if (fs::is_directory(path)) {
        if (!RunArchive::is_run(path))
            throw InputError(path.string(), "the folder has no cache/",
                             "give a run's folder, a mesh or a point cache");
        archive_.emplace(path);
        label_ = fs::canonical(path).filename().string();
        for (const fs::path& file : archive_->caches()) add_cache(file);
        if (parts_.empty())
            throw InputError(archive_->layout().cache_folder().string(),
                             "the folder has no point caches (.pc2)");
    } else {
        if (const auto folder = RunArchive::folder_of(path)) archive_.emplace(*folder);
        label_ = archive_ ? archive_->folder().filename().string() : path.stem().string();
        if (is_cache_file(path))
            add_cache(path);
        else
            add_mesh(path);
    }
    if (archive_) read_run_facts();
}

void RenderSource::add_mesh(const fs::path& path) {
    parts_.push_back({path.stem().string(), read_mesh(path), look_by_name("cotton")});
    const fs::path seams = fs::path(path).replace_extension(".seams.json");
    if (fs::exists(seams)) parts_.back().seams = read_seams(seams);
}

void RenderSource::add_cache(const fs::path& path) {
    const std::optional<fs::path> topology = mesh_beside(path);
    if (!topology)
        throw InputError(
            path.string(), "its mesh is missing",
            fmt::format("a cache holds only positions: put {} beside it", path.stem().string() + ".obj"));
    add_mesh(*topology);
    Part& part = parts_.back();
    part.cache = std::make_shared<PointCacheReader>(path);
    if (part.cache->frame_count() == 0)
        throw InputError(path.string(), "the cache has no frames yet",
                         "run the scene first, or render its mesh");
    if (part.cache->vertex_count() != part.mesh.positions.size())
        throw InputError(path.string(), fmt::format("the cache has {} vertices, its mesh {} has {}",
                                                    part.cache->vertex_count(), topology->filename().string(),
                                                    part.mesh.positions.size()));
}

void RenderSource::read_run_facts() {
    notes_ = archive_->frames();
    if (!archive_->scene_facts()) return;  // an older run under way: everything looks like cotton
    const RunSummary& summary = *archive_->scene_facts();
    for (const RunSummary::Obstacle& obstacle : summary.obstacles) add_obstacle_facts(obstacle);
    std::map<std::string, std::string> materials;
    for (const RunSummary::Cloth& cloth : summary.cloths) materials[cloth.name] = cloth.material;
    std::map<std::string, std::string> looks;
    for (const RunSummary::Obstacle& obstacle : summary.obstacles)
        looks[obstacle.name] = obstacle.kind == "chair"    ? "wood"
                               : obstacle.kind == "sphere" ? "clay"
                                                           : "body";
    for (Part& part : parts_) {
        const auto found = materials.find(part.name);
        part.is_cloth = found != materials.end();
        const auto obstacle = looks.find(part.name);
        part.look = part.is_cloth ? look_for_material(found->second)
                                  : look_by_name(obstacle != looks.end() ? obstacle->second : "body");
    }
}

// Obstacles that stand have a mesh and no cache: the run's facts name them.
void RenderSource::add_obstacle_facts(const RunSummary::Obstacle& obstacle) {
    const auto is_it = [&](const Part& part) { return part.name == obstacle.name; };
    auto part = std::find_if(parts_.begin(), parts_.end(), is_it);
    const fs::path mesh = archive_->layout().mesh(obstacle.name);
    const bool whole_run =
        std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.cache != nullptr; });
    if (part == parts_.end() && whole_run && fs::exists(mesh)) {
        add_mesh(mesh);
        part = parts_.end() - 1;
    }
    if (part == parts_.end()) return;
    part->present = obstacle.present;
    if (obstacle.kind != "plane") return;
    part->framed = false;
    const std::vector<Vec3d>& corners = part->mesh.positions;
    double top = corners.front().z;
    for (const Vec3d& x : corners) top = std::max(top, x.z);
    const auto level =
        std::count_if(corners.begin(), corners.end(), [&](const Vec3d& x) { return x.z > top - 1e-9; });
    if (level < 4 || part->cache) return;
    ground_ = ground_ ? std::max(*ground_, top) : top;
    parts_.erase(part);
}

bool RenderSource::shows(const Part& part, std::size_t frame) const {
    if (!part.present || notes_.empty()) return true;
    const std::string& phase = notes_[std::min(frame, notes_.size() - 1)].phase;
    return std::find(part.present->begin(), part.present->end(), phase) != part.present->end();
}

bool RenderSource::hide(const std::string& name) {
    const auto found =
        std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return part.name == name; });
    if (found == parts_.end()) return false;
    parts_.erase(found);
    if (parts_.empty()) throw InputError("hide", fmt::format("nothing of {} is left to show", label_));
    return true;
}

double RenderSource::frame_rate() const {
    return archive_ && archive_->scene_facts() ? archive_->scene_facts()->output_rate
                                               : RunSummary{}.output_rate;
}

std::vector<SceneCamera> RenderSource::cameras() const {
    return archive_ && archive_->scene_facts() ? archive_->scene_facts()->cameras
                                               : std::vector<SceneCamera>{};
}

std::size_t RenderSource::frame_count() const {
    std::size_t count = 1;
    for (const Part& part : parts_)
        if (part.cache) count = std::max(count, part.cache->frame_count());
    return count;
}

std::vector<RenderObject> RenderSource::objects_at(std::size_t frame) const {
    std::vector<RenderObject> objects;
    for (const Part& part : parts_) {
        if (!shows(part, frame)) continue;
        RenderObject& object = objects.emplace_back();
        object.name = part.name;
        object.mesh = part.mesh;
        object.look = part.look;
        object.seams = part.seams;
        object.is_cloth = part.is_cloth;
        object.framed = part.framed;
        if (!part.cache) continue;
        object.rest = part.mesh.positions;
        object.mesh.positions = part.cache->read_frame(std::min(frame, part.cache->frame_count() - 1));
    }
    return objects;
}

std::size_t RenderSource::first_hinge(const std::string& cloth) const {
    std::size_t begin = 0;
    if (!archive_ || !archive_->has_ended()) return 0;
    for (const RunSummary::Cloth& other : archive_->summary()->cloths) {
        if (other.name == cloth) return begin;
        begin += other.hinges;
    }
    return 0;
}

void RenderSource::set_look(const Look& look) {
    for (Part& part : parts_)
        if (part.is_cloth) part.look = look;
}

std::vector<std::string> RenderSource::part_names() const {
    std::vector<std::string> names;
    for (const Part& part : parts_) names.push_back(part.name);
    return names;
}

void hide_in(std::vector<RenderSource>& sources, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        std::vector<std::string> known;
        for (const RenderSource& source : sources)
            for (const std::string& part : source.part_names())
                if (std::find(known.begin(), known.end(), part) == known.end()) known.push_back(part);
        bool hidden = false;
        for (RenderSource& source : sources) hidden = source.hide(name) || hidden;
        if (!hidden)
            throw InputError("hide",
                             sources.size() == 1
                                 ? fmt::format("{} shows no '{}'", sources.front().label(), name)
                                 : fmt::format("none of the inputs shows '{}'", name),
                             suggestion(name, known));
    }
}

std::vector<RenderSource> open_sources(const std::vector<std::string>& inputs) {
    std::vector<RenderSource> sources;
    for (const fs::path path : inputs) {
        std::vector<fs::path> runs;
        if (fs::is_directory(path) && !RunArchive::is_run(path))
            for (const fs::path& entry : sorted_entries(path))
                if (RunArchive::is_run(entry)) runs.push_back(entry);
        if (runs.empty()) runs.push_back(path);
        for (const fs::path& run : runs) sources.emplace_back(run);
    }
    return sources;
}

}  // namespace rumple
