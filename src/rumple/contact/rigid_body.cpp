#include <Eigen/Cholesky>
#include <rumple/contact/contact_set.hpp>
#include <rumple/contact/rigid_body.hpp>
#include <rumple/core/index.hpp>

#include <algorithm>

namespace rumple::contact {

namespace {

constexpr int kMaxNewton = 20, kMaxHalvings = 20, kLoadRounds = 4;

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Vec3d translation(const Vector6& d) { return {d[0], d[1], d[2]}; }
Vec3d rotation_vector(const Vector6& d) { return {d[3], d[4], d[5]}; }
Vector6 stacked(Vec3d a, Vec3d b) {
    Vector6 d;
    d << a.x, a.y, a.z, b.x, b.y, b.z;
    return d;
}

struct Potential {
    double value = 0;
    Vector6 gradient = Vector6::Zero();
    Matrix6 hessian = Matrix6::Zero();
};

class RigidBodyStep {
  public:
    RigidBodyStep(const MassProperties& mass, const RigidBodyState& state, const RigidBodyContacts& around,
                  double h, Vec3d gravity)
        : contacts_(around.contacts), h2_(h * h) {
        const Vec3d centre = mass.centre + state.position;
        for (const Contact& c : contacts_) {
            // how the point of contact moves with the body: by its share of the separation
            Lever lever;
            for (std::size_t i = 0; i < 4; ++i) {
                const Vec3d p = around.x[at(c.vertex[i])];
                lever.base += c.weight[i] * p;
                if (c.vertex[i] < around.first || c.vertex[i] >= around.last) continue;
                lever.share += c.weight[i];
                lever.arm += c.weight[i] * (p - centre);
            }
            levers_.push_back(lever);
        }
        mass_.diagonal().head<3>().setConstant(mass.mass);
        const Mat3d inertia = state.rotation * mass.inertia * transposed(state.rotation);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) mass_(3 + r, 3 + c) = inertia(r, c);
        free_ = stacked(h * state.velocity + h2_ * gravity, h * state.spin);
    }

    // Without friction first: the loads of a guess that runs into something would hold it as if glued.
    Vector6 solve() {
        Vector6 d = free_;
        for (Contact& c : contacts_) c.load = 0;
        for (int round = 0; round < kLoadRounds && !contacts_.empty(); ++round) {
            if (round > 0) set_loads(d);
            d = minimise(d);
        }
        set_loads(d);
        return d;
    }
    void set_displacements(const Vector6& d) {
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            Contact& c = contacts_[k];
            c.tangential_displacement = ContactSet::held(c, c.displacement_of(separation(k, d)));
        }
    }

  private:
    struct Lever {
        double share = 0;  // of the separation that moves with the body
        Vec3d arm;         // m, from the body's centre, times the share
        Vec3d base;        // m: the separation at the beginning
    };
    Vec3d separation(std::size_t k, const Vector6& d) const {
        const Lever& l = levers_[k];
        return l.base + l.share * translation(d) + cross(rotation_vector(d), l.arm);
    }
    void set_loads(const Vector6& d) {
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            Contact& c = contacts_[k];
            c.load = ContactSet::normal(c, dot(c.normal, separation(k, d))).force;
        }
    }
    Vector6 minimise(Vector6 d) const {
        for (int n = 0; n < kMaxNewton; ++n) {
            const Potential here = evaluate(d);
            const Vector6 step = -here.hessian.llt().solve(here.gradient);
            const double slope = step.dot(here.gradient);
            double share = 1;
            for (int k = 0; k < kMaxHalvings; ++k, share *= 0.5)
                if (evaluate(d + share * step).value <= here.value + 1e-4 * share * slope) break;
            d += share * step;
            if (step.squaredNorm() < 1e-24) break;
        }
        return d;
    }
    Potential evaluate(const Vector6& d) const {
        Potential p;
        const Vector6 off = d - free_;
        p.gradient = mass_ * off;
        p.value = 0.5 * off.dot(p.gradient);
        p.hessian = mass_;
        for (std::size_t k = 0; k < contacts_.size(); ++k) add_contact(k, d, p);
        return p;
    }
    void add_contact(std::size_t k, const Vector6& d, Potential& p) const {
        const Contact& c = contacts_[k];
        const Lever& l = levers_[k];
        const Vec3d s = separation(k, d), u = c.displacement_of(s);
        const NormalResponse<double> n = ContactSet::normal(c, dot(c.normal, s));
        const FrictionResponse<double> t = ContactSet::friction(c, u);
        const Vec3d force = n.force * c.normal - t.force;  // on the body, by its share
        p.value += h2_ * (n.energy + t.energy);
        p.gradient -= h2_ * stacked(l.share * force, cross(l.arm, force));
        Mat3d b = Mat3d::identity(t.across);
        b += (n.stiffness - t.across) * outer(c.normal, c.normal);
        if (const double length = norm(u); length > 0)
            b += ((t.along - t.across) / (length * length)) * outer(u, u);
        // columns: how the separation changes with each of the six
        const Vec3d column[6] = {{l.share, 0, 0},        {0, l.share, 0},        {0, 0, l.share},
                                 {0, -l.arm.z, l.arm.y}, {l.arm.z, 0, -l.arm.x}, {-l.arm.y, l.arm.x, 0}};
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) p.hessian(i, j) += h2_ * dot(column[i], b * column[j]);
    }

    std::span<Contact> contacts_;
    double h2_;
    std::vector<Lever> levers_;
    Matrix6 mass_ = Matrix6::Zero();
    Vector6 free_;  // where it would go by itself
};

Mat3d box_inertia(double mass, Vec3d size) {
    Mat3d inertia;
    for (int i = 0; i < 3; ++i) {
        const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
        inertia(i, i) = mass * (a * a + b * b) / 12;
    }
    return inertia;
}

}  // namespace

RigidBodyState advance_rigid_body(const MassProperties& mass, const RigidBodyState& state,
                                  const RigidBodyContacts& around, double h, Vec3d gravity) {
    RigidBodyStep step(mass, state, around, h, gravity);
    const Vector6 d = step.solve();
    step.set_displacements(d);
    const Vec3d t = translation(d), r = rotation_vector(d);
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
MassProperties mass_properties(const ObstaclePart& part) {
    Vec3d low = part.vertices.front(), high = low;
    for (const Vec3d& p : part.vertices)
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    const Vec3d origin = 0.5 * (low + high), size = high - low;
    double volume = 0;
    Vec3d moment;
    Mat3d second;  // integral of x x^T
    for (const auto& t : part.triangles) {
        const Vec3d a = part.vertices[at(t[0])] - origin;
        const Vec3d b = part.vertices[at(t[1])] - origin;
        const Vec3d c = part.vertices[at(t[2])] - origin;
        const double v = dot(a, cross(b, c)) / 6;
        volume += v;
        moment += (v / 4) * (a + b + c);
        const Vec3d s = a + b + c;
        for (const Vec3d& p : {a, b, c, s}) second += (v / 20) * outer(p, p);
    }
    if (!(volume > 1e-6 * size.x * size.y * size.z)) return {part.mass, origin, box_inertia(part.mass, size)};
    const Vec3d offset = (1 / volume) * moment;
    second += (-volume) * outer(offset, offset);
    const double trace = second(0, 0) + second(1, 1) + second(2, 2);
    Mat3d inertia = Mat3d::identity(trace);
    inertia += -1.0 * second;
    return {part.mass, origin + offset, (part.mass / volume) * inertia};
}

void place_rigid_body(const ObstaclePart& part, const MassProperties& mass, const RigidBodyState& state,
                      std::vector<Vec3d>& positions) {
    for (const Vec3d& p : part.vertices)
        positions.push_back(mass.centre + state.position + state.rotation * (p - mass.centre));
}

}  // namespace rumple::contact
