#include <cmath>
#include <rumple/mesh/solids.hpp>
#include <rumple/scene/obstacle_shape.hpp>

namespace rumple {

namespace {

constexpr double kEdgesInRadius = 8;  // a chord of r/8 stays within 0.2 % of r of the circle

// The shortest rotation from Z to a direction.
Mat3d turned_to(Vec3d direction) {
    const Vec3d axis = cross(Vec3d{0, 0, 1}, direction);
    const double sine = norm(axis);
    if (sine < 1e-12) return direction.z > 0 ? Mat3d::identity() : rotation(Vec3d{1, 0, 0}, std::acos(-1.0));
    return rotation((1 / sine) * axis, std::atan2(sine, direction.z));
}

TriMesh placed(TriMesh mesh, Vec3d centre, Vec3d axis) {
    const Mat3d turn = turned_to(axis);
    for (Vec3d& x : mesh.positions) x = turn * x + centre;
    return mesh;
}

template <class Shape>
double edge_of(const Shape& shape) {
    return shape.edge.value_or(shape.radius / kEdgesInRadius);
}

struct Surface {
    const char* kind;
    TriMesh mesh;
};

Surface surface_of(const PlaneShape& s) {
    TriMesh slab = make_box({s.size, s.size, s.depth});
    for (Vec3d& x : slab.positions) x.z = x.z > 0 ? 0 : -s.depth;
    return {"plane", placed(std::move(slab), s.point, normalized(s.normal))};
}
Surface surface_of(const SphereShape& s) {
    return {"sphere", placed(make_sphere(s.radius, edge_of(s)), s.centre, {0, 0, 1})};
}
Surface surface_of(const BoxShape& s) { return {"box", placed(make_box(s.size), s.centre, {0, 0, 1})}; }
Surface surface_of(const CylinderShape& s) {
    return {"cylinder", placed(make_cylinder(s.radius, s.height, edge_of(s)), s.centre, normalized(s.axis))};
}
Surface surface_of(const CapsuleShape& s) {
    return {"capsule", placed(make_capsule(s.radius, s.length, edge_of(s)), s.centre, normalized(s.axis))};
}
Surface surface_of(const ContainerShape& s) {
    return {"container",
            placed(make_container(s.radius, s.height, s.wall, edge_of(s)), s.floor, normalized(s.axis))};
}

}  // namespace

ObstacleSurface make_surface(const ObstacleShape& shape, const std::string& name) {
    Surface surface = std::visit([](const auto& s) { return surface_of(s); }, shape);
    return {.kind = surface.kind, .mesh = std::move(surface.mesh), .name = name};
}

}  // namespace rumple
