// Random pairs of every awkward sort: degenerate, parallel, coplanar, sliding, very fast, nearly touching.
#pragma once

#include "distance_oracle.hpp"
#include "meshes.hpp"

namespace rumple::test {

using namespace contact;

inline constexpr int kShapes = 8, kMotions = 8;

// Four vertices of size about 1.
inline void sample_shape(int shape, Random& r, PairKind kind, Vec3d x[4]) {
    for (int i = 0; i < 4; ++i) x[i] = r.in_cube(1);
    const int b = kind == PairKind::vertex_face ? 1 : 2;  // first vertex of the second primitive
    switch (shape) {
        case 1:  // on a lattice: parallel, coplanar, touching, coinciding
            for (int i = 0; i < 4; ++i) x[i] = {double(r.below(3)), double(r.below(3)), double(r.below(3))};
            break;
        case 2:  // all in one plane
            for (int i = 0; i < 4; ++i) x[i].z = 0.25;
            break;
        case 3:  // a triangle without area; parallel edges
            if (b == 1)
                x[3] = x[1] + r.between(-1, 2) * (x[2] - x[1]);
            else
                x[3] = x[2] + r.between(-2, 2) * (x[1] - x[0]);
            break;
        case 4:  // a triangle that is a point; an edge without length
            x[3] = x[2];
            if (b == 1) x[1] = x[2];
            break;
        case 5:  // nearly case 3
            if (b == 1)
                x[3] = x[1] + r.between(-1, 2) * (x[2] - x[1]) + r.in_cube(r.scale(1e-14, 1e-3));
            else
                x[3] = x[2] + r.between(-2, 2) * (x[1] - x[0]) + r.in_cube(r.scale(1e-14, 1e-3));
            break;
        case 6: {  // a tiny gap
            const Vec3d p = r.in_cube(0.3), gap = r.in_cube(r.scale(1e-9, 1e-2));
            if (b == 1) {
                x[0] = 1.0 / 3 * (x[1] + x[2] + x[3]) + gap;
            } else {
                x[1] = p + gap - (x[0] - p);
                x[3] = p - (x[2] - p);
            }
            break;
        }
        case 7:  // far from the origin
            for (int i = 0; i < 4; ++i) x[i] += Vec3d{1000, -2000, 500};
            break;
        default:
            break;
    }
}

inline MovingPair sample_motion(int shape, int motion, Random& r, PairKind kind) {
    MovingPair m;
    m.kind = kind;
    sample_shape(shape, r, kind, m.x0);
    const int b = kind == PairKind::vertex_face ? 1 : 2;
    for (int i = 0; i < 4; ++i) m.x1[i] = m.x0[i] + r.in_cube(1);
    const Vec3d shift = r.in_cube(1);
    const auto translate_a = [&](Vec3d by) {
        for (int i = 0; i < 4; ++i) m.x1[i] = m.x0[i] + (i < b ? by : Vec3d{});
    };
    switch (motion) {
        case 1:  // very fast
            for (int i = 0; i < 4; ++i) m.x1[i] = m.x0[i] + r.in_cube(100);
            break;
        case 2:
            translate_a(shift);
            break;
        case 3:
            translate_a(100.0 * shift);
            break;
        case 4:  // slides along the second primitive
            translate_a(r.between(-2, 2) * (m.x0[3] - m.x0[2]));
            break;
        case 5:  // hardly moves
            for (int i = 0; i < 4; ++i) m.x1[i] = m.x0[i] + r.in_cube(r.scale(1e-12, 1e-3));
            break;
        case 6:  // turns inside out about its middle while it flies off with 50 times its size
            for (int i = 0; i < 4; ++i) m.x1[i] = 50.0 * shift - m.x0[i];
            break;
        case 7:  // passes right through
            translate_a(-2.0 * (m.x0[0] - 0.5 * (m.x0[2] + m.x0[3])));
            break;
        default:
            break;
    }
    return m;
}

}  // namespace rumple::test
