// Rigid bodies with mass fall, rest and press.
#include <gtest/gtest.h>

#include <rumple/contact/rigid_body.hpp>

#include "contact_cloths.hpp"

namespace rumple {
namespace {

ObstaclePart body_of(test::Solid solid, double mass) {
    ObstaclePart part = obstacle_of(std::move(solid));
    part.mass = mass;
    return part;
}

void expect_matrix(const Mat3d& a, const Mat3d& b, double tolerance) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(a(r, c), b(r, c), tolerance) << r << c;
}

TEST(MassProperties, OfABoxAreExactWhereverItIs) {
    const Vec3d size{0.1, 0.2, 0.3}, centre{3, -2, 1};
    Mat3d inertia;
    inertia(0, 0) = 6 * (0.04 + 0.09) / 12;
    inertia(1, 1) = 6 * (0.01 + 0.09) / 12;
    inertia(2, 2) = 6 * (0.01 + 0.04) / 12;
    contact::MassProperties mass = contact::mass_properties(body_of(test::box(size, centre), 6));
    EXPECT_LT(norm(mass.centre - centre), 1e-14);
    expect_matrix(mass.inertia, inertia, 1e-14);
    // turned about the origin
    const Mat3d turn = rotation(normalized(Vec3d{1, 2, -1}), 0.7);
    test::Solid turned = test::box(size, centre);
    for (Vec3d& p : turned.vertices) p = turn * p;
    mass = contact::mass_properties(body_of(turned, 6));
    EXPECT_LT(norm(mass.centre - turn * centre), 1e-14);
    expect_matrix(mass.inertia, turn * inertia * transposed(turn), 1e-14);
}

TEST(MassProperties, OfAnOpenSheetAreThoseOfItsBox) {
    ObstaclePart sheet = floor_part(0.5);
    sheet.mass = 2;
    const contact::MassProperties mass = contact::mass_properties(sheet);
    EXPECT_LT(norm(mass.centre), 1e-15);
    EXPECT_NEAR(mass.inertia(0, 0), 2.0 / 12, 1e-14);
    EXPECT_NEAR(mass.inertia(2, 2), 2 * 2.0 / 12, 1e-14);
}

TEST(MassProperties, OfABallConvergeWithItsFacets) {
    double before = 0;
    for (int level = 1; level < 5; ++level) {
        const contact::MassProperties mass =
            contact::mass_properties(body_of(test::ball(0.1, level, {1, 2, 3}), 5));
        EXPECT_LT(norm(mass.centre - Vec3d{1, 2, 3}), 1e-13);
        EXPECT_NEAR(mass.inertia(0, 1), 0, 1e-13);
        EXPECT_NEAR(mass.inertia(0, 0), mass.inertia(2, 2), 1e-13);
        const double error = 0.4 * 5 * 0.01 - mass.inertia(0, 0);
        EXPECT_GT(error, 0);
        if (level > 1) {
            EXPECT_NEAR(before / error, 4, 0.6);
        }
        before = error;
    }
    EXPECT_LT(before, 0.01 * 0.4 * 5 * 0.01);
}

// A rigid body over a plane; the cloth is far away.
struct BodyOnPlane {
    ContactCloths cloths;
    std::unique_ptr<Stepper> stepper;
    State state;
    StepInput in;

    explicit BodyOnPlane(ObstaclePart part)
        : cloths({moved(make_grid(3, 3, 0.02, 0.02, Layout::alternating), {30, 0, 3})}, Material{},
                 {floor_part(10), std::move(part)}),
          stepper(make_stepper(cloths.model, {.threads = 1})),
          state(cloths.at_rest()) {
        in.gravity = {0, 0, -9.81};
    }
    void step() {
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted) << report.failure;
    }
    double lowest() const {
        std::vector<Vec3d> x;
        const ObstaclePart& part = cloths.model.contact.obstacles[1];
        contact::place_rigid_body(part, contact::mass_properties(part), state.rigid_bodies[0], x);
        double low = x[0].z;
        for (const Vec3d& p : x) low = std::min(low, p.z);
        return low;
    }
    const RigidBodyState& body() const { return state.rigid_bodies[0]; }
};

TEST(RigidBody, FallsFreelyAsImplicitEulerDoes) {
    BodyOnPlane w(body_of(test::box({0.1, 0.1, 0.1}, {0, 0, 5}), 3));
    w.state.rigid_bodies[0].velocity = {1, 0, 0};
    w.state.rigid_bodies[0].spin = {0, 0, 2};
    const int n = 40;
    for (int i = 0; i < n; ++i) w.step();
    const double h = w.in.h;
    EXPECT_NEAR(w.body().position.x, n * h, 1e-12);
    EXPECT_NEAR(w.body().position.z, -9.81 * h * h * n * (n + 1) / 2, 1e-12);
    EXPECT_NEAR(w.body().velocity.z, -9.81 * h * n, 1e-12);
    expect_matrix(w.body().rotation, rotation(Vec3d{0, 0, 1}, 2 * n * h), 1e-12);
}

TEST(RigidBody, ComesToRestOnAPlaneAndDoesNotSink) {
    BodyOnPlane w(body_of(test::box({0.1, 0.1, 0.1}, {0.01, 0.03, 0.06}), 3));
    for (int i = 0; i < 300; ++i) {
        w.step();
        ASSERT_GT(w.lowest(), 0) << i;
    }
    EXPECT_LT(norm(w.body().velocity), 1e-6);
    EXPECT_LT(norm(w.body().spin), 1e-5);
    EXPECT_LT(w.lowest(), 1.01e-3);
    const Vec3d before = w.body().position;
    for (int i = 0; i < 1000; ++i) w.step();
    EXPECT_LT(norm(w.body().position - before), 1e-6);
}

TEST(RigidBody, ThrownAtTenMetresASecondDoesNotGoThrough) {
    for (const bool turned : {false, true}) {
        test::Solid box = test::box({0.1, 0.1, 0.1});
        const Mat3d turn = rotation(normalized(Vec3d{1, 2, 3}), turned ? 0.6 : 0.0);
        for (Vec3d& p : box.vertices) p = turn * p + Vec3d{0.3, -0.4, 0.33};
        BodyOnPlane w(body_of(box, 3));
        w.state.rigid_bodies[0].velocity = {1, 0, -10};
        if (turned) w.state.rigid_bodies[0].spin = {3, 0, 2};
        for (int i = 0; i < 300; ++i) {
            w.step();
            ASSERT_GT(w.lowest(), 0) << i;
            ASSERT_LT(norm(w.body().velocity), 15) << i;
        }
        EXPECT_LT(w.lowest(), 2e-3);
        EXPECT_LT(norm(w.body().velocity), turned ? 2.0 : 1e-3);
    }
}

TEST(RigidBody, SlidesToAStopByFriction) {
    ObstaclePart part = body_of(test::box({0.2, 0.2, 0.02}, {0.3, -0.2, 0.0109}), 1);
    BodyOnPlane w(part);
    for (int i = 0; i < 20; ++i) w.step();
    w.state.rigid_bodies[0].velocity = {1, 0, 0};
    const Vec3d start = w.body().position;
    for (int i = 0; i < 100; ++i) w.step();
    EXPECT_LT(norm(w.body().velocity), 1e-3);
    EXPECT_NEAR(w.body().position.x - start.x, 1 / (2 * 0.4 * 9.81), 0.01);
}

TEST(RigidBody, OnASliderMovesAlongItAlone) {
    ObstaclePart part = body_of(test::box({0.1, 0.1, 0.1}, {0.01, 0.03, 0.2}), 3);
    part.on_slider = true;
    part.slider = {0, 3, 4};
    BodyOnPlane w(part);
    for (int i = 0; i < 100; ++i) {
        w.step();
        ASSERT_LT(norm(cross(w.body().position, Vec3d{0, 0.6, 0.8})), 1e-12);
        ASSERT_EQ(norm(w.body().spin), 0);
        ASSERT_GT(w.lowest(), 0) << i;
    }
    EXPECT_LT(w.lowest(), 2e-3);
    EXPECT_LT(norm(w.body().velocity), 1e-3);
}

// The floor carries the cloth, the cloth the body.
TEST(RigidBody, RestsOnClothThatLiesOnAPlane) {
    ContactCloths cloths({moved(make_grid(13, 13, 0.12, 0.12, Layout::alternating), {0.3, 0.1, 2e-3})},
                         Material{},
                         {floor_part(1), body_of(test::box({0.06, 0.06, 0.02}, {0.3, 0.1, 0.02}), 0.5)});
    const auto stepper = make_stepper(cloths.model, {.threads = 1});
    State state = cloths.at_rest();
    StepInput in;
    in.gravity = {0, 0, -9.81};
    const auto step = [&] {
        const StepReport report = stepper->step(state, in);
        ASSERT_TRUE(report.accepted) << report.failure;
        const auto found = cloths.crossings(state, stepper->obstacle_positions(state, cloths.given()));
        ASSERT_EQ(found.cloth + found.obstacles, 0) << state.step;
    };
    for (int i = 0; i < 150; ++i) step();
    const RigidBodyState before = state.rigid_bodies[0];
    EXPECT_LT(norm(before.velocity), 1e-3);
    // its bottom began 1 cm up; two thicknesses at most, and more than nothing, are left
    EXPECT_LT(0.01 + before.position.z, 2.1e-3);
    EXPECT_GT(0.01 + before.position.z, 0.2e-3);
    for (int i = 0; i < 100; ++i) step();
    EXPECT_LT(norm(state.rigid_bodies[0].position - before.position), 1e-5);
}

}  // namespace
}  // namespace rumple
