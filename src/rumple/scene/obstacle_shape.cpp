// "shape": obstacles by name.
#include <algorithm>
#include <cmath>
#include <rumple/mesh/solids.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/obstacle_reader.hpp>

namespace rumple {

namespace {

constexpr double kEdgesInRadius = 8;  // a chord of r/8 keeps within 0.2 % of r of the circle
constexpr double kPlaneSize = 10;     // m
constexpr double kPlaneDepth = 0.1;   // m
constexpr double kWall = 0.005;       // m, of a container
constexpr double kMaxEdges = 500;     // along a radius: beyond, a typing error is likelier than a wish
constexpr double kMaxSlender = 1e4;   // length over radius, likewise

// The shortest way from Z to a direction.
Mat3d turned_to(Vec3d direction) {
    const Vec3d axis = cross(Vec3d{0, 0, 1}, direction);
    const double sine = norm(axis);
    if (sine < 1e-12) return direction.z > 0 ? Mat3d::identity() : rotation(Vec3d{1, 0, 0}, std::acos(-1.0));
    return rotation((1 / sine) * axis, std::atan2(sine, direction.z));
}

// Reads the keys of one kind of shape.
class ShapeReader {
  public:
    ShapeReader(const JsonPlace& place, std::string kind, std::string_view table) : place_(place) {
        place.require_keys(table);
        surface_.kind = std::move(kind);
        surface_.name = place.where();
    }
    double length(const char* key) { return place_.at(key).number(kLength); }
    double length_or(const char* key, double fallback) { return place_.number_or(key, fallback, kLength); }
    double edge(double radius) {
        return place_.number_or(
            "edge", radius / kEdgesInRadius,
            {radius / kMaxEdges, 2 * radius, false, "m: between 1/500 of the radius and twice the radius"});
    }
    // A length along the axis: its surface is cut into pieces by the radius.
    double length_of(const char* key, double radius) {
        const double most = std::min(kLength.max, kMaxSlender * radius);
        return place_.at(key).number({0, most, true, "m: a thousand metres, or 10000 times the radius"});
    }
    Vec3d point(const char* key) { return place_.vector_or(key, {}, kCoordinate); }
    Vec3d axis(const char* key) { return place_.direction_or(key, {0, 0, 1}); }
    Vec3d size(const char* key) { return place_.at(key).vector(kLength); }

    ObstacleSurface finished(TriMesh mesh, Vec3d centre, Vec3d axis) {
        const Mat3d turn = turned_to(axis);
        for (Vec3d& x : mesh.positions) x = turn * x + centre;
        surface_.mesh = std::move(mesh);
        return std::move(surface_);
    }

  private:
    const JsonPlace& place_;
    ObstacleSurface surface_;
};

ObstacleSurface read_plane(ShapeReader read) {
    const double size = read.length_or("size", kPlaneSize), depth = read.length_or("depth", kPlaneDepth);
    TriMesh slab = make_box({size, size, depth});
    for (Vec3d& x : slab.positions) x.z = x.z > 0 ? 0 : -depth;
    const Vec3d point = read.point("point");
    return read.finished(std::move(slab), point, read.axis("normal"));
}

ObstacleSurface read_sphere(ShapeReader read) {
    const double radius = read.length("radius"), edge = read.edge(radius);
    return read.finished(make_sphere(radius, edge), read.point("centre"), {0, 0, 1});
}

ObstacleSurface read_box(ShapeReader read) {
    const Vec3d size = read.size("size");
    return read.finished(make_box(size), read.point("centre"), {0, 0, 1});
}

ObstacleSurface read_cylinder(ShapeReader read) {
    const double radius = read.length("radius"), height = read.length_of("height", radius);
    const double edge = read.edge(radius);
    const Vec3d centre = read.point("centre");
    return read.finished(make_cylinder(radius, height, edge), centre, read.axis("axis"));
}

ObstacleSurface read_capsule(ShapeReader read) {
    const double radius = read.length("radius"), length = read.length_of("length", radius);
    const double edge = read.edge(radius);
    const Vec3d centre = read.point("centre");
    return read.finished(make_capsule(radius, length, edge), centre, read.axis("axis"));
}

ObstacleSurface read_container(ShapeReader read) {
    const double radius = read.length("radius"), height = read.length_of("height", radius);
    const double edge = read.edge(radius);
    const double wall = read.length_or("wall", kWall);
    const Vec3d floor = read.point("floor");
    return read.finished(make_container(radius, height, wall, edge), floor, read.axis("axis"));
}

}  // namespace

ObstacleSurface read_shape(const JsonPlace& place) {
    switch (place.at("kind").choice({"plane", "sphere", "box", "cylinder", "capsule", "container"})) {
        case 0:
            return read_plane({place, "plane", "plane"});
        case 1:
            return read_sphere({place, "sphere", "sphere"});
        case 2:
            return read_box({place, "box", "block"});
        case 3:
            return read_cylinder({place, "cylinder", "cylinder"});
        case 4:
            return read_capsule({place, "capsule", "capsule"});
        default:
            return read_container({place, "container", "container"});
    }
}

}  // namespace rumple
