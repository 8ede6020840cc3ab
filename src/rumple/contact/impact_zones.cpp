#include <algorithm>
#include <cmath>
#include <numeric>
#include <rumple/contact/impact_zones.hpp>
#include <rumple/core/index.hpp>

namespace rumple::contact {

namespace {

// Solves I w = l for a symmetric inertia; none where the vertices lie on a line.
Vec3d angular_motion(const Vec3d (&inertia)[3], Vec3d l) {
    const Vec3d c0 = cross(inertia[1], inertia[2]), c1 = cross(inertia[2], inertia[0]),
                c2 = cross(inertia[0], inertia[1]);
    const double det = dot(inertia[0], c0), trace = inertia[0].x + inertia[1].y + inertia[2].z;
    if (!(det > 1e-9 * trace * trace * trace)) return {};
    return (1 / det) * (l.x * c0 + l.y * c1 + l.z * c2);
}

// v turned about the direction of w by its length.
Vec3d turned(Vec3d w, Vec3d v) {
    const double angle = norm(w);
    if (!(angle > 0)) return v;
    const Vec3d axis = (1 / angle) * w;
    return std::cos(angle) * v + std::sin(angle) * cross(axis, v) +
           ((1 - std::cos(angle)) * dot(axis, v)) * axis;
}

void move_zone(std::span<const int> zone, std::span<const Vec3d> x0, std::span<Vec3d> x1,
               std::span<const double> inverse_mass) {
    Vec3d centre, displacement, momentum;
    double mass = 0;
    for (const int v : zone) {
        const double m = 1 / inverse_mass[at(v)];
        mass += m;
        centre += m * x0[at(v)];
        displacement += m * (x1[at(v)] - x0[at(v)]);
    }
    centre *= 1 / mass;
    displacement *= 1 / mass;
    Vec3d inertia[3];
    for (const int v : zone) {
        const double m = 1 / inverse_mass[at(v)];
        const Vec3d r = x0[at(v)] - centre;
        momentum += m * cross(r, x1[at(v)] - x0[at(v)]);
        const double rr = dot(r, r);
        inertia[0] += m * (Vec3d{rr, 0, 0} - r.x * r);
        inertia[1] += m * (Vec3d{0, rr, 0} - r.y * r);
        inertia[2] += m * (Vec3d{0, 0, rr} - r.z * r);
    }
    const Vec3d w = angular_motion(inertia, momentum);
    for (const int v : zone) x1[at(v)] = centre + displacement + turned(w, x0[at(v)] - centre);
}

}  // namespace

ImpactZones::ImpactZones(int vertices) : parent_(at(vertices)) { clear(); }

void ImpactZones::clear() {
    std::iota(parent_.begin(), parent_.end(), 0);
    members_.clear();
    touched_.clear();
}

int ImpactZones::root(int v) {
    while (parent_[at(v)] != v) v = parent_[at(v)] = parent_[at(parent_[at(v)])];
    return v;
}

void ImpactZones::join(std::span<const int> vertices) {
    int smallest = root(vertices.front());
    for (const int v : vertices) {
        members_.push_back(v);
        const int other = root(v);
        parent_[at(std::max(smallest, other))] = std::min(smallest, other);
        smallest = std::min(smallest, other);
    }
    touched_.push_back(smallest);
}

void ImpactZones::collect() {
    for (int& v : touched_) v = root(v);
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
    zones_.assign(touched_.size(), {});
    changed_.clear();
    for (const int v : members_) {
        const auto zone = std::lower_bound(touched_.begin(), touched_.end(), root(v));
        if (zone == touched_.end() || *zone != root(v)) continue;
        zones_[static_cast<std::size_t>(zone - touched_.begin())].push_back(v);
        changed_.push_back(v);
    }
    touched_.clear();
}

void ImpactZones::move(std::span<const Vec3d> x0, std::span<Vec3d> x1, std::span<const double> inverse_mass) {
    collect();
    for (const std::vector<int>& zone : zones_) move_zone(zone, x0, x1, inverse_mass);
}

}  // namespace rumple::contact
