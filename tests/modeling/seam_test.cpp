// Where garments are sewn: lines on the cloth, for pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/mesh_distance.hpp>
#include <rumple/modeling/seam_tracer.hpp>
#include <rumple/modeling/trousers.hpp>
#include <rumple/modeling/tshirt.hpp>

namespace rumple {
namespace {

Garment garment_on(Clip clip, bool trousers) {
    static const Mannequin body = make_mannequin({1.75, 0.02});
    TriMesh mesh = body.mesh;
    mesh.positions = body.positions(clip, 0);
    return trousers ? make_trousers(mesh, {.edge_length = 0.02}) : make_tshirt(mesh, {.edge_length = 0.02});
}
const Garment& sewn_trousers() {
    static const Garment garment = garment_on(Clip::stand, true);
    return garment;
}
const Garment& sewn_tshirt() {
    static const Garment garment = garment_on(Clip::bend_arms, false);
    return garment;
}

double length(const SeamLine& line) {
    double sum = 0;
    for (std::size_t i = 1; i < line.points.size(); ++i) sum += norm(line.points[i] - line.points[i - 1]);
    return sum;
}

std::vector<const SeamLine*> of_kind(const Garment& garment, SeamKind kind) {
    std::vector<const SeamLine*> found;
    for (const SeamLine& line : garment.seams)
        if (line.kind == kind) found.push_back(&line);
    return found;
}

TEST(Seams, LieOnTheClothWithNormalsOutwards) {
    for (const Garment* garment : {&sewn_trousers(), &sewn_tshirt()}) {
        const MeshDistance distance(garment->mesh.positions, garment->mesh.triangles);
        ASSERT_FALSE(garment->seams.empty());
        for (const SeamLine& line : garment->seams) {
            ASSERT_EQ(line.points.size(), line.normals.size());
            for (std::size_t i = 0; i < line.points.size(); ++i) {
                EXPECT_LT(std::abs(distance(line.points[i], 0.05)), 1e-4);
                EXPECT_NEAR(norm(line.normals[i]), 1, 1e-9);
                if (i > 0) EXPECT_LT(norm(line.points[i] - line.points[i - 1]), 0.045);
            }
        }
    }
}

TEST(Seams, TrousersHaveWhatTrousersHave) {
    const double height = 1.75;
    const auto sides = of_kind(sewn_trousers(), SeamKind::plain);
    ASSERT_EQ(sides.size(), 2u);
    for (const SeamLine* side : sides) EXPECT_NEAR(length(*side), 0.56 * height, 0.06 * height);
    EXPECT_EQ(of_kind(sewn_trousers(), SeamKind::felled).size(),
              6u);  // inseams, front, back, two halves of a yoke
    EXPECT_EQ(of_kind(sewn_trousers(), SeamKind::edge).size(), 7u);  // band, two front and two back pockets
    EXPECT_EQ(of_kind(sewn_trousers(), SeamKind::loop).size(), 5u);
    EXPECT_EQ(of_kind(sewn_trousers(), SeamKind::stitch).size(), 1u);  // fly
    EXPECT_EQ(of_kind(sewn_trousers(), SeamKind::button).size(), 1u);
    EXPECT_EQ(of_kind(sewn_trousers(), SeamKind::top).size(), 1u);
}

// Stitches lie on the side of the cloth on top: the waistband's are above its lower edge.
TEST(Seams, ClothOnTopLiesOnTheLeft) {
    const auto edges = of_kind(sewn_trousers(), SeamKind::edge);
    const auto band = std::max_element(edges.begin(), edges.end(), [](const SeamLine* a, const SeamLine* b) {
        return length(*a) < length(*b);
    });
    for (std::size_t i = 1; i < (*band)->points.size(); ++i)
        EXPECT_GT(cross((*band)->normals[i], (*band)->points[i] - (*band)->points[i - 1]).z, 0);
}

TEST(Seams, ShirtHasSidesSleevesArmholesShouldersAndCollar) {
    EXPECT_EQ(of_kind(sewn_tshirt(), SeamKind::plain).size(), 6u);
    EXPECT_EQ(of_kind(sewn_tshirt(), SeamKind::felled).size(), 2u);
    const auto collar = of_kind(sewn_tshirt(), SeamKind::rib);
    ASSERT_EQ(collar.size(), 1u);
    EXPECT_LT(norm(collar[0]->points.front() - collar[0]->points.back()), 1e-12);  // closed
    EXPECT_NEAR(length(*collar[0]), 0.55, 0.15);
    // Away from the neck lies the cloth, on the left.
    Vec3d centre;
    for (const Vec3d& p : collar[0]->points) centre += (1 / double(collar[0]->points.size())) * p;
    double left = 0;
    for (std::size_t i = 1; i < collar[0]->points.size(); ++i)
        left += dot(cross(collar[0]->normals[i], collar[0]->points[i] - collar[0]->points[i - 1]),
                    collar[0]->points[i] - centre);
    EXPECT_GT(left, 0);
}

TEST(Seams, ALineEndsWhereTheNextMarkLiesElsewhere) {
    TriMesh step;  // two squares at different heights, seen from below
    step.positions = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {1, 0, 2}, {2, 0, 2}, {2, 1, 2}, {1, 1, 2}};
    step.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
    std::vector<SeamTracer::Ray> rays;
    for (double x = 0.005; x < 2; x += 0.01) rays.push_back({{x, 0.5, 0}, {0, 0, 1}});
    const SeamLine line = SeamTracer(step).line(SeamKind::plain, rays);
    ASSERT_EQ(line.points.size(), 100u);
    for (const Vec3d& p : line.points) EXPECT_NEAR(p.z, 1, 1e-12);
}

}  // namespace
}  // namespace rumple
