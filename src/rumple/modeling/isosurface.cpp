#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <rumple/modeling/isosurface.hpp>
#include <unordered_map>

namespace rumple {

namespace {

// A number for each pair of vertices, given out in the order in which pairs are first met.
class PointOnEdge {
  public:
    // The index for the edge a-b; `create` is called once, with the two ends in rising order.
    template <class Create>
    int at(std::int64_t a, std::int64_t b, Create&& create) {
        if (a > b) std::swap(a, b);
        const auto [place, is_new] = index_.try_emplace(std::pair(a, b), 0);
        if (is_new) place->second = create(a, b);
        return place->second;
    }

  private:
    struct Hash {
        std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& edge) const {
            return std::size_t(edge.first) * 0x9E3779B97F4A7C15u ^
                   std::size_t(edge.second) * 0xC2B2AE3D27D4EB4Fu;
        }
    };
    std::unordered_map<std::pair<std::int64_t, std::int64_t>, int, Hash> index_;
};

constexpr double kSnap = 0.02;  // of an edge: crossings stay this far from its ends, or triangles vanish

class Marching {
  public:
    Marching(const ScalarField& field, const Bounds& box, double cell) : low_(box.low) {
        const Vec3d size = box.high - box.low;
        for (int k = 0; k < 3; ++k) {
            count_[std::size_t(k)] = std::max<std::int64_t>(1, std::llround(size[k] / cell));
            step_[k] = size[k] / double(count_[std::size_t(k)]);
        }
        const double smallest = 1e-9 * cell;
        value_.resize(std::size_t((count_[0] + 1) * (count_[1] + 1) * (count_[2] + 1)));
        for (std::size_t i = 0; i < value_.size(); ++i) {
            value_[i] = field(point(std::int64_t(i)));
            if (std::abs(value_[i]) < smallest)
                value_[i] = smallest;  // no vertex of the grid is on the surface
        }
    }

    TriMesh run() {
        // Six tetrahedra around the diagonal of a cell: one for each order in which x, y, z are stepped
        // along.
        constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (std::int64_t k = 0; k < count_[2]; ++k)
            for (std::int64_t j = 0; j < count_[1]; ++j)
                for (std::int64_t i = 0; i < count_[0]; ++i)
                    for (const auto& order : kOrders) {
                        std::array<std::int64_t, 3> at{i, j, k};
                        std::array<std::int64_t, 4> corner;
                        corner[0] = node(at);
                        for (std::size_t s = 0; s < 3; ++s) {
                            ++at[std::size_t(order[s])];
                            corner[s + 1] = node(at);
                        }
                        const bool mirrored = (order[1] - order[0] + 3) % 3 == 2;
                        if (mirrored) std::swap(corner[1], corner[2]);
                        cut(corner);
                    }
        return std::move(mesh_);
    }

  private:
    std::int64_t node(const std::array<std::int64_t, 3>& at) const {
        return (at[2] * (count_[1] + 1) + at[1]) * (count_[0] + 1) + at[0];
    }
    Vec3d point(std::int64_t node) const {
        const std::int64_t nx = count_[0] + 1, ny = count_[1] + 1;
        const std::int64_t x = node % nx, y = node / nx % ny, z = node / (nx * ny);
        return low_ + Vec3d{double(x) * step_.x, double(y) * step_.y, double(z) * step_.z};
    }
    int crossing(std::int64_t a, std::int64_t b) {
        return points_.at(a, b, [&](std::int64_t low, std::int64_t high) {
            const double f0 = value_[std::size_t(low)], f1 = value_[std::size_t(high)];
            const double s = std::clamp(f0 / (f0 - f1), kSnap, 1 - kSnap);
            mesh_.positions.push_back((1 - s) * point(low) + s * point(high));
            return int(mesh_.positions.size()) - 1;
        });
    }
    // The corners of a tetrahedron, positively oriented.
    void cut(const std::array<std::int64_t, 4>& c) {
        std::array<std::size_t, 4> in{}, out{};
        std::size_t inside = 0, outside = 0;
        for (std::size_t i = 0; i < 4; ++i)
            (value_[std::size_t(c[i])] < 0 ? in[inside++] : out[outside++]) = i;
        if (inside == 0 || outside == 0) return;
        // Whether (in..., out...) is an even permutation of the corners decides which way triangles wind.
        std::array<std::size_t, 4> order{};
        std::copy_n(in.begin(), inside, order.begin());
        std::copy_n(out.begin(), outside, order.begin() + std::ptrdiff_t(inside));
        int swaps = 0;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i + 1; j < 4; ++j) swaps += order[i] > order[j];
        const bool odd = swaps % 2 == 1;
        const auto x = [&](std::size_t i, std::size_t j) { return crossing(c[order[i]], c[order[j]]); };
        if (inside == 1) {
            add(x(0, 1), x(0, 2), x(0, 3), odd);
        } else if (inside == 3) {
            add(x(0, 3), x(1, 3), x(2, 3), odd);
        } else {
            const int a = x(0, 2), b = x(0, 3), d = x(1, 3), e = x(1, 2);
            add(a, b, d, odd);
            add(a, d, e, odd);
        }
    }
    void add(int a, int b, int c, bool reversed) {
        if (reversed) std::swap(b, c);
        mesh_.triangles.push_back({a, b, c});
    }

    Vec3d low_, step_;
    std::array<std::int64_t, 3> count_{};
    std::vector<double> value_;
    PointOnEdge points_;
    TriMesh mesh_;
};

Vec3d gradient(const ScalarField& field, Vec3d p, double step) {
    Vec3d g;
    for (int k = 0; k < 3; ++k) {
        Vec3d ahead = p, behind = p;
        ahead[k] += step;
        behind[k] -= step;
        g[k] = (field(ahead) - field(behind)) / (2 * step);
    }
    return g;
}

constexpr int kNewtonSteps = 6;

}  // namespace

TriMesh isosurface(const ScalarField& field, const Bounds& box, double cell) {
    return Marching(field, box, cell).run();
}

TriMesh clip_mesh(const TriMesh& mesh, const ScalarField& keep) {
    std::vector<double> value(mesh.positions.size());
    for (std::size_t v = 0; v < value.size(); ++v) value[v] = keep(mesh.positions[v]);
    TriMesh out;
    std::vector<int> moved(mesh.positions.size(), -1);
    const auto whole = [&](int v) {
        int& to = moved[std::size_t(v)];
        if (to < 0) {
            to = int(out.positions.size());
            out.positions.push_back(mesh.positions[std::size_t(v)]);
        }
        return to;
    };
    PointOnEdge points;
    const auto crossing = [&](int a, int b) {
        return points.at(a, b, [&](std::int64_t low, std::int64_t high) {
            const double f0 = value[std::size_t(low)], f1 = value[std::size_t(high)];
            const double s = std::clamp(f0 / (f0 - f1), kSnap, 1 - kSnap);
            out.positions.push_back((1 - s) * mesh.positions[std::size_t(low)] +
                                    s * mesh.positions[std::size_t(high)]);
            return int(out.positions.size()) - 1;
        });
    };
    for (const auto& t : mesh.triangles) {
        std::array<int, 4> polygon{};
        std::size_t n = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            const bool a_in = value[std::size_t(a)] >= 0, b_in = value[std::size_t(b)] >= 0;
            if (a_in) polygon[n++] = whole(a);
            if (a_in != b_in) polygon[n++] = crossing(a, b);
        }
        for (std::size_t k = 2; k < n; ++k) out.triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
    }
    return out;
}

TriMesh largest_piece(const TriMesh& mesh) {
    std::vector<int> parent(mesh.positions.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto find = [&](int v) {
        while (parent[std::size_t(v)] != v)
            v = parent[std::size_t(v)] = parent[std::size_t(parent[std::size_t(v)])];
        return v;
    };
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 1; k < 3; ++k) {
            const int a = find(t[0]), b = find(t[k]);
            if (a != b) parent[std::size_t(std::max(a, b))] = std::min(a, b);
        }
    std::vector<int> size(mesh.positions.size());
    for (const auto& t : mesh.triangles) ++size[std::size_t(find(t[0]))];
    if (size.empty()) return {};
    const int root = int(std::max_element(size.begin(), size.end()) - size.begin());
    TriMesh out;
    std::vector<int> moved(mesh.positions.size(), -1);
    for (const auto& t : mesh.triangles) {
        if (find(t[0]) != root) continue;
        std::array<int, 3> triangle{};
        for (std::size_t k = 0; k < 3; ++k) {
            int& to = moved[std::size_t(t[k])];
            if (to < 0) {
                to = int(out.positions.size());
                out.positions.push_back(mesh.positions[std::size_t(t[k])]);
            }
            triangle[k] = to;
        }
        out.triangles.push_back(triangle);
    }
    return out;
}

Vec3d project_to_zero(const ScalarField& field, Vec3d p, double step) {
    for (int i = 0; i < kNewtonSteps; ++i) {
        const double f = field(p);
        if (std::abs(f) < 1e-2 * step) break;
        const Vec3d g = gradient(field, p, step);
        const double steepness = dot(g, g);
        if (steepness < 1e-4) break;
        p -= (f / steepness) * g;
    }
    return p;
}

Vec3d project_to_zero(const ScalarField& field, const ScalarField& also, Vec3d p, double step) {
    for (int i = 0; i < kNewtonSteps; ++i) {
        const double f = field(p), h = also(p);
        if (std::abs(f) + std::abs(h) < 1e-2 * step) break;
        const Vec3d a = gradient(field, p, step), b = gradient(also, p, step);
        // The shortest move d with a.d = -f and b.d = -h lies in the plane of a and b.
        const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), det = aa * bb - ab * ab;
        if (det < 1e-4 * aa * bb || det == 0) break;
        p -= ((f * bb - h * ab) / det) * a + ((h * aa - f * ab) / det) * b;
    }
    return p;
}

}  // namespace rumple
