// Meshes for the contact tests: grids with given noise, and positions to go with them.
#pragma once

#include <array>
#include <random>
#include <rumple/contact/surface.hpp>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple::test {

using namespace contact;

using Triangles = std::vector<std::array<int, 3>>;

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(engine_()) / 4294967295.0);
    }
    int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
    Vec3d in_cube(double half) { return {between(-half, half), between(-half, half), between(-half, half)}; }
    // log-uniform
    double scale(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }

  private:
    std::mt19937 engine_;
};

// nx by ny vertices.
inline Triangles grid_triangles(int nx, int ny) {
    Triangles t;
    for (int j = 0; j + 1 < ny; ++j)
        for (int i = 0; i + 1 < nx; ++i) {
            const int a = j * nx + i, b = a + 1, c = a + nx, d = c + 1;
            if ((i + j) % 2 == 0) {
                t.push_back({a, b, d});
                t.push_back({a, d, c});
            } else {
                t.push_back({a, b, c});
                t.push_back({b, d, c});
            }
        }
    return t;
}

inline std::vector<Vec3d> grid_points(int nx, int ny, double spacing, Vec3d corner = {}) {
    std::vector<Vec3d> x;
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) x.push_back(corner + Vec3d{i * spacing, j * spacing, 0});
    return x;
}

}  // namespace rumple::test
