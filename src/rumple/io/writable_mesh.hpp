// What every mesh writer checks first: no number that is not finite and no wrong index reaches a file.
#pragma once

#include <rumple/mesh/tri_mesh.hpp>
#include <string>

namespace rumple {

// SimulationError: a coordinate is not finite. std::logic_error: indices that do not fit the mesh.
void require_writable(const TriMesh& mesh, const std::string& name);

}  // namespace rumple
