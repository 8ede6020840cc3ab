#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple_render/subdivision.hpp>

namespace rumple {

namespace {

constexpr double kCorner = 50;                         // degrees
constexpr std::array kTaubin{0.5, -0.53, 0.5, -0.53};  // lambda and mu, twice
constexpr std::array kMean{0.5};                       // of a vertex and its neighbours
// Sharp creases are filtered once more, and harder: a staircase of them has waves of several edges.
constexpr std::array kCreased{0.6, -0.64, 0.6, -0.64, 0.6, -0.64, 0.6, -0.64};
constexpr CreaseAngles kSharp{20, 50}, kBlunt{18, 45};
constexpr double kBesideCrease = 0.8;  // a neighbour's share of a crease's filter
constexpr double kAlong = 0.5;         // of the way to the mean along a crease, each pass
constexpr int kAlongPasses = 8;
constexpr int kMeanRounds = 3;    // a vertex and its neighbours, so many times
constexpr double kOneLine = 0.7;  // share of the turning that follows one direction: below, creases meet

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Sum and number of neighbours of each vertex, and of those along sharp edges.
struct Ring {
    Vec3d sum, sharp_sum;
    int edges = 0, sharp_edges = 0;
};

std::vector<Ring> rings(const LoopLevel& level, std::span<const Vec3d> x) {
    std::vector<Ring> all(x.size());
    for (const LoopEdge& e : level.edges)
        for (const auto& [v, other] : {std::pair{e.a, e.b}, {e.b, e.a}}) {
            Ring& ring = all[at(v)];
            ring.sum += x[at(other)];
            ++ring.edges;
            if (!e.sharp) continue;
            ring.sharp_sum += x[at(other)];
            ++ring.sharp_edges;
        }
    return all;
}

// Loop's weight of each neighbour of an inner vertex with n of them.
double beta(int n) {
    const double c = 3.0 / 8 + std::cos(2 * std::numbers::pi / n) / 4;
    return (5.0 / 8 - c * c) / n;
}

enum class Rule { smooth, border, fixed };

Rule rule_of(const Ring& ring, char corner) {
    if (corner || ring.sharp_edges > 2 || ring.edges < 2) return Rule::fixed;
    return ring.sharp_edges == 2 ? Rule::border : Rule::smooth;
}

Vec3d unit(Vec3d v) {
    const double length = norm(v);
    return length > 0 ? (1 / length) * v : v;
}

}  // namespace

LoopLevel loop_level(const Triangles& triangles, int count, const LoopLevel* before) {
    LoopLevel level;
    level.count = count;
    level.sides.resize(triangles.size());
    level.edges.reserve(triangles.size() * 3 / 2 + 16);
    std::vector<int> first(at(count), -1), next;  // lists of the edges of each lower vertex
    next.reserve(level.edges.capacity());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const int p = triangles[t][i], q = triangles[t][(i + 1) % 3], r = triangles[t][(i + 2) % 3];
            const int a = std::min(p, q), b = std::max(p, q);
            int e = first[at(a)];
            while (e >= 0 && level.edges[at(e)].b != b) e = next[at(e)];
            if (e < 0) {
                e = static_cast<int>(level.edges.size());
                level.edges.push_back({a, b});
                next.push_back(first[at(a)]);
                first[at(a)] = e;
            }
            LoopEdge& edge = level.edges[at(e)];
            (edge.triangles++ == 0 ? edge.left : edge.right) = r;
            level.sides[t][i] = e;
        }
    for (LoopEdge& e : level.edges)
        e.sharp = e.triangles != 2 || (before && e.a < before->count && e.b >= before->count &&
                                       before->edges[at(e.b - before->count)].sharp);
    level.triangles.reserve(4 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto [a, b, c] = triangles[t];
        const int ab = count + level.sides[t][0], bc = count + level.sides[t][1],
                  ca = count + level.sides[t][2];
        level.triangles.insert(level.triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    return level;
}

void mark_creases(LoopLevel& level, const Triangles& triangles, std::span<const Vec3d> x, double degrees) {
    if (degrees >= 180) return;
    const double limit = std::cos(degrees * std::numbers::pi / 180);
    std::vector<Vec3d> normal(level.edges.size());  // of the first triangle at each edge
    std::vector<char> seen(level.edges.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto [a, b, c] = triangles[t];
        const Vec3d n = unit(cross(x[at(b)] - x[at(a)], x[at(c)] - x[at(a)]));
        for (const int e : level.sides[t]) {
            if (!seen[at(e)])
                normal[at(e)] = n;
            else if (dot(normal[at(e)], n) < limit)
                level.edges[at(e)].sharp = true;
            seen[at(e)] = 1;
        }
    }
}

std::vector<char> corners_of(const LoopLevel& level, std::span<const Vec3d> x) {
    std::vector<Vec3d> one(x.size()), two(x.size());  // towards the sharp neighbours
    std::vector<int> sharp(x.size());
    for (const LoopEdge& e : level.edges) {
        if (!e.sharp) continue;
        for (const auto& [v, other] : {std::pair{e.a, e.b}, {e.b, e.a}})
            (sharp[at(v)]++ == 0 ? one : two)[at(v)] = unit(x[at(other)] - x[at(v)]);
    }
    const double limit = -std::cos(kCorner * std::numbers::pi / 180);
    std::vector<char> corner(x.size());
    for (std::size_t v = 0; v < x.size(); ++v)
        corner[v] = sharp[v] > 2 || (sharp[v] == 2 && dot(one[v], two[v]) > limit);
    return corner;
}

std::vector<Vec3d> loop_positions(const LoopLevel& level, std::span<const Vec3d> x,
                                  const std::vector<char>& corner) {
    const std::vector<Ring> ring = rings(level, x);
    std::vector<Vec3d> out;
    out.reserve(x.size() + level.edges.size());
    for (std::size_t v = 0; v < x.size(); ++v) {
        const Ring& r = ring[v];
        const Rule rule = rule_of(r, v < corner.size() ? corner[v] : char{0});
        if (rule == Rule::fixed)
            out.push_back(x[v]);
        else if (rule == Rule::border)
            out.push_back(0.75 * x[v] + 0.125 * r.sharp_sum);
        else
            out.push_back((1 - r.edges * beta(r.edges)) * x[v] + beta(r.edges) * r.sum);
    }
    for (const LoopEdge& e : level.edges) {
        const Vec3d ends = x[at(e.a)] + x[at(e.b)];
        out.push_back(e.sharp ? 0.5 * ends : 0.375 * ends + 0.125 * (x[at(e.left)] + x[at(e.right)]));
    }
    return out;
}

std::vector<Vec3d> loop_limit(const LoopLevel& level, std::span<const Vec3d> x,
                              const std::vector<char>& corner) {
    const std::vector<Ring> ring = rings(level, x);
    std::vector<Vec3d> out(x.begin(), x.end());
    for (std::size_t v = 0; v < x.size(); ++v) {
        const Ring& r = ring[v];
        const Rule rule = rule_of(r, v < corner.size() ? corner[v] : char{0});
        if (rule == Rule::border) {
            out[v] = (4.0 / 6) * x[v] + (1.0 / 6) * r.sharp_sum;
        } else if (rule == Rule::smooth) {
            const double weight = 1 / (3 / (8 * beta(r.edges)) + r.edges);
            out[v] = (1 - r.edges * weight) * x[v] + weight * r.sum;
        }
    }
    return out;
}

std::vector<double> edge_weights(const LoopLevel& level, const Triangles& triangles,
                                 std::span<const Vec3d> shape) {
    std::vector<double> weights(level.edges.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3d opposite = shape[at(triangles[t][(i + 2) % 3])];
            const Vec3d p = shape[at(triangles[t][i])] - opposite,
                        q = shape[at(triangles[t][(i + 1) % 3])] - opposite;
            const double twice = norm(cross(p, q));
            if (twice > 0) weights[at(level.sides[t][i])] += std::max(0.0, dot(p, q) / twice);
        }
    return weights;
}

// visit(edge, c): c is the cosine of the angle between the two triangles at an edge inside the mesh.
template <class Visit>
void for_each_hinge(const LoopLevel& level, const Triangles& triangles, std::span<const Vec3d> x,
                    Visit&& visit) {
    std::vector<Vec3d> normal(level.edges.size());  // of the first triangle at each edge
    std::vector<char> seen(level.edges.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto [a, b, c] = triangles[t];
        const Vec3d n = unit(cross(x[at(b)] - x[at(a)], x[at(c)] - x[at(a)]));
        for (const int e : level.sides[t]) {
            if (seen[at(e)]) {
                visit(level.edges[at(e)], dot(normal[at(e)], n));
            } else {
                normal[at(e)] = n;
                seen[at(e)] = 1;
            }
        }
    }
}

std::vector<double> creased(const LoopLevel& level, const Triangles& triangles, std::span<const Vec3d> x,
                            CreaseAngles angles) {
    std::vector<double> share(x.size());
    for_each_hinge(level, triangles, x, [&](const LoopEdge& edge, double cosine) {
        const double angle = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
        const double u = std::clamp((angle - angles.none) / (angles.all - angles.none), 0.0, 1.0);
        for (const int v : {edge.a, edge.b}) share[at(v)] = std::max(share[at(v)], u * u * (3 - 2 * u));
    });
    std::vector<double> spread = share;
    for (const LoopEdge& e : level.edges)
        for (const auto& [v, other] : {std::pair{e.a, e.b}, {e.b, e.a}})
            spread[at(v)] = std::max(spread[at(v)], kBesideCrease * share[at(other)]);
    return spread;
}

std::vector<Vec3d> without_steps(const LoopLevel& level, std::span<const Vec3d> positions,
                                 std::span<const double> weights, const std::vector<char>& corner,
                                 std::span<const double> passes, std::span<const double> share) {
    std::vector<Vec3d> x(positions.begin(), positions.end());
    const std::vector<Ring> ring = rings(level, x);
    for (const double pass : passes) {
        std::vector<Vec3d> sum(x.size());
        std::vector<double> total(x.size());
        for (std::size_t e = 0; e < level.edges.size(); ++e) {
            const std::size_t a = at(level.edges[e].a), b = at(level.edges[e].b);
            sum[a] += weights[e] * x[b];
            sum[b] += weights[e] * x[a];
            total[a] += weights[e];
            total[b] += weights[e];
        }
        for (std::size_t v = 0; v < x.size(); ++v)
            if (rule_of(ring[v], corner[v]) == Rule::smooth && total[v] > 0)
                x[v] += (share.empty() ? pass : share[v] * pass) * ((1 / total[v]) * sum[v] - x[v]);
    }
    return x;
}

namespace {

using Tensor = std::array<double, 6>;  // symmetric: xx, yy, zz, xy, yz, zx

void add_line(Tensor& sum, Vec3d d) {
    const double part[] = {d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.y * d.z, d.z * d.x};
    for (std::size_t i = 0; i < 6; ++i) sum[i] += part[i];
}

Vec3d times(const Tensor& t, Vec3d d) {
    return {t[0] * d.x + t[3] * d.y + t[5] * d.z, t[3] * d.x + t[1] * d.y + t[4] * d.z,
            t[5] * d.x + t[4] * d.y + t[2] * d.z};
}

// Direction of the edges around each vertex that turn most, as long as they agree; otherwise 0.
std::vector<Vec3d> crease_directions(const LoopLevel& level, const Triangles& triangles,
                                     std::span<const Vec3d> x) {
    std::vector<Tensor> lines(x.size());
    for_each_hinge(level, triangles, x, [&](const LoopEdge& edge, double cosine) {
        const Vec3d line = std::max(0.0, 1 - cosine) * (x[at(edge.b)] - x[at(edge.a)]);
        for (const int v : {edge.a, edge.b}) add_line(lines[at(v)], line);
    });
    for (int round = 0; round < 2; ++round) {
        const std::vector<Tensor> before = lines;
        for (const LoopEdge& e : level.edges)
            for (std::size_t i = 0; i < 6; ++i)
                lines[at(e.a)][i] += before[at(e.b)][i], lines[at(e.b)][i] += before[at(e.a)][i];
    }
    std::vector<Vec3d> directions(x.size());
    for (std::size_t v = 0; v < x.size(); ++v) {
        const Tensor& t = lines[v];
        const double trace = t[0] + t[1] + t[2];
        if (!(trace > 0)) continue;
        Vec3d d = t[0] >= t[1] && t[0] >= t[2] ? Vec3d{1, 0, 0}
                  : t[1] >= t[2]               ? Vec3d{0, 1, 0}
                                               : Vec3d{0, 0, 1};
        for (int round = 0; round < 12; ++round) d = unit(times(t, d));
        if (dot(d, times(t, d)) > kOneLine * trace) directions[v] = d;
    }
    return directions;
}

// What of the values varies from vertex to vertex, without what they share with those around.
std::vector<double> without_mean(const LoopLevel& level, const std::vector<double>& values) {
    std::vector<double> mean = values;
    for (int round = 0; round < kMeanRounds; ++round) {
        std::vector<double> sum = mean, count(mean.size(), 1);
        for (const LoopEdge& e : level.edges) {
            sum[at(e.a)] += mean[at(e.b)], ++count[at(e.a)];
            sum[at(e.b)] += mean[at(e.a)], ++count[at(e.b)];
        }
        for (std::size_t v = 0; v < mean.size(); ++v) mean[v] = sum[v] / count[v];
    }
    for (std::size_t v = 0; v < mean.size(); ++v) mean[v] = values[v] - mean[v];
    return mean;
}

}  // namespace

std::vector<Vec3d> along_creases(const LoopLevel& level, const Triangles& triangles,
                                 std::span<const Vec3d> positions, const std::vector<char>& corner,
                                 std::span<const double> share) {
    std::vector<Vec3d> x(positions.begin(), positions.end());
    const std::vector<Ring> ring = rings(level, x);
    const std::vector<Vec3d> direction = crease_directions(level, triangles, x);
    std::vector<Vec3d> normal(x.size());
    for (const auto& [a, b, c] : triangles) {
        const Vec3d n = cross(x[at(b)] - x[at(a)], x[at(c)] - x[at(a)]);
        for (const int v : {a, b, c}) normal[at(v)] += n;
    }
    for (Vec3d& n : normal) n = unit(n);
    for (int pass = 0; pass < kAlongPasses; ++pass) {
        std::vector<Vec3d> sum(x.size());
        std::vector<double> total(x.size());
        for (const LoopEdge& e : level.edges) {
            const Vec3d d = unit(x[at(e.b)] - x[at(e.a)]);
            for (const auto& [v, other] : {std::pair{e.a, e.b}, {e.b, e.a}}) {
                const double c = dot(d, direction[at(v)]), c2 = c * c, c4 = c2 * c2,
                             w = c4 * c4 * share[at(other)];
                sum[at(v)] += w * x[at(other)];
                total[at(v)] += w;
            }
        }
        for (std::size_t v = 0; v < x.size(); ++v) {
            if (rule_of(ring[v], corner[v]) != Rule::smooth || !(total[v] > 1e-6)) continue;
            const double height = dot(normal[v], (1 / total[v]) * sum[v] - x[v]);
            x[v] += (kAlong * share[v] * height) * normal[v];  // seams and threads stay where they are
        }
    }
    // A knee below a coarse mesh is a crease, too: it must not sink as a whole.
    std::vector<double> moved(x.size());
    for (std::size_t v = 0; v < x.size(); ++v) moved[v] = dot(normal[v], x[v] - positions[v]);
    moved = without_mean(level, moved);
    for (std::size_t v = 0; v < x.size(); ++v)
        if (share[v] > 0) x[v] = positions[v] + moved[v] * normal[v];
    return x;
}

namespace {

// Control points without staircases, and so far outwards that Loop's surface passes close to the given
// positions.
std::vector<Vec3d> control_points(const LoopLevel& level, std::span<const Vec3d> positions,
                                  const Triangles& triangles, std::span<const Vec3d> shape,
                                  const std::vector<char>& corner, const SmoothOptions& options) {
    const std::vector<double> weights = edge_weights(level, triangles, shape);
    std::vector<Vec3d> x = without_steps(level, positions, weights, corner, kTaubin);
    if (options.find_creases) {
        x = along_creases(level, triangles, x, corner, creased(level, triangles, x, kBlunt));
        x = without_steps(level, x, weights, corner, kCreased, creased(level, triangles, x, kSharp));
    }
    if (options.levels == 0) return x;
    std::vector<Vec3d> outwards = loop_limit(level, x, corner);
    for (std::size_t v = 0; v < outwards.size(); ++v) outwards[v] = x[v] - outwards[v];
    outwards = without_steps(level, outwards, weights, corner, kMean);
    for (std::size_t v = 0; v < outwards.size(); ++v) x[v] += outwards[v];
    return x;
}

}  // namespace

SmoothMesh smooth_mesh(std::span<const Vec3d> positions, const Triangles& triangles,
                       std::span<const Vec3d> shape, const SmoothOptions& options) {
    SmoothMesh mesh{{positions.begin(), positions.end()}, triangles, {}};
    std::vector<char> corner;
    for (int l = 0; l <= options.levels; ++l) {
        LoopLevel level = loop_level(mesh.triangles, static_cast<int>(mesh.positions.size()),
                                     l ? &mesh.levels.back() : nullptr);
        if (l == 0) {
            mark_creases(level, mesh.triangles, shape, options.crease_degrees);
            corner = corners_of(level, shape);
            mesh.positions = control_points(level, positions, triangles, shape, corner, options);
            if (options.levels == 0) break;
        }
        if (l == options.levels) {
            mesh.positions = loop_limit(level, mesh.positions, corner);
            break;
        }
        mesh.positions = loop_positions(level, mesh.positions, corner);
        mesh.triangles = level.triangles;
        mesh.levels.push_back(std::move(level));
    }
    return mesh;
}

}  // namespace rumple
