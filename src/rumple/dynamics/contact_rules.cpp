#include <algorithm>
#include <rumple/dynamics/contact_rules.hpp>
#include <rumple/dynamics/step_tuning.hpp>

namespace rumple {

namespace {

double limit(double share, std::size_t vertices) { return share * static_cast<double>(vertices); }

}  // namespace

std::size_t contact_count(const contact::ContactSystem* system) {
    return system ? system->contacts().list().size() : 0;
}

bool is_dense(std::size_t contacts, std::size_t vertices) {
    return static_cast<double>(contacts) > limit(kStepTuning.dense_contact, vertices);
}

ClothView cloth_of(const Model& m) {
    return {m.initial, m.mass, m.triangles, m.parts.vertex_begin, m.parts.triangle_begin, m.mean_edge_length};
}

StepOutcome update_contacts(contact::ContactSystem& system, std::span<const Vec3d> x,
                            contact::ContactWork work, SolveCount count, contact::ContactUpdate& found) {
    const double before = static_cast<double>(found.collisions.size());
    found = system.update(x, work);
    const double collisions = static_cast<double>(found.collisions.size());
    if (count.at_min_step) return {};
    if (count.solves == 1 && collisions > limit(kImpactTuning.max_collisions, x.size()))
        return StepOutcome::subdivide(SubdivideReason::impact);
    if (count.solves > 1 && collisions > limit(kStepTuning.max_collisions, x.size()) &&
        collisions > kStepTuning.stalled_collisions * before)
        return StepOutcome::subdivide(SubdivideReason::too_many_collisions);
    return {};
}

bool is_pressed(const contact::ContactSystem& system) {
    return std::ranges::any_of(system.contacts().list(), [](const contact::Contact& c) {
        return 2 * c.smallest_gap < kContactSolveTuning.rough_pressed * c.thickness;  // half of the gap
    });
}

bool calls_for_solve(const contact::ContactSystem* system, const contact::ContactUpdate& found,
                     FlagChanges flags, std::size_t vertices, int solves) {
    const double active_set_changes = found.active_set_changes;
    const double collisions = static_cast<double>(found.collisions.size());
    const bool many_collisions = collisions > limit(kStepTuning.few_collisions, vertices);
    if (solves >= (many_collisions ? kStepTuning.max_solves_colliding : kStepTuning.max_solves)) return false;
    if (active_set_changes <= kStepTuning.few_active_set_changes && collisions == 0 && flags.changed == 0)
        return false;
    const std::size_t contacts = contact_count(system);
    if (solves > 1 && contacts > 0 && collisions == 0 &&
        active_set_changes <= kContactSolveTuning.settled_active_set_changes &&
        flags.changed <= kContactSolveTuning.settled_flag_changes * flags.all)
        return false;
    const bool few_flags = flags.changed <= kStepTuning.few_flag_changes_dense * flags.all;
    return !is_dense(contacts, vertices) || !few_flags || many_collisions ||
           active_set_changes >= kStepTuning.few_active_set_changes_dense;
}

bool is_impact_of_slider(const contact::ContactSystem& system, const StepOutcome& outcome) {
    return outcome.kind == StepOutcome::Kind::subdivide &&
           (outcome.reason == SubdivideReason::impact ||
            outcome.reason == SubdivideReason::too_many_collisions) &&
           system.sliders_press();
}

StepOutcome judge_response(const contact::CollisionOutcome& response, const ContactMemory& memory,
                           std::size_t vertices, int bisections) {
    if (response.unresolved == 0 && response.constraints_violated == 0 &&
        response.rolled_back <= limit(kStepTuning.max_rolled_back, vertices))
        return {};
    const auto inside = static_cast<int>(memory.inside.size());
    const bool penetrating = inside > 0 && response.unresolved <= inside;
    if (bisections >= (penetrating ? kStepTuning.max_bisections_penetrating : kStepTuning.max_bisections))
        return {};
    return StepOutcome::subdivide(SubdivideReason::unresolved_contact);
}

bool only_handles_do_work(const ContactModel& model, const StepInput& in) {
    const auto& obstacles = model.obstacles;
    for (std::size_t o = 0; o < obstacles.size(); ++o)
        if (obstacles[o].mass > 0 && (in.obstacles.present.empty() || in.obstacles.present[o])) return false;
    return std::ranges::equal(in.obstacles.begin, in.obstacles.end);
}

std::string contact_fault(const contact::ContactSystem& system, const State& state) {
    if (!system.geometry().matches(state.contact) ||
        state.rigid_bodies.size() != system.rigid_bodies().count())
        return "the contacts of the state do not belong to the model";
    return "";
}

std::vector<Vec3d> obstacle_positions(const ContactModel& model, const contact::ContactSystem* system,
                                      const State& state, std::span<const Vec3d> given) {
    std::vector<Vec3d> all;
    std::size_t body = 0;
    for (const ObstaclePart& obstacle : model.obstacles) {
        if (obstacle.mass > 0) {
            system->rigid_bodies().positions(body, state.rigid_bodies[body], all);
            ++body;
            continue;
        }
        const auto from = given.empty() ? std::span<const Vec3d>(obstacle.vertices)
                                        : given.subspan(all.size(), obstacle.vertices.size());
        all.insert(all.end(), from.begin(), from.end());
    }
    return all;
}

}  // namespace rumple
