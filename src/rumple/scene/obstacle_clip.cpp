// "cache": obstacles that deform: a point cache with its mesh, or a sequence of meshes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/obstacle_reader.hpp>

namespace rumple {

namespace {

namespace fs = std::filesystem;

constexpr double kRate = 30;  // samples a second, unless the file or the scene says otherwise
constexpr NumberRange kClipTime{-1e6, 1e6, false, "s"};
constexpr double kLoopGap = 1e-6;  // m: last and first sample may differ by this without a jump

// "body_9.obj" before "body_10.obj": runs of digits compare as numbers.
bool natural_less(const std::string& a, const std::string& b) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (!is_digit(a[i]) || !is_digit(b[j])) {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i, ++j;
            continue;
        }
        const auto number = [&](const std::string& text, std::size_t& at) {
            while (at < text.size() && text[at] == '0') ++at;
            const std::size_t begin = at;
            while (at < text.size() && is_digit(text[at])) ++at;
            return text.substr(begin, at - begin);
        };
        const std::string x = number(a, i), y = number(b, j);
        if (x.size() != y.size()) return x.size() < y.size();
        if (x != y) return x < y;
    }
    return a.size() - i < b.size() - j || (a.size() - i == b.size() - j && a < b);
}

bool fits_pattern(const std::string& name, const std::string& pattern) {
    const std::size_t star = pattern.find('*');
    return name.size() + 1 >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
           name.ends_with(pattern.substr(star + 1));
}

// The meshes that a folder or a pattern like "walk/body_*.obj" names, in the order of their numbers.
std::vector<fs::path> sequence_files(const JsonPlace& place, const fs::path& folder,
                                     const std::string& pattern) {
    std::vector<fs::path> files;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
        const fs::path& path = entry->path();
        const bool fits = pattern.empty() ? path.extension() == ".obj" || path.extension() == ".ply"
                                          : fits_pattern(path.filename().string(), pattern);
        if (fits) files.push_back(path);
    }
    if (files.empty())
        place.fail(fmt::format("no mesh in \"{}\" fits", folder.string()),
                   "name a folder of .obj files, or a pattern with one *, like walk/body_*.obj");
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return natural_less(a.filename().string(), b.filename().string());
    });
    return files;
}

// A folder or a pattern; none for a single file.
std::optional<std::vector<fs::path>> find_sequence(const JsonPlace& place, const fs::path& folder) {
    const fs::path given = place.text(), name = given.filename();
    const std::string pattern = name.string().find('*') == std::string::npos ? "" : name.string();
    if (!pattern.empty() && pattern.find('*') != pattern.rfind('*'))
        place.fail("has more than one *", "one stands for the number");
    if (pattern.empty()) {
        const fs::path path = resolve_file(place, folder);
        if (!fs::is_directory(path)) return std::nullopt;
        return sequence_files(place, path, "");
    }
    const nlohmann::json parent = given.has_parent_path() ? given.parent_path().string() : ".";
    return sequence_files(place, resolve_file(JsonPlace(parent, place.where()), folder), pattern);
}

void read_sequence(const JsonPlace& place, const std::vector<fs::path>& files, const FileAxes& axes,
                   ObstacleSurface& surface) {
    surface.mesh = read_mesh(files.front(), &surface.warnings);
    surface.name = files.front().string();
    const double rate = place.number_or("rate", kRate, {0, 1e5, true, "samples/s"});
    for (std::size_t i = 0; i < files.size(); ++i) {
        const TriMesh mesh = read_mesh(files[i]);
        if (mesh.triangles != surface.mesh.triangles ||
            mesh.positions.size() != surface.mesh.positions.size())
            place.at("file").fail(
                fmt::format("\"{}\" has other triangles than \"{}\"", files[i].filename().string(),
                            files.front().filename().string()),
                "all meshes of a sequence have the same vertices and triangles, in the same order");
        surface.clip->times.push_back(static_cast<double>(i) / rate);
    }
    surface.clip->sample = [files, axes](std::size_t i) {
        std::vector<Vec3d> positions = read_mesh(files[i]).positions;
        for (Vec3d& x : positions) x = axes.apply(x);
        return positions;
    };
}

fs::path topology_of(const JsonPlace& place, const fs::path& folder, const fs::path& cache) {
    if (const auto mesh = place.find("mesh")) return resolve_file(*mesh, folder);
    if (const auto beside = mesh_beside(cache)) return *beside;
    place.fail(fmt::format("the triangles of \"{}\" are missing", cache.filename().string()),
               "a cache holds only positions: name its \"mesh\", or put one of the same name beside it");
}

void read_point_cache(const JsonPlace& place, const fs::path& folder, const FileAxes& axes,
                      ObstacleSurface& surface) {
    const fs::path path = resolve_file(place.at("file"), folder);
    const fs::path topology = topology_of(place, folder, path);
    surface.name = topology.string();
    surface.mesh = read_mesh(topology, &surface.warnings);
    const auto cache = std::make_shared<const PointCacheReader>(path);
    if (cache->frame_count() == 0) place.at("file").fail("the cache has no samples");
    if (cache->vertex_count() != surface.mesh.positions.size())
        place.at("file").fail(
            fmt::format("the cache has {} vertices, its mesh \"{}\" has {}", cache->vertex_count(),
                        topology.filename().string(), surface.mesh.positions.size()),
            "they must be the same, in the same order");
    double rate = 1;  // an MDD has seconds
    if (cache->format() == PointCacheFormat::kPc2)
        rate = place.number_or("rate", kRate, {0, 1e5, true, "frames/s"});
    else if (const auto given = place.find("rate"))
        given->fail("an MDD file has its own times", "leave it out, or change \"speed\"");
    const std::vector<double>& times = cache->sample_times();
    std::vector<Vec3d> positions;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (i > 0 && !(times[i] > times[i - 1]))
            place.at("file").fail(fmt::format("the time of sample {} is not after the one before it", i));
        surface.clip->times.push_back((times[i] - times[0]) / rate);
        cache->read_frame(i, positions);  // fails unless finite
    }
    surface.clip->sample = [cache, axes](std::size_t i) {
        std::vector<Vec3d> sample = cache->read_frame(i);
        for (Vec3d& x : sample) x = axes.apply(x);
        return sample;
    };
}

void warn_of_jump(const JsonPlace& place, ObstacleSurface& surface) {
    const ObstacleClip& clip = *surface.clip;
    const std::vector<Vec3d> first = clip.sample(0), last = clip.sample(clip.times.size() - 1);
    double gap = 0;
    for (std::size_t i = 0; i < first.size(); ++i) gap = std::max(gap, norm(first[i] - last[i]));
    if (gap > kLoopGap)
        surface.warnings.push_back(
            fmt::format("{}: the clip loops, and its last sample is {:.3g} m from its first: it will jump",
                        place.where(), gap));
}

}  // namespace

ObstacleSurface read_clip(const JsonPlace& place, const fs::path& folder) {
    place.require_keys("cache");
    ObstacleSurface surface;
    surface.kind = "cache";
    surface.clip = std::make_shared<ObstacleClip>();
    ObstacleClip& clip = *surface.clip;
    const FileAxes axes = read_axes(place);
    const auto files = find_sequence(place.at("file"), folder);
    if (files && place.has("mesh")) place.at("mesh").fail("a sequence of meshes brings its own triangles");
    if (files)
        read_sequence(place, *files, axes, surface);
    else
        read_point_cache(place, folder, axes, surface);
    surface.mesh.positions = clip.sample(0);
    read_clip_clock(place, surface);
    return surface;
}

void read_clip_clock(const JsonPlace& place, ObstacleSurface& surface) {
    ObstacleClip& clip = *surface.clip;
    clip.speed = place.number_or("speed", 1, {-1000, 1000});
    clip.loops = place.choice_or("ends", 0, {"hold", "loop"}) == 1;
    clip.start = place.number_or("start", 0, kClipTime);
    if (!clip.loops && (clip.start < 0 || clip.start > clip.duration()))
        place.at("start").fail(fmt::format("{:g} s is outside the clip", clip.start),
                               fmt::format("it lasts from 0 to {:g} s", clip.duration()));
    if (clip.loops && clip.times.size() > 1) warn_of_jump(place, surface);
}

}  // namespace rumple
