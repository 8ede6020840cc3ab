// A garment of our own as a cloth's mesh, cut to an obstacle of the scene.
#pragma once

#include <rumple/scene/cloth_reader.hpp>

namespace rumple {

class AssetCache;

// What garments are cut to.
struct Fitting {
    const std::vector<SceneObstacle>& obstacles;
    AssetCache& asset_cache;
};

// {"garment": "trousers", "body": "mannequin", "edge": 0.02, ...}
ReadMesh read_garment(const JsonPlace& place, const Fitting& fitting);

}  // namespace rumple
