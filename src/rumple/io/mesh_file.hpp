// Mesh files by their extension.
#pragma once

#include <filesystem>
#include <optional>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <vector>

namespace rumple {

// .obj or .ply, in any case. InputError: another extension, or what the reader finds. `warnings`, if given,
// gets what was changed on the way: polygons cut into triangles, UVs dropped.
TriMesh read_mesh(const std::filesystem::path& path, std::vector<std::string>* warnings = nullptr);
void write_mesh(const std::filesystem::path& path, const TriMesh& mesh,
                std::vector<std::string>* warnings = nullptr);

// Whether read_mesh and write_mesh know this file's extension.
bool is_mesh_file(const std::filesystem::path& path);

// The OBJ or PLY file beside a point cache that has its name: caches hold positions only.
std::optional<std::filesystem::path> mesh_beside(const std::filesystem::path& cache);

}  // namespace rumple
