// Laws, rest shapes and garments against the CPU, step by step from the CPU's states. No contact.
#include <fmt/format.h>

#include <cmath>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/trousers.hpp>

#include "checks.hpp"
#include "dynamics/sample_cloth.hpp"

namespace rumple::checks {

using cuda::CudaStepper;

namespace {

// Do histories agree, to the accuracy of a solve?
double apart(const HistoryArrays& a, const HistoryArrays& b) {
    double largest = 0;
    for_each_history_column(
        [&]<class T>(const HistoryVariable&, const std::vector<T>& here, const std::vector<T>& there) {
            for (std::size_t i = 0; i < here.size(); ++i)
                largest =
                    std::max(largest, std::abs(static_cast<double>(here[i]) - static_cast<double>(there[i])));
        },
        a, b);
    return largest;
}

// A cloth held at one border, which is folded over by handles while the rest is shaken.
struct Motion {
    Held held;
    std::vector<Vec3d> forces{};  // on each vertex; empty: none
    double stiffness_damping = 0;

    explicit Motion(const Model& model) : held(model.initial, on_border(model)) {}
    static std::function<bool(Vec3d)> on_border(const Model& model) {
        double low = 1e9, high = -1e9;
        for (const Vec3d& p : model.initial) {
            low = std::min(low, p.y);
            high = std::max(high, p.y);
        }
        const double edge = 0.7 * model.mean_edge_length;
        return [=](Vec3d p) { return p.y < low + edge || p.y > high - edge; };
    }
    // The upper border turns towards the lower one.
    StepInput input(int step, std::vector<Vec3d>& targets) const {
        const double angle = 0.12 * (step + 1);
        targets = held.targets;
        for (Vec3d& p : targets)
            if (p.y > 0) p = rotation(Vec3d{1, 0, 0}, angle) * p + Vec3d{0.02 * p.y * angle, 0, 0};
        StepInput in;
        in.gravity = {0, 0, -9.81};
        in.mass_damping = 0.1;
        in.stiffness_damping = stiffness_damping;
        in.handles = {held.vertices, targets, {}};
        in.forces = forces;
        return in;
    }
};

// Both backends take every step from the same state; `want` says what the motion must reach.
struct Reached {
    int slipping = 0, yielding = 0, solves = 0;
};
Reached check_motion(const Model& model, const Motion& motion, const std::string& name, int steps,
                     const StepperOptions& options = {}) {
    StepperOptions tight = options;
    tight.tolerance = 1e-9;
    tight.threads = 1;
    const auto cpu = make_stepper(model, tight);
    CudaStepper device(model, tight);
    State here = make_state(model, model.initial);
    std::vector<Vec3d> targets;
    Reached reached;
    double worst = 0, worst_history = 0, worst_reaction = 0;
    bool same = true;
    std::string failure;
    for (int n = 0; n < steps; ++n) {
        const StepInput in = motion.input(n, targets);
        State there = here;
        const StepReport a = cpu->step(here, in), b = device.step(there, in);
        same = same && a.accepted && b.accepted && a.solves == b.solves && a.slipping == b.slipping &&
               a.yielding == b.yielding && a.newton_converged == b.newton_converged;
        failure += a.failure + b.failure;
        worst = std::max(worst, distance(here.x, there.x) / model.mean_edge_length);
        worst_history = std::max(
            {worst_history, apart(here.bending, there.bending), apart(here.membrane, there.membrane)});
        worst_reaction = std::max(worst_reaction,
                                  distance(cpu->reactions(), device.reactions()) / largest(cpu->reactions()));
        reached = {std::max(reached.slipping, a.slipping), std::max(reached.yielding, a.yielding),
                   std::max(reached.solves, a.solves)};
    }
    expect(same && worst <= 1e-7 && worst_history <= 1e-6 && worst_reaction <= 1e-4,
           fmt::format("{}: {} steps end within {:.1e} edges, histories within {:.1e}, reactions within "
                       "{:.1e}; slipping {}, yielding {}, solves {} {}",
                       name, steps, worst, worst_history, worst_reaction, reached.slipping, reached.yielding,
                       reached.solves, failure));
    return reached;
}
Reached check_motion(const SampleCloth& cloth, const std::string& name, int steps,
                     const StepperOptions& options = {}) {
    return check_motion(cloth.model, Motion(cloth.model), name, steps, options);
}

SampleCloth sheet(const Material& material, RestOptions rest = {}) {
    return {make_grid(15, 19, 0.07, 0.09, Layout::alternating), material, rest};
}

Material soft(Material material) {
    material.friction.eps_0 = 0.02;
    material.plasticity.eps_Y0 = 0.02;
    return material;
}

// Cloths that relax, each by its own ladder, beside one that does not.
struct Relaxing {
    std::vector<TriMesh> meshes;
    std::vector<RestShape> rests;
    std::vector<Material> materials;
    Model model;

    Relaxing() {
        Material bending = soft(*find_preset("cotton")), membrane = all_laws_material(3e-3);
        bending.relaxation = {.share = 0.5, .tau_min = 0.003, .tau_max = 3000};
        membrane.relaxation = {.share = 0.3, .tau_min = 0.01, .tau_max = 1};
        membrane.tensile_relaxation = {.share = 0.6, .tau_min = 0.005, .tau_max = 50};
        materials = {bending, membrane, soft(*find_preset("denim"))};
        std::vector<ClothPart> parts;
        for (std::size_t i = 0; i < materials.size(); ++i) {
            meshes.push_back(make_grid(9, 11, 0.07, 0.09, Layout::alternating));
            for (Vec3d& p : meshes.back().positions) p.x += 0.1 * static_cast<double>(i);
            rests.push_back(make_rest_shape(meshes.back(), {}, "sheet"));
        }
        for (std::size_t i = 0; i < materials.size(); ++i)
            parts.push_back({&meshes[i], &rests[i], &materials[i]});
        model = make_model(parts);
    }
};

// The branches of relaxation, those of others left aside.
double largest_branch(const HistoryArrays& history) {
    double largest = 0;
    for (const double q : history.branch) largest = std::max(largest, std::abs(q));
    return largest;
}

// Either backend continues from the states of the other.
void check_in_turn(const Model& model, const Motion& motion, const std::string& name, int steps) {
    const StepperOptions options{.threads = 1, .tolerance = 1e-9};
    const auto cpu = make_stepper(model, options);
    CudaStepper device(model, options);
    device.set_resident(true);
    State alone = make_state(model, model.initial), in_turn = alone;
    std::vector<Vec3d> targets;
    for (int n = 0; n < steps; ++n) {
        const StepInput in = motion.input(n, targets);
        cpu->step(alone, in);
        if (n % 4 < 2) {
            device.step(in_turn, in);
            if (n % 4 == 1) device.fetch(in_turn);
        } else {
            cpu->step(in_turn, in);
        }
    }
    device.fetch(in_turn);
    const double apart_x = distance(alone.x, in_turn.x) / model.mean_edge_length,
                 apart_h =
                     std::max(apart(alone.bending, in_turn.bending), apart(alone.membrane, in_turn.membrane));
    expect(in_turn.step == steps && apart_x <= 1e-6 && apart_h <= 1e-5,
           fmt::format("{}: {} steps, two on the device and two on the CPU in turn, end within {:.1e} edges "
                       "of the CPU's, histories within {:.1e}",
                       name, steps, apart_x, apart_h));
}

void check_relaxation(int steps) {
    const Relaxing cloths;
    Motion motion(cloths.model);
    check_motion(cloths.model, motion, "relaxation of bending and membrane", steps);
    check_in_turn(cloths.model, motion, "relaxation", 2 * steps);
    motion.stiffness_damping = 2e-3;
    check_motion(cloths.model, motion, "relaxation with damping", 2);

    State state = make_state(cloths.model, cloths.model.initial);
    CudaStepper device(cloths.model, {});
    std::vector<Vec3d> targets;
    StepInput in = motion.input(0, targets);
    device.step(state, in);
    const double before = largest_branch(state.bending);
    in.handles.targets = motion.held.targets;
    in.material_dt = 1e8;
    device.step(state, in);
    expect(before > 0 && largest_branch(state.bending) < 1e-3 * before && largest_branch(state.membrane) > 0,
           fmt::format("branches of {:.1e} fade to {:.1e} in a long step", before,
                       largest_branch(state.bending)));
}

// Stiffness by direction, and forces of the caller.
void check_directions(int steps) {
    Material material = soft(*find_preset("cotton"));
    material.relaxation = {.share = 0.4, .tau_min = 0.01, .tau_max = 10};
    material.set_directions({.bending = DirectionalStiffness{8e-6, 4e-6, 3e-6},
                             .friction = DirectionalStiffness{1.6e-5, 8e-6, 6e-6},
                             .hardening = DirectionalStiffness{7e-6, 4e-6, 3e-6}});
    const SampleCloth cloth = sheet(material);
    Motion motion(cloth.model);
    const Reached reached = check_motion(cloth.model, motion, "stiffness by direction", steps);
    expect(!cloth.model.stiffness_factors.empty() && reached.slipping > 0 && reached.yielding > 0,
           "its hinges slip and yield");
    for (const Vec3d& p : cloth.mesh.positions) motion.forces.push_back({0, 1e-5 * std::sin(90 * p.x), 4e-5});
    check_motion(cloth.model, motion, "forces of the caller", steps);
    check_in_turn(cloth.model, motion, "stiffness by direction, relaxation, forces", 2 * steps);
}

void check_garment() {
    const Mannequin body = make_mannequin({.edge_length = 0.045});
    TriMesh posed = body.mesh;
    posed.positions = body.positions(Clip::stand, 0);
    const Garment trousers = make_trousers(posed, {.edge_length = 0.039});
    const SampleCloth cloth(trousers.mesh, *find_preset("cotton-garment"),
                            {.source = RestSource::mesh, .angles = RestAngles::mesh});
    check_motion(cloth,
                 fmt::format("trousers of {} vertices, rest angles of the mesh", cloth.model.vertex_count()),
                 2);
}

}  // namespace

void check_laws() {
    constexpr int kSteps = kEmulated ? 4 : 20;
    const Reached dwell = check_motion(sheet(soft(*find_preset("cotton"))), "dwell and plasticity", kSteps);
    expect(dwell.slipping > 0 && dwell.yielding > 0, "its hinges slip and yield");

    Material dahl = soft(*find_preset("denim"));
    dahl.friction_kind = FrictionKind::dahl;
    dahl.plastic = false;
    check_motion(sheet(dahl), "Dahl friction", kSteps);

    const SampleCloth membrane = sheet(all_laws_material(3e-3));
    const Reached tensile = check_motion(membrane, "laws on membrane strains", kSteps);
    expect(membrane.model.membrane_has_history() && tensile.slipping > 0, "its membrane slips");

    Material angle = soft(*find_preset("polyester"));
    angle.metric = StrainMetric::angle;
    check_motion(sheet(angle), "the metric of the bare angle", kSteps);

    const TriMesh tube = make_tube(18, 10, 0.03, 0.07, Layout::equilateral);
    check_motion(
        {tube, soft(*find_preset("cotton")), {.source = RestSource::mesh, .angles = RestAngles::mesh}},
        "rest angles", kSteps);
    check_garment();
}

void check_more_laws() {
    constexpr int kSteps = kEmulated ? 3 : 20;
    check_relaxation(kSteps);
    check_directions(kEmulated ? 1 : 20);
}

void check_newton() {
    const SampleCloth cloth = sheet(soft(*find_preset("cotton")));
    const Reached reached =
        check_motion(cloth, "Newton to convergence", kEmulated ? 3 : 10, {.newton_iterations = 20});
    expect(reached.solves > 2, fmt::format("it takes up to {} solves", reached.solves));
}

}  // namespace rumple::checks
