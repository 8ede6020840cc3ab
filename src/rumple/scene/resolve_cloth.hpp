// From the description of a cloth to a SceneCloth: mesh, rest shape, placement, imperfection, material.
#pragma once

#include <rumple/scene/scene_description.hpp>

namespace rumple {

class AssetCache;

struct ClothMesh {
    TriMesh mesh;
    std::map<std::string, std::vector<int>> sets = {};  // of vertices, by name; a garment has some
    std::vector<SeamLine> seams = {};                   // of a garment
};

// `obstacles`: those of the scene, to which garments are cut. Adds what the author should know to `warnings`.
SceneCloth resolve_cloth(const ClothDescription& cloth, const std::vector<SceneObstacle>& obstacles,
                         AssetCache& asset_cache, std::vector<std::string>& warnings);

// The preset of that name, or the material itself, checked.
Material resolve_material(const Place& place, const MaterialChoice& choice);

// A garment of our own. `place` is that of the cloth's mesh.
ClothMesh cut_garment(const Place& place, const TrousersCut& cut, const std::vector<SceneObstacle>& obstacles,
                      AssetCache& asset_cache);
ClothMesh cut_garment(const Place& place, const TshirtCut& cut, const std::vector<SceneObstacle>& obstacles,
                      AssetCache& asset_cache);

// A file's mesh in metres with Z up. `place` is that of "file".
TriMesh load_mesh(const Place& place, const MeshFile& file, std::vector<std::string>& warnings);

}  // namespace rumple
