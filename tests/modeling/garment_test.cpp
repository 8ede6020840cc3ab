#include <gtest/gtest.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/mesh/edges.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <rumple/mesh/validate.hpp>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/mesh_distance.hpp>
#include <rumple/modeling/remesh.hpp>
#include <rumple/modeling/trousers.hpp>
#include <rumple/modeling/tshirt.hpp>

#include "../real_body.hpp"
#include "../triangle_crossings.hpp"

namespace rumple {
namespace {

constexpr double kDraft = 0.02;  // m

TriMesh mannequin(Clip clip) {
    static const Mannequin body = make_mannequin({1.75, 0.02});
    TriMesh mesh = body.mesh;
    mesh.positions = body.positions(clip, 0);
    return mesh;
}
const TriMesh& a_pose() {
    static const TriMesh mesh = mannequin(Clip::stand);
    return mesh;
}
const TriMesh& t_pose() {
    static const TriMesh mesh = mannequin(Clip::bend_arms);
    return mesh;
}
const Garment& trousers() {
    static const Garment garment = make_trousers(a_pose(), {.edge_length = kDraft});
    return garment;
}
const Garment& tshirt() {
    static const Garment garment = make_tshirt(t_pose(), {.edge_length = kDraft});
    return garment;
}

// Vertices less edges plus triangles, and the number of closed border curves.
struct Topology {
    std::ptrdiff_t euler;
    int borders;
};
Topology topology(const TriMesh& mesh) {
    const auto walks = sorted_edge_walks(mesh);
    std::ptrdiff_t edges = 0;
    std::vector<int> next(mesh.positions.size(), -1);
    for (std::size_t begin = 0; begin < walks.size(); begin += edge_at(walks, begin).size(), ++edges)
        if (edge_at(walks, begin).size() == 1) next[std::size_t(walks[begin].from)] = walks[begin].to;
    int borders = 0;
    for (int v = 0; v < int(next.size()); ++v) {
        if (next[std::size_t(v)] < 0) continue;
        ++borders;
        for (int w = v; next[std::size_t(w)] >= 0;) w = std::exchange(next[std::size_t(w)], -1);
    }
    return {std::ptrdiff_t(mesh.positions.size()) - edges + std::ptrdiff_t(mesh.triangles.size()), borders};
}

// The smallest distance between two meshes, from the vertices of each to the other.
double clearance(const TriMesh& cloth, const TriMesh& body) {
    const MeshDistance to_body(body.positions, body.triangles), to_cloth(cloth.positions, cloth.triangles);
    double nearest = 0.1;
    for (const Vec3d& p : cloth.positions) nearest = std::min(nearest, to_body(p, 0.1));
    for (const Vec3d& p : body.positions) nearest = std::min(nearest, std::abs(to_cloth(p, 0.1)));
    return nearest;
}

void expect_wearable(const Garment& garment, const TriMesh& body, std::ptrdiff_t euler, int borders) {
    EXPECT_TRUE(validate_mesh(garment.mesh, "garment").empty());  // one piece, manifold, oriented
    EXPECT_EQ(topology(garment.mesh).euler, euler);
    EXPECT_EQ(topology(garment.mesh).borders, borders);
    EXPECT_GT(clearance(garment.mesh, body), 0.003);
    EXPECT_EQ(testing::self_crossings(garment.mesh), 0u);
    EXPECT_EQ(testing::crossings(garment.mesh, body, false).size(), 0u);
    const MeshQuality q = mesh_quality(garment.mesh);
    EXPECT_GT(q.min_angle, 20);
    EXPECT_GT(q.mean_min_angle, 52);
    EXPECT_LT(q.edge_deviation, 0.1);
    for (const VertexSet& set : garment.sets) EXPECT_GT(set.vertices.size(), 8u) << set.name;
}

TEST(Trousers, AreWearable) { expect_wearable(trousers(), a_pose(), -1, 3); }
TEST(Tshirt, IsWearable) { expect_wearable(tshirt(), t_pose(), -2, 4); }

TEST(Trousers, HaveAboutThreeThousandVerticesAsADraft) {
    EXPECT_NEAR(double(trousers().mesh.positions.size()), 3000, 200);
    EXPECT_NEAR(double(tshirt().mesh.positions.size()), 3000, 200);
    EXPECT_NEAR(mesh_quality(trousers().mesh).mean_edge, kDraft, 0.001);
}

TEST(Trousers, BordersLieWhereTheyWereAskedFor) {
    TrousersOptions shorts{.edge_length = kDraft, .cuff_height = 0.55};
    const Garment garment = make_trousers(a_pose(), shorts);
    for (const char* cuff : {"cuff_left", "cuff_right"})
        for (const int v : garment.set(cuff))
            EXPECT_NEAR(garment.mesh.positions[std::size_t(v)].z - find_landmarks(a_pose()).floor, 0.55,
                        1e-4);
    const BodyLandmarks mark = find_landmarks(a_pose());
    for (const int v : garment.set("waist"))
        EXPECT_NEAR(garment.mesh.positions[std::size_t(v)].z, mark.crotch + 0.85 * (mark.waist - mark.crotch),
                    1e-4);
}

TEST(Trousers, RegionsAreWhereTheirNamesSay) {
    const BodyLandmarks mark = find_landmarks(a_pose());
    const auto mean = [](const Garment& garment, const char* set) {
        Vec3d sum;
        for (const int v : garment.set(set)) sum += garment.mesh.positions[std::size_t(v)];
        return (1 / double(garment.set(set).size())) * sum;
    };
    const Vec3d seat = mean(trousers(), "seat"), groin = mean(trousers(), "groin");
    const Vec3d left = mean(trousers(), "behind_knee_left"), right = mean(trousers(), "behind_knee_right");
    EXPECT_GT(seat.y, 0.05);  // the mannequin faces -Y
    EXPECT_LT(groin.y, -0.05);
    EXPECT_NEAR(left.z, mark.knee, 0.03);
    EXPECT_GT(left.x, 0.05);
    EXPECT_LT(right.x, -0.05);
    EXPECT_GT(left.y, 0.02);
    EXPECT_GT(mean(tshirt(), "elbow_left").x, 0.4);
    EXPECT_LT(mean(tshirt(), "armpit_right").x, -0.1);
    EXPECT_THROW(trousers().set("behind_ear"), InputError);
}

TEST(Garments, RestUnstrainedWithTheWarpAlongTheLimb) {
    for (const Garment* garment : {&trousers(), &tshirt()}) {
        const TriMesh& mesh = garment->mesh;
        const RestShape rest = make_rest_shape(mesh, {RestSource::uv, RestAngles::flat, {}}, "garment");
        double along_limb = 0, total = 0;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            Vec3d u, v;  // columns of the deformation gradient
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d x = mesh.positions[std::size_t(mesh.triangles[t][k])];
                u += rest.gradient[t][k].x * x;
                v += rest.gradient[t][k].y * x;
            }
            EXPECT_NEAR(norm(u), 1, 1e-9);
            EXPECT_NEAR(norm(v), 1, 1e-9);
            EXPECT_NEAR(dot(u, v), 0, 1e-9);
            // Trousers and the trunk: vertical; sleeves of a T-pose: along x.
            const Vec3d x = mesh.positions[std::size_t(mesh.triangles[t][0])];
            const bool sleeve = garment == &tshirt() && std::abs(x.x) > 0.27;
            along_limb += rest.area[t] * std::abs(sleeve ? u.x : u.z);
            total += rest.area[t];
        }
        EXPECT_GT(along_limb / total, 0.9);
    }
}

// Each triangle has UVs of its own; a weave is drawn with them. Corners that meet in space nearly meet there
// too, but where the garment is closed behind: less than an edge apart.
TEST(Garments, WeaveRunsOnFromTriangleToTriangle) {
    for (const Garment* garment : {&trousers(), &tshirt()}) {
        const TriMesh& mesh = garment->mesh;
        std::vector<std::vector<Vec2d>> at(mesh.positions.size());
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
            for (std::size_t i = 0; i < 3; ++i)
                at[std::size_t(mesh.triangles[t][i])].push_back(
                    mesh.uvs[std::size_t(mesh.uv_triangles[t][i])]);
        int near = 0, all = 0;
        for (const std::vector<Vec2d>& corners : at)
            for (std::size_t k = 1; k < corners.size(); ++k, ++all)
                near += norm(corners[k] - corners[0]) < kDraft;
        EXPECT_GT(near, 0.9 * all);
    }
}

TEST(Garments, AreTheSameEveryTime) {
    const Garment again = make_trousers(a_pose(), {.edge_length = kDraft});
    EXPECT_EQ(again.mesh.positions, trousers().mesh.positions);
    EXPECT_EQ(again.mesh.triangles, trousers().mesh.triangles);
    EXPECT_EQ(again.set("seat"), trousers().set("seat"));
}

TEST(Garments, KeepTheirUvsInAFile) {
    const TriMesh read = parse_obj(format_obj(trousers().mesh), "trousers.obj");
    EXPECT_EQ(read.uvs, trousers().mesh.uvs);
    EXPECT_EQ(read.uv_triangles, trousers().mesh.uv_triangles);
}

TEST(Garments, FitAMovedAndScaledBodyThatFacesTheOtherWay) {
    TriMesh body = a_pose();
    for (Vec3d& p : body.positions) p = 0.9 * Vec3d{-p.x, -p.y, p.z} + Vec3d{0.3, -0.2, 0.1};
    expect_wearable(make_trousers(body, {.edge_length = kDraft}), body, -1, 3);
    EXPECT_EQ(find_landmarks(body).facing, 1);
    EXPECT_NEAR(find_landmarks(body).crotch, 0.9 * find_landmarks(a_pose()).crotch + 0.1, 0.002);
}

TEST(Garments, RefuseWhatCannotBeDressed) {
    const auto message = [](const TriMesh& body) {
        try {
            make_trousers(body, {}, "stranger.obj");
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    TriMesh giant = a_pose(), lying = a_pose();
    for (Vec3d& p : giant.positions) p *= 1000;
    for (Vec3d& p : lying.positions) p = {p.x, p.z, -p.y};
    EXPECT_NE(message(giant).find("stranger.obj: the body is 175"), std::string::npos) << message(giant);
    EXPECT_NE(message(lying).find("Z up"), std::string::npos) << message(lying);
    EXPECT_NE(message({}).find("no vertices"), std::string::npos);
    EXPECT_THROW(make_trousers(a_pose(), {.edge_length = 0}), InputError);
    EXPECT_THROW(make_tshirt(t_pose(), {.sleeve = 2}), InputError);
}

// A real person's body: in A-pose at the beginning of `sit`, in T-pose at that of `bend_arms`.
TEST(Garments, FitAStrangersBody) {
    const GltfModel body = real_body();
    const TriMesh a = real_body_at(body, "sit", 0), t = real_body_at(body, "bend_arms", 0);
    for (const double edge : {0.02, 0.01}) {
        expect_wearable(make_trousers(a, {.edge_length = edge}), a, -1, 3);
        expect_wearable(make_tshirt(t, {.edge_length = edge}), t, -2, 4);
    }
}

}  // namespace
}  // namespace rumple
