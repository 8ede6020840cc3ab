// Seams of a garment as JSON: {"seams": [{"kind": "plain", "points": [[x, y, z], ...], "normals": [...]}]}.
#pragma once

#include <filesystem>
#include <rumple/mesh/seam_line.hpp>

namespace rumple {

void write_seams(const std::filesystem::path& path, const std::vector<SeamLine>& seams);
// InputError: not such a file.
std::vector<SeamLine> read_seams(const std::filesystem::path& path);

}  // namespace rumple
