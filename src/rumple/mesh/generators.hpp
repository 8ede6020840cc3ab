// Generated meshes: a rectangle, a tube, a disc. All carry UVs in metres, so that their rest shape is flat
// cloth cut to size, and all wind counter-clockwise seen from the front.
//
//    right            alternating        equilateral
//    o---o---o        o---o---o          o---o---o      odd rows are shifted by half a cell;
//    | / | / |        | \ | / |          |\ / \ /|      a grid's straight borders are closed
//    o---o---o        o---o---o          o-o---o-o      by half triangles
//    | / | / |        | / | \ |          |/ \ / \|
//    o---o---o        o---o---o          o---o---o      (bottom row first)
#pragma once

#include <rumple/mesh/tri_mesh.hpp>

namespace rumple {

enum class Layout { right, alternating, equilateral };

// Rectangle [-width/2, width/2] x [-height/2, height/2] in the plane z = 0, front towards +Z; nx by ny
// vertices, vertex (i, j) has index j*nx + i, i along x. UV = (x + width/2, y + height/2): u (warp) along x.
// right: diagonal from (i,j) to (i+1,j+1); alternating: the other diagonal where i + j is odd.
// equilateral: rows of nx and nx+1 vertices in turn, starting with nx; triangles are equilateral only if the
// sizes fit: see equilateral_rows. nx, ny >= 2, sizes > 0.
TriMesh make_grid(int nx, int ny, double width, double height, Layout layout);

// The ny with which an equilateral grid (or tube, with nx = around + 1) comes nearest to equilateral
// triangles.
int equilateral_rows(int nx, double width, double height);

// Equilateral grid with edges as near to `edge` as fit into the exact width and height.
TriMesh make_equilateral_grid(double width, double height, double edge);

// Tube about the Z axis from z = 0 to height, front outwards. `up` rings of `around` vertices each; vertex
// (i, j) has index j*around + i, i counter-clockwise seen from above (i = 0 on +X), j upwards. `right` has
// its diagonal from (i,j) to (i+1,j+1). equilateral: odd rings turned by half a cell. around >= 3, up >= 2.
// UVs are the unrolled facets, cut open at i = 0 (UV index j*(around+1) + i): u around, i times the chord
// 2 R sin(pi/around); v up, equal to z (equilateral: the slant height of the facets, so that they too unroll
// without strain, a little over z).
TriMesh make_tube(int around, int up, double radius, double height, Layout layout);

// Disc of the given radius about the origin in z = 0, front towards +Z; UV = (x + radius, y + radius).
// equilateral: a centre and concentric rings of 6k vertices, as many rings as radius/edge_length rounds to.
// right, alternating: a rounded square of quads in the middle, layers of quads from there to the rim; all
// edges lie between 0.6 and 1.6 times edge_length once the radius holds five (a square mapped onto the whole
// disc would crush its corners).
TriMesh make_disc(double radius, double edge_length, Layout layout);

// The same with named fields.
struct GridOptions {
    int nx = 0, ny = 0;            // vertices
    double width = 0, height = 0;  // m
    Layout layout = Layout::right;
};
struct TubeOptions {
    double radius = 0, height = 0;  // m
    int around = 0, up = 0;         // vertices
    Layout layout = Layout::right;
};
struct DiscOptions {
    double radius = 0, edge = 0;  // m
    Layout layout = Layout::right;
};
inline TriMesh make_grid(const GridOptions& o) { return make_grid(o.nx, o.ny, o.width, o.height, o.layout); }
inline TriMesh make_tube(const TubeOptions& o) {
    return make_tube(o.around, o.up, o.radius, o.height, o.layout);
}
inline TriMesh make_disc(const DiscOptions& o) { return make_disc(o.radius, o.edge, o.layout); }

}  // namespace rumple
