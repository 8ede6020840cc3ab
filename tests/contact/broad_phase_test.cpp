// The broad phase against all pairs of boxes, computed here from the positions.
#include "meshes.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <limits>
#include <rumple/contact/broad_phase.hpp>

namespace rumple::contact {
namespace {

using test::Random;
using test::Triangles;

struct Setting {
    std::vector<Triangles> meshes;
    Surface surface;
    std::vector<Vec3d> x0, x1;
    std::vector<double> margin;
    std::vector<std::uint8_t> active;
};

// Two cloths, a deforming obstacle, a standing one, two weights, all crumpled into the same cube.
Setting crowded(unsigned seed, double motion) {
    Setting s;
    Random random(seed);
    const struct {
        BodyKind kind;
        int nx, ny;
        bool moves;
    } bodies[] = {{BodyKind::cloth, 9, 8, true},      {BodyKind::cloth, 5, 6, true},
                  {BodyKind::obstacle, 6, 5, true},   {BodyKind::obstacle, 4, 4, false},
                  {BodyKind::rigid_body, 3, 3, true}, {BodyKind::rigid_body, 3, 4, true}};
    for (const auto& b : bodies) s.meshes.push_back(test::grid_triangles(b.nx, b.ny));
    std::vector<BodyMesh> parts;
    for (std::size_t i = 0; i < s.meshes.size(); ++i)
        parts.push_back(
            {bodies[i].kind, bodies[i].nx * bodies[i].ny + 2, s.meshes[i], bodies[i].moves});  // 2 loose
    s.surface = make_surface(parts);
    for (const SurfaceBody& body : s.surface.bodies)
        for (int v = body.vertex_begin; v < body.vertex_end; ++v) {
            s.x0.push_back(random.in_cube(1));
            s.x1.push_back(body.moves ? s.x0.back() + random.in_cube(motion) : s.x0.back());
        }
    for (std::size_t i = 0; i < s.meshes.size(); ++i) s.margin.push_back(random.between(0, 0.05));
    s.active.assign(s.meshes.size(), 1);
    return s;
}

struct Extent {
    Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
    void add(Vec3d p, double m) {
        for (int k = 0; k < 3; ++k) {
            lo[k] = std::min(lo[k], p[k] - m);
            hi[k] = std::max(hi[k], p[k] + m);
        }
    }
    bool is_beyond(const Extent& b, int axis, double slack) const { return lo[axis] > b.hi[axis] + slack; }
};

// Where something begins and where it ends.
struct MovingExtent {
    Extent begin, end;
    bool is_beyond(const MovingExtent& b, int axis, double slack) const {
        return begin.is_beyond(b.begin, axis, slack) && end.is_beyond(b.end, axis, slack);
    }
    bool meets(const MovingExtent& b, double slack) const {
        for (int k = 0; k < 3; ++k)
            if (is_beyond(b, k, slack) || b.is_beyond(*this, k, slack)) return false;
        return true;
    }
};

MovingExtent extent(const Setting& s, std::span<const int> vertices, int body) {
    MovingExtent e;
    for (int v : vertices) {
        e.begin.add(s.x0[static_cast<std::size_t>(v)], s.margin[static_cast<std::size_t>(body)]);
        e.end.add(s.x1[static_cast<std::size_t>(v)], s.margin[static_cast<std::size_t>(body)]);
    }
    return e;
}

bool bodies_touch(const Setting& s, int a, int b, bool cloth_on_cloth) {
    const auto kind = [&](int i) { return s.surface.bodies[static_cast<std::size_t>(i)].kind; };
    if (!s.active[static_cast<std::size_t>(a)] || !s.active[static_cast<std::size_t>(b)]) return false;
    const int cloths = (kind(a) == BodyKind::cloth) + (kind(b) == BodyKind::cloth);
    if (cloths == 2) return cloth_on_cloth;
    if (cloths == 1) return true;
    return a != b && (kind(a) == BodyKind::rigid_body || kind(b) == BodyKind::rigid_body);
}

// All pairs whose boxes overlap by more than -slack.
std::vector<ContactPair> all_pairs(const Setting& s, double slack, bool cloth_on_cloth) {
    std::vector<ContactPair> pairs;
    const Surface& f = s.surface;
    std::vector<std::uint8_t> used(static_cast<std::size_t>(f.vertex_count), 0);
    for (const auto& t : f.triangles)
        for (int v : t) used[static_cast<std::size_t>(v)] = 1;
    for (int v = 0; v < f.vertex_count; ++v)
        for (std::size_t t = 0; t < f.triangles.size(); ++t) {
            const int bv = f.body_of_vertex[static_cast<std::size_t>(v)], bt = f.body_of_triangle[t];
            if (!used[static_cast<std::size_t>(v)] || !bodies_touch(s, bv, bt, cloth_on_cloth)) continue;
            if (std::ranges::count(f.triangles[t], v)) continue;
            if (extent(s, {&v, 1}, bv).meets(extent(s, f.triangles[t], bt), slack))
                pairs.push_back({PairKind::vertex_face, v, static_cast<int>(t)});
        }
    for (std::size_t e = 0; e < f.edges.size(); ++e)
        for (std::size_t g = e + 1; g < f.edges.size(); ++g) {
            if (!bodies_touch(s, f.body_of_edge[e], f.body_of_edge[g], cloth_on_cloth)) continue;
            if (std::ranges::count(f.edges[g], f.edges[e][0]) ||
                std::ranges::count(f.edges[g], f.edges[e][1]))
                continue;
            if (extent(s, f.edges[e], f.body_of_edge[e])
                    .meets(extent(s, f.edges[g], f.body_of_edge[g]), slack))
                pairs.push_back({PairKind::edge_edge, static_cast<int>(e), static_cast<int>(g)});
        }
    return pairs;
}

void expect_all_pairs(const Setting& s, const std::vector<ContactPair>& pairs, bool cloth_on_cloth = true) {
    ASSERT_TRUE(std::ranges::is_sorted(pairs));
    ASSERT_EQ(std::ranges::adjacent_find(pairs), pairs.end()) << "a pair twice";
    const auto needed = all_pairs(s, 0, cloth_on_cloth), allowed = all_pairs(s, 1e-6, cloth_on_cloth);
    EXPECT_TRUE(std::ranges::includes(pairs, needed)) << pairs.size() << " found of " << needed.size();
    EXPECT_TRUE(std::ranges::includes(allowed, pairs))
        << pairs.size() << " found, allowed " << allowed.size();
}

TEST(BroadPhase, FindsAllPairsOnce) {
    const Threads threads(2);
    for (unsigned seed = 0; seed < 6; ++seed) {
        Setting s = crowded(seed, seed % 3 == 0 ? 0 : (seed % 3 == 1 ? 0.1 : 3));
        if (seed == 4) s.active[2] = s.active[4] = 0;
        BroadPhase broad(s.surface);
        std::vector<ContactPair> pairs;
        broad.update(threads, s.x0, s.x1, s.margin, s.active);
        broad.find_pairs(threads, pairs, seed != 5);
        EXPECT_GT(pairs.size(), 100u);
        expect_all_pairs(s, pairs, seed != 5);
    }
}

bool has_any(const Surface& surface, ContactPair pair, std::span<const int> vertices) {
    return std::ranges::any_of(pair_vertices(surface, pair),
                               [&](int v) { return std::ranges::count(vertices, v) > 0; });
}

// A few vertices are searched for one by one, many leaf by leaf.
TEST(BroadPhase, PairsOfSomeVerticesAreThoseOfAllThatHaveOne) {
    const Threads threads(2);
    std::size_t found = 0;
    for (unsigned seed = 0; seed < 6; ++seed) {
        Setting s = crowded(seed, seed % 2 ? 0.1 : 2);
        if (seed == 4) s.active[3] = 0;
        Random random(seed + 100);
        BroadPhase broad(s.surface);
        broad.update(threads, s.x0, s.x1, s.margin, s.active);
        std::vector<Vec3<float>> back;
        for (std::size_t v = 0; v < s.x0.size(); ++v) back.push_back(single(s.x0[v] - s.x1[v]));
        const std::vector<double> within(s.meshes.size(), seed < 3 ? 0.02 : 10);  // the latter: all
        const ProximityFilter filter{s.surface, s.x1, back, within};
        for (const std::size_t count : {0u, 1u, 2u, 30u, 120u}) {
            std::vector<int> vertices;
            while (vertices.size() < count)
                if (const int v = random.below(s.surface.vertex_count); !std::ranges::count(vertices, v))
                    vertices.push_back(v);
            std::ranges::sort(vertices);
            std::vector<ContactPair> expected, pairs;
            broad.find_pairs(threads, expected, seed != 5, &filter);
            std::erase_if(expected, [&](ContactPair p) { return !has_any(s.surface, p, vertices); });
            broad.find_pairs_with(threads, vertices, pairs, seed != 5, filter);
            EXPECT_EQ(pairs, expected) << seed << " " << count;
            found += pairs.size();
        }
    }
    EXPECT_GT(found, 1000u);
}

TEST(BroadPhase, WhatMovesTogetherMeetsNoMoreThanAtRest) {
    const Threads threads(1);
    Setting s = crowded(2, 0);
    BroadPhase broad(s.surface);
    std::vector<ContactPair> at_rest, moving;
    s.active = {1, 1, 1, 0, 1, 1};
    broad.update(threads, s.x0, s.x1, s.margin, s.active);
    broad.find_pairs(threads, at_rest);
    for (Vec3d& p : s.x1) p += Vec3d{20, -30, 40};
    broad.update(threads, s.x0, s.x1, s.margin, s.active);
    broad.find_pairs(threads, moving);
    EXPECT_NEAR(static_cast<double>(moving.size()), static_cast<double>(at_rest.size()),
                0.01 * static_cast<double>(at_rest.size()));
    expect_all_pairs(s, moving);
}

TEST(BroadPhase, TreesThatAreOldFindWhatNewOnesFind) {
    const Threads threads(2);
    Setting s = crowded(3, 0.05);
    BroadPhase broad(s.surface);
    Random random(8);
    std::vector<ContactPair> pairs, fresh_pairs;
    for (int step = 0; step < 20; ++step) {
        for (const SurfaceBody& body : s.surface.bodies)
            for (int i = body.vertex_begin; body.moves && i < body.vertex_end; ++i) {
                const auto v = static_cast<std::size_t>(i);
                s.x0[v] = s.x1[v];
                s.x1[v] += random.in_cube(step < 10 ? 0.02 : 0.5);
            }
        if (step % 3 == 0)  // some move, others do not
            for (std::size_t v = 0; v < 60; ++v) s.x1[v] = s.x0[v];
        s.active[2] = step % 4 != 1;
        s.active[3] = step % 5 != 0;  // the standing obstacle first appears at step 1
        if (step == 15) s.margin[3] = 0.2;
        broad.update(threads, s.x0, s.x1, s.margin, s.active);
        broad.find_pairs(threads, pairs);
        BroadPhase fresh(s.surface);
        fresh.update(threads, s.x0, s.x1, s.margin, s.active);
        fresh.find_pairs(threads, fresh_pairs);
        ASSERT_EQ(pairs, fresh_pairs) << "step " << step;
    }
    expect_all_pairs(s, pairs);
}

TEST(BroadPhase, ThreadsDoNotChangeThePairs) {
    const Setting s = crowded(11, 0.2);
    std::vector<ContactPair> one, four;
    for (auto [count, pairs] : {std::pair{1, &one}, std::pair{4, &four}}) {
        const Threads threads(count);
        BroadPhase broad(s.surface);
        broad.update(threads, s.x0, s.x1, s.margin, s.active);
        broad.find_pairs(threads, *pairs);
    }
    EXPECT_EQ(one, four);
}

TEST(BroadPhase, VerticesAtAbsurdPlacesHarmNobodyElse) {
    const Threads threads(2);
    const double infinity = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();
    const auto involves = [](const Surface& f, ContactPair p, int v) {
        const auto vertices = pair_vertices(f, p);
        return std::ranges::count(vertices, v) > 0;
    };
    Setting s = crowded(5, 0.1);
    BroadPhase broad(s.surface);
    std::vector<ContactPair> before, after;
    broad.update(threads, s.x0, s.x1, s.margin, s.active);
    broad.find_pairs(threads, before);
    for (const double place : {1e30, -1e300, infinity, -infinity, nan}) {
        Setting t = s;
        t.x1[10] = {place, 0, place};
        broad.update(threads, t.x0, t.x1, t.margin, t.active);
        broad.find_pairs(threads, after);
        std::vector<ContactPair> a, b;
        std::ranges::copy_if(before, std::back_inserter(a),
                             [&](auto p) { return !involves(s.surface, p, 10); });
        std::ranges::copy_if(after, std::back_inserter(b),
                             [&](auto p) { return !involves(s.surface, p, 10); });
        EXPECT_EQ(a, b) << place;
    }
}

TEST(BroadPhase, EmptyAndTinyBodiesAreNothingSpecial) {
    const Threads threads(2);
    const Triangles one = {{0, 1, 2}};
    const BodyMesh bodies[] = {
        {BodyKind::cloth, 4, {}, true}, {BodyKind::cloth, 3, one, true}, {BodyKind::obstacle, 3, one, false}};
    const Surface surface = make_surface(bodies);
    const std::vector<Vec3d> x = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0},
                                  {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const double margin[] = {0, 0, 0};
    const std::uint8_t active[] = {1, 1, 1};
    BroadPhase broad(surface);
    std::vector<ContactPair> pairs;
    broad.update(threads, x, x, margin, active);
    broad.find_pairs(threads, pairs);
    EXPECT_EQ(pairs.size(), 3u + 3u + 9u);  // the loose vertices touch nothing
}

TEST(Surface, EveryVertexAndEdgeHasOneTriangleThatStandsForIt) {
    const Setting s = crowded(1, 0);
    const Surface& f = s.surface;
    std::vector<int> vertex(static_cast<std::size_t>(f.vertex_count), 0), edge(f.edges.size(), 0);
    for (std::size_t t = 0; t < f.triangles.size(); ++t)
        for (unsigned k = 0; k < 3; ++k) {
            const int e = f.triangle_edges[t][k], v = f.triangles[t][k], w = f.triangles[t][(k + 1) % 3];
            EXPECT_EQ(f.edges[static_cast<std::size_t>(e)], (std::array{std::min(v, w), std::max(v, w)}));
            vertex[static_cast<std::size_t>(v)] += f.owns[t] >> k & 1;
            edge[static_cast<std::size_t>(e)] += f.owns[t] >> (3 + k) & 1;
        }
    EXPECT_EQ(std::ranges::count(edge, 1), static_cast<long>(edge.size()));
    EXPECT_EQ(std::ranges::count(vertex, 0), 12);  // two loose ones a body
    EXPECT_EQ(std::ranges::count(vertex, 1), f.vertex_count - 12);
}

TEST(Surface, EdgesOfManyTrianglesAndRepeatedCornersAreAccepted) {
    const Triangles fan = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {5, 5, 0}};
    const BodyMesh bodies[] = {{BodyKind::cloth, 6, fan, true}};
    const Surface f = make_surface(bodies);
    EXPECT_EQ(f.edges.size(), 9u);  // 0-1, two a triangle, 5-5 and 0-5
    EXPECT_EQ(std::ranges::count(f.edges, std::array{0, 1}), 1);
}

}  // namespace
}  // namespace rumple::contact
