// Wavefront OBJ: positions, UVs and faces, in the order of the file.
//
// Read: v (with or without weight or colour, which are dropped), vt, f as v, v/vt, v//vn or v/vt/vn, negative
// (relative) indices, faces with more than three corners (cut into a fan from their first corner), CRLF,
// comments, continued lines. Everything else (normals, groups, materials) is ignored. UVs are kept only if
// every face has them. Written: the shortest decimals that read back to the same bits.
#pragma once

#include <filesystem>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// InputError names the file and line, e.g. "skirt.obj:41: ...". What was changed on reading (polygons cut,
// UVs dropped) goes into `warnings` if given.
TriMesh read_obj(const std::filesystem::path& path, std::vector<std::string>* warnings = nullptr);
TriMesh parse_obj(std::string_view text, const std::string& name,
                  std::vector<std::string>* warnings = nullptr);

std::string format_obj(const TriMesh& mesh, const std::string& name = "mesh");
void write_obj(const std::filesystem::path& path, const TriMesh& mesh);

}  // namespace rumple
