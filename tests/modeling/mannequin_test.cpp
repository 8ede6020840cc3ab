#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/mesh/validate.hpp>
#include <rumple/modeling/chair.hpp>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/mesh_distance.hpp>
#include <rumple/modeling/remesh.hpp>

#include "../triangle_crossings.hpp"

namespace rumple {
namespace {

const Mannequin& full() {
    static const Mannequin mannequin = make_mannequin();
    return mannequin;
}
const Mannequin& coarse() {
    static const Mannequin mannequin = make_mannequin({1.75, 0.03});
    return mannequin;
}

TriMesh posed(const Mannequin& m, Clip clip, double time) {
    TriMesh mesh = m.mesh;
    mesh.positions = m.positions(clip, time);
    return mesh;
}

TEST(Mannequin, IsOneClosedSurfaceWithoutHandles) {
    for (const Mannequin* m : {&full(), &coarse()}) {
        EXPECT_TRUE(validate_mesh(m->mesh, "mannequin").empty());  // one piece, manifold, oriented
        const auto vertices = std::ptrdiff_t(m->mesh.positions.size());
        const auto triangles = std::ptrdiff_t(m->mesh.triangles.size());
        EXPECT_EQ(2 * vertices - triangles, 4);  // closed: E = 3T/2, so V - E + T = 2
        EXPECT_GT(testing::enclosed_volume(m->mesh), 0.05);
    }
}

TEST(Mannequin, HasAboutElevenThousandVerticesAndTwentyTwoJoints) {
    EXPECT_NEAR(double(full().mesh.positions.size()), 11000, 500);
    EXPECT_EQ(full().skeleton.joints.size(), 22u);
    const MeshQuality q = mesh_quality(full().mesh);
    EXPECT_GT(q.min_angle, 14);
    EXPECT_GT(q.mean_min_angle, 52);
    EXPECT_NEAR(q.mean_edge, 0.0130, 0.0004);
}

TEST(Mannequin, HasShortEdgesOnFaceAndHandsAndEvenOnesElsewhere) {
    const auto mean_edge = [&](auto&& belongs) {
        double sum = 0, squares = 0, count = 0;
        for (const auto& t : full().mesh.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d a = full().mesh.positions[std::size_t(t[k])],
                            b = full().mesh.positions[std::size_t(t[(k + 1) % 3])];
                if (!belongs(0.5 * (a + b))) continue;
                const double length = norm(b - a);
                sum += length, squares += length * length, ++count;
            }
        const double mean = sum / count;
        return std::pair(mean, std::sqrt(squares / count - mean * mean) / mean);
    };
    EXPECT_LT(mean_edge([](Vec3d p) { return p.z > 1.58 && p.y < -0.06; }).first, 0.009);       // face
    EXPECT_LT(mean_edge([](Vec3d p) { return std::abs(p.x) > 0.68; }).first, 0.008);            // fingers
    const auto [mean, deviation] = mean_edge([](Vec3d p) { return p.z > 0.15 && p.z < 0.8; });  // legs
    EXPECT_NEAR(mean, 0.0164, 0.0005);
    EXPECT_LT(deviation, 0.1);
}

TEST(Mannequin, StandsOnTheGroundAtItsHeight) {
    for (const double height : {1.75, 1.5}) {
        const Mannequin m = make_mannequin({height, 0.03});
        double low = 1, high = 0;
        for (const Vec3d& p : m.positions(Clip::stand, 0)) {
            low = std::min(low, p.z);
            high = std::max(high, p.z);
        }
        EXPECT_NEAR(low, 0, 0.004);
        EXPECT_NEAR(high, height, 0.01);
    }
}

TEST(Mannequin, DoesNotPassThroughItself) {
    EXPECT_EQ(testing::self_crossings(posed(full(), Clip::stand, 0)), 0u);      // A-pose
    EXPECT_EQ(testing::self_crossings(posed(full(), Clip::bend_arms, 0)), 0u);  // T-pose
    for (const ClipInfo& info : kClips)
        EXPECT_EQ(testing::self_crossings(posed(full(), info.clip, info.extreme)), 0u) << info.name;
}

TEST(Mannequin, NeitherSinksIntoTheFloorNorFloats) {
    for (const ClipInfo& info : kClips)
        for (int i = 0; i <= 12; ++i) {
            double lowest = 1;
            for (const Vec3d& p : coarse().positions(info.clip, info.duration * i / 12))
                lowest = std::min(lowest, p.z);
            EXPECT_NEAR(lowest, 0, 0.006) << info.name << " at " << info.duration * i / 12;
        }
}

TEST(Mannequin, KeepsItsVolumeInEveryClip) {
    for (const ClipInfo& info : kClips) {
        const double first = testing::enclosed_volume(posed(full(), info.clip, 0));
        for (int i = 1; i <= 20; ++i) {
            const double now = testing::enclosed_volume(posed(full(), info.clip, info.duration * i / 20));
            EXPECT_NEAR(now / first, 1, 0.03) << info.name << " at " << info.duration * i / 20;
        }
    }
}

// The narrowest passage between two parts of the skin that face each other.
double narrowest_gap(const TriMesh& mesh) {
    const auto& x = mesh.positions;
    std::vector<Vec3d> normal(x.size());
    for (const auto& t : mesh.triangles) {
        const auto at = [&](std::size_t k) { return x[std::size_t(t[k])]; };
        const Vec3d n = cross(at(1) - at(0), at(2) - at(0));
        for (const int v : t) normal[std::size_t(v)] += n;
    }
    double best = 0.05;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = i + 1; j < x.size(); ++j) {
            const Vec3d d = x[j] - x[i];
            if (std::abs(d.x) > best || std::abs(d.y) > best || std::abs(d.z) > best) continue;
            const double length = norm(d), ni = norm(normal[i]), nj = norm(normal[j]);
            const bool facing = dot(normal[i], normal[j]) < -0.5 * ni * nj &&
                                dot(d, normal[i]) > 0.7 * length * ni &&
                                dot(d, normal[j]) < -0.7 * length * nj;
            if (facing) best = std::min(best, length);
        }
    return best;
}

TEST(Mannequin, LeavesRoomForClothInItsCreases) {
    EXPECT_GT(narrowest_gap(posed(full(), Clip::sit, clip_info(Clip::sit).extreme)), 0.010);
    EXPECT_GT(narrowest_gap(posed(full(), Clip::lift_leg, clip_info(Clip::lift_leg).extreme)), 0.010);
    EXPECT_GT(narrowest_gap(posed(full(), Clip::bend_arms, clip_info(Clip::bend_arms).extreme)), 0.008);
}

// Both clips share the chair's place: it is behind the legs of the stand and under the seat of the sitting.
TEST(Chair, CarriesTheSittingMannequinWithRoomForCloth) {
    const TriMesh chair = make_chair();
    EXPECT_TRUE(validate_mesh(chair, "chair").empty());
    const auto vertices = std::ptrdiff_t(chair.positions.size());
    EXPECT_EQ(2 * vertices - std::ptrdiff_t(chair.triangles.size()), 0);  // one opening, below its back
    const MeshDistance distance(chair.positions, chair.triangles);
    const ClipInfo& info = clip_info(Clip::sit_chair);
    const auto gap = [&](double time) {
        double nearest = 0.2;
        for (const Vec3d& p : full().positions(Clip::sit_chair, time))
            nearest = std::min(nearest, distance(p, 0.2));
        return nearest;
    };
    for (int i = 0; i <= 10; ++i) EXPECT_GT(gap(info.duration * i / 10), 0.006) << i;
    EXPECT_LT(gap(info.extreme), 0.014);
    EXPECT_GT(gap(0), 0.05);
    EXPECT_THROW(make_chair({175, 0.02}), InputError);
}

TEST(Mannequin, IsItsOwnMirrorImage) {
    const TriMesh mesh = posed(coarse(), Clip::sit, 1.5);
    double worst = 0;
    for (const Vec3d& p : mesh.positions) {
        double nearest = 1;
        for (const Vec3d& q : mesh.positions) nearest = std::min(nearest, norm(p - Vec3d{-q.x, q.y, q.z}));
        worst = std::max(worst, nearest);
    }
    EXPECT_LT(worst, 1e-6);
}

TEST(Mannequin, IsTheSameEveryTime) {
    const Mannequin again = make_mannequin({1.75, 0.03});
    EXPECT_EQ(again.mesh.positions, coarse().mesh.positions);
    EXPECT_EQ(again.mesh.triangles, coarse().mesh.triangles);
    EXPECT_EQ(again.weights.weights, coarse().weights.weights);
}

TEST(Mannequin, RefusesOptionsOutOfRange) {
    EXPECT_THROW(make_mannequin({175, 0.03}), InputError);
    EXPECT_THROW(make_mannequin({1.75, 0}), InputError);
    EXPECT_THROW(make_mannequin({1.75, NAN}), InputError);
}

}  // namespace
}  // namespace rumple
