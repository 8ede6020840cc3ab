// A cloth with everything a stepper needs, and the few moves the tests of the step have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <utility>
#include <vector>

namespace rumple {

// Mesh, rest shape, material and the model made of them; the model keeps no pointers, so this may be moved
// until a Stepper has been made for it.
struct SampleCloth {
    TriMesh mesh;
    Material material;
    RestShape rest;
    Model model;

    SampleCloth(TriMesh m, Material mat, RestOptions options = {})
        : mesh(std::move(m)), material(std::move(mat)), rest(make_rest_shape(mesh, options, "sample")) {
        const ClothPart part{&mesh, &rest, &material};
        model = make_model({&part, 1});
    }
    State at_rest() const { return make_state(model, mesh.positions); }
};

// No friction, no plasticity. k11 = k22 = `membrane`, isotropic (k33 = k11 - k12) with k12 = 0.
inline Material elastic_material(double density, double bending, double membrane) {
    Material m;
    m.density = density;
    m.bending = bending;
    m.membrane = {membrane, membrane, 0, membrane};
    m.friction_kind = FrictionKind::none;
    m.plastic = false;
    return m;
}

// Cotton with bending and tensile friction and plasticity, thresholds so low that small cloths reach them.
inline Material all_laws_material(double H_ref) {
    Material m;
    m.friction.tau = 0.5;
    m.plasticity.tau = 0.5;
    m.plasticity.eps_Y0 = 0.4;
    m.H_ref = H_ref;
    m.tensile_friction = TensileFriction{.k = {20, 20, 5}, .tau = 0.5};
    m.tensile_plasticity = TensilePlasticity{.tau = 0.5, .eps_Y0 = 0.02};
    return m;
}

inline StepperOptions direct_solver(int newton_iterations = 0) {
    StepperOptions o;
    o.threads = 1;
    o.solver = SolverChoice::direct;
    o.newton_iterations = newton_iterations;
    return o;
}

// Vertices that hold at their initial places.
struct Held {
    std::vector<int> vertices;
    std::vector<Vec3d> targets;

    Held(const std::vector<Vec3d>& x, const std::function<bool(Vec3d)>& chosen) {
        for (std::size_t v = 0; v < x.size(); ++v)
            if (chosen(x[v])) {
                vertices.push_back(static_cast<int>(v));
                targets.push_back(x[v]);
            }
    }
    HandleTargets handles() const { return {vertices, targets, {}}; }
};

// Adds to every coordinate a number from [-size, size].
inline std::vector<Vec3d> shaken(std::vector<Vec3d> x, double size, unsigned seed) {
    std::mt19937_64 random(seed);
    const auto next = [&] {  // the standard's distributions differ between libraries, this does not
        return size * (2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1);
    };
    for (Vec3d& p : x) p += Vec3d{next(), next(), next()};
    return x;
}

inline double largest_norm(const std::vector<Vec3d>& a) {
    double largest = 0;
    for (const Vec3d& v : a) largest = std::max(largest, norm(v));
    return largest;
}

// Steps until nothing moves by more than `still` m in a step. Returns the steps taken, or -1 when a step
// failed or it still moves after `most` steps.
inline int settle(Stepper& stepper, State& state, const StepInput& input, double still, int most) {
    for (int n = 1; n <= most; ++n) {
        if (!stepper.step(state, input).accepted) return -1;
        if (input.h * largest_norm(state.v) <= still) return n;
    }
    return -1;
}

}  // namespace rumple
