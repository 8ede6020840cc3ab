// Animations as one file for other programs: glTF 2.0 (.glb) and USD (.usda). Both hold every mesh with its
// triangles, UVs, normals and the name of its material, and the positions of all frames.
//
// Writers ask for one frame at a time, several times over: memory does not grow with the number of frames.
// Files appear whole or not at all. Positions are written in single precision, as caches have them.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// Extensions without their dot.
inline constexpr std::array<std::string_view, 2> kAnimationFormats{"glb", "usda"};

struct AnimatedMesh {
    std::string name;
    std::string material;  // empty: none
    TriMesh mesh;          // m, Z up; its positions count where it stands still
    // Fills in the positions of a frame; null: it stands still.
    std::function<void(std::size_t frame, std::vector<Vec3d>& positions)> frame = nullptr;
};

struct Animation {
    std::string name = "animation";
    std::vector<AnimatedMesh> meshes;
    std::vector<double> time_codes;  // when each frame is, counted in frames, ascending; at least one
    double rate = 30;                // frames a second

    std::size_t frames() const { return time_codes.size(); }
    bool moves(const AnimatedMesh& mesh) const { return mesh.frame && frames() > 1; }
};

// Y up, as glTF has it: (x, y, z) becomes (x, z, -y). Frames are morph targets of the first one, named
// "frame_1" and so on, between which the program interpolates; the first vertices are those of the mesh in
// their order, copies that seams of the UVs need come behind them. InputError: more than 4 GiB.
void write_glb(const std::filesystem::path& path, const Animation& animation);

// Z up, in metres, time codes in frames.
void write_usda(const std::filesystem::path& path, const Animation& animation);

// By the extension. InputError: it is not one of kAnimationFormats.
void write_animation(const std::filesystem::path& path, const Animation& animation);
bool is_animation_file(const std::filesystem::path& path);

// Area-weighted unit normals; +Z where a vertex has no triangle with an area.
void compute_normals(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3d>& positions,
                     std::vector<Vec3d>& normals);

}  // namespace rumple
