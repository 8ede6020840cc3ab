#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/mesh/solids.hpp>

namespace rumple {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kFewestAround = 12;
constexpr double kSlenderest = 6;  // longest side of a wall's rectangle over its width

void require_length(const char* where, const char* what, double length) {
    if (!(length > 0) || !std::isfinite(length))
        throw InputError(where, fmt::format("{} is {}", what, length),
                         "it must be a positive length in metres");
}

int segments_around(double radius, double edge) {
    return std::max(kFewestAround, static_cast<int>(std::ceil(2 * kPi * radius / edge)));
}

struct ProfilePoint {
    double r = 0, z = 0;  // distance from the axis, height
};

// Turns a profile about the Z axis. It runs from the axis (r = 0) to the axis, with the outside on its right:
// its ends become single vertices, each point between them a ring.
TriMesh revolved(const std::vector<ProfilePoint>& profile, int around) {
    TriMesh mesh;
    std::vector<int> first;  // vertex of each profile point
    for (const ProfilePoint& p : profile) {
        first.push_back(static_cast<int>(mesh.positions.size()));
        for (int i = 0; i < (p.r > 0 ? around : 1); ++i) {
            const double angle = 2 * kPi * i / around;
            mesh.positions.push_back({p.r * std::cos(angle), p.r * std::sin(angle), p.z});
        }
    }
    for (std::size_t k = 0; k + 1 < profile.size(); ++k)
        for (int i = 0; i < around; ++i) {
            const int j = (i + 1) % around, low = first[k], high = first[k + 1];
            if (profile[k].r == 0)
                mesh.triangles.push_back({low, high + j, high + i});
            else if (profile[k + 1].r == 0)
                mesh.triangles.push_back({low + i, low + j, high});
            else {
                mesh.triangles.push_back({low + i, low + j, high + j});
                mesh.triangles.push_back({low + i, high + j, high + i});
            }
        }
    return mesh;
}

// Appends a straight wall up (or down) to height z, cut into pieces that are not too slender.
void add_wall(std::vector<ProfilePoint>& profile, double z, double chord) {
    const ProfilePoint from = profile.back();
    const int pieces = std::max(1, static_cast<int>(std::ceil(std::abs(z - from.z) / (kSlenderest * chord))));
    for (int i = 1; i < pieces; ++i) profile.push_back({from.r, from.z + (z - from.z) * i / pieces});
    profile.push_back({from.r, z});
}

constexpr double kGolden = 1.6180339887498948482;
const std::array<Vec3d, 12> kIcosahedron{{{-1, kGolden, 0},
                                          {1, kGolden, 0},
                                          {-1, -kGolden, 0},
                                          {1, -kGolden, 0},
                                          {0, -1, kGolden},
                                          {0, 1, kGolden},
                                          {0, -1, -kGolden},
                                          {0, 1, -kGolden},
                                          {kGolden, 0, -1},
                                          {kGolden, 0, 1},
                                          {-kGolden, 0, -1},
                                          {-kGolden, 0, 1}}};
constexpr std::array<std::array<int, 3>, 20> kIcosahedronFaces{
    {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};

}  // namespace

TriMesh make_box(Vec3d size) {
    for (int a = 0; a < 3; ++a) require_length("box", "a side", size[a]);
    TriMesh mesh;
    for (int corner = 0; corner < 8; ++corner)
        mesh.positions.push_back({(corner & 1 ? 0.5 : -0.5) * size.x, (corner & 2 ? 0.5 : -0.5) * size.y,
                                  (corner & 4 ? 0.5 : -0.5) * size.z});
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

TriMesh make_sphere(double radius, double edge) {
    require_length("sphere", "radius", radius);
    require_length("sphere", "edge length", edge);
    const double side = 2 * radius / std::sqrt(kGolden + 2);  // of the icosahedron's edges
    const int n = std::max(2, static_cast<int>(std::ceil(side / edge)));
    TriMesh mesh;
    // A vertex on an edge or corner belongs to several faces: it is known by its whole-number weights.
    std::map<std::array<int, 6>, int> known;
    const auto vertex = [&](const std::array<int, 3>& face, int i, int j) {
        const std::array<int, 3> weight{n - i - j, i, j};
        std::array<std::pair<int, int>, 3> parts;
        for (std::size_t k = 0; k < 3; ++k) parts[k] = {weight[k] > 0 ? face[k] : -1, weight[k]};
        std::sort(parts.begin(), parts.end());
        const std::array<int, 6> key{parts[0].first,  parts[0].second, parts[1].first,
                                     parts[1].second, parts[2].first,  parts[2].second};
        const auto [found, is_new] = known.emplace(key, static_cast<int>(mesh.positions.size()));
        if (is_new) {
            Vec3d sum;  // in the order of the key, so that it does not matter which face came first
            for (const auto& [corner, w] : parts)
                if (corner >= 0) sum += double(w) * kIcosahedron[static_cast<std::size_t>(corner)];
            mesh.positions.push_back(radius * normalized(sum));
        }
        return found->second;
    };
    for (const auto& face : kIcosahedronFaces)
        for (int i = 0; i < n; ++i)
            for (int j = 0; i + j < n; ++j) {
                const int a = vertex(face, i, j), b = vertex(face, i + 1, j), c = vertex(face, i, j + 1);
                mesh.triangles.push_back({a, b, c});
                if (i + j + 1 < n) mesh.triangles.push_back({b, vertex(face, i + 1, j + 1), c});
            }
    return mesh;
}

TriMesh make_cylinder(double radius, double height, double edge) {
    require_length("cylinder", "radius", radius);
    require_length("cylinder", "height", height);
    require_length("cylinder", "edge length", edge);
    const int around = segments_around(radius, edge);
    std::vector<ProfilePoint> profile{{0, -height / 2}, {radius, -height / 2}};
    add_wall(profile, height / 2, 2 * kPi * radius / around);
    profile.push_back({0, height / 2});
    return revolved(profile, around);
}

TriMesh make_capsule(double radius, double length, double edge) {
    require_length("capsule", "radius", radius);
    require_length("capsule", "length", length);
    require_length("capsule", "edge length", edge);
    const int around = segments_around(radius, edge);
    const int rings = std::max(3, (around + 2) / 4);  // of a half sphere, from its pole to its equator
    const auto point = [&](int k, double sign) {
        const double angle = kPi / 2 * k / rings;
        return ProfilePoint{k == 0 ? 0 : radius * std::sin(angle),
                            sign * (length / 2 + (k == rings ? 0 : radius * std::cos(angle)))};
    };
    std::vector<ProfilePoint> profile;
    for (int k = 0; k <= rings; ++k) profile.push_back(point(k, -1));
    add_wall(profile, length / 2, 2 * kPi * radius / around);
    for (int k = rings - 1; k >= 0; --k) profile.push_back(point(k, 1));
    return revolved(profile, around);
}

TriMesh make_container(double radius, double height, double wall, double edge) {
    require_length("container", "radius", radius);
    require_length("container", "height", height);
    require_length("container", "wall", wall);
    require_length("container", "edge length", edge);
    const int around = segments_around(radius, edge);
    const double chord = 2 * kPi * radius / around;
    std::vector<ProfilePoint> profile{{0, -wall}, {radius + wall, -wall}};
    add_wall(profile, height, chord);
    profile.push_back({radius, height});
    add_wall(profile, 0, chord);
    profile.push_back({0, 0});
    return revolved(profile, around);
}

}  // namespace rumple
