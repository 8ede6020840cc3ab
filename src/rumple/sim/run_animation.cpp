#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/sim/run_animation.hpp>
#include <rumple/sim/run_archive.hpp>

namespace rumple {
namespace {

using CachePtr = std::shared_ptr<const PointCacheReader>;

constexpr double kDefaultRate = 30;

AnimatedMesh from_cache(std::string name, std::string material, TriMesh mesh, CachePtr cache,
                        const std::filesystem::path& file, std::size_t every) {
    if (mesh.positions.size() != cache->vertex_count())
        throw InputError(file.string(), fmt::format("the cache has {} points, its mesh has {} vertices",
                                                    cache->vertex_count(), mesh.positions.size()));
    return {std::move(name), std::move(material), std::move(mesh),
            [cache = std::move(cache), every](std::size_t i, std::vector<Vec3d>& positions) {
                cache->read_frame(i * every, positions);
            }};
}

// Collects the parts of a run; all caches have the same number of frames, but for one that is being written.
class Parts {
  public:
    explicit Parts(const RunLayout& layout, std::size_t every) : layout_(layout), every_(every) {}

    void add(const std::string& name, const std::string& material) {
        TriMesh mesh = read_obj(layout_.mesh(name));
        const std::filesystem::path file = layout_.cache(name);
        if (!std::filesystem::exists(file)) {
            animation_.meshes.push_back({name, material, std::move(mesh)});
            return;
        }
        auto cache = std::make_shared<const PointCacheReader>(file);
        frames_ = std::min(frames_, cache->frame_count());
        animation_.meshes.push_back(
            from_cache(name, material, std::move(mesh), std::move(cache), file, every_));
    }

    Animation finish(const std::string& name, double rate) {
        if (frames_ == 0 || frames_ == kNone)
            throw InputError(layout_.folder().string(), "the run has no frames yet");
        animation_.name = name;
        animation_.rate = rate;
        for (std::size_t i = 0; i < frames_; i += every_)
            animation_.time_codes.push_back(static_cast<double>(i));
        return std::move(animation_);
    }

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    const RunLayout& layout_;
    std::size_t every_, frames_ = kNone;
    Animation animation_;
};

Animation of_run(const std::filesystem::path& folder, const AnimationOptions& options) {
    if (!RunArchive::is_run(folder))
        throw InputError(folder.string(), "this is not the folder of a run",
                         "name the one with cache/ in it; variants have one each");
    const RunArchive archive(folder);
    Parts parts(archive.layout(), options.every);
    if (!archive.summary()) {  // still running: names of materials are not known yet
        for (const std::filesystem::path& cache : archive.caches()) parts.add(cache.stem().string(), "");
        return parts.finish(folder.stem().string(), options.rate.value_or(kDefaultRate));
    }
    const RunSummary& summary = *archive.summary();
    for (const RunSummary::Cloth& cloth : summary.cloths) parts.add(cloth.name, cloth.material);
    for (const RunSummary::Obstacle& obstacle : summary.obstacles) parts.add(obstacle.name, "");
    return parts.finish(summary.scene, options.rate.value_or(summary.output_rate));
}

Animation of_cache(const std::filesystem::path& file, const AnimationOptions& options) {
    const auto cache = std::make_shared<const PointCacheReader>(file);
    if (cache->frame_count() == 0) throw InputError(file.string(), "the cache has no frames");
    const auto mesh = options.mesh ? options.mesh : mesh_beside(file);
    if (!mesh)
        throw InputError(file.string(),
                         "a cache has no triangles, and no OBJ or PLY file of its name lies beside it",
                         "name the mesh with --mesh");
    Animation animation;
    animation.name = file.stem().string();
    animation.rate = options.rate.value_or(kDefaultRate);
    const double frames_per_unit =
        cache->format() == PointCacheFormat::kPc2 ? 1 : animation.rate;  // MDD: seconds
    for (std::size_t i = 0; i < cache->frame_count(); i += options.every)
        animation.time_codes.push_back(cache->sample_times()[i] * frames_per_unit);
    animation.meshes.push_back(
        from_cache(file.stem().string(), "", read_mesh(*mesh), cache, file, options.every));
    return animation;
}

}  // namespace

Animation open_animation(const std::filesystem::path& path, const AnimationOptions& options) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return of_run(path, options);
    if (!is_mesh_file(path)) return of_cache(path, options);
    Animation animation;
    animation.name = path.stem().string();
    animation.time_codes = {0};
    animation.meshes.push_back({animation.name, "", read_mesh(path)});
    return animation;
}

Animation animation_of(const Scene& scene, const RunLayout& layout) {
    Parts parts(layout, 1);
    for (const SceneCloth& cloth : scene.cloths) parts.add(cloth.name, cloth.material.name);
    for (const SceneObstacle& obstacle : scene.obstacles) parts.add(obstacle.name, "");
    return parts.finish(scene.name, scene.output_rate);
}

}  // namespace rumple
