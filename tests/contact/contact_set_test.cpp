// What contacts add to the system: forces are slopes of the energy, rows are slopes of the forces.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <rumple/contact/contact_set.hpp>

#include "finite_difference.hpp"
#include "meshes.hpp"

namespace rumple::contact {
namespace {

using test::Random;

constexpr int kCloth = 6, kAll = 9;  // the last three vertices are an obstacle's
constexpr double kThickness = 1e-3;

// Contacts as a step has them: all kinds, some stuck and some slipping, cloth on cloth and on an obstacle.
struct Sample {
    std::vector<Vec3d> x;
    ContactSet contacts{kCloth};
    Threads threads{1};

    explicit Sample(unsigned seed) {
        Random random(seed);
        for (int i = 0; i < kAll; ++i) x.push_back(random.in_cube(5e-3));
        std::vector<Contact> list;
        const std::array<int, 4> quads[] = {{0, 1, 2, 3}, {4, 6, 7, 8}, {0, 5, 2, 4}, {1, 5, 6, 8}};
        for (std::size_t k = 0; k < 4; ++k) {
            Contact c;
            c.pair = {k < 2 ? PairKind::vertex_face : PairKind::edge_edge, static_cast<int>(k), 0};
            c.vertex = quads[k];
            const double s = random.between(0.2, 0.8), t = random.between(0.2, 0.8);
            c.weight = k < 2 ? std::array<double, 4>{1, -s * t, -s * (1 - t), s - 1}
                             : std::array<double, 4>{1 - s, s, t - 1, -t};
            c.normal = normalized(random.in_cube(1));
            c.thickness = kThickness;
            c.smallest_gap = kSmallestGap * kThickness;
            c.stiffness = random.between(20, 60);
            c.slip_length = 5e-5;
            c.friction = k == 3 ? 0 : 0.4;
            // offset so that the gap is a chosen part of the thickness
            const double want = (k % 2 ? 0.3 : 0.7) * kThickness;
            const double gap = dot(c.normal, c.separation(x));
            c.gap_offset = want - gap;
            c.at_begin = c.separation(x) + random.in_cube(k == 0 ? 2e-5 : 4e-4);
            c.tangential_displacement = random.in_cube(1e-5);
            list.push_back(c);
        }
        contacts.assign(threads, list);
        contacts.evaluate_with_loads(threads, x);
    }
    std::vector<Vec3d> moved(const std::vector<Vec3d>& way, double t) const {
        std::vector<Vec3d> y = x;
        for (std::size_t i = 0; i < way.size(); ++i) y[i] += t * way[i];
        return y;
    }
    std::vector<double> forces() const {
        std::vector<double> all;
        for (std::size_t v = 0; v < kCloth; ++v) {
            const Vec3d f = contacts.gather_force(v);
            all.insert(all.end(), {f.x, f.y, f.z});
        }
        return all;
    }
    Eigen::MatrixXd matrix() const {
        Eigen::MatrixXd k = Eigen::MatrixXd::Zero(3 * kCloth, 3 * kCloth);
        for (int v = 0; v < kCloth; ++v)
            contacts.gather_row(static_cast<std::size_t>(v), [&](int column, const Mat3d& block) {
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c) k(3 * v + r, 3 * column + c) += block(r, c);
            });
        return k;
    }
};

std::vector<Vec3d> random_way(Random& random) {
    std::vector<Vec3d> way;
    for (int i = 0; i < kCloth; ++i) way.push_back(random.in_cube(1));
    return way;
}

bool all_kinds(const Sample& s) {
    int sliding = 0, touching = 0;
    for (std::uint8_t f : s.contacts.flags())
        sliding += (f & kSliding) != 0, touching += (f & kTouching) != 0;
    return touching == 4 && sliding > 0 && sliding < 3;
}

TEST(ContactSet, ForcesAreMinusTheSlopeOfTheEnergy) {
    int samples = 0;
    for (unsigned seed = 0; seed < 30; ++seed) {
        Sample s(seed);
        if (!all_kinds(s)) continue;
        ++samples;
        Random random(1000 + seed);
        const std::vector<Vec3d> way = random_way(random);
        double slope = 0;
        for (std::size_t v = 0; v < kCloth; ++v) slope -= dot(s.contacts.gather_force(v), way[v]);
        const auto energy = [&](double t) {
            s.contacts.evaluate(s.threads, s.moved(way, t));
            return s.contacts.energy();
        };
        EXPECT_TRUE(is_derivative(scalar_difference_report(energy, slope, 2e-6))) << seed;
    }
    EXPECT_GT(samples, 10);
}

TEST(ContactSet, RowsAreMinusTheSlopeOfTheForcesAtFrozenLoad) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        Sample s(seed);
        Random random(2000 + seed);
        const std::vector<Vec3d> way = random_way(random);
        Eigen::VectorXd w(3 * kCloth);
        for (int v = 0; v < kCloth; ++v)
            for (int i = 0; i < 3; ++i) w(3 * v + i) = way[static_cast<std::size_t>(v)][i];
        const Eigen::VectorXd slope = -(s.matrix() * w);
        const auto forces = [&](double t) {
            s.contacts.evaluate(s.threads, s.moved(way, t));
            return s.forces();
        };
        EXPECT_TRUE(
            is_derivative(difference_report(forces, {slope.data(), slope.data() + slope.size()}, 2e-6)))
            << seed;
    }
}

TEST(ContactSet, StiffnessIsSymmetricAndPositiveSemidefinite) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const Eigen::MatrixXd k = Sample(seed).matrix();
        EXPECT_LT((k - k.transpose()).norm(), 1e-12 * k.norm());
        EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues().minCoeff(),
                  -1e-10 * k.norm());
    }
}

TEST(ContactSet, OfClothAmongItselfAddUpToNothing) {
    Sample s(3);
    std::vector<Contact> of_cloth = s.contacts.list();
    std::erase_if(of_cloth, [](const Contact& c) { return c.vertex[3] >= kCloth; });
    s.contacts.assign(s.threads, of_cloth);
    s.contacts.evaluate(s.threads, s.x);
    Vec3d sum;
    double size = 0;
    for (std::size_t v = 0; v < kCloth; ++v) {
        sum += s.contacts.gather_force(v);
        size += norm(s.contacts.gather_force(v));
    }
    EXPECT_GT(size, 0);
    EXPECT_LT(norm(sum), 1e-14 * size);
}

TEST(ContactSet, LinearisedWhereThingsWouldGoAgreeWithEvaluateThere) {
    // force + shift at x is the tangent, at x, of the friction at the predicted places
    Sample s(5);
    Random random(9);
    std::vector<Vec3d> predicted = s.x;
    for (std::size_t v = 0; v < kCloth; ++v) predicted[v] += random.in_cube(3e-5);
    s.contacts.evaluate(s.threads, predicted);
    std::vector<Vec3d> friction_there;
    for (const ContactForces& f : s.contacts.forces()) friction_there.push_back(f.friction.force);
    const ContactGeometry geometry;
    const ContactModel model;
    ContactContext context(geometry, model, {});
    context.h = 1e-2;
    context.begin = context.end = s.x;
    context.predicted = predicted;
    s.contacts.evaluate_first(s.threads, context);
    for (std::size_t k = 0; k < 4; ++k) {
        const ContactForces& f = s.contacts.forces()[k];
        const Contact& c = s.contacts.list()[k];
        EXPECT_LT(norm(f.friction.force - friction_there[k]), 1e-14);
        const Vec3d step = c.displacement(predicted) - c.displacement(s.x);
        EXPECT_LT(norm(f.shift - s.contacts.stiffness(k) * step), 1e-14);
        EXPECT_NEAR(f.normal.force, normal_response(c.gap(s.x), c.thickness, c.stiffness).force, 1e-15);
    }
}

// A context at the sample's places, where nothing is inside an obstacle.
ContactContext context_at(const Sample& s, const ContactGeometry& geometry, const ContactModel& model) {
    ContactContext context(geometry, model, {});
    context.h = 1e-2;
    context.begin = context.end = context.predicted = s.x;
    context.penetrating.assign(kCloth, 0);
    return context;
}

TEST(ContactSet, WhatHasPassedThroughHasNoFriction) {
    Sample s(3);
    const ContactGeometry geometry;
    const ContactModel model;
    ContactContext context = context_at(s, geometry, model);
    std::vector<Contact> list = s.contacts.list();
    list[0].gap_offset -= list[0].gap(s.x) + 5 * kThickness;  // five thicknesses beyond
    s.contacts.assign(s.threads, list);

    s.contacts.evaluate_with_loads(s.threads, s.x);
    std::vector<double> loads;
    for (const Contact& c : s.contacts.list()) loads.push_back(c.load);
    EXPECT_GT(norm(s.contacts.forces()[0].friction.force), 0);

    s.contacts.evaluate_iterate(s.threads, context);
    EXPECT_EQ(s.contacts.list()[0].load, 0);
    EXPECT_EQ(norm(s.contacts.forces()[0].friction.force), 0);
    EXPECT_EQ(s.contacts.forces()[0].normal.force, loads[0]);  // it is pushed back all the same
    for (std::size_t k = 1; k < 4; ++k) EXPECT_EQ(s.contacts.list()[k].load, loads[k]);

    context.penetrating[1] = 1;  // a vertex of the first contact is inside an obstacle, and pushed out slowly
    s.contacts.evaluate_iterate(s.threads, context);
    EXPECT_EQ(s.contacts.list()[0].load, loads[0]);
}

TEST(ContactSet, AnIterateTakesTheSecantWhereFrictionCouldStopTheSlip) {
    const ContactGeometry geometry;
    const ContactModel model;
    int sliding = 0;
    for (unsigned seed = 0; seed < 10; ++seed) {
        Sample s(seed);
        const ContactContext context = context_at(s, geometry, model);
        for (const double inverse_mass : {1e-9, 1e9}) {
            std::vector<Contact> list = s.contacts.list();
            for (Contact& c : list) c.inverse_effective_mass = inverse_mass;
            s.contacts.assign(s.threads, list);
            s.contacts.evaluate_iterate(s.threads, context);
            for (std::size_t k = 0; k < 4; ++k) {
                if (!(s.contacts.flags()[k] & kSliding)) continue;
                ++sliding;
                const ContactForces& f = s.contacts.forces()[k];
                const double along = dot(f.along, s.contacts.stiffness(k) * f.along);
                EXPECT_NEAR(along, inverse_mass > 1 ? f.friction.across : 0, 1e-12 * f.friction.across);
            }
        }
    }
    EXPECT_GT(sliding, 10);
}

TEST(ContactSet, SameBitsForAnyNumberOfThreads) {
    Sample one(7);
    std::vector<Contact> many;
    for (int k = 0; k < 404; ++k) many.push_back(one.contacts.list()[static_cast<std::size_t>(k % 4)]);
    one.contacts.assign(one.threads, many);
    one.contacts.evaluate(one.threads, one.x);
    const std::vector<double> expected = one.forces();
    for (int threads : {2, 3}) {
        one.contacts.evaluate(Threads(threads), one.x);
        EXPECT_EQ(one.forces(), expected);
    }
}

}  // namespace
}  // namespace rumple::contact
