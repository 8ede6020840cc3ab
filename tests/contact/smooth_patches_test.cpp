// Leaves that a search leaves out: whatever shape the cloth has and however it moves, nothing in them comes
// near. Every pair is asked of an oracle that knows neither rest shapes nor leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <rumple/contact/broad_phase.hpp>
#include <rumple/core/index.hpp>

#include "distance_oracle.hpp"
#include "meshes.hpp"

namespace rumple::contact {
namespace {

using test::Random;

constexpr int kN = 10;
constexpr double kEdge = 6e-3, kWithin = 2.1e-3;
constexpr double kPi = std::numbers::pi, kSide = kEdge * (kN - 1);

struct Cloth {
    test::Triangles triangles;
    std::vector<Vec3d> rest;
    Surface surface;

    // A square sheet; of its cells those that stay.
    explicit Cloth(bool (*stays)(int i, int j)) : rest(test::grid_points(kN, kN, kEdge)) {
        const test::Triangles all = test::grid_triangles(kN, kN);
        for (std::size_t t = 0; t < all.size(); ++t) {
            const int cell = static_cast<int>(t / 2);
            if (stays(cell % (kN - 1), cell / (kN - 1))) triangles.push_back(all[t]);
        }
        const BodyMesh body{BodyKind::cloth, kN * kN, triangles, true};
        surface = make_surface({&body, 1});
    }
};
Cloth whole() {
    return Cloth([](int, int) { return true; });
}
Cloth c_shaped() {
    return Cloth([](int i, int j) { return i < 2 || j < 2 || j > 6; });
}
Cloth with_hole() {
    return Cloth([](int i, int j) { return std::abs(i - 4) > 1 || std::abs(j - 4) > 1; });
}

template <class Place>
std::vector<Vec3d> placed(const std::vector<Vec3d>& rest, Place&& place) {
    std::vector<Vec3d> x(rest.size());
    std::ranges::transform(rest, x.begin(), place);
    return x;
}

struct Shape {
    const char* name;
    Vec3d (*place)(Vec3d);
};
const Shape kShapes[] = {
    {"flat", [](Vec3d p) { return p; }},
    {"stretched",
     [](Vec3d p) {
         return Vec3d{1.3 * p.x + 0.2 * p.y, 1.1 * p.y, p.z};
     }},
    {"compressed",
     [](Vec3d p) {
         return Vec3d{0.55 * p.x, 0.9 * p.y, p.z};
     }},
    {"crushed",
     [](Vec3d p) {
         return Vec3d{0.2 * p.x, p.y, p.z};
     }},
    {"bent",
     [](Vec3d p) {
         return Vec3d{0.06 * std::sin(p.x / 0.06), p.y, 0.06 * std::cos(p.x / 0.06)};
     }},
    {"waved",
     [](Vec3d p) {
         return Vec3d{p.x, p.y, 2e-3 * std::sin(p.x / 3e-3) * std::cos(p.y / 4e-3)};
     }},
    {"folded",
     [](Vec3d p) {
         const double over = p.x - 0.51 * kSide;
         return over < 0 ? p : Vec3d{0.51 * kSide - over, p.y, 1e-3};
     }},
    {"pleated",
     [](Vec3d p) {
         const double pleat = std::fmod(p.x, 4 * kEdge);
         return Vec3d{pleat < 2 * kEdge ? pleat : 4 * kEdge - pleat, p.y, 0.1 * p.x};
     }},
    {"tube whose ends nearly touch",
     [](Vec3d p) {
         const double a = 1.95 * kPi * p.x / kSide, r = kSide / (1.95 * kPi);
         return Vec3d{r * std::cos(a), p.y, r * std::sin(a)};
     }},
    {"roll",
     [](Vec3d p) {
         const double a = 5 * kPi * p.x / kSide, r = 3e-3 + 0.25e-3 * a;
         return Vec3d{r * std::cos(a), p.y, r * std::sin(a)};
     }},
    {"turned in its plane until its ends nearly touch",
     [](Vec3d p) {
         const double a = 1.9 * kPi * p.y / kSide, r = 0.4 * p.x + kSide / (1.9 * kPi);
         return Vec3d{r * std::cos(a), r * std::sin(a), 0};
     }},
    {"turned in its plane over itself",
     [](Vec3d p) {
         const double a = 2.6 * kPi * p.y / kSide, r = 0.4 * p.x + kSide / (2.6 * kPi);
         return Vec3d{r * std::cos(a), r * std::sin(a), 0};
     }},
    {"curled to its own rim",
     [](Vec3d p) {
         const Vec3d off = p - Vec3d{0.5 * kSide, 0.5 * kSide, 0};
         const double way = norm(off), r = kSide / 4.3, a = way / r;
         return way > 0 ? Vec3d{off.x / way * r * std::sin(a), off.y / way * r * std::sin(a), r * std::cos(a)}
                        : Vec3d{0, 0, r};
     }},
    {"drawn to its middle, so that a hole closes",
     [](Vec3d p) {
         const Vec3d off = p - Vec3d{0.5 * kSide, 0.5 * kSide, 0};
         const double way = norm(off);
         return way > 0 ? (std::max(0.0, way - 1.4 * kEdge) / way) * off : Vec3d{};
     }},
    {"one row of cells squeezed",
     [](Vec3d p) {
         return p.x < 4.5 * kEdge ? p : p - Vec3d{0.65 * kEdge, 0, 0};
     }},
    {"small and rough",
     [](Vec3d p) {
         const bool up = (std::lround(p.x / kEdge) + std::lround(p.y / kEdge)) % 2 == 0;
         return Vec3d{0.4 * p.x, 0.4 * p.y, up ? 4e-3 : 0};
     }},
    {"small",
     [](Vec3d p) {
         return Vec3d{0.4 * p.x, 0.4 * p.y, 0};
     }},
    {"turned inside out",
     [](Vec3d p) {
         return Vec3d{-p.x, p.y, p.z};
     }},
};

// A tree, its patches, and what the oracle has to say of those that are left out.
struct Search {
    const Cloth& cloth;
    const std::vector<Vec3d>&x0, &x1;
    int asked = 0, left_out = 0;

    void look(ContactPair pair) {
        const std::array<int, 4> v = pair_vertices(cloth.surface, pair);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i + 1; j < 4; ++j)
                if (v[i] == v[j]) return;
        test::MovingPair m{pair.kind, {}, {}};
        for (std::size_t i = 0; i < 4; ++i) {
            m.x0[i] = x0[at(v[i])];
            m.x1[i] = x1[at(v[i])];
        }
        EXPECT_GT(test::first_time(m, kWithin), 1) << "a pair within reach is left out";
    }

    void run(const std::vector<Vec3d>& rest) {
        const Threads threads(2);
        const Surface& f = cloth.surface;
        const SurfaceBody& body = f.bodies[0];
        std::vector<Box> boxes;
        for (const auto& t : f.triangles) {
            boxes.emplace_back();
            for (int v : t)
                boxes.back() = joined(boxes.back(), box_around(x0[at(v)], x1[at(v)], kWithin / 2));
        }
        Bvh tree(static_cast<int>(f.triangles.size()));
        tree.build(threads, boxes);
        SmoothPatches patches;
        patches.build(f, body, tree, rest_gaps(threads, f, rest, 2 * kWithin), rest);
        std::vector<Vec3<float>> back;
        for (std::size_t v = 0; v < x0.size(); ++v) back.push_back(single(x0[v] - x1[v]));
        patches.update(threads, ProximityFilter{f, x1, back, {&kWithin, 1}}, kWithin);
        for (int a = 0; a < tree.node_count(); ++a)
            for (int b = a; b < tree.node_count(); ++b) {
                if (tree.node(a).second != 0 || tree.node(b).second != 0) continue;
                ++asked;
                if (!patches.apart(a, b)) continue;
                ++left_out;
                look_at(tree, a, b);
                look_at(tree, b, a);
            }
    }
    // Everything of the two leaves, whichever triangle stands for it.
    void look_at(const Bvh& tree, int leaf_a, int leaf_b) {
        const Surface& f = cloth.surface;
        for (int i = tree.node(leaf_a).begin; i < tree.leaf_end(leaf_a); ++i)
            for (int j = tree.node(leaf_b).begin; j < tree.leaf_end(leaf_b); ++j) {
                const int t = tree.item(i), u = tree.item(j);
                for (unsigned k = 0; k < 3; ++k) {
                    if (f.owns[at(t)] >> k & 1u) look({PairKind::vertex_face, f.triangles[at(t)][k], u});
                    for (unsigned l = 0; l < 3; ++l)
                        if ((f.owns[at(t)] >> (3 + k) & 1u) && (f.owns[at(u)] >> (3 + l) & 1u))
                            look({PairKind::edge_edge, f.triangle_edges[at(t)][k],
                                  f.triangle_edges[at(u)][l]});
                }
            }
    }
};

std::vector<Vec3d> shaken(std::vector<Vec3d> x, Random& random, double size) {
    for (Vec3d& p : x) p += random.in_cube(size);
    return x;
}

TEST(SmoothPatches, NothingThatComesNearIsLeftOut) {
    Random random(1);
    int left_out = 0;
    for (const Cloth& cloth : {whole(), c_shaped(), with_hole()})
        for (const Shape& shape : kShapes)
            for (const double noise : {0.0, 2e-4, 1e-3, 4e-3}) {
                const auto x = shaken(placed(cloth.rest, shape.place), random, noise);
                Search search{cloth, x, x};
                search.run(cloth.rest);
                left_out += search.left_out;
                ASSERT_FALSE(HasFailure()) << shape.name << ", noise " << noise;
            }
    EXPECT_GT(left_out, 1000);
}

// From one shape to another, so that cloth passes through itself on the way, or turns over.
TEST(SmoothPatches, NothingThatComesNearOnTheWayIsLeftOut) {
    Random random(2);
    int left_out = 0;
    const Cloth cloth = whole();
    for (const Shape& from : kShapes)
        for (const Shape& to : kShapes) {
            const Vec3d along = random.in_cube(1);
            const auto x0 = shaken(placed(cloth.rest, from.place), random, 1e-4);
            auto x1 = placed(cloth.rest, to.place);
            const double share = random.below(2) ? 1 : random.between(0, 0.2);
            for (std::size_t v = 0; v < x1.size(); ++v) x1[v] = x0[v] + share * (x1[v] - x0[v]) + along;
            Search search{cloth, x0, x1};
            search.run(cloth.rest);
            left_out += search.left_out;
            ASSERT_FALSE(HasFailure()) << from.name << " to " << to.name;
        }
    EXPECT_GT(left_out, 1000);
}

TEST(SmoothPatches, RestShapesNeedNotBeFlat) {
    Random random(3);
    const Cloth cloth = whole();
    for (const Shape& rest_shape : kShapes)
        for (const Shape& shape : kShapes) {
            const auto rest = shaken(placed(cloth.rest, rest_shape.place), random, 5e-5),
                       x = shaken(placed(cloth.rest, shape.place), random, 5e-5);
            Search search{cloth, x, x};
            search.run(rest);
            ASSERT_FALSE(HasFailure()) << rest_shape.name << " at rest, " << shape.name;
        }
}

TEST(SmoothPatches, SmoothClothIsLeftOut) {
    const Cloth cloth = whole();
    const auto share = [&](std::size_t shape) {
        const auto x = placed(cloth.rest, kShapes[shape].place);
        Search search{cloth, x, x};
        search.run(cloth.rest);
        return static_cast<double>(search.left_out) / search.asked;
    };
    EXPECT_EQ(share(0), 1) << "flat";
    EXPECT_EQ(share(1), 1) << "stretched";
    EXPECT_GT(share(4), 0.2) << "bent";  // neighbours are, what is far apart need not be
    EXPECT_EQ(share(3), 0) << "crushed";
}

TEST(SmoothPatches, FineClothHasNone) {
    const Cloth cloth = whole();
    EXPECT_TRUE(has_gaps(cloth.surface, cloth.rest, 0.6 * kEdge));
    EXPECT_FALSE(has_gaps(cloth.surface, cloth.rest, 0.8 * kEdge));  // triangles are 0.7 edges high
}

TEST(SmoothPatches, PlacesThatAreNoNumbersAreNotLeftOut) {
    const Cloth cloth = whole();
    for (const double place : {1e30, -HUGE_VAL, std::nan("")}) {
        auto x = cloth.rest;
        x[at(kN * kN / 2)].y = place;
        Search search{cloth, x, x};
        EXPECT_NO_THROW(search.run(cloth.rest));
        EXPECT_LT(search.left_out, search.asked);
    }
}

// A search that knows the rest shape finds what one finds that does not, but for pairs that are not near.
TEST(SmoothPatches, SearchesFindTheSameWithThem) {
    const double margin[] = {kWithin / 2};
    const std::uint8_t active[] = {1};
    Random random(4);
    for (const Cloth& cloth : {whole(), with_hole()}) {
        BroadPhase plain(cloth.surface), knowing(cloth.surface);
        knowing.set_rest_shape(Threads(1), cloth.rest, kWithin);
        for (const Shape& shape : kShapes) {  // the trees are built again now and then
            const auto x0 = shaken(placed(cloth.rest, shape.place), random, 2e-4),
                       x1 = shaken(x0, random, 4e-4);
            std::vector<Vec3<float>> back;
            for (std::size_t v = 0; v < x0.size(); ++v) back.push_back(single(x0[v] - x1[v]));
            const ProximityFilter filter{cloth.surface, x1, back, {&kWithin, 1}};
            std::vector<ContactPair> pairs, fewer, of_four;
            for (auto [broad, found] : {std::pair{&plain, &pairs}, std::pair{&knowing, &fewer}}) {
                broad->update(Threads(1), x0, x1, margin, active);
                broad->find_pairs(Threads(1), *found, true, &filter);
            }
            knowing.find_pairs(Threads(4), of_four, true, &filter);
            EXPECT_EQ(fewer, of_four);
            EXPECT_TRUE(std::ranges::includes(pairs, fewer));
            std::vector<ContactPair> missing;
            std::ranges::set_difference(pairs, fewer, std::back_inserter(missing));
            Search search{cloth, x0, x1};
            for (ContactPair pair : missing) search.look(pair);
            ASSERT_FALSE(HasFailure()) << shape.name;
        }
    }
}

}  // namespace
}  // namespace rumple::contact
