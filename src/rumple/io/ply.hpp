// PLY: a triangle mesh with at most one UV a vertex, in the order of the file.
//
// Read: ascii and binary, either byte order; vertex x y z of any number type; UVs from s t, u v or texture_u
// texture_v; faces from the list vertex_indices or vertex_index of any integer type; polygons are cut into a
// fan from their first corner. Other elements and properties are skipped. Every count is held against the
// size of the file before memory is taken for it. Written: binary little endian, positions and UVs as
// doubles.
#pragma once

#include <filesystem>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// InputError names the file and line (ascii), or file, element and row (binary). `warnings`, if given, is
// gets a line for polygons that were cut.
TriMesh read_ply(const std::filesystem::path& path, std::vector<std::string>* warnings = nullptr);
TriMesh parse_ply(std::string_view bytes, const std::string& name,
                  std::vector<std::string>* warnings = nullptr);

// A mesh with seams (several UVs at one vertex) is written without its UVs, and `warnings` says so: OBJ keeps
// them.
std::string format_ply(const TriMesh& mesh, const std::string& name = "mesh",
                       std::vector<std::string>* warnings = nullptr);
void write_ply(const std::filesystem::path& path, const TriMesh& mesh,
               std::vector<std::string>* warnings = nullptr);

}  // namespace rumple
