// Everything that changes during a simulation, as structures of arrays. A checkpoint is exactly this.
#pragma once

#include <cstdint>
#include <rumple/constitutive/laws.hpp>
#include <rumple/contact/contact_state.hpp>
#include <rumple/core/vec.hpp>
#include <vector>

namespace rumple {

// The history of many strain components. Columns, their types and their meaning: constitutive/laws.hpp.
struct HistoryArrays : HistoryColumns<std::vector> {
    std::size_t size() const { return strain.size(); }  // components
    void resize(std::size_t components, const HistoryLayout& layout);
    // Has every column the length that this layout asks for?
    bool fits(std::size_t components, const HistoryLayout& layout) const;
    ComponentHistory<double> get(std::size_t i) const;
    void set(std::size_t i, const ComponentHistory<double>& history);
    // Where the branches of component i lie: size() apart, and none where the layout has none.
    double* branches(std::size_t i) { return branch.empty() ? nullptr : branch.data() + i; }
    const double* branches(std::size_t i) const { return branch.empty() ? nullptr : branch.data() + i; }
};

struct State {
    std::vector<Vec3d> x;    // m
    std::vector<Vec3d> v;    // m/s
    HistoryArrays bending;   // one a hinge
    HistoryArrays membrane;  // three a triangle (uu, vv, uv); empty unless the model has tensile laws
    ContactMemory contact;
    std::vector<RigidBodyState> rigid_bodies;  // one an obstacle that has mass, in their order
    std::int64_t step = 0;                     // steps taken
    double time = 0;                           // s, dynamic
    double material_time = 0;                  // s

    friend bool operator==(const State&, const State&) = default;
};

}  // namespace rumple
