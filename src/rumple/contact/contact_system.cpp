#include <algorithm>
#include <rumple/contact/contact_system.hpp>
#include <rumple/contact/contact_tuning.hpp>
#include <rumple/core/stopwatch.hpp>

namespace rumple::contact {

ContactSystem::ContactSystem(const ContactModel& model, const ClothView& cloth)
    : geometry_(make_contact_geometry(model, cloth)),
      recovery_(geometry_),
      builder_(geometry_, recovery_.penetration()),
      candidates_(geometry_.surface, geometry_.reach,
                  std::min(kContactTuning.reach * model.settings.thickness,
                           kContactTuning.slack * cloth.mean_edge_length),
                  geometry_.rest),
      response_(geometry_.surface, candidates_),
      set_(geometry_.cloth_vertices),
      bodies_(geometry_, builder_, model),
      context_(geometry_, model, cloth.mass) {}

void ContactSystem::begin(const ContactStepInput& input, ContactWork work) {
    context_.set(input);
    bodies_.begin(input.rigid_bodies, input.slider_speed, context_);
    recovery_.begin(work.threads, input.first_step || input.obstacles.rearranged, context_);
    {
        // rigid bodies need to know whom they would run into; cloth, who is near now
        const Stopwatch watch(work.timing.contact_broad);
        candidates_.find(work.threads, context_.begin,
                         bodies_.count() > 0 ? context_.predicted : context_.begin, context_.active,
                         geometry_.settings.cloth_on_cloth);
    }
    const Stopwatch watch(work.timing.contact_narrow);
    bodies_.advance(candidates_.pairs(), context_);
    recovery_.make_contacts(work.threads, context_);
    set_.build_at_begin(work.threads, builder_, context_, candidates_.pairs());
    set_.evaluate_with_loads(work.threads, context_.begin);  // the loads with which the step begins
    work.report.pairs = static_cast<int>(set_.list().size());
}

void ContactSystem::evaluate(const Threads& threads, std::span<const Vec3d> cloth) {
    context_.set_cloth(cloth);
    set_.evaluate(threads, context_.end);
}

void ContactSystem::evaluate_first(const Threads& threads, std::span<const Vec3d> cloth) {
    context_.set_cloth(cloth);
    set_.evaluate_first(threads, context_);
}

ContactUpdate ContactSystem::update(std::span<const Vec3d> cloth, ContactWork work) {
    ContactUpdate found;
    context_.set_cloth(cloth);
    found.active_set_changes = set_.active_set_changes(work.threads, context_.end);
    bodies_.stop_sliders(context_);
    context_.moved_by_response = false;
    found.collisions =
        response_.detect(work.threads, context_.begin, context_.end, context_.collision_rules(), work.timing);
    const Stopwatch watch(work.timing.contact_narrow);
    work.report.collisions += static_cast<int>(found.collisions.size());
    std::vector<Contact> added = context_.recovery_contacts;
    if (!found.collisions.empty()) merge_sorted(added, builder_.make_impacts(context_, found.collisions));
    set_.build(work.threads, builder_, context_, candidates_.pairs(), context_.end, added, found.collisions);
    set_.mark_impacts(found.collisions);
    set_.evaluate_iterate(work.threads, context_);
    set_.mark_linearized();
    return found;
}

CollisionOutcome ContactSystem::resolve(std::span<Vec3d> cloth, ContactUpdate found, ContactWork work) {
    const auto& [threads, report, timing] = work;
    const CollisionRules rules = context_.collision_rules();
    std::vector<Vec3d>& end = context_.end;
    const double detection = timing.contact_broad + timing.contact_narrow;
    double all = 0;
    CollisionOutcome outcome;
    {
        const Stopwatch watch(all);
        outcome = response_.resolve(threads, context_.begin, end, rules, std::move(found.collisions), timing);
        if (outcome.unresolved > 0 && bodies_.slider_count() > 0) {
            // a slider that finds no room stands still, and counts as rolled back
            context_.set_cloth(cloth);
            bodies_.reset_sliders(context_);
            found.collisions = response_.detect(threads, context_.begin, end, rules, timing);
            outcome =
                response_.resolve(threads, context_.begin, end, rules, std::move(found.collisions), timing);
            ++outcome.rolled_back;
        }
    }
    std::copy_n(end.begin(), cloth.size(), cloth.begin());
    context_.moved_by_response = true;
    context_.unresolved |= outcome.unresolved > 0;
    timing.contact_response += all - (timing.contact_broad + timing.contact_narrow - detection);
    report.collisions += outcome.impulses;
    return outcome;
}

void ContactSystem::commit(std::span<const Vec3d> cloth, ContactMemory& memory,
                           std::vector<RigidBodyState>& rigid_bodies, ContactWork work) {
    context_.set_cloth(cloth);
    FrictionMemoryBuilder held =
        set_.friction_memory(work.threads, builder_, context_, candidates_.pairs(), work.timing);
    FrictionMemoryBuilder of_bodies;
    for (const Contact& c : bodies_.contacts())
        if (c.load > 0 && c.friction > 0) of_bodies.remember(c.pair, c.tangential_displacement);
    held.merge(of_bodies);
    PenetrationRecovery::Depth depth = recovery_.measure(work.threads, context_);
    held.memory.inside = std::move(depth.vertices);
    work.report.touching = held.touching;
    work.report.sliding = held.sliding;
    work.report.closest = held.touching > 0 ? held.closest : 0;
    work.report.deepest = depth.deepest;
    work.report.inside = static_cast<int>(held.memory.inside.size());
    rigid_bodies = bodies_.end_states(context_.h);
    memory = std::move(held.memory);
}

double ContactSystem::potential() const {
    const double h2 = context_.h * context_.h;
    return h2 * set_.energy() + bodies_.slider_energy(context_, h2);
}

}  // namespace rumple::contact
