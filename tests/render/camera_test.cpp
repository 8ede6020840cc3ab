// Framing puts everything into the picture and wastes little of it; a camera that cannot see says why.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <rumple/core/error.hpp>
#include <rumple_render/camera.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

const View kViews[] = {View::front, View::back, View::left, View::right, View::top, View::three_quarter};

TEST(Framing, ShowsEverythingAndFillsThePicture) {
    const std::vector<Vec3d> shapes[] = {
        {{0, 0, 0}, {1, 0, 0}, {0, 0.2, 3}, {-0.3, 0.1, 1}},           // tall
        {{-5, -4, 7}, {5, 4, 7}, {-5, 4, 7.1}, {5, -4, 7.2}},          // flat and wide
        {{100, 100, 100}, {100.01, 100, 100}, {100, 100.01, 100.02}},  // small and far away
    };
    for (const auto& points : shapes)
        for (const View view : kViews)
            for (const double aspect : {0.5, 1.0, 16.0 / 9}) {
                const Camera camera = frame_view(view, points, aspect);
                double most = 0;
                for (const Vec3d& p : points) {
                    const Vec3d q = project(camera, aspect, p);
                    EXPECT_GT(q.z, 0);
                    most = std::max({most, std::abs(q.x), std::abs(q.y)});
                }
                EXPECT_LE(most, 1 - 2 * kFrameMargin + 1e-9);
                EXPECT_GE(most, 0.75) << view_names()[std::size_t(view)] << " " << aspect;
            }
}

// A picture with the aspect of what it shows is filled both ways.
TEST(Framing, NaturalAspectFillsBothWays) {
    const std::vector<Vec3d> points{{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.1, 1.8}, {0, 0.1, 1.8}, {-0.1, 0, 1}};
    for (const View view : {View::front, View::back, View::left, View::right, View::three_quarter}) {
        const double aspect = natural_aspect(angles_of(view), points);
        const Camera camera = frame_view(view, points, aspect);
        double x = 0, y = 0;
        for (const Vec3d& p : points) {
            x = std::max(x, std::abs(project(camera, aspect, p).x));
            y = std::max(y, std::abs(project(camera, aspect, p).y));
        }
        EXPECT_GT(x, 0.85) << view_names()[std::size_t(view)];
        EXPECT_GT(y, 0.85) << view_names()[std::size_t(view)];
    }
}

TEST(Framing, ViewsLookFromWhereTheySay) {
    const std::vector<Vec3d> points{{-1, -1, -1}, {1, 1, 1}, {-1, 1, 1}, {1, -1, -1}};
    EXPECT_GT(frame_view(View::front, points, 1).forward().y, 0.9);
    EXPECT_LT(frame_view(View::back, points, 1).forward().y, -0.9);
    EXPECT_GT(frame_view(View::left, points, 1).forward().x, 0.9);
    EXPECT_LT(frame_view(View::right, points, 1).forward().x, -0.9);
    EXPECT_LT(frame_view(View::top, points, 1).forward().z, -0.999);
}

TEST(Framing, OnePointIsEnough) {
    const std::vector<Vec3d> point{{1, 2, 3}};
    EXPECT_GT(project(frame_view(View::front, point, 1), 1, point[0]).z, 0);
    EXPECT_NO_THROW(require_valid(frame_view(View::top, point, 1)));
}

TEST(BadCamera, SaysWhatIsWrong) {
    expect_says(error_of<InputError>([] { frame_view(View::front, {}, 1); }), {"nothing to frame"});
    expect_says(error_of<InputError>([] {
                    require_valid(Camera{{1, 1, 1}, {1, 1, 1}, {0, 0, 1}, 24});
                }),
                {"same point"});
    expect_says(error_of<InputError>([] {
                    require_valid(Camera{{0, 0, 5}, {0, 0, 0}, {0, 0, 1}, 24});
                }),
                {"up direction"});
    expect_says(error_of<InputError>([] {
                    require_valid(Camera{{0, 0, 5}, {0, 1, 0}, {0, 0, 1}, 180});
                }),
                {"180", "170"});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    expect_says(error_of<InputError>([&] {
                    require_valid(Camera{{nan, 0, 5}, {0, 1, 0}, {0, 0, 1}, 24});
                }),
                {"finite"});
    expect_says(error_of<InputError>([] { view_by_name("frnt"); }), {"frnt", "did you mean \"front\"?"});
}

}  // namespace
}  // namespace rumple
