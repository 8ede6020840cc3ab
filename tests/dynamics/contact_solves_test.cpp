// How exactly the linear systems of a step in contact are solved.
#include <gtest/gtest.h>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

double rms_difference(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += dot(a[v] - b[v], a[v] - b[v]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

// A sheet hangs over a ball that moves to and fro under it: it folds, sticks and slips.
struct SheetOnBall {
    ContactCloths cloths{{moved(make_grid(21, 21, 0.2, 0.2, Layout::alternating), {0, 0, 0.0612})},
                         *find_preset("cotton-garment"),
                         {obstacle_of(test::ball(0.06, 3))}};
    std::vector<Vec3d> begin = cloths.given(), end = begin;
    StepInput in;
    int steps = 0;

    SheetOnBall() { in.gravity = {0, 0, -9.81}; }
    void next() {
        begin = end;
        ++steps;
        for (std::size_t v = 0; v < end.size(); ++v)
            end[v].x = cloths.given()[v].x + 0.02 * std::sin(0.1 * steps);
        in.obstacles.begin = begin;
        in.obstacles.end = end;
    }
};

// Measured from the same states: exact solves, and a first one that is rough where another follows, end as
// far from where Newton's iteration converges.
TEST(ContactSolves, ARoughFirstSolveEndsAsNearToTheConvergedStep) {
    SheetOnBall sheet;
    const Model& model = sheet.cloths.model;
    const auto usual = make_stepper(model, {.threads = 1});
    const auto exact = make_stepper(model, {.threads = 1, .tolerance = 0.99e-5});
    const auto converged =
        make_stepper(model, {.threads = 1, .newton_iterations = 20, .newton_tolerance = 1e-6});
    State state = sheet.cloths.at_rest();
    double with_rough = 0, with_exact = 0;
    int iterations_rough = 0, iterations_exact = 0;
    for (int n = 0; n < 40; ++n) {
        sheet.next();
        ASSERT_TRUE(usual->step(state, sheet.in).accepted);
    }
    for (int n = 0; n < 10; ++n) {
        sheet.next();
        State rough_end = state, exact_end = state, converged_end = state;
        const StepReport rough_report = usual->step(rough_end, sheet.in),
                         exact_report = exact->step(exact_end, sheet.in);
        ASSERT_TRUE(rough_report.accepted && exact_report.accepted);
        ASSERT_TRUE(converged->step(converged_end, sheet.in).accepted);
        with_rough += rms_difference(rough_end.x, converged_end.x);
        with_exact += rms_difference(exact_end.x, converged_end.x);
        iterations_rough += rough_report.iterations;
        iterations_exact += exact_report.iterations;
        state = std::move(rough_end);
    }
    RecordProperty("rough", std::to_string(with_rough / model.mean_edge_length));
    RecordProperty("exact", std::to_string(with_exact / model.mean_edge_length));
    EXPECT_GT(with_exact, 0);
    EXPECT_LT(with_rough, 1.1 * with_exact);
    EXPECT_LT(iterations_rough, iterations_exact);
}

}  // namespace
}  // namespace rumple
