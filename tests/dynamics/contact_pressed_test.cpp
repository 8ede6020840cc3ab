// Contacts that are pressed harder than the tangent of the law could bear.
#include <gtest/gtest.h>

#include <rumple/contact/contact_law.hpp>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

// Where the law bears a load, by bisection.
double gap_under(double load, double thickness, double stiffness) {
    double low = 0.01 * thickness, high = thickness;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        const bool bears = contact::normal_response(middle, thickness, stiffness, low).force > load;
        (bears ? low : high) = middle;
    }
    return low;
}

// The tangent at a quarter of the thickness bears 6.3 times stiffness and thickness before layers meet.
TEST(ContactPressed, SheetBearsFifteenTimesItsStiffnessAndThickness) {
    ContactCloths cloths({moved(make_grid(4, 4, 0.02, 0.02, Layout::alternating), {0.5, -0.3, 0.9e-3})},
                         elastic_material(0.2, 1e-6, 100), {floor_part()});
    const auto stepper = make_stepper(cloths.model);
    State state = cloths.at_rest();
    const ContactSettings settings;
    const double d = settings.thickness, area = 1, k = settings.stiffness * area;
    StepInput in;
    in.h = 0.01;
    constexpr int kRise = 60, kSteps = 90;
    int late_collisions = 0;
    for (int n = 1; n <= kSteps; ++n) {
        const double load = std::min(1.0, n / double{kRise}) * 15 * k * d;  // N/m^2
        in.gravity = {0, 0, -load / 0.2};
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted) << report.failure;
        if (n > kRise) late_collisions += report.contact.collisions;
    }
    EXPECT_EQ(late_collisions, 0);
    const double gap = gap_under(15 * k * d, d, k);
    EXPECT_LT(gap, 0.1 * d);
    for (const Vec3d& p : state.x) EXPECT_NEAR(p.z, gap, 0.02 * gap);
}

}  // namespace
}  // namespace rumple
