// Eigen's sums of AVX-512 registers go through an intrinsic that g++ 12 wrongly takes for an uninitialised
// value.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "textbook_elements.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <rumple/constitutive/strain_component.hpp>

namespace rumple {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;
using Matrix32 = Eigen::Matrix<double, 3, 2>;

Vector3d at(const VectorXd& x, int vertex) { return x.segment<3>(3 * vertex); }

Matrix32 shape_gradients(const Model& model, std::size_t t) {
    Matrix32 G;
    for (int i = 0; i < 3; ++i) {
        const Vec2d g = model.gradients_of(t)[static_cast<std::size_t>(i)];
        G.row(i) << g.x, g.y;
    }
    return G;
}

TextbookAngle angle_of(const Model& model, std::size_t e, const VectorXd& x) {
    const auto& h = model.hinges[e];
    return textbook_angle({at(x, h[0]), at(x, h[1]), at(x, h[2]), at(x, h[3])});
}

// Thrown from one side to the other a component slips before and after, but has passed two kinks.
std::uint8_t sided(const ComponentResponse<double>& w, const ComponentHistory<double>& history,
                   double strain) {
    const bool slips_back = w.slips && strain < history.friction.anchor;
    const bool yields_back = w.yields && strain < history.plasticity.plastic;
    return static_cast<std::uint8_t>((w.slips ? kSlipping : 0) + (w.yields ? kYielding : 0) +
                                     (slips_back ? 16 : 0) + (yields_back ? 32 : 0));
}

const Model::MembraneLaw& law_of(const Model& model, std::size_t t) { return model.membrane_law_of(t); }

}  // namespace

TextbookAngle textbook_angle(const std::array<Vector3d, 4>& x) {
    const Vector3d edge = x[1] - x[0];
    const double l = edge.norm();
    const Vector3d cross0 = edge.cross(x[2] - x[0]), cross1 = (x[3] - x[0]).cross(edge);
    const Vector3d n0 = cross0.normalized(), n1 = cross1.normalized();

    // cotangent of the angle at `corner` between the edge and the wing
    const auto cotangent = [](const Vector3d& corner, const Vector3d& other, const Vector3d& wing) {
        const Vector3d a = other - corner, b = wing - corner;
        return a.dot(b) / a.cross(b).norm();
    };
    TextbookAngle angle;
    angle.theta = std::atan2(n0.cross(n1).dot(edge / l), n0.dot(n1));
    angle.gradient.segment<3>(0) = (cotangent(x[1], x[0], x[2]) * n0 + cotangent(x[1], x[0], x[3]) * n1) / l;
    angle.gradient.segment<3>(3) = (cotangent(x[0], x[1], x[2]) * n0 + cotangent(x[0], x[1], x[3]) * n1) / l;
    angle.gradient.segment<3>(6) = -l / cross0.norm() * n0;
    angle.gradient.segment<3>(9) = -l / cross1.norm() * n1;
    return angle;
}

TextbookStrain textbook_strain(const Model& model, std::size_t t, const VectorXd& x) {
    const Matrix32 G = shape_gradients(model, t);
    Matrix3d X;
    for (int i = 0; i < 3; ++i) X.col(i) = at(x, model.triangles[t][static_cast<std::size_t>(i)]);
    const Matrix32 F = X * G;
    const Eigen::Matrix2d E = 0.5 * (F.transpose() * F - Eigen::Matrix2d::Identity());
    TextbookStrain s;
    s.value << E(0, 0), E(1, 1), E(0, 1);
    for (int i = 0; i < 3; ++i) {
        s.gradient[0].segment<3>(3 * i) = G(i, 0) * F.col(0);
        s.gradient[1].segment<3>(3 * i) = G(i, 1) * F.col(1);
        s.gradient[2].segment<3>(3 * i) = 0.5 * (G(i, 0) * F.col(1) + G(i, 1) * F.col(0));
    }
    return s;
}

TextbookElements::TextbookElements(const Model& model, const State& state, const StepInput& input)
    : model_(model),
      state_(state),
      times_{input.material_dt, input.stiffness_damping / input.h},
      start_(3 * model.vertex_count()),
      membrane_history_(model.membrane_has_history()) {
    for (int v = 0; v < model.vertex_count(); ++v)
        start_.segment<3>(3 * v) = to_eigen(state.x[static_cast<std::size_t>(v)]);
}

std::array<ComponentResponse<double>, 3> TextbookElements::membrane_response(std::size_t t,
                                                                             const Vector3d& E) const {
    std::array<ComponentHistory<double>, 3> history;
    if (membrane_history_) {
        for (std::size_t c = 0; c < 3; ++c) history[c] = state_.membrane.get(3 * t + c);
    } else if (times_.damping_per_h > 0) {
        const Vector3d before = textbook_strain(model_, t, start_).value;
        for (std::size_t c = 0; c < 3; ++c) history[c].strain = before[static_cast<int>(c)];
    }
    std::array<ComponentResponse<double>, 3> w;
    for (std::size_t c = 0; c < 3; ++c)
        w[c] = evaluate(law_of(model_, t).component[c], history[c], E[static_cast<int>(c)], times_);
    return w;
}

ComponentResponse<double> TextbookElements::bending_response(std::size_t e, double strain) const {
    return evaluate(model_.bending_law_of(e), state_.bending.get(e), strain, times_);
}

// W = A (w_uu + w_vv + 2 w_uv + k12 E_uu E_vv)
TextbookElement<9> TextbookElements::membrane(std::size_t t, const VectorXd& x) const {
    const double A = model_.area[t], k12 = law_of(model_, t).k12;
    const auto [E, dE] = textbook_strain(model_, t, x);
    const auto w = membrane_response(t, E);
    Eigen::Matrix2d S;
    S << w[0].stress + k12 * E[1], w[2].stress, w[2].stress, w[1].stress + k12 * E[0];

    TextbookElement<9> m;
    m.energy = A * (w[0].energy + w[1].energy + 2 * w[2].energy + k12 * E[0] * E[1]);
    m.force = -A * (S(0, 0) * dE[0] + S(1, 1) * dE[1] + 2 * S(0, 1) * dE[2]);

    // material part; the coupling must not make it indefinite where a component has softened
    const double coupling = std::min(k12, std::sqrt(w[0].tangent * w[1].tangent));
    m.stiffness = A * w[0].tangent * dE[0] * dE[0].transpose();
    m.stiffness += A * w[1].tangent * dE[1] * dE[1].transpose();
    m.stiffness += 2 * A * w[2].tangent * dE[2] * dE[2].transpose();
    m.stiffness += A * coupling * (dE[0] * dE[1].transpose());
    m.stiffness += A * coupling * (dE[1] * dE[0].transpose());

    // geometric part: the stress without its compressive eigenvalues
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(S);
    const Eigen::Matrix2d tension = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
                                    eigen.eigenvectors().transpose();
    const Matrix32 G = shape_gradients(model_, t);
    const Matrix3d geometric = A * G * tension * G.transpose();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m.stiffness.block<3, 3>(3 * i, 3 * j) += geometric(i, j) * Matrix3d::Identity();
    return m;
}

// W = (l/H) w(theta - rest angle); Gauss-Newton stiffness
TextbookElement<12> TextbookElements::bending(std::size_t e, const VectorXd& x) const {
    const TextbookAngle angle = angle_of(model_, e, x);
    const auto w = bending_response(e, angle.theta - model_.rest_angle_of(e));
    const double c = model_.length_over_height[e];
    return {c * w.energy, -c * w.stress * angle.gradient,
            c * w.tangent * angle.gradient * angle.gradient.transpose()};
}

double TextbookElements::energy(const VectorXd& x) const {
    double sum = 0;
    for (std::size_t t = 0; t < model_.triangles.size(); ++t) {
        const Vector3d E = textbook_strain(model_, t, x).value;
        const auto w = membrane_response(t, E);
        sum += model_.area[t] *
               (w[0].energy + w[1].energy + 2 * w[2].energy + law_of(model_, t).k12 * E[0] * E[1]);
    }
    for (std::size_t e = 0; e < model_.hinges.size(); ++e)
        sum += model_.length_over_height[e] *
               bending_response(e, angle_of(model_, e, x).theta - model_.rest_angle_of(e)).energy;
    return sum;
}

std::vector<std::uint8_t> TextbookElements::flags(const VectorXd& x) const {
    std::vector<std::uint8_t> out;
    for (std::size_t e = 0; e < model_.hinges.size(); ++e) {
        const double strain = angle_of(model_, e, x).theta - model_.rest_angle_of(e);
        out.push_back(sided(bending_response(e, strain), state_.bending.get(e), strain));
    }
    if (!membrane_history_) return out;
    for (std::size_t t = 0; t < model_.triangles.size(); ++t) {
        const Vector3d E = textbook_strain(model_, t, x).value;
        const auto w = membrane_response(t, E);
        for (std::size_t c = 0; c < 3; ++c)
            out.push_back(sided(w[c], state_.membrane.get(3 * t + c), E[static_cast<int>(c)]));
    }
    return out;
}

void TextbookElements::advance_history(State& next, const VectorXd& x) const {
    const auto commit = [&](HistoryArrays& arrays, std::size_t i, const ComponentLaw<double>& law,
                            double strain) {
        ComponentHistory<double> history = arrays.get(i);
        advance(law, history, strain, times_);
        arrays.set(i, history);
    };
    for (std::size_t e = 0; e < model_.hinges.size(); ++e)
        commit(next.bending, e, model_.bending_law_of(e),
               angle_of(model_, e, x).theta - model_.rest_angle_of(e));
    if (!membrane_history_) return;
    for (std::size_t t = 0; t < model_.triangles.size(); ++t) {
        const Vector3d E = textbook_strain(model_, t, x).value;
        for (std::size_t c = 0; c < 3; ++c)
            commit(next.membrane, 3 * t + c, law_of(model_, t).component[c], E[static_cast<int>(c)]);
    }
}

}  // namespace rumple
