// Where the mesh of a cloth comes from, and what else its author chooses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <rumple/material/material.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <rumple/modeling/trousers.hpp>
#include <rumple/modeling/tshirt.hpp>
#include <rumple/scene/placement.hpp>
#include <string>
#include <variant>

namespace rumple {

struct MeshFile {  // an OBJ or a PLY
    std::filesystem::path file = {};
    double scale = 1;     // metres in one unit of the file
    double uv_scale = 1;  // metres in one unit of its UVs
    bool y_up = false;
};
struct TrousersCut {
    TrousersOptions options = {};
    std::string body = {};  // the obstacle that it is cut to; empty: the scene's only body
};
struct TshirtCut {
    TshirtOptions options = {};
    std::string body = {};
};
// Vertices of files and garments may be simulated in another order (renumber.hpp); those of meshes that are
// generated or handed over keep theirs.
using ClothSource =
    std::variant<TriMesh, TubeOptions, GridOptions, DiscOptions, MeshFile, TrousersCut, TshirtCut>;

using MaterialChoice = std::variant<std::string, Material>;  // a preset's name, or a material

// Moves each vertex by a random distance, uniform in [-amplitude, amplitude): vertex i takes the i-th number
// of splitmix64 started at the seed.
enum class ImperfectionDirection { radial, normal, z };  // radial: away from the Z axis
struct Imperfection {
    double amplitude = 0;  // m
    int seed = 1;
    ImperfectionDirection direction = ImperfectionDirection::normal;
    // m: smooth over this length, the same on every mesh of the cloth. 0 (below 1e-6): every vertex by
    // itself.
    double correlation_length = 0;
};
void add_imperfection(TriMesh& mesh, const Imperfection& imperfection);

struct ClothOptions {
    RestOptions rest = {};
    Placement place = {};
    Imperfection imperfection = {};
};

}  // namespace rumple
