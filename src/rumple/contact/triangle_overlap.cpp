#include <rumple/contact/triangle_overlap.hpp>

#include <algorithm>
#include <rumple/contact/orientation.hpp>
#include <utility>

namespace rumple::contact {

namespace {

Vec2d without(Vec3d p, int axis) { return {p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

bool before(Vec3d p, Vec3d q) { return p.x != q.x ? p.x < q.x : (p.y != q.y ? p.y < q.y : p.z < q.z); }

// An axis along which the three points can be seen as a triangle, or -1 if they are on a line.
int open_axis(Vec3d a, Vec3d b, Vec3d c) {
    for (int axis = 0; axis < 3; ++axis)
        if (orientation(without(a, axis), without(b, axis), without(c, axis)) != 0) return axis;
    return -1;
}

bool within_range(double a, double b, double x) { return std::min(a, b) <= x && x <= std::max(a, b); }

// r is on the line p q.
bool on_segment(Vec2d p, Vec2d q, Vec2d r) {
    return within_range(p.x, q.x, r.x) && within_range(p.y, q.y, r.y);
}

bool segments_meet(Vec2d p, Vec2d q, Vec2d r, Vec2d s) {
    const int o1 = orientation(p, q, r), o2 = orientation(p, q, s), o3 = orientation(r, s, p),
              o4 = orientation(r, s, q);
    if (o1 * o2 < 0 && o3 * o4 < 0) return true;
    return (o1 == 0 && on_segment(p, q, r)) || (o2 == 0 && on_segment(p, q, s)) ||
           (o3 == 0 && on_segment(r, s, p)) || (o4 == 0 && on_segment(r, s, q));
}

bool segments_meet(Vec3d p, Vec3d q, Vec3d r, Vec3d s) {
    if (orientation(p, q, r, s) != 0) return false;
    int axis = open_axis(p, q, r);
    if (axis < 0) axis = open_axis(p, q, s);
    if (axis < 0) axis = open_axis(r, s, p);
    if (axis < 0) axis = open_axis(r, s, q);
    if (axis >= 0)
        return segments_meet(without(p, axis), without(q, axis), without(r, axis), without(s, axis));
    // All on one line, where the order of the points is that of their coordinates.
    if (before(q, p)) std::swap(p, q);
    if (before(s, r)) std::swap(r, s);
    return !before(q, r) && !before(s, p);
}

bool inside(Vec2d p, const Vec2d t[3]) {
    const int o1 = orientation(t[0], t[1], p), o2 = orientation(t[1], t[2], p),
              o3 = orientation(t[2], t[0], p);
    return (o1 >= 0 && o2 >= 0 && o3 >= 0) || (o1 <= 0 && o2 <= 0 && o3 <= 0);
}

}  // namespace

bool segment_meets_triangle(Vec3d p, Vec3d q, const Vec3d t[3]) {
    const int side_p = orientation(t[0], t[1], t[2], p), side_q = orientation(t[0], t[1], t[2], q);
    if (side_p * side_q > 0) return false;
    if (side_p != 0 ||
        side_q != 0) {  // the line crosses the plane in one point: is it on the same side of all edges?
        const int o1 = orientation(p, q, t[0], t[1]), o2 = orientation(p, q, t[1], t[2]),
                  o3 = orientation(p, q, t[2], t[0]);
        return (o1 >= 0 && o2 >= 0 && o3 >= 0) || (o1 <= 0 && o2 <= 0 && o3 <= 0);
    }
    const int axis = open_axis(t[0], t[1], t[2]);
    if (axis < 0)  // a triangle without area is its sides
        return segments_meet(p, q, t[0], t[1]) || segments_meet(p, q, t[1], t[2]) ||
               segments_meet(p, q, t[2], t[0]);
    const Vec2d flat[3] = {without(t[0], axis), without(t[1], axis), without(t[2], axis)};
    const Vec2d p2 = without(p, axis), q2 = without(q, axis);
    return inside(p2, flat) || segments_meet(p2, q2, flat[0], flat[1]) ||
           segments_meet(p2, q2, flat[1], flat[2]) || segments_meet(p2, q2, flat[2], flat[0]);
}

bool triangles_meet(const Vec3d a[3], const Vec3d b[3]) {
    for (int k = 0; k < 3; ++k)
        if (segment_meets_triangle(a[k], a[(k + 1) % 3], b) ||
            segment_meets_triangle(b[k], b[(k + 1) % 3], a))
            return true;
    return false;
}

}  // namespace rumple::contact
