#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/sim/run_folder.hpp>
#include <system_error>
#include <utility>

namespace rumple {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherFolder = "choose another --out";

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

// A cloth at these positions, numbered as the file it came from.
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
                         "wait for it, or choose another --out");
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

RunFolder::RunFolder(const Scene& scene, const fs::path& folder, bool resume)
    : scene_(scene), folder_(folder), claim_(folder) {
    if (!fs::exists(checkpoint_path())) return;
    const std::string name = checkpoint_path().string();
    try {
        found_ = read_checkpoint(checkpoint_path());
    } catch (const InputError&) {
        if (resume) throw;
        return;  // a run that starts anew replaces it
    }
    require_same_scene(*found_, scene, name);
    if (resume)
        require_same_program(*found_, name);
    else
        found_.reset();
}

void RunFolder::open(const std::string& metrics_header) {
    remove_leftovers();
    if (!found_) clear();
    std::error_code ignored;
    fs::remove(folder_ / "summary.json", ignored);  // it says that a run is complete
    for (const char* sub : {"cache", "final", "checkpoint", "memory"}) {
        if (sub == std::string_view("memory") && !scene_.output_memory) continue;
        std::error_code code;
        fs::create_directories(folder_ / sub, code);
        if (code) throw InputError((folder_ / sub).string(), "the folder cannot be made", kOtherFolder);
    }
    sync_folder(folder_);
    for (const SceneCloth& cloth : scene_.cloths) {
        open_cache(cloth.name, mesh_for_file(cloth, cloth.reference));
        if (scene_.output_memory)
            memories_.push_back(pc2_at(folder_ / "memory" / (cloth.name + ".pc2"), cloth.reference.size()));
    }
    for (const SceneObstacle& obstacle : scene_.obstacles) {
        if (obstacle.changes())
            open_cache(obstacle.name, obstacle.mesh);
        else
            write_obj(folder_ / "cache" / (obstacle.name + ".obj"), obstacle.mesh);
    }
    const fs::path metrics = folder_ / "metrics.csv";
    if (!found_) write_atomically(metrics, metrics_header);
    metrics_ = FileHandle::open_to_write(metrics);
    metrics_bytes_ = found_ ? found_->record.metrics_bytes : static_cast<std::int64_t>(metrics_header.size());
    const auto wanted = static_cast<std::uint64_t>(metrics_bytes_);
    if (metrics_->size() < wanted)
        throw InputError(metrics.string(),
                         fmt::format("it has {} bytes, and {} are needed to go on", metrics_->size(), wanted),
                         "run without --resume to start anew");
    metrics_->truncate(wanted);
}

void RunFolder::open_cache(const std::string& name, const TriMesh& mesh) {
    write_obj(folder_ / "cache" / (name + ".obj"), mesh);
    caches_.push_back(pc2_at(folder_ / "cache" / (name + ".pc2"), mesh.positions.size()));
}

Pc2Writer RunFolder::pc2_at(const fs::path& path, std::size_t vertices) const {
    Pc2Writer cache = found_ ? Pc2Writer::reopen(path, static_cast<std::size_t>(found_->record.frames))
                             : Pc2Writer::create(path, vertices);
    if (cache.vertex_count() != vertices)
        throw InputError(path.string(), "the cache belongs to another mesh",
                         "run without --resume to start anew");
    return cache;
}

// The checkpoint goes first: a kill in between must not leave an old one beside new caches.
void RunFolder::clear() const {
    std::error_code ignored;
    fs::remove(checkpoint_path(), ignored);
    for (const char* name : {"summary.json", "timing.json", "metrics.csv"})
        fs::remove(folder_ / name, ignored);
    for (const SceneCloth& cloth : scene_.cloths) {
        fs::remove(folder_ / "final" / (cloth.name + ".obj"), ignored);
        fs::remove(folder_ / "cache" / (cloth.name + ".pc2"), ignored);
        fs::remove(folder_ / "memory" / (cloth.name + ".pc2"), ignored);
    }
    fs::remove(folder_ / "memory", ignored);  // does nothing unless empty
    for (const SceneObstacle& obstacle : scene_.obstacles)
        fs::remove(folder_ / "cache" / (obstacle.name + ".pc2"), ignored);
}

// Temporary files of a run that was killed while it wrote them: the folder is ours, so nobody else's.
void RunFolder::remove_leftovers() const {
    for (const char* sub : {"", "cache", "memory", "final", "checkpoint"}) {
        std::error_code code;
        std::vector<fs::path> old;
        for (fs::directory_iterator entry(folder_ / sub, code), end; !code && entry != end;
             entry.increment(code)) {
            const std::string name = entry->path().filename().string();
            if (name.size() > 5 && name.front() == '.' && name.ends_with(".tmp"))
                old.push_back(entry->path());
        }
        for (const fs::path& path : old) fs::remove(path, code);
    }
}

void RunFolder::write_frame(std::span<const Vec3d> x, std::span<const Vec3d> obstacles,
                            std::span<const Vec3d> memory, const std::string& metrics_row) {
    auto cache = caches_.begin();
    const auto take = [](std::span<const Vec3d>& from, std::size_t count) {
        const auto taken = from.first(count);
        from = from.subspan(count);
        return taken;
    };
    for (const SceneCloth& cloth : scene_.cloths)
        append(*cache++, cloth, take(x, cloth.mesh.positions.size()));
    for (const SceneObstacle& obstacle : scene_.obstacles) {
        const auto now = take(obstacles, obstacle.mesh.positions.size());
        if (obstacle.changes()) (cache++)->append(now);
    }
    for (std::size_t i = 0; i < memories_.size(); ++i)
        append(memories_[i], scene_.cloths[i], take(memory, memories_[i].vertex_count()));
    metrics_->write_at(static_cast<std::uint64_t>(metrics_bytes_), metrics_row);
    metrics_bytes_ += static_cast<std::int64_t>(metrics_row.size());
}

void RunFolder::write_checkpoint(const Checkpoint& checkpoint) {
    for (Pc2Writer& cache : caches_) cache.sync();
    for (Pc2Writer& memory : memories_) memory.sync();
    metrics_->sync();
    rumple::write_checkpoint(checkpoint_path(), checkpoint);
}

void RunFolder::write_final(std::span<const Vec3d> x) const {
    for (const SceneCloth& cloth : scene_.cloths) {
        const std::size_t vertices = cloth.mesh.positions.size();
        write_obj(folder_ / "final" / (cloth.name + ".obj"), mesh_for_file(cloth, x.first(vertices)));
        x = x.subspan(vertices);
    }
}

void RunFolder::write_text(const std::string& name, const std::string& text) const {
    write_atomically(folder_ / name, text);
}

std::optional<std::string> RunFolder::read_text(const std::string& name) const {
    try {
        return read_file(folder_ / name);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace rumple
