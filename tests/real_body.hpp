// The CC0 body of tests/data/body; the README there says where it comes from.
#pragma once

#include <filesystem>
#include <rumple/io/gltf.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <string>

namespace rumple {

inline std::filesystem::path real_body_folder() {
    return std::filesystem::path(RUMPLE_SOURCE_DIR) / "tests/data/body";
}

inline GltfModel real_body() { return GltfModel::read(real_body_folder() / "body.glb"); }

inline TriMesh real_body_at(const GltfModel& body, const std::string& clip, double time) {
    TriMesh mesh = body.mesh();
    mesh.positions = body.positions(clip, time);
    return mesh;
}

// The clip as other programs hand over bodies: <clip>_rest.obj and <clip>.pc2, 30 samples a second for 6 s.
inline void write_clip_cache(const GltfModel& body, const std::string& clip,
                             const std::filesystem::path& folder) {
    write_obj(folder / (clip + "_rest.obj"), real_body_at(body, clip, 0));
    Pc2Writer cache = Pc2Writer::create(folder / (clip + ".pc2"), body.mesh().positions.size());
    for (int i = 0; i <= 180; ++i) cache.append(body.positions(clip, i / 30.0));
}

}  // namespace rumple
