// Contact on the host beside solves on the device, against the CPU: small scenes of drop, crumple and wring.
#include <fmt/format.h>

#include <deque>
#include <numbers>

#include "checks.hpp"
#include "dynamics/contact_cloths.hpp"

namespace rumple::checks {

using cuda::CudaStepper;

namespace {

// Cloths and what happens to them in each step.
struct ContactScene {
    std::string name;
    ContactCloths cloths;
    std::vector<int> held{};
    std::vector<Vec3d> held_at{};
    std::function<Vec3d(Vec3d, double)> handle_motion{};    // place at a time
    std::function<Vec3d(Vec3d, double)> obstacle_motion{};  // null: they stand
    double damping = 0, gravity = -9.81;
    StepperOptions options{.threads = 1, .tolerance = 1e-8};  // of both backends, where they are compared
    cuda::HierarchyOptions hierarchy{};

    // Of a step that begins at `time`; lives until the next call.
    StepInput input(double time) {
        StepInput in;
        in.h = 0.005;
        in.material_dt = 0.005;
        in.gravity = {0, 0, gravity};
        in.mass_damping = damping;
        targets_.clear();
        for (const Vec3d& p : held_at) targets_.push_back(handle_motion(p, time + in.h));
        in.handles = {held, targets_, {}};
        if (obstacle_motion) {
            begin_.clear();
            end_.clear();
            for (const Vec3d& p : cloths.given()) {
                begin_.push_back(obstacle_motion(p, time));
                end_.push_back(obstacle_motion(p, time + in.h));
            }
            in.obstacles.begin = begin_;
            in.obstacles.end = end_;
        }
        return in;
    }
    void hold(const std::function<bool(Vec3d)>& chosen) {
        for (std::size_t v = 0; v < cloths.model.initial.size(); ++v)
            if (chosen(cloths.model.initial[v])) {
                held.push_back(static_cast<int>(v));
                held_at.push_back(cloths.model.initial[v]);
            }
    }
    std::span<const Vec3d> obstacles_at_end() {
        if (begin_.empty()) begin_ = end_ = cloths.given();
        return end_;
    }

    std::vector<Vec3d> targets_{}, begin_{}, end_{};  // of the last input
};

Material cotton() {
    Material m = *find_preset("cotton");
    m.friction.tau = 0.5;
    return m;
}

// Two sheets fall over a ball onto the floor, n vertices along each side.
ContactScene drop(int n = 13) {
    const TriMesh sheet = make_grid(n, n, 0.005 * (n - 1), 0.005 * (n - 1), Layout::alternating);
    return {
        .name = "drop",
        .cloths = ContactCloths({moved(sheet, {0.003, 0.002, 0.0185}),
                                 moved(sheet, {-0.004, 0, 0.0205}, rotation(Vec3d{0, 0, 1}, 0.5))},
                                cotton(), {floor_part(), obstacle_of(test::ball(0.008, 2, {0, 0, 0.0091}))})};
}

// A body falls onto a sheet that is held at its corners.
ContactScene rigid_body() {
    ObstaclePart body = obstacle_of(test::box({0.012, 0.012, 0.012}, {0.002, 0.001, 0.008}));
    body.mass = 0.005;
    ContactScene scene{.name = "rigid body",
                       .cloths = ContactCloths({make_grid(13, 13, 0.06, 0.06, Layout::alternating)}, cotton(),
                                               {std::move(body)}),
                       .handle_motion = [](Vec3d p, double) { return p; }};
    scene.hold([](Vec3d p) { return std::abs(p.x) > 0.029 && std::abs(p.y) > 0.029; });
    return scene;
}

// A weight on a slider falls onto three layers that lie on the floor.
ContactScene press() {
    const TriMesh sheet = make_grid(9, 9, 0.04, 0.04, Layout::alternating);
    ObstaclePart weight = obstacle_of(test::box({0.03, 0.03, 0.01}, {0.001, 0.002, 0.0105}));
    weight.mass = 0.4;
    weight.on_slider = true;
    std::vector<TriMesh> sheets;
    for (int i = 0; i < 3; ++i)
        sheets.push_back(
            moved(sheet, {0.001 * i, 0, 0.0009 + 0.0011 * i}, rotation(Vec3d{0, 0, 1}, 0.3 * i)));
    return {.name = "press",
            .cloths = ContactCloths(std::move(sheets), cotton(), {floor_part(), std::move(weight)})};
}

// A tube is pressed flat between the floor and a plate that comes down.
ContactScene crumple() {
    ObstaclePart plate = obstacle_of(test::box({0.12, 0.12, 0.01}, {0, 0, 0.067}));
    plate.moves = true;
    return {
        .name = "crumple",
        .cloths = ContactCloths({moved(make_tube(26, 14, 0.02, 0.055, Layout::alternating), {0, 0, 0.003})},
                                cotton(), {floor_part(), std::move(plate)}),
        .obstacle_motion =
            [](Vec3d p, double time) {
                return p.z < 0.03 ? p : p - Vec3d{0, 0, std::min(0.054, 0.35 * time)};
            },
        .damping = 0.5};
}

// Both ends of a strip turn against each other.
ContactScene wring() {
    ContactScene scene{
        .name = "wring",
        .cloths = ContactCloths({make_grid(29, 11, 0.12, 0.045, Layout::alternating)}, cotton(), {}),
        .handle_motion = [](Vec3d p, double time) {
            const double side = p.x > 0 ? 1 : -1, angle = side * 36 * time;
            return rotation(Vec3d{1, 0, 0}, angle) * p - Vec3d{side * 0.03 * time, 0, 0};
        }};
    scene.hold([](Vec3d p) { return std::abs(p.x) > 0.0595; });
    return scene;
}

// Steps of the CPU, and from every so many of its states the same step on the device.
struct Sample {
    int from, steps, every;
    int contacts = 100;       // that it must reach
    double tolerance = 1e-7;  // edges
};
struct Agreement {
    double apart = 0;  // edges
    int compared = 0, touching = 0, iterations[2] = {}, direct = 0, substeps = 0;
    bool same = true;
    std::string failure{};

    void add(const StepReport& a, const StepReport& b, double distance) {
        same = same && a.accepted && b.accepted && a.solves == b.solves &&
               a.contact.touching == b.contact.touching && a.contact.collisions == b.contact.collisions &&
               a.contact.substeps == b.contact.substeps;
        if (!(distance <= apart)) apart = distance;
        touching = std::max(touching, a.contact.touching);
        substeps = std::max(substeps, a.contact.substeps);
        iterations[0] += a.iterations;
        iterations[1] += b.iterations;
        direct += b.direct_fallbacks;
        failure += a.failure + b.failure;
        ++compared;
    }
};
Agreement check_agreement(ContactScene scene, Sample sample) {
    const Model& model = scene.cloths.model;
    const auto cpu = make_stepper(model, scene.options);
    CudaStepper device(model, scene.options, scene.hierarchy);
    State state = scene.cloths.at_rest();
    Agreement found;
    for (int n = 0; n < sample.steps; ++n) {
        const StepInput in = scene.input(state.time);
        State here = state;
        const StepReport a = cpu->step(here, in);
        if (n >= sample.from && (n - sample.from) % sample.every == 0) {
            State there = state;
            const StepReport b = device.step(there, in);
            found.add(a, b, distance(here.x, there.x) / model.mean_edge_length);
        }
        state = std::move(here);
    }
    expect(
        found.same && found.apart <= sample.tolerance && found.touching > sample.contacts,
        fmt::format(
            "{}: {} steps with up to {} contacts, in up to {} parts, end within {:.1e} edges; iterations {} "
            "{} {}",
            scene.name, found.compared, found.touching, found.substeps, found.apart, found.iterations[0],
            found.iterations[1], found.failure));
    expect(found.direct == 0,
           scene.name + ": conjugate gradients never gave up (r.z > 0 in every iteration)");
    return found;
}

// The device's direct solver, where conjugate gradients give up, knows of contacts too.
void check_fallback() {
    ContactScene scene = drop(5);
    const Model& model = scene.cloths.model;
    const auto cpu = make_stepper(model, {.threads = 1, .tolerance = 1e-9});
    CudaStepper device(model, {.threads = 1, .solver = SolverChoice::direct});
    State state = scene.cloths.at_rest(), there;
    StepReport a, b;
    for (int n = 0; n < 14; ++n) {
        there = state;
        const StepInput in = scene.input(state.time);
        a = cpu->step(state, in);
        if (n == 13) b = device.step(there, in);
    }
    const double apart = distance(state.x, there.x) / model.mean_edge_length;
    expect(b.accepted && b.direct_fallbacks == b.solves && a.contact.touching > 5 && apart <= 1e-7,
           fmt::format("{} of {} solves direct, a step with {} contacts ends within {:.1e} edges",
                       b.direct_fallbacks, b.solves, a.contact.touching, apart));
}

// A short scene on the device: no crossing; its last steps, which have most contacts, end at the same bits
// again, with threads in another order.
void check_scene(const std::function<ContactScene()>& make, int steps) {
    int crossings = 0, touching = 0, collisions = 0;
    std::string failure;
    ContactScene scene = make();
    CudaStepper device(scene.cloths.model, {.threads = 1}), again(scene.cloths.model, {.threads = 2});
    State state = scene.cloths.at_rest();
    bool same = true;
    for (int n = 0; n < steps; ++n) {
        const StepInput in = scene.input(state.time);
        State other = state;
        const StepReport report = device.step(state, in);
        failure += report.failure;
        touching = std::max(touching, report.contact.touching);
        collisions += report.contact.collisions;
        const auto found = scene.cloths.crossings(state, scene.obstacles_at_end());
        crossings += found.cloth + found.obstacles;
        if (n < steps - steps / 4) continue;
#ifdef RUMPLE_CUDA_EMULATED
        emulation::shuffle_order(7);
#endif
        again.step(other, in);
#ifdef RUMPLE_CUDA_EMULATED
        emulation::shuffle_order(0);
#endif
        same = same && state == other;
    }
    expect(failure.empty() && crossings == 0 && touching > 50,
           fmt::format("{}: {} steps with up to {} contacts and {} collisions without a crossing {}",
                       scene.name, steps, touching, collisions, failure));
    expect(same, scene.name + ": the same bits again, with other threads");
}

}  // namespace

void check_contact() {
    check_agreement(drop(), {4, 24, kEmulated ? 4 : 2});
    check_agreement(crumple(), {12, 36, kEmulated ? 6 : 2});
    check_agreement(wring(), {30, 70, kEmulated ? 12 : 4});
    check_agreement(rigid_body(), {8, 30, kEmulated ? 7 : 3, 10});
    // the response to a slider is solved to a thousandth of the slider's motion (kStepTuning.fine_response)
    check_agreement(press(), {4, 20, kEmulated ? 4 : 1, 100, 2e-5});
    check_fallback();
}

void check_contact_one() { check_agreement(drop(7), {10, 11, 1, 20}); }

void check_contact_variants() {
    ContactScene large = wring();
    large.name = "wring, as if it were large";
    large.hierarchy = {{7, 2, 2}, true};
    check_agreement(std::move(large), {60, 61, 1});
    ContactScene converged = crumple();
    converged.name = "crumple, Newton to convergence";
    converged.options.newton_iterations = 8;
    check_agreement(std::move(converged), {28, 29, 1});
    ContactScene stiff = crumple();
    stiff.name = "crumple, contacts 100 times as stiff";
    stiff.cloths.model.contact.settings.stiffness *= 100;
    const Agreement hard = check_agreement(std::move(stiff), {24, 25, 1});
    expect(hard.iterations[1] < 2 * hard.iterations[0], "its domains follow contacts");
    ContactScene fast = drop();
    fast.name = "an impact";
    fast.gravity = -4000;
    const Agreement impact = check_agreement(std::move(fast), {0, 5, 1});
    expect(impact.substeps > 1, "its steps are subdivided");
}

void check_contact_scenes() {
    check_scene([] { return drop(); }, kEmulated ? 16 : 60);
    check_scene(crumple, kEmulated ? 16 : 40);
    check_scene(wring, kEmulated ? 21 : 80);
}

}  // namespace rumple::checks
