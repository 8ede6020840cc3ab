// "body": an obstacle that is a person: our mannequin, or a skinned, animated glTF file. Or the mannequin's
// chair.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <rumple/core/error.hpp>
#include <rumple/io/gltf.hpp>
#include <rumple/modeling/chair.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/obstacle_reader.hpp>

namespace rumple {

namespace {

constexpr double kRate = 60;         // samples a second
constexpr double kMaxSamples = 1e6;  // four hours: a longer clip is a mistake

// Samples 0, 1/rate, ... of a clip, its end included.
std::vector<double> sample_times(const JsonPlace& place, double duration, double rate) {
    std::vector<double> times;
    if (duration * rate > kMaxSamples)
        place.fail(fmt::format("the clip lasts {:g} s: {:g} samples are too many", duration, duration * rate),
                   "at most 1e6 are possible; lower the \"rate\", or correct the clip's times");
    const auto whole = static_cast<int>(std::floor(duration * rate + 1e-6));
    for (int i = 0; i <= whole; ++i) times.push_back(i / rate);
    if (duration - times.back() > 1e-6) times.push_back(duration);
    return times;
}

void read_mannequin(const JsonPlace& place, AssetCache& asset_cache, double rate, ObstacleSurface& surface) {
    const JsonPlace own = place.at("mannequin");
    own.require_keys("mannequin");
    MannequinOptions options;
    options.height = own.number_or("height", options.height, {1, 2.5, false, "m"});
    options.edge_length = own.number_or("edge", options.edge_length, {0.005, 0.05, false, "m"});
    std::vector<std::string_view> names;
    names.reserve(std::size(kClips));
    for (const ClipInfo& info : kClips) names.push_back(info.name);
    const ClipInfo& info = kClips[place.choice_or("clip", 0, names)];
    const auto body = asset_cache.mannequin(options);
    surface.mesh = body->mesh;
    surface.clip->times = sample_times(place, info.duration, rate);
    surface.clip->sample = [body, clip = info.clip, times = surface.clip->times](std::size_t i) {
        return body->positions(clip, times[i]);
    };
}

void read_chair(const JsonPlace& place, AssetCache& asset_cache, ObstacleSurface& surface) {
    const JsonPlace own = place.at("chair");
    own.require_keys("chair");
    ChairOptions options;
    options.height = own.number_or("height", options.height, {1, 2.5, false, "m"});
    options.edge_length = own.number_or("edge", options.edge_length, {0.005, 0.05, false, "m"});
    surface.mesh = *asset_cache.chair(options);
    surface.clip->times = {0};
    surface.clip->sample = [positions = surface.mesh.positions](std::size_t) { return positions; };
}

void read_gltf(const JsonPlace& place, const std::filesystem::path& folder, double rate,
               ObstacleSurface& surface) {
    const std::filesystem::path path = resolve_file(place.at("file"), folder);
    const double scale = place.number_or("scale", 1, {0, 1e6, true});
    const auto model = std::make_shared<const GltfModel>(GltfModel::read(path));
    surface.name = path.string();
    surface.mesh = model->mesh();
    surface.warnings = model->warnings();
    std::vector<std::string_view> names(model->clip_names().begin(), model->clip_names().end());
    std::string clip;
    if (const auto given = place.find("clip")) {
        if (names.empty()) given->fail("the file has no clips", "leave \"clip\" out");
        clip = names[given->choice(names)];
    }
    surface.clip->times = sample_times(place, clip.empty() ? 0 : model->clip_duration(clip), rate);
    surface.clip->sample = [model, clip, scale, times = surface.clip->times](std::size_t i) {
        std::vector<Vec3d> positions =
            clip.empty() ? model->mesh().positions : model->positions(clip, times[i]);
        for (Vec3d& x : positions) x *= scale;
        return positions;
    };
}

}  // namespace

ObstacleSurface read_body(const JsonPlace& place, const std::filesystem::path& folder,
                          AssetCache& asset_cache) {
    place.require_keys("body");
    ObstacleSurface surface;
    surface.kind = "body";
    surface.name = place.where();
    surface.clip = std::make_shared<ObstacleClip>();
    const double rate = place.number_or("rate", kRate, {0, 1e5, true, "samples/s"});
    const std::string source = place.one_of({"mannequin", "file", "chair"});
    if (source == "chair") {
        if (place.has("clip")) place.at("clip").fail("belongs to a person", "a chair stands still");
        surface.kind = "chair";
        read_chair(place, asset_cache, surface);
    } else if (source == "mannequin") {
        if (place.has("scale")) place.at("scale").fail("belongs to a file", "the mannequin has a \"height\"");
        read_mannequin(place, asset_cache, rate, surface);
    } else {
        read_gltf(place, folder, rate, surface);
    }
    read_clip_clock(place, surface);
    surface.mesh.positions = surface.clip->sample(0);
    return surface;
}

}  // namespace rumple
