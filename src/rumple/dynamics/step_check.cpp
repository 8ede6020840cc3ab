#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/dynamics/step_check.hpp>

namespace rumple {

namespace {

std::string check_handles(const Model& model, const HandleTargets& handles) {
    const std::size_t n = handles.vertices.size();
    if (handles.targets.size() != n || (!handles.stiffness.empty() && handles.stiffness.size() != n))
        return fmt::format("{} handle vertices have {} targets and {} stiffnesses", n, handles.targets.size(),
                           handles.stiffness.size());
    for (std::size_t i = 0; i < n; ++i) {
        const int v = handles.vertices[i];
        if (v < 0 || v >= model.vertex_count())
            return fmt::format("a handle holds vertex {} of {}", v, model.vertex_count());
        if (!finite(handles.targets[i]))
            return fmt::format("the target of vertex {} is not a finite number", model.source_vertex(v));
        if (handles.stiffness.empty()) continue;
        if (const double k = handles.stiffness[i]; !(k >= 0) || !std::isfinite(k))
            return fmt::format("the handle of vertex {} has stiffness {} N/m", model.source_vertex(v), k);
    }
    return "";
}

std::string check_obstacles(const std::vector<ObstaclePart>& obstacles, const ObstacleMotion& motion) {
    std::size_t vertices = 0;
    for (const ObstaclePart& obstacle : obstacles) vertices += obstacle.vertices.size();
    const bool stand = motion.begin.empty() && motion.end.empty();
    if (!stand && (motion.begin.size() != vertices || motion.end.size() != vertices))
        return fmt::format(
            "the obstacles have {} vertices, but their motion begins with {} and ends with {} positions; "
            "pass one a vertex, or none",
            vertices, motion.begin.size(), motion.end.size());
    if (!motion.present.empty() && motion.present.size() != obstacles.size())
        return fmt::format("{} flags say which of {} obstacles are present; pass one an obstacle, or none",
                           motion.present.size(), obstacles.size());
    return "";
}

std::string check_forces(const Model& model, std::span<const Vec3d> forces) {
    if (forces.empty()) return "";
    if (forces.size() != model.mass.size())
        return fmt::format("{} forces for {} vertices; pass one a vertex, or none", forces.size(),
                           model.mass.size());
    const auto bad = std::ranges::find_if(forces, [](const Vec3d& f) { return !finite(f); });
    if (bad == forces.end()) return "";
    return fmt::format("the force on vertex {} is not a finite number",
                       model.source_vertex(static_cast<int>(bad - forces.begin())));
}

}  // namespace

std::string check_step(const Model& model, const State& state, const StepInput& in) {
    const std::size_t strains = model.membrane_has_history() ? 3 * model.triangles.size() : 0;
    if (state.x.size() != model.mass.size() || state.v.size() != model.mass.size() ||
        !state.bending.fits(model.hinges.size(), model.bending_history) ||
        !state.membrane.fits(strains, model.membrane_history))
        return "the state does not belong to the model";
    if (!(in.h > 0) || !(in.material_dt >= 0) || !std::isfinite(in.h) || !std::isfinite(in.material_dt))
        return fmt::format("step sizes h = {} s, material_dt = {} s are not usable", in.h, in.material_dt);
    if (std::string fault = check_obstacles(model.contact.obstacles, in.obstacles); !fault.empty())
        return fault;
    if (std::string fault = check_forces(model, in.forces); !fault.empty()) return fault;
    return check_handles(model, in.handles);
}

}  // namespace rumple
