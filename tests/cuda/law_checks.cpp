// Laws, rest shapes and garments against the CPU, step by step from the CPU's states. No contact.
#include <fmt/format.h>

#include <numbers>
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
    const SampleCloth& cloth;
    Held held;

    explicit Motion(const SampleCloth& c) : cloth(c), held(c.mesh.positions, on_border(c)) {}
    static std::function<bool(Vec3d)> on_border(const SampleCloth& c) {
        double low = 1e9, high = -1e9;
        for (const Vec3d& p : c.mesh.positions) {
            low = std::min(low, p.y);
            high = std::max(high, p.y);
        }
        const double edge = 0.7 * c.model.mean_edge_length;
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
        in.handles = {held.vertices, targets, {}};
        return in;
    }
};

// Both backends take every step from the same state; `want` says what the motion must reach.
struct Reached {
    int slipping = 0, yielding = 0, solves = 0;
};
Reached check_motion(const SampleCloth& cloth, const std::string& name, int steps,
                     const StepperOptions& options = {}) {
    StepperOptions tight = options;
    tight.tolerance = 1e-9;
    tight.threads = 1;
    const auto cpu = make_stepper(cloth.model, tight);
    CudaStepper device(cloth.model, tight);
    const Motion motion(cloth);
    State here = cloth.at_rest();
    std::vector<Vec3d> targets;
    Reached reached;
    double worst = 0, worst_history = 0;
    bool same = true;
    std::string failure;
    for (int n = 0; n < steps; ++n) {
        const StepInput in = motion.input(n, targets);
        State there = here;
        const StepReport a = cpu->step(here, in), b = device.step(there, in);
        same = same && a.accepted && b.accepted && a.solves == b.solves && a.slipping == b.slipping &&
               a.yielding == b.yielding && a.newton_converged == b.newton_converged;
        failure += a.failure + b.failure;
        worst = std::max(worst, distance(here.x, there.x) / cloth.model.mean_edge_length);
        worst_history = std::max(
            {worst_history, apart(here.bending, there.bending), apart(here.membrane, there.membrane)});
        reached = {std::max(reached.slipping, a.slipping), std::max(reached.yielding, a.yielding),
                   std::max(reached.solves, a.solves)};
    }
    expect(same && worst <= 1e-7 && worst_history <= 1e-6,
           fmt::format("{}: {} steps end within {:.1e} edges, histories within {:.1e}; slipping {}, yielding "
                       "{}, solves {} {}",
                       name, steps, worst, worst_history, reached.slipping, reached.yielding, reached.solves,
                       failure));
    return reached;
}

SampleCloth sheet(const Material& material, RestOptions rest = {}) {
    return {make_grid(15, 19, 0.07, 0.09, Layout::alternating), material, rest};
}

Material soft(Material material) {
    material.friction.eps_0 = 0.02;
    material.plasticity.eps_Y0 = 0.02;
    return material;
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

void check_newton() {
    const SampleCloth cloth = sheet(soft(*find_preset("cotton")));
    const Reached reached =
        check_motion(cloth, "Newton to convergence", kEmulated ? 3 : 10, {.newton_iterations = 20});
    expect(reached.solves > 2, fmt::format("it takes up to {} solves", reached.solves));
}

}  // namespace rumple::checks
