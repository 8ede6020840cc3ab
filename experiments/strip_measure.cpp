#include <algorithm>
#include <cmath>
#include <experiments/strip_measure.hpp>
#include <numbers>
#include <vector>

namespace rumple {

namespace {

std::vector<Vec3d> middle_line(const StripGrid& grid, std::span<const Vec3d> x) {
    std::vector<Vec3d> line(static_cast<std::size_t>(grid.columns));
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            line[static_cast<std::size_t>(column)] +=
                (1.0 / grid.rows) * x[static_cast<std::size_t>(row * grid.columns + column)];
    return line;
}

double degrees_between(Vec3d a, Vec3d b) {
    return 180 / std::numbers::pi * std::atan2(norm(cross(a, b)), dot(a, b));
}

}  // namespace

double fold_angle(const StripGrid& grid, double fitted, std::span<const Vec3d> x) {
    const std::vector<Vec3d> line = middle_line(grid, x);
    const int edges =
        std::min((grid.columns - 1) / 2, static_cast<int>(std::floor(fitted / grid.edge + 1e-9)));
    // least-squares direction over columns equally spaced along the limb, pointing from the fold outwards
    const auto direction = [&](int end, int inwards) {
        Vec3d slope;
        for (int i = 0; i <= edges; ++i)
            slope += (0.5 * edges - i) * line[static_cast<std::size_t>(end + inwards * i)];
        return normalized(slope);
    };
    // opposite directions are flat
    return 180 - degrees_between(direction(0, 1), direction(grid.columns - 1, -1));
}

double crease_angle(const StripGrid& grid, double window, std::span<const Vec3d> x) {
    const std::vector<Vec3d> line = middle_line(grid, x);
    const auto edges = static_cast<std::size_t>(std::max(1.0, std::round(window / grid.edge)));
    double sharpest = 0;
    for (std::size_t i = 0; i + 1 + edges < line.size(); ++i)
        sharpest =
            std::max(sharpest, degrees_between(line[i + 1] - line[i], line[i + 1 + edges] - line[i + edges]));
    return sharpest;
}

}  // namespace rumple
