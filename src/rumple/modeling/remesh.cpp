#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple/mesh/edges.hpp>
#include <rumple/modeling/isosurface.hpp>
#include <rumple/modeling/remesh.hpp>
#include <span>

namespace rumple {

namespace {

using Triangles = std::vector<std::array<int, 3>>;

// An edge with its one or two triangles; corner: where in the triangle the walk along the edge begins.
struct Edge {
    int a, b;
    int t0, c0, t1, c1;  // t1 < 0: border
    double length;
};

class Remesher {
  public:
    Remesher(const TriMesh& mesh, const RemeshOptions& options)
        : options_(options), x_(mesh.positions), triangles_(mesh.triangles) {}

    TriMesh run() {
        // Too fine or too coarse a start is brought near in steps, so that collapses keep the shape.
        for (int round = 0; round < options_.rounds; ++round) {
            split();
            for (int pass = 0; pass < (round < 2 ? 12 : 4) && collapse(); ++pass) {
            }
            for (int pass = 0; pass < 4 && flip(); ++pass) {
            }
            relax(2);
        }
        for (int pass = 0; pass < 4 && flip(); ++pass) {
        }
        relax(2);
        return largest_piece({x_, triangles_, {}, {}});
    }

  private:
    // Edges and fans of the mesh as it is: made once, until positions or triangles change.
    void find_neighbourhood() {
        if (current_) return;
        find_edges();
        find_fans();
        current_ = true;
    }
    void find_edges() {
        sort_edge_walks(triangles_, x_.size(), sorted_);
        edges_.clear();
        border_.assign(x_.size(), 0);
        const auto& walks = sorted_.walks;
        for (std::size_t i = 0; i < walks.size();) {
            const EdgeWalk &w = walks[i], *next = i + 1 < walks.size() ? &walks[i + 1] : nullptr;
            const bool inner = next && next->low() == w.low() && next->high() == w.high();
            edges_.push_back({w.from, w.to, w.triangle, w.corner, inner ? next->triangle : -1,
                              inner ? next->corner : 0, norm(at(w.from) - at(w.to))});
            if (!inner) border_[std::size_t(w.from)] = border_[std::size_t(w.to)] = 1;
            i += inner ? 2 : 1;
        }
    }
    // Triangles around each vertex.
    void find_fans() {
        fan_begin_.assign(x_.size() + 1, 0);
        for (const auto& t : triangles_)
            for (const int v : t) ++fan_begin_[std::size_t(v) + 1];
        for (std::size_t v = 0; v < x_.size(); ++v) fan_begin_[v + 1] += fan_begin_[v];
        fan_.resize(3 * triangles_.size());
        std::vector<int> next(fan_begin_.begin(), fan_begin_.end() - 1);
        for (std::size_t t = 0; t < triangles_.size(); ++t)
            for (const int v : triangles_[t]) fan_[std::size_t(next[std::size_t(v)]++)] = int(t);
    }
    double wanted(Vec3d p) const {
        return options_.grading ? options_.edge_length * options_.grading(p) : options_.edge_length;
    }
    Vec3d& at(int v) { return x_[std::size_t(v)]; }
    int wing(int t, int corner) const { return triangles_[std::size_t(t)][std::size_t((corner + 2) % 3)]; }
    std::span<const int> fan(int v) const {
        const auto b = std::size_t(fan_begin_[std::size_t(v)]),
                   e = std::size_t(fan_begin_[std::size_t(v) + 1]);
        return {fan_.data() + b, e - b};
    }

    // Halves every edge longer than 4/3 of the wanted length; a triangle is cut according to how many of its
    // edges were halved.
    void split() {
        find_neighbourhood();
        std::vector<std::array<int, 3>> middle(triangles_.size(), {-1, -1, -1});
        for (const Edge& e : edges_) {
            if (e.length <= wanted(0.5 * (at(e.a) + at(e.b))) * 4 / 3) continue;
            const int m = int(x_.size());
            x_.push_back(options_.project(0.5 * (at(e.a) + at(e.b)), e.t1 < 0));
            middle[std::size_t(e.t0)][std::size_t(e.c0)] = m;
            if (e.t1 >= 0) middle[std::size_t(e.t1)][std::size_t(e.c1)] = m;
        }
        Triangles out;
        out.reserve(triangles_.size() * 2);
        for (std::size_t t = 0; t < triangles_.size(); ++t) cut(triangles_[t], middle[t], out);
        if (out.size() != triangles_.size()) current_ = false;
        triangles_ = std::move(out);
    }
    void cut(std::array<int, 3> v, std::array<int, 3> m, Triangles& out) const {
        const auto halved = std::count_if(m.begin(), m.end(), [](int i) { return i >= 0; });
        if (halved == 0) {
            out.push_back(v);
        } else if (halved == 3) {
            out.push_back({v[0], m[0], m[2]});
            out.push_back({v[1], m[1], m[0]});
            out.push_back({v[2], m[2], m[1]});
            out.push_back({m[0], m[1], m[2]});
        } else if (halved == 1) {
            while (m[0] < 0) turn(v, m);
            out.push_back({v[0], m[0], v[2]});
            out.push_back({m[0], v[1], v[2]});
        } else {
            while (m[2] >= 0) turn(v, m);  // m[0], m[1] halved
            out.push_back({m[0], v[1], m[1]});
            const auto x = [&](int i) { return x_[std::size_t(i)]; };
            if (norm(x(m[0]) - x(v[2])) < norm(x(m[1]) - x(v[0]))) {
                out.push_back({v[0], m[0], v[2]});
                out.push_back({m[0], m[1], v[2]});
            } else {
                out.push_back({v[0], m[0], m[1]});
                out.push_back({v[0], m[1], v[2]});
            }
        }
    }
    static void turn(std::array<int, 3>& v, std::array<int, 3>& m) {
        v = {v[1], v[2], v[0]};
        m = {m[1], m[2], m[0]};
    }

    // Joins the ends of edges shorter than 4/5 of the wanted length, shortest first. A vertex next to one
    // that moved waits for the next pass, so that the tables stay true. Returns whether anything happened.
    bool collapse() {
        find_neighbourhood();
        std::vector<std::pair<double, std::size_t>> order;  // short edges first, equal ones by number
        for (std::size_t i = 0; i < edges_.size(); ++i)
            if (edges_[i].length < wanted(0.5 * (at(edges_[i].a) + at(edges_[i].b))) * 0.8)
                order.emplace_back(edges_[i].length, i);
        std::sort(order.begin(), order.end());
        std::vector<char> locked(x_.size()), gone(triangles_.size());
        bool changed = false;
        for (const auto& [length, i] : order) changed |= try_collapse(edges_[i], locked, gone);
        if (!changed) return false;
        current_ = false;
        std::size_t kept = 0;
        for (std::size_t t = 0; t < triangles_.size(); ++t)
            if (!gone[t]) triangles_[kept++] = triangles_[t];
        triangles_.resize(kept);
        drop_unused_vertices();
        return true;
    }
    bool try_collapse(const Edge& e, std::vector<char>& locked, std::vector<char>& gone) {
        if (locked[std::size_t(e.a)] || locked[std::size_t(e.b)]) return false;
        const bool border_a = border_[std::size_t(e.a)], border_b = border_[std::size_t(e.b)];
        const bool border_edge = e.t1 < 0;
        if (border_a && border_b && !border_edge) return false;
        if (touches(locked, e.a) || touches(locked, e.b)) return false;
        neighbours(e.a, ring_a_);
        neighbours(e.b, ring_b_);
        common_.clear();
        std::set_intersection(ring_a_.begin(), ring_a_.end(), ring_b_.begin(), ring_b_.end(),
                              std::back_inserter(common_));
        if (common_.size() != (border_edge ? 1u : 2u)) return false;  // the link condition: no pinches
        for (const int v : common_)
            if (fan(v).size() <= (border_[std::size_t(v)] ? 1u : 3u)) return false;
        Vec3d to = 0.5 * (at(e.a) + at(e.b));
        if (border_a != border_b) to = border_a ? at(e.a) : at(e.b);
        to = options_.project(to, border_a || border_b);
        const double longest = wanted(to) * 4 / 3;
        for (const auto* ring : {&ring_a_, &ring_b_})
            for (const int v : *ring)
                if (v != e.a && v != e.b && norm(at(v) - to) > longest) return false;
        if (folds(e.a, e.b, to) || folds(e.b, e.a, to)) return false;

        at(e.a) = to;
        border_[std::size_t(e.a)] = border_a || border_b;
        for (const int t : fan(e.b)) {
            auto& triangle = triangles_[std::size_t(t)];
            if (std::find(triangle.begin(), triangle.end(), e.a) != triangle.end()) gone[std::size_t(t)] = 1;
            std::replace(triangle.begin(), triangle.end(), e.b, e.a);
        }
        locked[std::size_t(e.a)] = locked[std::size_t(e.b)] = 1;
        for (const auto* ring : {&ring_a_, &ring_b_})
            for (const int v : *ring) locked[std::size_t(v)] = 1;
        return true;
    }
    bool touches(const std::vector<char>& locked, int v) const {
        for (const int t : fan(v))
            for (const int w : triangles_[std::size_t(t)])
                if (locked[std::size_t(w)]) return true;
        return false;
    }
    void neighbours(int v, std::vector<int>& ring) const {
        ring.clear();
        for (const int t : fan(v))
            for (const int w : triangles_[std::size_t(t)])
                if (w != v && std::find(ring.begin(), ring.end(), w) == ring.end()) ring.push_back(w);
        std::sort(ring.begin(), ring.end());
    }
    // Whether a triangle at v (but not at `other`) would turn by more than 60 degrees if v moved.
    bool folds(int v, int other, Vec3d to) {
        for (const int t : fan(v)) {
            const auto& triangle = triangles_[std::size_t(t)];
            if (std::find(triangle.begin(), triangle.end(), other) != triangle.end()) continue;
            std::array<Vec3d, 3> before{}, after{};
            for (std::size_t k = 0; k < 3; ++k) {
                before[k] = at(triangle[k]);
                after[k] = triangle[k] == v ? to : before[k];
            }
            const Vec3d n0 = cross(before[1] - before[0], before[2] - before[0]);
            const Vec3d n1 = cross(after[1] - after[0], after[2] - after[0]);
            if (dot(n0, n1) <= 0.5 * norm(n0) * norm(n1)) return true;
        }
        return false;
    }
    void drop_unused_vertices() {
        std::vector<int> moved(x_.size(), -1);
        std::vector<Vec3d> kept;
        for (auto& t : triangles_)
            for (int& v : t) {
                int& to = moved[std::size_t(v)];
                if (to < 0) {
                    to = int(kept.size());
                    kept.push_back(at(v));
                }
                v = to;
            }
        x_ = std::move(kept);
    }

    // Turns edges within their two triangles when that brings the numbers of neighbours nearer to 6 (4 at
    // the border). Returns whether anything happened.
    bool flip() {
        find_neighbourhood();
        std::vector<int> valence(x_.size());
        for (const Edge& e : edges_) ++valence[std::size_t(e.a)], ++valence[std::size_t(e.b)];
        std::vector<char> locked(x_.size());
        bool changed = false;
        for (const Edge& e : edges_) {
            if (e.t1 < 0) continue;
            const int c = wing(e.t0, e.c0), d = wing(e.t1, e.c1);
            const std::array<int, 4> four{e.a, e.b, c, d};
            if (c == d ||
                std::any_of(four.begin(), four.end(), [&](int v) { return locked[std::size_t(v)]; }))
                continue;
            int before = 0, after = 0;
            for (std::size_t i = 0; i < 4; ++i) {
                const auto v = std::size_t(four[i]);
                const int off = valence[v] - (border_[v] ? 4 : 6), moved = off + (i < 2 ? -1 : 1);
                before += off * off;
                after += moved * moved;
            }
            if (after >= before || !may_flip(e, c, d)) continue;
            triangles_[std::size_t(e.t0)] = {e.a, d, c};
            triangles_[std::size_t(e.t1)] = {d, e.b, c};
            for (const int v : four) locked[std::size_t(v)] = 1;
            changed = true;
        }
        if (changed) current_ = false;
        return changed;
    }
    bool may_flip(const Edge& e, int c, int d) {
        for (const int t : fan(c))
            for (const int v : triangles_[std::size_t(t)])
                if (v == d) return false;
        // Both new triangles must face the side that the old ones face together, and not be slivers.
        const auto normal = [&](int i, int j, int k) { return cross(at(j) - at(i), at(k) - at(i)); };
        const Vec3d old0 = normal(e.a, e.b, c), old1 = normal(e.b, e.a, d);
        const Vec3d new0 = normal(e.a, d, c), new1 = normal(d, e.b, c);
        if (dot(old0, old1) < 0.5 * norm(old0) * norm(old1)) return false;  // a sharp edge of the surface
        const Vec3d side = normalized(old0 + old1);
        const double enough = 0.1 * norm(old0 + old1);
        return dot(new0, side) > enough && dot(new1, side) > enough;
    }

    // Moves each vertex towards the area-weighted centre of its triangles, within the tangent plane.
    void relax(int times) {
        find_neighbourhood();
        for (int i = 0; i < times; ++i) relax_once();
        current_ = false;
    }
    void relax_once() {
        std::vector<Vec3d> moved = x_;
        std::vector<Vec3d> border_sum(x_.size());
        std::vector<int> border_count(x_.size());
        for (const Edge& e : edges_)
            if (e.t1 < 0) {
                border_sum[std::size_t(e.a)] += at(e.b);
                border_sum[std::size_t(e.b)] += at(e.a);
                ++border_count[std::size_t(e.a)], ++border_count[std::size_t(e.b)];
            }
        for (std::size_t v = 0; v < x_.size(); ++v) {
            if (border_[v]) {
                if (border_count[v] == 2)
                    moved[v] = options_.project(0.5 * (x_[v] + 0.5 * border_sum[v]), true);
                continue;
            }
            Vec3d centre, normal;
            double total = 0;
            for (const int t : fan(int(v))) {
                const auto& i = triangles_[std::size_t(t)];
                const Vec3d n = cross(at(i[1]) - at(i[0]), at(i[2]) - at(i[0]));
                const double area = norm(n);
                centre += (area / 3) * (at(i[0]) + at(i[1]) + at(i[2]));
                normal += n;
                total += area;
            }
            if (total == 0 || norm(normal) == 0) continue;
            normal = normalized(normal);
            const Vec3d way = (1 / total) * centre - x_[v];
            moved[v] = options_.project(x_[v] + way - dot(way, normal) * normal, false);
        }
        x_ = std::move(moved);
    }

    const RemeshOptions& options_;
    std::vector<Vec3d> x_;
    Triangles triangles_;
    std::vector<Edge> edges_;
    std::vector<char> border_;
    bool current_ = false;  // edges_, border_ and fans are of x_ and triangles_ as they are
    EdgeWalks sorted_;      // scratch of find_edges
    std::vector<int> ring_a_, ring_b_, common_;  // scratch of try_collapse
    std::vector<int> fan_begin_, fan_;
};

}  // namespace

TriMesh remesh(const TriMesh& mesh, const RemeshOptions& options) { return Remesher(mesh, options).run(); }

MeshQuality mesh_quality(const TriMesh& mesh) {
    MeshQuality q{180, 0, 0, 0, HUGE_VAL, 0, 0};
    double squares = 0;
    for (const auto& t : mesh.triangles) {
        double smallest = 180;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d x = mesh.positions[std::size_t(t[k])];
            const Vec3d a = mesh.positions[std::size_t(t[(k + 1) % 3])] - x;
            const Vec3d b = mesh.positions[std::size_t(t[(k + 2) % 3])] - x;
            const double angle = std::atan2(norm(cross(a, b)), dot(a, b)) * 180 / std::numbers::pi;
            smallest = std::min(smallest, angle);
            q.max_angle = std::max(q.max_angle, angle);
            q.mean_edge += norm(a);
            squares += dot(a, a);
            q.min_edge = std::min(q.min_edge, norm(a));
            q.max_edge = std::max(q.max_edge, norm(a));
        }
        q.min_angle = std::min(q.min_angle, smallest);
        q.mean_min_angle += smallest;
    }
    const double triangles = double(mesh.triangles.size()), edges = 3 * triangles;
    q.mean_min_angle /= triangles;
    q.mean_edge /= edges;
    q.edge_deviation = std::sqrt(std::max(0.0, squares / edges - q.mean_edge * q.mean_edge)) / q.mean_edge;
    return q;
}

}  // namespace rumple
