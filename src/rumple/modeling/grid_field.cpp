#include <algorithm>
#include <cmath>
#include <rumple/modeling/grid_field.hpp>

namespace rumple {

namespace {

std::array<double, 4> catmull_rom(double u) {
    const double u2 = u * u, u3 = u2 * u;
    return {0.5 * (-u3 + 2 * u2 - u), 0.5 * (3 * u3 - 5 * u2 + 2), 0.5 * (-3 * u3 + 4 * u2 + u),
            0.5 * (u3 - u2)};
}

}  // namespace

GridField::GridField(const ScalarField& field, const Bounds& box, double cell) : low_(box.low) {
    const Vec3d size = box.high - box.low;
    for (int k = 0; k < 3; ++k) {
        const std::int64_t cells = std::max<std::int64_t>(1, std::llround(size[k] / cell));
        count_[std::size_t(k)] = cells + 1;
        step_[k] = size[k] / double(cells);
    }
    value_.reserve(std::size_t(count_[0] * count_[1] * count_[2]));
    for (std::int64_t k = 0; k < count_[2]; ++k)
        for (std::int64_t j = 0; j < count_[1]; ++j)
            for (std::int64_t i = 0; i < count_[0]; ++i)
                value_.push_back(
                    field(low_ + Vec3d{double(i) * step_.x, double(j) * step_.y, double(k) * step_.z}));
}

double GridField::sample(std::int64_t i, std::int64_t j, std::int64_t k) const {
    i = std::clamp<std::int64_t>(i, 0, count_[0] - 1);
    j = std::clamp<std::int64_t>(j, 0, count_[1] - 1);
    k = std::clamp<std::int64_t>(k, 0, count_[2] - 1);
    return value_[std::size_t((k * count_[1] + j) * count_[0] + i)];
}

double GridField::operator()(Vec3d p) const {
    std::array<std::int64_t, 3> at{};
    std::array<std::array<double, 4>, 3> weight{};
    for (int k = 0; k < 3; ++k) {
        const auto axis = std::size_t(k);
        const double x = std::clamp((p[k] - low_[k]) / step_[k], 0.0, double(count_[axis] - 1));
        at[axis] = std::min(std::int64_t(x), count_[axis] - 2);
        weight[axis] = catmull_rom(x - double(at[axis]));
    }
    double sum = 0;
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t b = 0; b < 4; ++b) {
            double row = 0;
            for (std::size_t a = 0; a < 4; ++a)
                row += weight[0][a] * sample(at[0] + std::int64_t(a) - 1, at[1] + std::int64_t(b) - 1,
                                             at[2] + std::int64_t(c) - 1);
            sum += weight[1][b] * weight[2][c] * row;
        }
    return sum;
}

}  // namespace rumple
