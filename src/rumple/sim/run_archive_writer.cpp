#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/seam_file.hpp>
#include <rumple/sim/run_animation.hpp>
#include <rumple/sim/run_archive_writer.hpp>
#include <system_error>
#include <utility>

namespace rumple {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherFolder = "choose another output folder";

std::vector<fs::path> make_folders(const fs::path& folder) {
    std::vector<fs::path> missing;
    std::error_code code;
    for (fs::path p = fs::absolute(folder).lexically_normal(); !p.empty() && !fs::exists(p, code);
         p = p.parent_path())
        if (p.has_filename()) missing.insert(missing.begin(), p);
    fs::create_directories(folder, code);
    if (code || !fs::is_directory(folder, code)) {
        for (auto p = missing.rbegin(); p != missing.rend(); ++p) fs::remove(*p, code);
        throw InputError(folder.string(), "the output folder cannot be made", kOtherFolder);
    }
    return missing;
}

bool can_write_into(const fs::path& folder) {
    try {
        const AtomicFile probe(folder / "probe");  // never committed
        return true;
    } catch (const InputError&) {
        return false;
    }
}

// A cloth at these positions, numbered as in the file it came from.
TriMesh mesh_for_file(const SceneCloth& cloth, std::span<const Vec3d> x) {
    TriMesh mesh = cloth.mesh;
    mesh.positions.assign(x.begin(), x.end());
    return renumbered(mesh, inverse(cloth.numbering));
}

// Values of a cloth's vertices, in the order of its file.
void append(Pc2Writer& cache, const SceneCloth& cloth, std::span<const Vec3d> values) {
    if (cloth.numbering.changes())
        cache.append(in_old_order(values, cloth.numbering.vertices));
    else
        cache.append(values);
}

}  // namespace

FolderClaim::FolderClaim(const fs::path& folder) : made_(make_folders(folder)) {
    descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // A file system without locks runs without them.
    const bool taken =
        descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && can_write_into(folder)) return;
    release();  // no destructor runs for a constructor that throws
    if (taken)
        throw InputError(folder.string(), "another run is writing into this folder",
                         "wait for it, or choose another output folder");
    throw InputError(folder.string(), "the output folder cannot be written", kOtherFolder);
}

FolderClaim::FolderClaim(FolderClaim&& other) noexcept
    : made_(std::exchange(other.made_, {})), descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderClaim::~FolderClaim() { release(); }

void FolderClaim::release() {
    std::error_code ignored;
    for (auto p = made_.rbegin(); p != made_.rend(); ++p)
        fs::remove(*p, ignored);  // does nothing unless empty
    made_.clear();
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}

RunArchiveWriter::RunArchiveWriter(const Scene& scene, const std::string& scene_hash, const fs::path& folder,
                                   bool resume)
    : scene_(scene), layout_(folder), claim_(folder) {
    if (!fs::exists(layout_.checkpoint())) return;
    const std::string name = layout_.checkpoint().string();
    try {
        found_ = read_checkpoint(layout_.checkpoint());
    } catch (const InputError&) {
        if (resume) throw;
        return;  // a run that starts anew replaces it
    }
    require_same_scene(*found_, scene, scene_hash, name);
    if (resume)
        require_same_program(*found_, name);
    else
        found_.reset();
}

TimingReport RunArchiveWriter::found_timing() const {
    try {
        return parse_timing(read_file(layout_.timing()));
    } catch (const InputError&) {
        return {};
    }
}

void RunArchiveWriter::open() {
    remove_leftovers();
    if (!found_) clear();
    std::error_code ignored;
    fs::remove(layout_.summary(), ignored);  // it says that a run is complete
    for (const std::string_view format : kAnimationFormats) fs::remove(layout_.animation(format), ignored);
    make_subfolders();
    for (const SceneCloth& cloth : scene_.cloths) {
        open_cache(cloth.name, mesh_for_file(cloth, cloth.reference));
        fs::remove(layout_.seams(cloth.name), ignored);
        if (!cloth.seams.empty()) write_seams(layout_.seams(cloth.name), cloth.seams);
        if (scene_.output_memory)
            memories_.push_back(pc2_at(layout_.memory(cloth.name), cloth.reference.size()));
    }
    for (const SceneObstacle& obstacle : scene_.obstacles) {
        if (obstacle.changes())
            open_cache(obstacle.name, obstacle.mesh);
        else
            write_obj(layout_.mesh(obstacle.name), obstacle.mesh);
    }
    open_metrics();
    write_atomically(layout_.running(), summary_text(summary_of(scene_, "")));
}

void RunArchiveWriter::make_subfolders() const {
    for (const char* sub : RunLayout::kSubfolders) {
        if (sub == std::string_view("memory") && !scene_.output_memory) continue;
        std::error_code code;
        fs::create_directories(folder() / sub, code);
        if (code) throw InputError((folder() / sub).string(), "the folder cannot be made", kOtherFolder);
    }
    sync_folder(folder());
}

void RunArchiveWriter::open_metrics() {
    const std::string header = metrics_header(scene_);
    if (!found_) write_atomically(layout_.metrics(), header);
    metrics_ = FileHandle::open_to_write(layout_.metrics());
    metrics_bytes_ = found_ ? found_->record.metrics_bytes : static_cast<std::int64_t>(header.size());
    const auto wanted = static_cast<std::uint64_t>(metrics_bytes_);
    if (metrics_->size() < wanted)
        throw InputError(
            layout_.metrics().string(),
            fmt::format("it has {} bytes, and {} are needed to resume", metrics_->size(), wanted),
            kStartAnew);
    metrics_->truncate(wanted);
}

void RunArchiveWriter::open_cache(const std::string& name, const TriMesh& mesh) {
    write_obj(layout_.mesh(name), mesh);
    caches_.push_back(pc2_at(layout_.cache(name), mesh.positions.size()));
}

Pc2Writer RunArchiveWriter::pc2_at(const fs::path& path, std::size_t vertices) const {
    Pc2Writer cache = found_ ? Pc2Writer::reopen(path, static_cast<std::size_t>(found_->record.frames))
                             : Pc2Writer::create(path, vertices);
    if (cache.vertex_count() != vertices)
        throw InputError(path.string(), "the cache belongs to another mesh", kStartAnew);
    return cache;
}

// The checkpoint is removed first: a kill in between must not leave an old one beside new caches.
void RunArchiveWriter::clear() const {
    std::error_code ignored;
    for (const fs::path& path :
         {layout_.checkpoint(), layout_.summary(), layout_.timing(), layout_.metrics()})
        fs::remove(path, ignored);
    for (const SceneCloth& cloth : scene_.cloths)
        for (const fs::path& path :
             {layout_.final_mesh(cloth.name), layout_.cache(cloth.name), layout_.memory(cloth.name)})
            fs::remove(path, ignored);
    fs::remove(folder() / "memory", ignored);  // does nothing unless empty
    for (const SceneObstacle& obstacle : scene_.obstacles) fs::remove(layout_.cache(obstacle.name), ignored);
}

// Temporary files of a run that was killed while it wrote them. The folder is claimed, so no other process
// uses them.
void RunArchiveWriter::remove_leftovers() const {
    std::vector<fs::path> folders{folder()};
    for (const char* sub : RunLayout::kSubfolders) folders.push_back(folder() / sub);
    for (const fs::path& place : folders) {
        std::error_code code;
        std::vector<fs::path> old;
        for (fs::directory_iterator entry(place, code), end; !code && entry != end; entry.increment(code)) {
            const std::string name = entry->path().filename().string();
            if (name.size() > 5 && name.front() == '.' && name.ends_with(".tmp"))
                old.push_back(entry->path());
        }
        for (const fs::path& path : old) fs::remove(path, code);
    }
}

void RunArchiveWriter::write_frame(const FrameSnapshot& frame, const FrameMetrics& metrics) {
    auto cache = caches_.begin();
    const auto take = [](std::span<const Vec3d>& from, std::size_t count) {
        const auto taken = from.first(count);
        from = from.subspan(count);
        return taken;
    };
    std::span<const Vec3d> x = frame.visible.x, obstacles = frame.obstacles, memory = frame.memory;
    for (const SceneCloth& cloth : scene_.cloths)
        append(*cache++, cloth, take(x, cloth.mesh.positions.size()));
    for (const SceneObstacle& obstacle : scene_.obstacles) {
        const auto now = take(obstacles, obstacle.mesh.positions.size());
        if (obstacle.changes()) (cache++)->append(now);
    }
    for (std::size_t i = 0; i < memories_.size(); ++i)
        append(memories_[i], scene_.cloths[i], take(memory, memories_[i].vertex_count()));
    const std::string row = metrics_row(metrics, frame.measures);
    metrics_->write_at(static_cast<std::uint64_t>(metrics_bytes_), row);
    metrics_bytes_ += static_cast<std::int64_t>(row.size());
}

std::vector<fs::path> RunArchiveWriter::frame_files() const {
    std::vector<fs::path> files;
    for (const SceneCloth& cloth : scene_.cloths) files.push_back(layout_.cache(cloth.name));
    for (const SceneObstacle& obstacle : scene_.obstacles)
        if (obstacle.changes()) files.push_back(layout_.cache(obstacle.name));
    if (scene_.output_memory)
        for (const SceneCloth& cloth : scene_.cloths) files.push_back(layout_.memory(cloth.name));
    files.push_back(layout_.metrics());
    return files;
}

void RunArchiveWriter::write_checkpoint(const Checkpoint& checkpoint) {
    for (Pc2Writer& cache : caches_) cache.sync();
    for (Pc2Writer& memory : memories_) memory.sync();
    metrics_->sync();
    rumple::write_checkpoint(layout_.checkpoint(), checkpoint);
}

void RunArchiveWriter::write_final(std::span<const Vec3d> x) const {
    for (const SceneCloth& cloth : scene_.cloths) {
        const std::size_t vertices = cloth.mesh.positions.size();
        write_obj(layout_.final_mesh(cloth.name), mesh_for_file(cloth, x.first(vertices)));
        x = x.subspan(vertices);
    }
}

void RunArchiveWriter::write_animations() const {
    for (const std::string& format : scene_.output_formats)
        write_animation(layout_.animation(format), animation_of(scene_, layout_));
}

void RunArchiveWriter::write_timing(const TimingReport& report) const {
    write_atomically(layout_.timing(), timing_text(report));
}

void RunArchiveWriter::write_summary(const std::string& text) const {
    write_atomically(layout_.summary(), text);
    std::error_code ignored;
    fs::remove(layout_.running(), ignored);
}

}  // namespace rumple
