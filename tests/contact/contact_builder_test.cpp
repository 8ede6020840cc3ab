// How a contact is made of a pair.
#include <gtest/gtest.h>

#include <rumple/contact/contact_builder.hpp>
#include <rumple/contact/contact_law.hpp>

#include "meshes.hpp"

namespace rumple::contact {
namespace {

// Two triangles, one over the other, whose first edges cross near their ends.
struct Crossing {
    std::vector<Vec3d> x;
    std::vector<double> mass = std::vector<double>(6, 1e-5);
    test::Triangles triangles = {{0, 1, 2}, {3, 4, 5}};
    std::vector<int> vertex_begin = {0, 3, 6}, triangle_begin = {0, 1, 2};
    ContactModel model;
    ContactGeometry geometry;
    Penetration penetration;
    ContactMemory memory;
    ContactContext context;
    ContactBuilder builder;
    ContactPair pair{PairKind::edge_edge, 0, 3};

    static std::vector<Vec3d> places(double gap) {
        return {{0, 0, 0},           {0.02, 0, 0},       {0.01, -0.02, -0.01},
                {0.001, -0.01, gap}, {0.001, 0.01, gap}, {-0.02, 0, 0.01 + gap}};
    }
    ClothView view() const { return {x, mass, triangles, vertex_begin, triangle_begin, 0.02}; }

    explicit Crossing(double gap)
        : x(places(0.02)),
          geometry(make_contact_geometry(model, view())),
          penetration(geometry.surface),
          context(geometry, model, mass),
          builder(geometry, penetration) {
        context.memory = &memory;
        context.h = 0.01;
        context.begin = context.end = context.predicted = places(gap);
        context.inverse_mass.assign(6, 1e5);
        context.penetrating.assign(6, 0);
        for (int e = 0; e < static_cast<int>(geometry.surface.edges.size()); ++e) {
            if (geometry.surface.edges[static_cast<std::size_t>(e)] == std::array{0, 1}) pair.a = e;
            if (geometry.surface.edges[static_cast<std::size_t>(e)] == std::array{3, 4}) pair.b = e;
        }
    }
};

TEST(ContactBuilder, TheSmallestGapFollowsTheBeginningOfTheStep) {
    const double d = ContactSettings{}.thickness;
    for (const double part : {0.9, 0.5, 0.3, 0.1, 0.01}) {
        Crossing crossing(part * d);
        Contact contact;
        crossing.context.end = Crossing::places(0.7 * d);
        ASSERT_TRUE(
            crossing.builder.make_near(crossing.context, crossing.pair, crossing.context.end, contact));
        EXPECT_NEAR(contact.smallest_gap, smallest_gap(part * d, d), 1e-12);
        crossing.context.penetrating[4] = 1;
        crossing.builder.set_smallest_gap(crossing.context, contact);
        EXPECT_EQ(contact.smallest_gap, kSmallestGap * d);
    }
}

}  // namespace
}  // namespace rumple::contact
