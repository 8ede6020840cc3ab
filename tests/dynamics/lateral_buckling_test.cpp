// A narrow strip held edge-on at one end falls over sideways when it is long enough: Gamma_cr = rho g L^3/k =
// 19.79 on an equilateral hinge mesh. With Gamma_cr = 12.85 sqrt(EI GJ)/(k w), EI = 8/9 k w and GJ = 8/3 k w:
// this tests the twisting stiffness of the hinge energy, which a cantilever does not see.
//
// The border of a strip has no hinges, an error of first order in the cells across; so the exact number is
// met by extrapolation from two meshes, and the stepper is asked to buckle at the critical weight of its own
// mesh.
#include <gtest/gtest.h>

#include <numbers>

#include "dense_symmetric.hpp"
#include "sample_cloth.hpp"

namespace rumple {
namespace {

constexpr double kDensity = 0.1, kBending = 1e-4, kMembrane = 1e6, kExact = 19.79;

// Along x, clamped at the left, width along z. Measured like the cantilever: from the middle of the clamped
// cell.
struct EdgeOnStrip {
    double edge, row, length;
    SampleCloth cloth;
    Held clamp;

    EdgeOnStrip(int cells, double aspect)
        : edge(0.1 / aspect / cells),
          row(edge * std::numbers::sqrt3 / 2),
          length((rows(row) - 1.5) * row),
          cloth(make(cells, edge, row), elastic_material(kDensity, kBending, kMembrane)),
          clamp(cloth.mesh.positions, [this](Vec3d p) { return p.x < 0.75 * row; }) {}

    static int rows(double row) { return static_cast<int>(std::lround(0.1 / row + 1.5)); }
    static TriMesh make(int cells, double edge, double row) {
        const double total = (rows(row) - 1) * row;
        TriMesh mesh = make_grid(cells + 1, rows(row), cells * edge, total, Layout::equilateral);
        for (Vec3d& p : mesh.positions) p = {p.y + (total - row) / 2, 0, p.x};
        return mesh;
    }
    StepInput input(double gamma) const {
        StepInput in;
        in.h = 0.02;
        in.mass_damping = 5;
        in.gravity = {0, 0, -gamma * kBending / (kDensity * length * length * length)};
        in.handles = clamp.handles();
        return in;
    }
};

// Smallest eigenvalue of the stiffness against sideways motion, in the loaded but unbuckled plane shape: from
// differences of forces, since the matrix of the step leaves out what destabilises.
double sideways_stiffness(const EdgeOnStrip& strip, double gamma) {
    const auto stepper = make_stepper(strip.cloth.model, direct_solver());
    State state = strip.cloth.at_rest();
    const StepInput in = strip.input(gamma);
    EXPECT_GT(settle(*stepper, state, in, 1e-9 * strip.length, 1000), 0);
    // Forces reach two rows far: vertices with the same place in rows that are five apart are moved together.
    const auto& rest = strip.cloth.mesh.positions;
    std::vector<std::size_t> free, row, place;
    for (std::size_t v = 0; v < state.x.size(); ++v) {
        if (rest[v].x < 0.75 * strip.row) continue;
        const bool new_row = free.empty() || rest[v].x > rest[free.back()].x + 0.5 * strip.row;
        free.push_back(v);
        row.push_back(row.empty() ? 0 : row.back() + (new_row ? 1 : 0));
        place.push_back(new_row ? 0 : place.back() + 1);
    }
    const double step = 1e-9 * strip.edge;  // sideways coordinates are exactly 0: no digits are lost
    DenseSymmetric stiffness(free.size());
    const std::size_t places = 1 + *std::max_element(place.begin(), place.end());
    for (std::size_t group = 0; group < 5 * places; ++group) {
        const auto moves = [&](std::size_t j) {
            return row[j] % 5 == group / places && place[j] == group % places;
        };
        for (std::size_t j = 0; j < free.size(); ++j) state.x[free[j]].y = moves(j) ? step : 0;
        const std::vector<Vec3d> f = stepper->internal_forces(state, in);
        for (std::size_t j = 0; j < free.size(); ++j) {
            if (!moves(j)) continue;
            for (std::size_t i = 0; i < free.size(); ++i)
                if (row[i] + 2 >= row[j] && row[i] <= row[j] + 2) stiffness(i, j) = -f[free[i]].y / step;
        }
    }
    EXPECT_LT(stiffness.asymmetry(), 1e-12 * stiffness.norm());
    EXPECT_LE(stiffness.eigenvalues_below(0), 1);
    return stiffness.nearest_eigenpair(0).value;
}

// Where that eigenvalue is zero, between two guesses that must lie on either side.
double critical_gamma(const EdgeOnStrip& strip, double stable, double unstable) {
    const double a = sideways_stiffness(strip, stable), b = sideways_stiffness(strip, unstable);
    EXPECT_GT(a, 0) << "Gamma " << stable;
    EXPECT_LT(b, 0) << "Gamma " << unstable;
    return stable + (unstable - stable) * a / (a - b);
}

// Extrapolated to no border (first order in the cells across) and to no width (first order in width over
// length: the clamp hinders the strip from curving across).
TEST(LateralBuckling, CriticalWeightConvergesToTheExactOne) {
    const double short_coarse = critical_gamma(EdgeOnStrip(3, 20), 21.2, 22.2);
    const double short_fine = critical_gamma(EdgeOnStrip(6, 20), 20.5, 21.5);
    const double long_coarse = critical_gamma(EdgeOnStrip(3, 40), 20.8, 21.8);
    const double long_fine = critical_gamma(EdgeOnStrip(6, 40), 20.2, 21.2);
    EXPECT_NEAR(long_fine, kExact, 0.05 * kExact);
    EXPECT_LT(long_fine - kExact, 0.6 * (long_coarse - kExact));
    EXPECT_LT(short_fine - kExact, 0.65 * (short_coarse - kExact));
    const double at_20 = 2 * short_fine - short_coarse, at_40 = 2 * long_fine - long_coarse;
    EXPECT_NEAR(at_40, kExact, 0.015 * kExact);
    EXPECT_NEAR(2 * at_40 - at_20, kExact, 5e-3 * kExact);
}

// Largest sideways excursion, in lengths, after six seconds with a ten-thousandth of the weight pushing
// sideways.
double excursion(const EdgeOnStrip& strip, double gamma) {
    const auto stepper = make_stepper(strip.cloth.model, direct_solver());
    State state = strip.cloth.at_rest();
    StepInput in = strip.input(gamma);
    in.h = 0.006;  // larger steps hold the strip up: the matrix has the tension of the upper edge, not the
                   // compression
    in.mass_damping = 1;
    in.gravity.y = 1e-4 * in.gravity.z;
    for (int n = 0; n < 1000; ++n) EXPECT_TRUE(stepper->step(state, in).accepted);
    double largest = 0;
    for (const Vec3d& p : state.x) largest = std::max(largest, std::abs(p.y));
    return largest / strip.length;
}

TEST(LateralBuckling, StepperBucklesWhereItsMeshDoes) {
    const EdgeOnStrip strip(2, 20);
    const double critical = critical_gamma(strip, 22.1, 23.1);
    EXPECT_LT(excursion(strip, 0.97 * critical), 0.01);
    EXPECT_GT(excursion(strip, 1.03 * critical), 0.05);
}

}  // namespace
}  // namespace rumple
