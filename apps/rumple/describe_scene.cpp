#include "describe_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/frames.hpp>
#include <rumple/sim/variant_scheduler.hpp>

#include "run_options.hpp"

namespace rumple {
namespace {

std::string describe_cloths(const Scene& scene) {
    std::string text;
    for (const SceneCloth& cloth : scene.cloths)
        text += fmt::format(
            "  cloth   {:<14} {}, {} vertices, {} triangles, {} hinges, mean edge {:.4g} mm\n", cloth.name,
            cloth.material.name, cloth.mesh.positions.size(), cloth.mesh.triangles.size(),
            cloth.rest.hinges.size(), 1e3 * cloth.rest.mean_edge_length);
    for (const SceneHandle& handle : scene.handles)
        text += fmt::format(
            "  handle  {:<14} {} vertices, {}\n", handle.name, handle.vertices.size(),
            handle.stiffness > 0 ? fmt::format("springs of {:.4g} N/m", handle.stiffness) : "exact");
    for (const SceneObstacle& obstacle : scene.obstacles) {
        text += fmt::format("  obstacle {:<13} {}, {} vertices, {} triangles", obstacle.name, obstacle.kind,
                            obstacle.mesh.positions.size(), obstacle.mesh.triangles.size());
        if (obstacle.clip)
            text += fmt::format(", {} samples over {:.6g} s", obstacle.clip->times.size(),
                                obstacle.clip->duration());
        if (obstacle.mass > 0) text += fmt::format(", a rigid body of {:.4g} kg", obstacle.mass);
        if (!obstacle.from_start) text += ", not active at first";
        text += "\n";
    }
    if (scene.has_contact())
        text += fmt::format("  contact {:<14} thickness {:.4g} mm, friction {:.4g}\n",
                            scene.contact.cloth_on_cloth ? "with itself too" : "obstacles only",
                            1e3 * scene.contact.thickness, scene.contact.friction);
    return text;
}

std::string describe_timeline(const Scene& scene) {
    std::string text;
    double time = 0, material_time = 0;
    int steps = 0;
    for (const Phase& phase : scene.phases) {
        if (phase.steps == 0) {
            text += fmt::format("  phase   {:<14} skipped\n", phase.name);
            continue;
        }
        text += fmt::format("  phase   {:<14} {} steps, {:.6g} s", phase.name, phase.steps, phase.duration());
        if (phase.hold)
            text += fmt::format(", holds {:.6g} s of material time", phase.steps * phase.material_dt);
        if (phase.recovery)
            text += fmt::format(", recovers for {:.6g} s of material time", phase.recovery->material_time);
        text += "\n";
        time += phase.duration();
        material_time += phase.steps * phase.material_dt;
        steps += phase.steps;
    }
    text += fmt::format("  total   {} steps, {:.6g} s, {:.6g} s of material time, {} frames\n", steps, time,
                        material_time, frame_steps(scene).size());
    return text;
}

}  // namespace

std::string describe(const std::vector<Scene>& variants) {
    const Scene& first = variants.front();
    std::string text = fmt::format("scene {}\n{}", first.name, describe_cloths(first));
    std::vector<VariantPlan> plans;
    long separate = 0;
    for (const Scene& scene : variants) {
        if (!scene.variant.empty()) text += fmt::format("variant {}\n", scene.variant);
        text += describe_timeline(scene);
        const SceneHashes hashes = scene_hashes(scene);
        text += fmt::format("  hash    {}\n", hashes.run);
        for (const Phase& phase : scene.phases) separate += phase.steps;
        plans.push_back(plan_of(scene, hashes));
    }
    if (variants.size() > 1)
        text += fmt::format("{} variants share beginnings: {} steps instead of {}\n", variants.size(),
                            VariantScheduler(std::move(plans)).total_steps(), separate);
    for (const std::string& warning : merged_warnings(variants))
        text += fmt::format("warning: {}\n", warning);
    return text;
}

}  // namespace rumple
