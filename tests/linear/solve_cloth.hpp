// Ways to solve the test systems, and the systems most tests use with their exact solutions.
#pragma once

#include <gtest/gtest.h>

#include <rumple/linear/block_cholesky.hpp>
#include <rumple/linear/direct.hpp>
#include <rumple/linear/pcg.hpp>

#include "linear/cloth_matrix.hpp"

namespace rumple::test {

struct Case {
    const char* name;
    ClothSystem system;
    std::vector<Vec3d> exact;
};

inline std::vector<Vec3d> solve_directly(ClothSystem& s) {
    DirectSolver direct;
    direct.analyze(s.pattern);
    EXPECT_TRUE(direct.factorize(s.matrix()));
    std::vector<Vec3d> x(s.b.size());
    direct.solve(s.b, x);
    return x;
}

// As exact, and fast enough for a large mesh.
inline std::vector<Vec3d> solve_by_blocks(ClothSystem& s) {
    BlockCholesky<3, double> cholesky;
    cholesky.analyze(s.pattern, s.positions);
    const Threads threads(2);
    cholesky.clear(threads);
    for (int i = 0; i < s.pattern.rows; ++i)
        for (int k = s.pattern.row_begin[std::size_t(i)]; k < s.pattern.row_begin[std::size_t(i) + 1]; ++k) {
            const auto place = cholesky.place(i, s.pattern.column[std::size_t(k)]);
            if (place.offset < 0) continue;
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c)
                    cholesky.values()[std::size_t(place.offset) + r + c * place.stride] =
                        entry(s.matrix(), i, k, r, c);
        }
    EXPECT_TRUE(cholesky.factorize(threads));
    std::vector<double> x;
    for (const Vec3d& v : s.b) x.insert(x.end(), {v.x, v.y, v.z});
    cholesky.solve(threads, x, x);
    std::vector<Vec3d> result;
    for (std::size_t i = 0; i < x.size(); i += 3) result.push_back({x[i], x[i + 1], x[i + 2]});
    return result;
}

inline double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double d = 0;
    for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, norm(a[i] - b[i]));
    return d;
}

// Solved once by Eigen for all tests.
inline std::vector<Case>& cases() {
    static std::vector<Case> all = [] {
        ClothOptions tube2k, tube7k, sheet, denim, small_step;
        tube7k.around = 128;
        tube7k.along = 55;
        sheet.tube = sheet.hold_ends = false;
        sheet.around = 90;
        sheet.along = 40;
        denim.membrane = 200;
        denim.bending = 1.2e-4;
        denim.density = 0.25;
        denim.step = 0.03;
        small_step.step = 0.001;
        std::vector<Case> made;
        made.push_back({"tube 2K", make_cloth(tube2k), {}});
        made.push_back({"tube 7K", make_cloth(tube7k), {}});
        made.push_back({"free sheet", make_cloth(sheet), {}});
        made.push_back({"denim", make_cloth(denim), {}});
        made.push_back({"small step", make_cloth(small_step), {}});
        for (Case& c : made) c.exact = solve_directly(c.system);
        return made;
    }();
    return all;
}

inline SolveReport solve(ClothSystem& s, std::vector<Vec3d>& x, const SolveOptions& options,
                         int threads = 1) {
    LinearSolver solver(s.pattern, s.positions);
    x.assign(s.b.size(), Vec3d{});
    return solver.solve(Threads(threads), s.matrix(), s.positions, s.constrained, s.b, x, options);
}

}  // namespace rumple::test
