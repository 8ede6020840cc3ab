// Thresholds of contact: each with its unit and the reason for its value. They choose between ways to
// compute the same thing, or bound what a step may do; material and scene parameters stand elsewhere.
#pragma once

namespace rumple::contact {

struct ContactTuning {
    // Which pairs are contacts.

    // In thicknesses: pairs this near are contacts, pressing or not. Above 1, so that the linear system knows
    // of pairs that begin to press within the step.
    double reach = 1.25;
    // Of their distance at rest: pairs of one cloth that lie nearer than the thickness at rest repel below
    // this. Below 1, or flat cloth would be under pressure.
    double rest_share = 0.8;
    // Of the step: impacts of a vertex this soon after its first one count as simultaneous.
    double same_impact = 0.05;

    // What the linearisation of a solve did not foresee: ContactUpdate::active_set_changes.

    // Of the displacement: a secant of friction that was guessed worse than this is a change.
    double slip_misguess = 0.02;
    // In thicknesses: the gap from which a contact has surely let go; above 1 for rounding.
    double let_go = 1.05;

    // What is reused from one search or list to the next. These change the time taken, never the result.

    // In mean edges, at most the reach: how far vertices move between searches. Larger: fewer searches,
    // longer lists.
    double slack = 0.05;
    // m: the slack of rigid bodies. One at rest is expected to fall a millimetre in 0.01 s, and does not.
    double rigid_slack = 3e-3;
    // Of the slack: how far vertices move while the choice from the list holds.
    double choice_slack = 0.25;
    // Of the vertices: when more have moved beyond the slack, a new search is cheaper.
    double max_displaced_of_list = 0.02;
    // Of the vertices: when no more have moved beyond the choice's slack, the choice holds for the others.
    double max_displaced_of_choice = 0.01;
    // Of the choice: when so many pairs were added, a new choice is cheaper.
    double max_added_pairs = 0.25;
    // Of the vertices: when no more have moved, contacts are updated and not all made again.
    double max_moved_for_update = 0.1;
    // Of the vertices: the collision response searches for so few by themselves.
    double max_searched_alone = 0.1;

    // Collision response.

    // In thicknesses: the smallest distance to which a pair may come. Small against every gap of the contact
    // law, large against rounding.
    double separation = 0.02;
    // In thicknesses: the gap that an impulse aims at. Where the contact law usually becomes its own tangent.
    double impulse_gap = 0.25;
    // Rounds of impulses; pairs that still collide are rolled back. Most end within three.
    int impulse_rounds = 12;
    // When two rounds bring so many times as many collisions, no more are tried: in cloth that is pressed
    // together from all sides an impulse is the next collision.
    double impulse_growth = 1.2;
    // Rounds in which what still collides moves in zones, which grow; pairs that collide after that are
    // rolled back.
    int zone_rounds = 64;
    // In thicknesses: the distance at which a rigid body stops before an obstacle that it would pass through.
    double rigid_separation = 0.1;

    // Penetration.

    // m: cloth deeper behind a surface is not pushed out. Larger than any pinch; smaller than a body, whose
    // other side would then be the nearest.
    double max_depth = 0.1;
};

inline constexpr ContactTuning kContactTuning{};

}  // namespace rumple::contact
