// Thresholds of the step: each with its unit and the reason for its value. Those of contact stand in
// contact/contact_tuning.hpp.
#pragma once

namespace rumple {

struct StepTuning {
    // Subdivision.

    // A step is divided into at most 2^4: a tenth of the time step that the author chose still costs less
    // than a failed run.
    int max_bisections = 4;
    // With cloth that penetrates already, dividing further than once does not help it out.
    int max_bisections_penetrating = 1;
    // Of the vertices: when more were rolled back, the step stands still there and shorter ones are tried.
    double max_rolled_back = 0.2;
    // Of the vertices: a solve that knew of its contacts, still passes through more, and through more than
    // this share of the collisions of the solve before it, is not to be trusted.
    double max_collisions = 0.25;
    double stalled_collisions = 0.75;

    // Overshoot.

    // Times the incremental potential where the step began. An exact step does not raise it at all;
    // linearised ones do, harmlessly, by some ten per cent. Cloth that is overstretched everywhere arrives
    // with fifty times and more.
    double overshoot = 4;
    // In mean edge lengths: where the solve moves no vertex further from its free motion, a rise is rounding.
    double min_overshoot_motion = 1e-3;

    // Newton steps.

    int max_solves = 3;                 // of the auto rule: one, and up to two when flags changed
    int max_solves_colliding = 5;       // the same while many collide
    int max_newton_iterations = 20;     // of Newton to convergence
    int max_halvings = 12;              // of a step that backtracks
    double sufficient_decrease = 1e-4;  // Armijo's: any real decrease will do

    // Whether the auto rule solves again.

    // Of the vertices: so few collisions are left to the collision response.
    double few_collisions = 0.01;
    // Of the contacts that touch: so few changes of the active set do not change the result visibly.
    double few_active_set_changes = 0.005;
    // The same, and of the flags, where contact is dense: some contact and some flag always changes there;
    // another solve for a few is wasted, and moves them to and fro.
    double few_active_set_changes_dense = 0.03;
    double few_flag_changes_dense = 0.005;
    double dense_contact = 3;  // contacts a vertex: a sheet that lies on another has about two

    // Rigid bodies on sliders.

    // Share of the slider's displacement to which the cloth's response to it is solved: at first, to know how
    // far it goes; and at best.
    double rough_response = 0.03, fine_response = 1e-3;
};

// How often and how exactly a step in contact is solved.
struct ContactSolveTuning {
    // In contact, from the second solve on, without collisions: so many changes of the active set (of what
    // touches) and of the flags are left. Sliding contacts go on switching between stick and slip, and a
    // third solve brings the cloth only 3 to 7 % nearer to where 40 solves end (docs/notes/contact_speed.md).
    double settled_active_set_changes = 0.2;
    double settled_flag_changes = 0.01;
    // In mean edge lengths: the estimated error of a first solve that another one is to follow. The second
    // solve moves cloth about as far.
    double rough_tolerance = 1e-2;
    // The same in thicknesses: loads of friction follow from gaps.
    double rough_gap = 0.1;
    // Not where a contact begins the step nearer than this, in thicknesses: the error would be as large as
    // the gap, and layers that are pressed that hard would collide (docs/notes/contact_speed.md).
    double rough_pressed = 0.25;
};

// Cloth that is hit.
struct ImpactTuning {
    // Of the vertices: the first solve knows only of what is near. Cloth that lands flat on the ground
    // collides about once a vertex, and the next solve settles that; a stack that is hit collides ten times a
    // vertex and more, and solves do not find a way.
    double max_collisions = 2;
    // The impact of a body on a slider on a stack is plastic: before the step is subdivided it is repeated
    // with this share of the body's speed, at most so many times.
    double slowed_share = 0.25;
    int max_slowed = 2;
};

inline constexpr StepTuning kStepTuning{};
inline constexpr ContactSolveTuning kContactSolveTuning{};
inline constexpr ImpactTuning kImpactTuning{};

}  // namespace rumple
