// Energy, force and stiffness of one triangle or one hinge, the plain way: dense matrices of Eigen, straight
// from the formulas of docs/theory. Shares only the scalar laws with the library.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <rumple/constitutive/response.hpp>
#include <rumple/dynamics/model.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <vector>

namespace rumple {

// Angle of a hinge (0 flat, rad) and its gradient, from unit normals and cotangents of the angles at the
// edge.
struct TextbookAngle {
    double theta = 0;
    Eigen::Matrix<double, 12, 1> gradient;  // 1/m
};
TextbookAngle textbook_angle(const std::array<Eigen::Vector3d, 4>& x);

// Green strain E_uu, E_vv, E_uv of a triangle and the gradients with respect to its nine coordinates.
struct TextbookStrain {
    Eigen::Vector3d value;
    std::array<Eigen::Matrix<double, 9, 1>, 3> gradient;
};
TextbookStrain textbook_strain(const Model& model, std::size_t triangle, const Eigen::VectorXd& x);

template <int N>
struct TextbookElement {
    double energy = 0;                      // J
    Eigen::Matrix<double, N, 1> force;      // N
    Eigen::Matrix<double, N, N> stiffness;  // N/m, minus the Jacobian, positive semidefinite
};

// The elements of one step: history and starting positions are those of `state`; x has three entries a
// vertex.
class TextbookElements {
  public:
    TextbookElements(const Model& model, const State& state, const StepInput& input);

    const Eigen::VectorXd& start() const { return start_; }
    TextbookElement<9> membrane(std::size_t triangle, const Eigen::VectorXd& x) const;
    TextbookElement<12> bending(std::size_t hinge, const Eigen::VectorXd& x) const;

    double energy(const Eigen::VectorXd& x) const;  // J
    // Which components slip or yield at x, and on which side.
    std::vector<std::uint8_t> flags(const Eigen::VectorXd& x) const;
    void advance_history(State& next, const Eigen::VectorXd& x) const;

  private:
    std::array<ComponentResponse<double>, 3> membrane_response(std::size_t t, const Eigen::Vector3d& E) const;
    ComponentResponse<double> bending_response(std::size_t e, double strain) const;

    const Model& model_;
    const State& state_;
    StepTimes times_;
    Eigen::VectorXd start_;
    bool membrane_history_;
};

inline Eigen::Vector3d to_eigen(Vec3d a) { return {a.x, a.y, a.z}; }

}  // namespace rumple
