// The library in one page: a cotton tube is twisted, held for ten minutes or not at all, and turned back. How
// much of the wrinkles stays is printed as bending content (docs/measures.md).
#include <cstdio>
#include <rumple/core/error.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/mesh/generators.hpp>

using namespace rumple;

double twist_and_measure(double hold_seconds) {
    // a tube of flat cloth, 40 mm wide and 50 mm high, slightly out of round so that it knows which way to
    // buckle
    TriMesh mesh = make_tube(32, 17, 0.02, 0.05, Layout::right);
    const RestShape rest = make_rest_shape(mesh, {.source = RestSource::uv}, "tube");
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) mesh.positions[i].x *= i % 2 == 0 ? 1.001 : 0.999;
    const Material cotton = *find_preset("cotton");
    const ClothPart part{&mesh, &rest, &cotton};
    const Model model = make_model({&part, 1});
    State state = make_state(model, mesh.positions);
    const auto stepper = make_stepper(model);

    // the first and the last ring are held; the last one turns
    std::vector<int> held;
    for (int i = 0; i < 32; ++i) held.insert(held.end(), {i, 16 * 32 + i});
    const auto take_steps = [&](int steps, double from, double to, double material_dt) {
        for (int s = 1; s <= steps; ++s) {
            const double angle = from + (to - from) * s / steps;
            std::vector<Vec3d> targets;
            for (int v : held) {
                const Vec3d x = mesh.positions[static_cast<std::size_t>(v)];
                targets.push_back(v < 32 ? x : rotation({0, 0, 1}, angle) * x);
            }
            const StepReport report =
                stepper->step(state, {.h = 0.01, .material_dt = material_dt, .handles = {held, targets, {}}});
            if (!report.accepted) throw SimulationError(report.failure);
        }
    };
    take_steps(60, 0, -1.2, 0.01);                  // twist in 0.6 s
    take_steps(30, -1.2, -1.2, 0.01);               // come to rest
    take_steps(20, -1.2, -1.2, hold_seconds / 20);  // hold: 0.2 s of dynamics, hold_seconds of material time
    take_steps(60, -1.2, 0, 0.01);                  // back
    take_steps(30, 0, 0, 0.01);                     // settle
    return measure_wrinkles(rest, mesh.triangles, state.x, hinge_angles(rest, mesh.positions))
        .bending_content;
}

int main() {
    std::printf("not held       %8.1f 1/m2\n", twist_and_measure(0));
    std::printf("held 10 min    %8.1f 1/m2\n", twist_and_measure(600));
    return 0;
}
