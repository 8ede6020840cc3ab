// What contact asks of a step, on every backend: whether to solve again, to subdivide, to refuse. Thresholds
// and their reasons: step_tuning.hpp.
#pragma once

#include <rumple/contact/contact_system.hpp>
#include <rumple/dynamics/step_outcome.hpp>
#include <rumple/dynamics/stepper.hpp>

namespace rumple {

ClothView cloth_of(const Model& model);

// Where a step is in its Newton iteration.
struct SolveCount {
    int solves;        // of this step so far
    bool at_min_step;  // it cannot be subdivided any more
};

// Contacts follow the iterate x, and `found` is what that gives. To subdivide: the first solve passes through
// far too much; or a later one, which knew of the contacts, through hardly less than the one before.
StepOutcome update_contacts(contact::ContactSystem& system, std::span<const Vec3d> x,
                            contact::ContactWork work, SolveCount count, contact::ContactUpdate& found);

std::size_t contact_count(const contact::ContactSystem* system);  // 0 without a system
bool is_dense(std::size_t contacts, std::size_t vertices);
// Some layers began the step so near that the error of a rough solve would be as large as their gap.
bool is_pressed(const contact::ContactSystem& system);

// Of the elements' flags, how many changed since the matrix was assembled.
struct FlagChanges {
    double changed, all;
};
// Does what changed in the last solve call for another? No system: the model has no contact.
bool calls_for_solve(const contact::ContactSystem* system, const contact::ContactUpdate& found,
                     FlagChanges flags, std::size_t vertices, int solves);

// A stack of layers is hit by a body on a slider, faster than its layers can follow.
bool is_impact_of_slider(const contact::ContactSystem& system, const StepOutcome& outcome);

// Did the collision response come out clean? `memory`: of contacts, where the step begins.
StepOutcome judge_response(const contact::CollisionOutcome& response, const ContactMemory& memory,
                           std::size_t vertices, int bisections);

// Then the potential of the cloth may rise by what the handles do and no more.
bool only_handles_do_work(const ContactModel& model, const StepInput& in);

// Why a step cannot begin with this state; empty: it can.
std::string contact_fault(const contact::ContactSystem& system, const State& state);

// See Stepper::obstacle_positions().
std::vector<Vec3d> obstacle_positions(const ContactModel& model, const contact::ContactSystem* system,
                                      const State& state, std::span<const Vec3d> given);

}  // namespace rumple
