// Obstacles by name: a plane, a sphere, and so on. Lengths are in metres.
#pragma once

#include <memory>
#include <optional>
#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/scene/obstacle.hpp>
#include <string>
#include <variant>
#include <vector>

namespace rumple {

struct PlaneShape {  // a square slab whose upper face lies in the plane
    Vec3d point{}, normal{0, 0, 1};
    double size = 10, depth = 0.1;
};
struct SphereShape {
    double radius = 0;
    Vec3d centre{};
    std::optional<double> edge = {};  // of its triangles; default radius/8, as below
};
struct BoxShape {
    Vec3d size{};
    Vec3d centre{};
};
struct CylinderShape {
    double radius = 0, height = 0;
    Vec3d centre{}, axis{0, 0, 1};
    std::optional<double> edge = {};
};
struct CapsuleShape {
    double radius = 0, length = 0;
    Vec3d centre{}, axis{0, 0, 1};
    std::optional<double> edge = {};
};
struct ContainerShape {  // a pot, open at the top
    double radius = 0, height = 0, wall = 0.005;
    Vec3d floor{}, axis{0, 0, 1};
    std::optional<double> edge = {};
};
using ObstacleShape =
    std::variant<PlaneShape, SphereShape, BoxShape, CylinderShape, CapsuleShape, ContainerShape>;

// The surface of an obstacle before placement.
struct ObstacleSurface {
    std::string kind = "mesh";
    TriMesh mesh = {};
    std::string name = {};  // for errors: the file, or the place in the scene
    std::vector<std::string> warnings = {};
    std::shared_ptr<ObstacleClip> clip = {};  // before placement; null: it is rigid
};

// `name`: for errors. The shape's sizes are checked already.
ObstacleSurface make_surface(const ObstacleShape& shape, const std::string& name);

}  // namespace rumple
