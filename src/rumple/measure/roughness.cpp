#include <cmath>
#include <rumple/measure/roughness.hpp>
#include <vector>

namespace rumple {

namespace {

using Column = std::vector<double>;  // one entry a vertex

double dot(const Column& a, const Column& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// Takes from `column` all it has in common with the orthonormal `basis`; the second pass removes the first
// one's rounding errors.
void remove_span(Column& column, const std::vector<Column>& basis) {
    for (int pass = 0; pass < 2; ++pass)
        for (const Column& q : basis) {
            const double share = dot(q, column);
            for (std::size_t i = 0; i < column.size(); ++i) column[i] -= share * q[i];
        }
}

// Adds what is new in `column`, if that is more than `least`. A flat sheet or a round tube does not tell all
// monomials apart (x^2 + y^2 is constant on a tube about z): those that add only rounding errors are left
// out.
void extend_span(std::vector<Column>& basis, Column column, double least) {
    remove_span(column, basis);
    const double length = std::sqrt(dot(column, column));
    if (!(length > least)) return;
    for (double& c : column) c /= length;
    basis.push_back(std::move(column));
}

// Each vertex's share of the rest area.
Column vertex_areas(std::span<const double> rest_area, std::span<const std::array<int, 3>> triangles,
                    std::size_t vertices) {
    Column area(vertices);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const int v : triangles[t]) area[std::size_t(v)] += rest_area[t] / 3;
    return area;
}

Vec3d centroid(const Column& weight, double total, std::span<const Vec3d> x) {
    Vec3d sum;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (weight[i] / total) * x[i];
    return sum;
}

}  // namespace

double roughness(std::span<const double> rest_area, std::span<const std::array<int, 3>> triangles,
                 std::span<const Vec3d> x, std::span<const Vec3d> reference) {
    const std::size_t n = x.size();
    const Column weight = vertex_areas(rest_area, triangles, n);
    double area = 0;
    for (const double w : weight) area += w;
    if (!(area > 0)) return 0;

    const Vec3d centre = centroid(weight, area, reference), centre_x = centroid(weight, area, x);
    double spread = 0;  // RMS distance from the centre: in this unit all monomials are of order 1
    for (std::size_t i = 0; i < n; ++i)
        spread += weight[i] / area * rumple::dot(reference[i] - centre, reference[i] - centre);
    if (!(spread > 0)) return 0;
    const double scale = 1 / std::sqrt(spread), least = 1e-9 * std::sqrt(area);

    const auto weighted = [&](auto&& value) {
        Column column(n);
        for (std::size_t i = 0; i < n; ++i) column[i] = std::sqrt(weight[i]) * value(i);
        return column;
    };
    const auto coordinate = [&](std::size_t i, int a) { return scale * (reference[i] - centre)[a]; };
    std::vector<Column> smooth;  // orthonormal basis of the polynomials
    extend_span(smooth, weighted([](std::size_t) { return 1.0; }), least);
    for (int a = 0; a < 3; ++a)
        extend_span(smooth, weighted([&](std::size_t i) { return coordinate(i, a); }), least);
    for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b)
            extend_span(smooth, weighted([&](std::size_t i) { return coordinate(i, a) * coordinate(i, b); }),
                        least);
    double residual = 0;
    for (int a = 0; a < 3; ++a) {
        Column rest = weighted([&](std::size_t i) { return (x[i] - centre_x)[a]; });
        remove_span(rest, smooth);
        residual += dot(rest, rest);
    }
    return std::sqrt(residual / area);
}

}  // namespace rumple
