#include <rumple/dynamics/weight.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace rumple {

namespace {

Mat3d box_inertia(double mass, Vec3d size) {
    Mat3d inertia;
    for (int i = 0; i < 3; ++i) {
        const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
        inertia(i, i) = mass * (a * a + b * b) / 12;
    }
    return inertia;
}

using Vector6 = std::array<double, 6>;
using Matrix6 = std::array<Vector6, 6>;

constexpr int kMaxNewton = 20, kMaxHalvings = 20, kLoadRounds = 4;

struct Potential {
    double value = 0;
    Vector6 gradient{};
    Matrix6 hessian{};
};

double dot6(const Vector6& a, const Vector6& b) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
}
Vector6 times(const Matrix6& a, const Vector6& b) {
    Vector6 c;
    for (std::size_t i = 0; i < 6; ++i) c[i] = dot6(a[i], b);
    return c;
}
Vector6 sum6(const Vector6& a, double s, const Vector6& b) {
    Vector6 c;
    for (std::size_t i = 0; i < 6; ++i) c[i] = a[i] + s * b[i];
    return c;
}

// A^{-1} b for a symmetric positive definite matrix, by Cholesky's L L^T.
Vector6 solve_spd(Matrix6 a, Vector6 b) {
    for (std::size_t j = 0; j < 6; ++j) {
        for (std::size_t k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = std::sqrt(a[j][j]);
        for (std::size_t i = j + 1; i < 6; ++i) {
            for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (std::size_t i = 6; i-- > 0;) {
        for (std::size_t k = i + 1; k < 6; ++k) b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return b;
}

class WeightStep {
  public:
    WeightStep(const ObstaclePart& weight, const MassProperties& mass, const RigidBodyState& state,
               std::span<Contact> contacts, std::span<const Vec3d> x, int first, double h, Vec3d gravity)
        : contacts_(contacts), h2_(h * h) {
        const int last = first + static_cast<int>(weight.vertices.size());
        const Vec3d centre = mass.centre + state.position;
        for (const Contact& c : contacts) {
            // how the point of contact moves with the weight: it is the weight's share of the separation
            double share = 0;
            Vec3d arm, base;
            for (std::size_t i = 0; i < 4; ++i) {
                const Vec3d p = x[static_cast<std::size_t>(c.vertex[i])];
                base += c.weight[i] * p;
                if (c.vertex[i] < first || c.vertex[i] >= last) continue;
                share += c.weight[i];
                arm += c.weight[i] * (p - centre);
            }
            share_.push_back(share);
            arm_.push_back(arm);
            base_.push_back(base);
        }
        for (std::size_t i = 0; i < 3; ++i) mass_[i][i] = weight.mass;
        const Mat3d inertia = state.rotation * mass.inertia * transposed(state.rotation);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                mass_[3 + static_cast<std::size_t>(r)][3 + static_cast<std::size_t>(c)] = inertia(r, c);
        const Vec3d fall = h * state.velocity + h2_ * gravity;
        free_ = {fall.x, fall.y, fall.z, h * state.spin.x, h * state.spin.y, h * state.spin.z};
        guided_ = weight.guided;
        if (!guided_) return;
        const Vec3d g = normalized(weight.guide);
        guide_ = {g.x, g.y, g.z, 0, 0, 0};
        const double along = dot6(guide_, free_);
        free_ = sum6({}, along, guide_);
    }

    // Without friction first: the loads of a guess that runs into something would hold it as if glued.
    Vector6 solve() {
        Vector6 d = free_;
        for (Contact& c : contacts_) c.load = 0;
        for (int round = 0; round < kLoadRounds && !contacts_.empty(); ++round) {
            if (round > 0) set_loads(d);
            d = minimise(d);
        }
        return d;
    }

    Vector6 minimise(Vector6 d) const {
        for (int n = 0; n < kMaxNewton; ++n) {
            const Potential here = evaluate(d);
            const Vector6 step = newton_step(here);
            const double slope = dot6(step, here.gradient);
            double share = 1;
            for (int k = 0; k < kMaxHalvings; ++k, share *= 0.5)
                if (evaluate(sum6(d, share, step)).value <= here.value + 1e-4 * share * slope) break;
            d = sum6(d, share, step);
            if (dot6(step, step) < 1e-24) break;
        }
        return d;
    }

    Vector6 newton_step(const Potential& here) const {
        if (!guided_) return sum6({}, -1, solve_spd(here.hessian, here.gradient));
        return sum6({}, -dot6(guide_, here.gradient) / dot6(guide_, times(here.hessian, guide_)), guide_);
    }

    Vec3d moved(std::size_t k, const Vector6& d) const {
        const Vec3d t{d[0], d[1], d[2]}, r{d[3], d[4], d[5]};
        return base_[k] + share_[k] * t + cross(r, arm_[k]);
    }
    void set_loads(const Vector6& d) {
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            Contact& c = contacts_[k];
            c.load = push(dot(c.normal, moved(k, d)), c.thickness, c.stiffness).force;
        }
    }
    Vec3d offset(std::size_t k, const Vector6& d) const {
        const Contact& c = contacts_[k];
        const Vec3d u = c.offset + moved(k, d) - c.at_begin;
        return u - dot(c.normal, u) * c.normal;
    }

  private:
    Potential evaluate(const Vector6& d) const {
        Potential p;
        const Vector6 off = sum6(d, -1, free_);
        p.gradient = times(mass_, off);
        p.value = 0.5 * dot6(off, p.gradient);
        p.hessian = mass_;
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const Contact& c = contacts_[k];
            const Push<double> n = push(dot(c.normal, moved(k, d)), c.thickness, c.stiffness);
            const Vec3d u = offset(k, d);
            const double limit = c.friction * c.load;
            const Rub<double> t = limit > 0 ? rub(u, c.slip_length, limit) : Rub<double>{};
            const Vec3d force = n.force * c.normal - t.force;  // on the weight, by its share
            const Vec3d moment = cross(arm_[k], force);
            p.value += h2_ * (n.energy + t.energy);
            for (int i = 0; i < 3; ++i) {
                p.gradient[static_cast<std::size_t>(i)] -= h2_ * share_[k] * force[i];
                p.gradient[3 + static_cast<std::size_t>(i)] -= h2_ * moment[i];
            }
            Mat3d b = Mat3d::identity(t.across);
            b += (n.stiffness - t.across) * outer(c.normal, c.normal);
            if (const double length = norm(u); length > 0)
                b += ((t.along - t.across) / (length * length)) * outer(u, u);
            // columns: how the separation changes with each of the six
            const Vec3d a = arm_[k];
            const Vec3d column[6] = {{share_[k], 0, 0}, {0, share_[k], 0}, {0, 0, share_[k]},
                                     {0, -a.z, a.y},    {a.z, 0, -a.x},    {-a.y, a.x, 0}};
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t j = 0; j < 6; ++j) p.hessian[i][j] += h2_ * dot(column[i], b * column[j]);
        }
        return p;
    }

    std::span<Contact> contacts_;
    double h2_;
    std::vector<double> share_;
    std::vector<Vec3d> arm_, base_;
    Matrix6 mass_{};
    Vector6 free_{}, guide_{};  // free_: where it would go by itself
    bool guided_ = false;
};

}  // namespace

RigidBodyState advance_weight(const ObstaclePart& weight, const MassProperties& mass,
                              const RigidBodyState& state, std::span<Contact> contacts,
                              std::span<const Vec3d> x, int first, double h, Vec3d gravity) {
    WeightStep step(weight, mass, state, contacts, x, first, h, gravity);
    const Vector6 d = step.solve();
    step.set_loads(d);
    for (std::size_t k = 0; k < contacts.size(); ++k)
        contacts[k].offset = held_offset(step.offset(k, d), contacts[k].slip_length);
    const Vec3d t{d[0], d[1], d[2]}, r{d[3], d[4], d[5]};
    RigidBodyState next = state;
    next.position += t;
    next.velocity = (1 / h) * t;
    next.spin = (1 / h) * r;
    if (const double angle = norm(r); angle > 0)
        next.rotation = rotation((1 / angle) * r, angle) * state.rotation;
    return next;
}

// The surface's triangles span tetrahedra with the origin; their signed volumes and second moments add up to
// the solid's (Gauss).
MassProperties mass_properties(const ObstaclePart& weight) {
    Vec3d low = weight.vertices.front(), high = low;
    for (const Vec3d& p : weight.vertices)
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    const Vec3d origin = 0.5 * (low + high), size = high - low;
    double volume = 0;
    Vec3d moment;
    Mat3d second;  // integral of x x^T
    for (const auto& t : weight.triangles) {
        const Vec3d a = weight.vertices[static_cast<std::size_t>(t[0])] - origin;
        const Vec3d b = weight.vertices[static_cast<std::size_t>(t[1])] - origin;
        const Vec3d c = weight.vertices[static_cast<std::size_t>(t[2])] - origin;
        const double v = dot(a, cross(b, c)) / 6;
        volume += v;
        moment += (v / 4) * (a + b + c);
        const Vec3d s = a + b + c;
        for (const Vec3d& p : {a, b, c, s}) second += (v / 20) * outer(p, p);
    }
    if (!(volume > 1e-6 * size.x * size.y * size.z)) return {origin, box_inertia(weight.mass, size)};
    const Vec3d offset = (1 / volume) * moment;
    second += (-volume) * outer(offset, offset);
    const double trace = second(0, 0) + second(1, 1) + second(2, 2);
    Mat3d inertia = Mat3d::identity(trace);
    inertia += -1.0 * second;
    return {origin + offset, (weight.mass / volume) * inertia};
}

void place_weight(const ObstaclePart& weight, const RigidBodyState& state, std::vector<Vec3d>& positions) {
    const Vec3d centre = mass_properties(weight).centre;
    for (const Vec3d& p : weight.vertices)
        positions.push_back(centre + state.position + state.rotation * (p - centre));
}

}  // namespace rumple
