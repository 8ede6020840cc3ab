#include <gtest/gtest.h>

#include <rumple/linear/contact_groups.hpp>

#include "linear/contact_matrix.hpp"
#include "linear/solve_cloth.hpp"

namespace rumple {
namespace {

using namespace test;

// Two sheets, each vertex glued to the one below it; strength in units of the membrane's stiffness.
struct Glued {
    explicit Glued(double strength) {
        const ClothOptions o{.around = 24, .along = 24, .tube = false, .hold_ends = false};
        s = stacked(make_cloth(o), {0, 0, 1e-3});
        half = o.around * o.along;
        std::vector<Contact> contacts;
        const double k = strength * o.membrane;
        for (int i = 0; i < half; ++i)
            contacts.push_back({{i, i + half, i, i}, {1, -1, 0, 0}, {0, 0, 1}, k, k});
        extra = gather(2 * half, add_contacts(s, contacts, o.step));
        mesh_groups = aggregate(s.pattern, s.rest_positions, 12);
        groups.follow(Threads(1), mesh_groups, s.matrix(), extra);
    }
    ClothSystem s;
    int half = 0;
    OffPatternBlocks extra;
    Aggregates mesh_groups;
    ContactGroups groups;
};

// Pairs of glued vertices that are in one group: in the mesh none is, since the sheets are apart.
double share_together(const Glued& g) {
    int together = 0;
    const std::vector<int>& of = g.groups.followed() ? g.groups.groups().of : g.mesh_groups.of;
    for (int i = 0; i < g.half; ++i) together += of[std::size_t(i)] == of[std::size_t(i + g.half)];
    return double(together) / g.half;
}

// All but those that find the group full.
TEST(ContactGroups, JoinWhatIsGluedStrongly) { EXPECT_GT(share_together(Glued(10)), 0.9); }

TEST(ContactGroups, StayApartWhereContactsAreWeak) { EXPECT_EQ(share_together(Glued(0.01)), 0); }

TEST(ContactGroups, AreCompleteAndNoneGrowsBeyondTheLargestOfTheMesh) {
    const Glued g(10);
    const auto size = [](const Aggregates& a, int group) {
        return a.begin[std::size_t(group) + 1] - a.begin[std::size_t(group)];
    };
    int largest = 0;
    for (int a = 0; a < g.mesh_groups.count(); ++a) largest = std::max(largest, size(g.mesh_groups, a));
    const Aggregates& moved = g.groups.groups();
    ASSERT_EQ(moved.count(), g.mesh_groups.count());
    std::vector<int> seen(g.s.positions.size(), 0);
    for (int a = 0; a < moved.count(); ++a) {
        EXPECT_GE(size(moved, a), 1);
        EXPECT_LE(size(moved, a), largest);
        bool same = size(moved, a) == size(g.mesh_groups, a);
        for (int m = moved.begin[std::size_t(a)]; m < moved.begin[std::size_t(a) + 1]; ++m) {
            const auto v = std::size_t(moved.member[std::size_t(m)]);
            ++seen[v];
            EXPECT_EQ(moved.of[v], a);
            same &= g.mesh_groups.of[v] == a;
        }
        EXPECT_EQ(g.groups.differs(std::size_t(a)), !same) << a;
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), std::ptrdiff_t(seen.size()));
}

// A rolled sheet, stuck to the layers on both sides: no choice of groups holds all of its contacts. Groups of
// the mesh take 44 and 98 iterations; with rigid groups that follow too, it would be 51 and 115.
TEST(ContactGroups, TakeFewerIterationsOnARollOfStuckLayersToo) {
    const ClothOptions o{.around = 200, .along = 60, .tube = false, .hold_ends = false, .roll_gap = 1e-3};
    struct Bound {
        double strength;
        int iterations;
    };
    for (const Bound bound : {Bound{10, 40}, Bound{100, 90}}) {
        ClothSystem s = make_cloth(o);
        const double k = bound.strength * o.membrane;
        std::vector<Contact> contacts = roll_contacts(s, o, k, 0.3 * k);
        for (const Contact& c : roll_contacts(s, o, k, 0.3 * k, 1, -1)) contacts.push_back(c);
        const OffPatternBlocks extra = gather(s.pattern.rows, add_contacts(s, contacts, o.step));
        LinearSolver solver(s.pattern, s.rest_positions);
        std::vector<Vec3d> x(s.b.size());
        const SolveReport report = solver.solve(Threads(2), s.matrix(), s.positions, s.constrained, s.b, x,
                                                {.displacement_tolerance = 1e-5 * s.edge_length}, extra);
        EXPECT_LE(report.iterations, bound.iterations) << bound.strength;
    }
}

}  // namespace
}  // namespace rumple
