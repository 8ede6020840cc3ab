// Everything that changes during a simulation, as structures of arrays. A checkpoint is exactly this.
#pragma once

#include <cstdint>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/contact/contact_state.hpp>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

// The history variables of many strain components (docs/theory/friction.md, plasticity.md).
struct HistoryArrays {
    std::vector<double> anchor;                  // friction: strain at which it pulls nothing
    std::vector<double> stick_time;              // friction: s
    std::vector<double> plastic;                 // plasticity: p
    std::vector<double> accumulated;             // plasticity: gamma
    std::vector<double> clock;                   // plasticity: s
    std::vector<double> dahl_stress;             // Dahl friction
    std::vector<double> strain;                  // committed last
    std::vector<std::int8_t> direction, loaded;  // plasticity

    std::size_t size() const { return strain.size(); }
    void resize(std::size_t n);
    ComponentHistory<double> get(std::size_t i) const {
        return {{anchor[i], stick_time[i]},
                {plastic[i], accumulated[i], clock[i], double(direction[i]), loaded[i] != 0},
                dahl_stress[i],
                strain[i]};
    }
    void set(std::size_t i, const ComponentHistory<double>& h) {
        anchor[i] = h.friction.anchor;
        stick_time[i] = h.friction.stick_time;
        plastic[i] = h.plasticity.plastic;
        accumulated[i] = h.plasticity.accumulated;
        clock[i] = h.plasticity.clock;
        direction[i] = static_cast<std::int8_t>(h.plasticity.direction);
        loaded[i] = h.plasticity.loaded;
        dahl_stress[i] = h.dahl_stress;
        strain[i] = h.strain;
    }
    friend bool operator==(const HistoryArrays&, const HistoryArrays&) = default;
};

struct State {
    std::vector<Vec3d> x;   // m
    std::vector<Vec3d> v;   // m/s
    HistoryArrays bending;  // one a hinge
    HistoryArrays
        membrane;  // three a triangle (uu, vv, uv); empty unless the model has tensile laws or damping
    ContactMemory contact;
    std::vector<RigidBodyState> rigid_bodies;  // one an obstacle that has mass, in their order
    std::int64_t step = 0;                     // steps taken
    double time = 0;                           // s, dynamic
    double material_time = 0;                  // s

    friend bool operator==(const State&, const State&) = default;
};

}  // namespace rumple
