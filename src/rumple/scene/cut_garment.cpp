// A cloth that is cut to a body of the scene.
#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/digest.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/fields.hpp>
#include <rumple/scene/resolve_cloth.hpp>

namespace rumple {

namespace {

const SceneObstacle& body_of(const Place& place, const std::string& name,
                             const std::vector<SceneObstacle>& obstacles) {
    if (!name.empty()) {
        if (obstacles.empty())
            place.at("body").fail(fmt::format("there is no obstacle \"{}\"", name),
                                  "a garment is cut to an obstacle");
        return obstacles[index_of(place.at("body"), name, obstacles, "obstacle")];
    }
    const SceneObstacle* body = nullptr;
    for (const SceneObstacle& obstacle : obstacles) {
        if (obstacle.kind != "body") continue;
        if (body)
            place.fail("it does not say which body it is cut to",
                       fmt::format("name it: \"body\": \"{}\"", body->name));
        body = &obstacle;
    }
    if (!body)
        place.fail("a garment is cut to a body, and the scene has none",
                   "add an obstacle, {\"name\": \"person\", \"body\": {\"mannequin\": {}}}");
    return *body;
}

// As it stands when its clip begins.
TriMesh first_pose(const SceneObstacle& obstacle) {
    TriMesh mesh = obstacle.mesh;
    if (!obstacle.clip) return mesh;
    const auto& times = obstacle.clip->times;
    const auto first = std::lower_bound(times.begin(), times.end(), obstacle.clip->start - 1e-9);
    mesh.positions =
        obstacle.clip->sample(std::min(static_cast<std::size_t>(first - times.begin()), times.size() - 1));
    return mesh;
}

// Adds all fields to a digest.
struct FieldDigest {
    Digest& digest;
    void optional(const char*, double x, const NumberRange&) { digest.add(x); }
};

ClothMesh cut(const Place& place, const char* kind, auto options, const SceneObstacle& obstacle,
              AssetCache& asset_cache, const auto& make) {
    const TriMesh body = first_pose(obstacle);
    Digest key;
    key.add(kind);
    FieldDigest digest{key};
    fields(digest, options);
    key.add(body.positions);
    key.add(body.triangles);
    try {
        const auto garment =
            asset_cache.garment(key.hex32(), [&] { return make(body, options, obstacle.name); });
        ClothMesh cloth{garment->mesh};
        for (const VertexSet& set : garment->sets) cloth.sets[set.name] = set.vertices;
        cloth.seams = garment->seams;
        return cloth;
    } catch (const InputError& error) {
        throw InputError(place.where(), error.what());
    }
}

}  // namespace

ClothMesh cut_garment(const Place& place, const TrousersCut& trousers,
                      const std::vector<SceneObstacle>& obstacles, AssetCache& asset_cache) {
    return cut(place, "trousers", trousers.options, body_of(place, trousers.body, obstacles), asset_cache,
               make_trousers);
}

ClothMesh cut_garment(const Place& place, const TshirtCut& tshirt,
                      const std::vector<SceneObstacle>& obstacles, AssetCache& asset_cache) {
    return cut(place, "tshirt", tshirt.options, body_of(place, tshirt.body, obstacles), asset_cache,
               make_tshirt);
}

}  // namespace rumple
