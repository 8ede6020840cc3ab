#include <cstring>
#include <limits>

#include "linear/contact_matrix.hpp"
#include "linear/solve_cloth.hpp"

namespace rumple {
namespace {

using namespace test;

// A rolled sheet whose layers touch, kn in units of the membrane stiffness.
struct Rolled {
    Rolled(ClothOptions options, double strength, double kt_over_kn, int every = 1) {
        options.tube = false;
        options.roll_gap = 1e-3;
        s = make_cloth(options);
        const double kn = strength * options.membrane;
        entries = add_contacts(s, roll_contacts(s, options, kn, kt_over_kn * kn, every), options.step);
        extra = gather(s.pattern.rows, entries);
        options_.displacement_tolerance = 1e-5 * s.edge_length;
    }
    std::vector<Vec3d> exact() {
        const MergedMatrix sum(s.matrix(), extra);
        DirectSolver direct;
        direct.analyze(sum.pattern);
        EXPECT_TRUE(direct.factorize(sum.matrix));
        std::vector<Vec3d> x(s.b.size());
        direct.solve(s.b, x);
        return x;
    }
    SolveReport solve(std::vector<Vec3d>& x, int threads = 1) {
        LinearSolver solver(s.pattern, s.rest_positions);
        return solve(solver, x, threads);
    }
    SolveReport solve(LinearSolver& solver, std::vector<Vec3d>& x, int threads = 1) {
        x.assign(s.b.size(), Vec3d{});
        return solver.solve(Threads(threads), s.matrix(), s.positions, s.constrained, s.b, x, options_,
                            extra);
    }
    ClothSystem s;
    std::vector<ExtraEntry> entries;
    OffPatternBlocks extra;
    SolveOptions options_;
};

bool same_bits(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0;
}

TEST(OffPatternBlocks, BuilderSumsRepeatsAndStoresBothTriangles) {
    Mat3d m;
    for (int i = 0; i < 9; ++i) m.m[i] = i;
    const std::vector<ExtraEntry> entries = {
        {4, 1, m}, {0, 3, 2 * m}, {1, 4, 3 * m}, {1, 2, m}, {2, 2, Mat3d::identity()}};
    const OffPatternBlocks extra = gather(5, entries);
    EXPECT_EQ(extra.row_begin, (std::vector<int>{0, 1, 3, 5, 6, 7}));
    EXPECT_EQ(extra.column, (std::vector<int>{3, 2, 4, 1, 2, 0, 1}));
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            EXPECT_EQ(extra.block[2](r, c), m(c, r) + 3 * m(r, c));
            EXPECT_EQ(extra.block[6](r, c), extra.block[2](c, r));
            EXPECT_EQ(extra.block[4](r, c), r == c);
        }
    EXPECT_TRUE(gather(5, {}).empty());
}

TEST(OffPatternBlocks, BuilderGivesTheSameBitsForAnyNumberOfThreads) {
    Rolled r({.around = 60, .along = 40}, 1, 0.3);
    for (const int threads : {2, 3}) {
        const OffPatternBlocks other = gather(r.s.pattern.rows, r.entries, threads);
        EXPECT_EQ(other.row_begin, r.extra.row_begin);
        EXPECT_EQ(other.column, r.extra.column);
        EXPECT_EQ(0,
                  std::memcmp(other.block.data(), r.extra.block.data(), other.block.size() * sizeof(Mat3d)));
    }
}

TEST(OffPatternBlocks, AnotherRightHandSideNeedsNoNewPreconditioner) {
    Rolled r({.around = 60, .along = 40}, 1, 0.3);
    LinearSolver solver(r.s.pattern, r.s.rest_positions);
    std::vector<Vec3d> first, again(r.s.b.size()), anew;
    r.solve(solver, first);
    std::reverse(r.s.b.begin(), r.s.b.end());
    for (std::size_t i = 0; i < r.s.b.size(); ++i)
        if (r.s.constrained[i]) r.s.b[i] = Vec3d{};
    EXPECT_TRUE(solver.solve_again(Threads(1), r.s.matrix(), r.s.b, again, r.options_).converged);
    r.solve(anew);
    EXPECT_TRUE(same_bits(again, anew));
    EXPECT_FALSE(same_bits(again, first));
}

TEST(OffPatternBlocks, TrueErrorIsBelowTheToleranceAtAnyStrength) {
    for (const bool hold : {false, true})
        for (const double strength : {1e-2, 1.0, 30.0, 1e3})
            for (const double kt : {0.0, 0.1, 1.0}) {
                Rolled r({.around = 60, .along = 20, .hold_ends = hold}, strength, kt);
                std::vector<Vec3d> x;
                const SolveReport report = r.solve(x);
                EXPECT_TRUE(report.converged);
                EXPECT_STREQ(report.method, "multilevel");
                EXPECT_LT(largest_difference(x, r.exact()), r.options_.displacement_tolerance)
                    << strength << " " << kt << " " << hold;
            }
}

TEST(OffPatternBlocks, RandomFarContactsAreSolvedAsAccuratelyAsAsked) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    // few, and so many that it is a heap, which has groups of its own
    for (const auto& [strength, count] : {std::pair(1e-2, 150), {1.0, 150}, {1e2, 150}, {1.0, 1500}}) {
        const int size = count > 150 ? 20 : 40;
        ClothOptions o{.around = size, .along = size - 10, .tube = false, .hold_ends = strength > 1};
        ClothSystem s = make_cloth(o);
        std::vector<Contact> contacts;
        for (int k = 0; k < count; ++k) {  // no care is taken to keep the four vertices apart
            const int face = int(random() % unsigned(o.around * (o.along - 1)));
            if (face % o.around == o.around - 1) continue;
            const double a = unit(random), b = a * unit(random);
            contacts.push_back(
                {{int(random() % unsigned(o.around * o.along)), face, face + 1, face + 1 + o.around},
                 {1, a - 1, b - a, -b},
                 normalized(Vec3d{unit(random), unit(random), unit(random)}),
                 strength * o.membrane,
                 0.3 * strength * o.membrane});
            auto& v = contacts.back().vertex;
            if (v[0] == v[1] || v[0] == v[2] || v[0] == v[3]) contacts.pop_back();
        }
        const OffPatternBlocks extra = gather(s.pattern.rows, add_contacts(s, contacts, o.step));
        EXPECT_EQ(extra.column.size() > s.pattern.column.size(), count > 150);
        const MergedMatrix sum(s.matrix(), extra);
        DirectSolver direct;
        direct.analyze(sum.pattern);
        ASSERT_TRUE(direct.factorize(sum.matrix));
        std::vector<Vec3d> exact(s.b.size()), x(s.b.size());
        direct.solve(s.b, exact);
        LinearSolver solver(s.pattern, s.positions);
        const SolveOptions options{.displacement_tolerance = 1e-5 * s.edge_length};
        const SolveReport report =
            solver.solve(Threads(2), s.matrix(), s.positions, s.constrained, s.b, x, options, extra);
        EXPECT_TRUE(report.converged);
        EXPECT_LT(largest_difference(x, exact), options.displacement_tolerance) << strength << " " << count;
    }
}

// Glued at every vertex, twice the iterations is met by weak glue only: what is stiff between two groups
// counts as held in each group's own solve.
TEST(OffPatternBlocks, IterationsOnTwoSheetsGluedTogetherAreBounded) {
    const ClothOptions o{.around = 40, .along = 40, .tube = false, .hold_ends = false};
    const ClothSystem loose = stacked(make_cloth(o), {0, 0, 1e-3});
    const int n = o.around * o.along;
    const SolveOptions options{.displacement_tolerance = 1e-5 * loose.edge_length};
    struct Bound {
        double strength;
        int iterations;
    };
    for (const Bound bound : {Bound{0, 18}, Bound{0.01, 18}, Bound{0.1, 30}, Bound{1, 58}, Bound{3, 105}}) {
        ClothSystem s = loose;
        std::vector<Contact> contacts;
        const double k = bound.strength * o.membrane;
        for (int i = 0; i < n && k > 0; ++i)
            contacts.push_back({{i, i + n, i, i}, {1, -1, 0, 0}, {0, 0, 1}, k, k});
        const OffPatternBlocks extra = gather(2 * n, add_contacts(s, contacts, o.step));
        LinearSolver solver(s.pattern, s.rest_positions);
        std::vector<Vec3d> x(s.b.size());
        const SolveReport report =
            solver.solve(Threads(1), s.matrix(), s.positions, s.constrained, s.b, x, options, extra);
        EXPECT_STREQ(report.method, "multilevel");
        EXPECT_LE(report.iterations, bound.iterations) << bound.strength;
    }
}

TEST(OffPatternBlocks, IterationsOnRolledLayersAreBounded) {
    struct Bound {
        double strength;
        int iterations;
    };
    for (const Bound bound : {Bound{0.01, 20}, Bound{1, 30}, Bound{10, 95}, Bound{100, 320}})
        for (const double kt : {0.0, 0.3}) {
            Rolled r({.around = 120, .along = 50, .hold_ends = false}, bound.strength, kt);
            std::vector<Vec3d> x;
            EXPECT_LE(r.solve(x, 2).iterations, bound.iterations) << bound.strength << " " << kt;
        }
}

TEST(OffPatternBlocks, GivesTheSameBitsForAnyNumberOfThreads) {
    Rolled r({.around = 120, .along = 40}, 10, 0.3);
    std::vector<Vec3d> one, other;
    r.solve(one, 1);
    for (const int threads : {2, 3}) {
        r.solve(other, threads);
        EXPECT_TRUE(same_bits(one, other)) << threads;
    }
}

TEST(OffPatternBlocks, AnswerDoesNotDependOnEarlierSolves) {
    Rolled full({.around = 60, .along = 40}, 10, 0.3), some({.around = 60, .along = 40}, 1, 0, 3),
        none({.around = 60, .along = 40}, 0, 0, 1 << 30);
    ASSERT_TRUE(none.extra.empty());
    std::vector<Vec3d> x, again;
    LinearSolver solver(full.s.pattern, full.s.rest_positions);
    for (Rolled* r : {&full, &none, &some, &full, &full, &none, &none}) {
        r->solve(x);
        r->solve(solver, again);
        EXPECT_TRUE(same_bits(x, again));
    }
}

TEST(OffPatternBlocks, NoneGivesTheSameBitsAsLeavingThemOut) {
    ClothSystem s = make_cloth({});
    const SolveOptions options{.displacement_tolerance = 1e-5 * s.edge_length};
    std::vector<Vec3d> x, y(s.b.size());
    solve(s, x, options);
    LinearSolver solver(s.pattern, s.positions);
    OffPatternBlocks none;
    none.row_begin.assign(s.b.size() + 1, 0);
    solver.solve(Threads(1), s.matrix(), s.positions, s.constrained, s.b, y, options, none);
    EXPECT_TRUE(same_bits(x, y));
}

TEST(OffPatternBlocks, EntriesOfConstrainedVerticesAreIgnored) {
    Rolled r({.around = 60, .along = 40, .hold_ends = true}, 10, 0.3);
    std::vector<Vec3d> clean, dirty;
    r.solve(clean);
    const auto held =
        int(std::find(r.s.constrained.begin(), r.s.constrained.end(), 1) - r.s.constrained.begin());
    r.entries.push_back({held, 30 * 60 + 7, Mat3d::identity(1e-3)});
    r.extra = gather(r.s.pattern.rows, r.entries);
    r.solve(dirty);
    EXPECT_TRUE(same_bits(clean, dirty));
}

TEST(OffPatternBlocks, DirectSolverTakesThemIn) {
    Rolled r({.around = 60, .along = 40}, 10, 0.3);
    const std::vector<Vec3d> exact = r.exact();
    r.options_.max_iterations = 1;
    r.options_.displacement_tolerance = 1e-15;
    std::vector<Vec3d> x;
    const SolveReport report = r.solve(x);
    EXPECT_TRUE(report.converged);
    EXPECT_STREQ(report.method, "direct");
    EXPECT_LT(largest_difference(x, exact), 1e-12);
}

TEST(OffPatternBlocks, BlockJacobiTakesThemIn) {
    Rolled r({.around = 30, .along = 20}, 1, 0.3);
    r.options_.preconditioner = PreconditionerKind::block_jacobi;
    std::vector<Vec3d> x;
    EXPECT_STREQ(r.solve(x).method, "block Jacobi");
    EXPECT_LT(largest_difference(x, r.exact()), r.options_.displacement_tolerance);
}

TEST(OffPatternBlocks, NaNIsReportedAndEndsTheSolve) {
    Rolled r({.around = 30, .along = 20}, 1, 0.3);
    r.entries[7].block(1, 1) = std::numeric_limits<double>::quiet_NaN();
    r.extra = gather(r.s.pattern.rows, r.entries);
    std::vector<Vec3d> x;
    EXPECT_FALSE(r.solve(x).converged);
}

}  // namespace
}  // namespace rumple
