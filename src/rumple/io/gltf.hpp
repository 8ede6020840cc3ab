// Animated bodies from glTF 2.0 (.glb, .gltf): meshes, skins, node hierarchies and animations, evaluated by
// us. Skinning is linear blend skinning as the specification has it: a vertex moves by the weighted sum of
// (joint's place now) x (inverse bind matrix). Positions come out in metres, Z up: (x, y, z) = (x, -z, y) of
// the file, which is Y up.
//
// Read: triangles (lists, strips, fans) of all meshes in the default scene, up to eight joints a vertex,
// LINEAR, STEP and CUBICSPLINE animation of translation, rotation and scale. Not read: morph targets,
// cameras, materials, textures; morph targets are reported as a warning. Vertices that an exporter split
// (same place, same joints, same weights) become one again, in the order of their first appearance, so that a
// closed body is closed.
#pragma once

#include <filesystem>
#include <memory>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

class GltfModel {
  public:
    // InputError: a file that is cut, hostile, or has no triangles.
    static GltfModel read(const std::filesystem::path& path);
    static GltfModel parse(std::string bytes, const std::string& name);
    GltfModel(GltfModel&&) noexcept;
    GltfModel& operator=(GltfModel&&) noexcept;
    ~GltfModel();

    // Triangles, and the positions of the file's default pose.
    const TriMesh& mesh() const;
    const std::vector<std::string>& warnings() const;

    // In the order of the file; an animation without a name is "animation_0" and so on.
    const std::vector<std::string>& clip_names() const;
    // Of the last key [s]. InputError: no clip of that name, with those there are.
    double clip_duration(std::string_view clip) const;
    // Before the first key the first pose holds, after the last the last. InputError: as clip_duration.
    std::vector<Vec3d> positions(std::string_view clip, double time) const;

  private:
    struct Impl;
    explicit GltfModel(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace rumple
