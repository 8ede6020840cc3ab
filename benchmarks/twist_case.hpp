// The reference twist (docs/experiments.md) built through the library: the case every benchmark runs.
//
// Tube R 40 mm, height 110 mm, right-triangle grid, UV rest shape, flat rest angles, H_ref 4 mm, radial
// imperfection of 2e-5 m on all vertices but the held rings, no gravity. Exact handles: the bottom ring is
// fixed, the top ring is turned clockwise seen from above by pi/2 in 1 s while lowered by 20 mm; 0.4 s rest;
// [hold of 500 s in 50 steps]; back in 1 s; 0.5 s to settle.
#pragma once

#include <cstdint>
#include <functional>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/mesh/rest_shape.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <string>
#include <vector>

namespace rumple {

struct TwistSize {
    std::string name;
    int around, up;  // vertices
};
// 2K, 7K, 27K (the reference sizes), 100K, 250K and 1M. Throws InputError for another name.
const std::vector<TwistSize>& twist_sizes();
TwistSize twist_size(const std::string& name);

struct TwistOptions {
    TwistSize size{"2K", 64, 28};
    std::string cloth = "cotton";  // a preset of the specimen table
    std::uint64_t seed = 1;        // of the imperfection
    bool laws = true;              // friction and plasticity; false: elastic
    bool relaxing = false;         // with a ladder of eight branches besides
    double h = 0.01;               // s
    bool hold = false;             // 500 s after the rest
};

class TwistCase {
  public:
    explicit TwistCase(const TwistOptions& options);
    TwistCase(const TwistCase&) = delete;  // inputs point into it
    TwistCase& operator=(const TwistCase&) = delete;

    const Model& model() const { return model_; }
    State initial_state() const { return make_state(model_, model_.initial); }

    int step_count() const { return static_cast<int>(turn_.size()); }
    int twist_steps() const { return twist_steps_; }  // the first of them, until the rest begins
    // Input of step n, 0 the first. Its handles point into this object until the next call.
    StepInput input(int n);

    // The shape of another size of this twist, carried over to this one's vertices by smooth interpolation of
    // how far each point of the tube has moved. What friction and plasticity remember starts anew.
    State carried_over(const TwistCase& from, const State& state) const;

    // Against the tube without imperfection. [1/m^2]
    double bending_content(const State& state) const;
    // Lets go of what only that and carried_over() need: a simulation holds a model and a state.
    void keep_model_alone();

  private:
    void append(int steps, double from, double to, double material_dt);

    TwistSize size_;
    TriMesh perfect_;
    RestShape rest_;
    Model model_;
    double h_;
    int twist_steps_ = 0;
    std::vector<double> turn_;  // share of the whole twist at the end of each step
    std::vector<double> material_step_;
    std::vector<int> handle_;  // bottom ring, then top ring
    std::vector<Vec3d> held_, target_;
    std::vector<double> reference_angles_;
};

// A state of the twist and the step that comes next.
struct TwistState {
    int step;
    State state;
};
// `count` states spread over the last part of the turn, where the tube is buckled and hinges slip, reached by
// our stepper. `progress` is called after every step.
std::vector<TwistState> buckled_states(TwistCase& twist, int count, int threads,
                                       const std::function<void(int step, int last)>& progress = {});

}  // namespace rumple
