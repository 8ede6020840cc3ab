// One element of "cloths": mesh, rest shape, placement, imperfection, material.
#pragma once

#include <filesystem>
#include <map>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene.hpp>

namespace rumple {

struct Fitting;

struct ReadCloth {
    SceneCloth cloth;
    std::vector<Vec3d> placed;  // positions before the imperfection: what handles select from
    std::vector<std::string> warnings;
};

ReadCloth read_cloth(const JsonPlace& place, const std::filesystem::path& folder, const Fitting& fitting);

// The file that the text at `place` names: relative to the scene's folder and inside it, or absolute. Fails
// when it leads out of the folder or does not exist.
std::filesystem::path resolve_file(const JsonPlace& place, const std::filesystem::path& folder);

// Mesh of a cloth as generated or read, checked, before placement.
struct ReadMesh {
    TriMesh mesh;
    std::string name;  // for errors: the file, or the place in the scene
    std::vector<std::string> warnings;
    std::map<std::string, std::vector<int>> sets = {};  // of vertices, by their names; a garment has some
};
ReadMesh read_cloth_mesh(const JsonPlace& place, const std::filesystem::path& folder, const Fitting& fitting);

Material read_material(const JsonPlace& place, const std::filesystem::path& folder);

// Moves each vertex by a random distance, uniform in [-amplitude, amplitude): vertex i takes the i-th number
// of splitmix64 started at the seed.
enum class ImperfectionDirection { radial, normal, z };  // radial: away from the Z axis
struct Imperfection {
    double amplitude = 0;  // m
    std::uint64_t seed = 1;
    ImperfectionDirection direction = ImperfectionDirection::normal;
};
void add_imperfection(TriMesh& mesh, const Imperfection& imperfection);

// Ranges that several readers share.
inline constexpr NumberRange kLength{0, 1000, true, "m"};
inline constexpr NumberRange kCoordinate{-1000, 1000, false, "m"};

// {"degrees": 90} or {"radians": 1.57}, in radians.
double read_angle(const JsonPlace& place);

}  // namespace rumple
