#include <gtest/gtest.h>

#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/size_check.hpp>

namespace rumple {
namespace {

std::vector<Vec3d> body(Clip clip = Clip::stand) {
    static const Mannequin mannequin = make_mannequin({1.73, 0.04});
    return mannequin.positions(clip, 0);
}
std::vector<Vec3d> scaled(std::vector<Vec3d> points, double scale, bool y_up = false) {
    for (Vec3d& p : points) p = scale * (y_up ? Vec3d{p.x, p.z, -p.y} : p);
    return points;
}

TEST(SizeCheck, AcceptsABodyInMetresInBothPoses) {
    for (const Clip clip : {Clip::stand, Clip::bend_arms}) {
        const SizeFinding f = check_body_size(body(clip), "body.obj");
        EXPECT_TRUE(f.fits) << f.message;
        EXPECT_TRUE(f.message.empty());
    }
}

TEST(SizeCheck, NamesTheUnitAndTheScale) {
    const SizeFinding mm = check_body_size(scaled(body(), 1000), "body.obj");
    EXPECT_FALSE(mm.fits);
    EXPECT_EQ(mm.scale, 0.001);
    EXPECT_NE(mm.message.find("units tall looks like millimetres: use scale 0.001"), std::string::npos)
        << mm.message;
    EXPECT_EQ(check_body_size(scaled(body(), 100), "b").scale, 0.01);
    EXPECT_EQ(check_body_size(scaled(body(), 10), "b").scale, 0.1);
    EXPECT_EQ(check_body_size(scaled(body(), 1 / 0.0254), "b").scale, 0.0254);
    EXPECT_EQ(check_body_size(scaled(body(), 1 / 0.3048), "b").scale, 0.3048);
}

TEST(SizeCheck, SeesThatYIsUpAndItsRemedyWorks) {
    const std::vector<Vec3d> wrong = scaled(body(Clip::bend_arms), 100, true);
    const SizeFinding f = check_body_size(wrong, "body.obj");
    EXPECT_TRUE(f.y_up && f.known && !f.fits);
    EXPECT_NE(f.message.find("use scale 0.01 and up y"), std::string::npos) << f.message;
    std::vector<Vec3d> fixed;
    for (const Vec3d& p : wrong) fixed.push_back(f.apply(p));
    EXPECT_TRUE(check_body_size(fixed, "b").fits);
    EXPECT_LT(norm(fixed[7] - body(Clip::bend_arms)[7]), 1e-9);
}

TEST(SizeCheck, SaysWhenNothingFits) {
    EXPECT_FALSE(check_body_size(scaled(body(), 0.003), "b").known);
    EXPECT_FALSE(check_body_size({}, "b").known);
    std::vector<Vec3d> lying = body();
    for (Vec3d& p : lying) p = {p.z, p.y, p.x * 0.5};
    EXPECT_FALSE(check_body_size(lying, "b").known);
}

TEST(SizeCheck, FindsHowAGarmentLiesOnTheBody) {
    std::vector<Vec3d> trousers;  // stands for one: the skin below the waist
    for (const Vec3d& p : body())
        if (p.z < 1.05 && p.z > 0.1) trousers.push_back(1.02 * p);
    EXPECT_TRUE(check_garment_size(trousers, body(), "t").fits);
    const SizeFinding mm = check_garment_size(scaled(trousers, 1000, true), body(), "t");
    EXPECT_TRUE(mm.known && mm.y_up);
    EXPECT_EQ(mm.scale, 0.001);
    EXPECT_EQ(check_garment_size(scaled(trousers, 100), body(), "t").scale, 0.01);
    std::vector<Vec3d> elsewhere = trousers;
    for (Vec3d& p : elsewhere) p += Vec3d{0, 5, 0};
    const SizeFinding far = check_garment_size(elsewhere, body(), "t.obj");
    EXPECT_FALSE(far.known);
    EXPECT_NE(far.message.find("t.obj: the garment"), std::string::npos) << far.message;
}

}  // namespace
}  // namespace rumple
