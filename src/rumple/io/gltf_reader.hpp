// From a glTF document to plain data that can be posed. Used by gltf.cpp only.
#pragma once

#include <array>
#include <cstdint>
#include <rumple/io/gltf_animation.hpp>
#include <rumple/io/gltf_document.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <vector>

namespace rumple {

inline constexpr std::size_t kGltfInfluences = 8;

struct GltfSkin {
    std::vector<std::size_t> joints;  // nodes
    std::vector<Affine> inverse_bind;
};

// A vertex follows the joints of a skin, or (skin < 0) one node.
struct GltfVertex {
    Vec3d position;  // in the mesh's frame
    int skin = -1;
    std::size_t node = 0;
    std::array<std::uint32_t, kGltfInfluences> joints{};
    std::array<double, kGltfInfluences> weights{};  // sum 1
};

struct GltfData {
    std::string name;
    std::vector<GltfNode> nodes;
    std::vector<std::size_t> order;  // parents first
    std::vector<GltfSkin> skins;
    std::vector<GltfVertex> vertices;
    std::vector<std::array<int, 3>> triangles;
    std::vector<GltfClip> clips;
    std::vector<std::string> warnings;
};

GltfData read_gltf_data(const GltfDocument& document);

}  // namespace rumple
