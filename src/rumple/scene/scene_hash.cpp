#include <nlohmann/json.hpp>
#include <rumple/core/digest.hpp>
#include <rumple/material/material_json.hpp>
#include <rumple/scene/obstacle_timeline.hpp>
#include <rumple/scene/run_start.hpp>
#include <rumple/scene/scene_hash.hpp>

namespace rumple {

namespace {

constexpr int kHashVersion = 2;  // raise it when what is hashed changes

void add(Digest& digest, Vec3d v) {
    for (int k = 0; k < 3; ++k) digest.add(v[k]);
}

void add(Digest& digest, const TriMesh& mesh) {
    digest.add(mesh.positions);
    digest.add(mesh.triangles);
    digest.add(mesh.uvs);
    digest.add(mesh.uv_triangles);
}

void add(Digest& digest, const RestShape& rest) {
    digest.add(rest.area);
    digest.add(rest.gradient);
    digest.add(rest.hinges);
    digest.add(rest.hinge_length);
    digest.add(rest.hinge_height);
    digest.add(rest.hinge_angle);
    digest.add(rest.mean_edge_length);
}

void add(Digest& digest, const Material& material) {
    nlohmann::json fields = to_json(material);  // every field, in one list
    fields.erase("name");
    digest.add(fields.dump());
}

void add(Digest& digest, const SceneCloth& cloth) {
    digest.add(cloth.name);
    add(digest, cloth.mesh);
    digest.add(cloth.reference);
    add(digest, cloth.rest);
    add(digest, cloth.material);
    digest.add(static_cast<int>(cloth.sets.size()));
    for (const auto& [name, vertices] : cloth.sets) {
        digest.add(name);
        digest.add(vertices);
    }
    digest.add(cloth.numbering.vertices);
    digest.add(cloth.numbering.triangles);
    digest.add(cloth.numbering.hinges);
}

void add(Digest& digest, const SceneHandle& handle) {
    digest.add(handle.name);
    digest.add(handle.vertices);
    digest.add(handle.stiffness);
    digest.add(handle.from_start);
    digest.add(handle.attach);
}

void add(Digest& digest, const ObstacleClip& clip) {
    digest.add(clip.times);
    digest.add(clip.loops);
    digest.add(clip.start);
    digest.add(clip.speed);
    for (std::size_t i = 0; i < clip.times.size(); ++i) digest.add(clip.sample(i));
}

// What an obstacle is and where. How it responds to cloth comes later: see scene_hashes().
void add_shape(Digest& digest, const SceneObstacle& obstacle) {
    digest.add(obstacle.name);
    digest.add(obstacle.kind);
    add(digest, obstacle.mesh);
    digest.add(obstacle.clip != nullptr);
    if (obstacle.clip) add(digest, *obstacle.clip);
    digest.add(obstacle.mass > 0);
    digest.add(obstacle.from_start);
    digest.add(obstacle.moves);
}

void add_response(Digest& digest, int index, const SceneObstacle& obstacle) {
    digest.add(index);
    digest.add(obstacle.friction);
    digest.add(obstacle.thickness);
    digest.add(obstacle.mass);
    const bool slides = obstacle.mass > 0 && obstacle.slider;
    digest.add(slides);
    if (slides) add(digest, *obstacle.slider);
}

// A motion that goes nowhere is the same whatever else it says, and one that does not turn has no axis.
void add(Digest& digest, const HandleMotion& motion) {
    digest.add(motion.moves());
    if (!motion.moves()) return;
    digest.add(static_cast<int>(motion.ease));
    digest.add(static_cast<int>(motion.keyframes.size()));
    bool turns = false;
    if (motion.keyframes.empty()) {
        add(digest, motion.translate);
        digest.add(motion.angle);
        turns = motion.angle != 0;
    }
    for (const HandleMotion::Keyframe& key : motion.keyframes) {
        digest.add(key.time);
        add(digest, key.translate);
        digest.add(key.angle);
        turns = turns || key.angle != 0;
    }
    if (!turns) return;
    add(digest, motion.axis);
    add(digest, motion.through);
}

void add(Digest& digest, const std::optional<double>& x) {
    digest.add(x.has_value());
    if (x) digest.add(*x);
}

void add(Digest& digest, const ObstacleCommand& command) {
    add(digest, command.motion);
    digest.add(command.clip_stands);
    add(digest, command.from);
    add(digest, command.to);
    if (command.to) digest.add(static_cast<int>(command.motion.ease));
}

void add(Digest& digest, const Phase& phase) {
    digest.add(phase.steps);
    if (phase.steps == 0) return;  // skipped with everything in it
    digest.add(phase.name);
    digest.add(phase.h);
    digest.add(phase.material_dt);
    digest.add(phase.hold);
    if (phase.recovery) {
        digest.add("recovery");
        digest.add(phase.recovery->material_time);
        digest.add(phase.recovery->h);
    }
    digest.add(phase.grab);
    digest.add(phase.release);
    digest.add(static_cast<int>(phase.motions.size()));
    for (const HandleMotion& motion : phase.motions) add(digest, motion);
    digest.add(static_cast<int>(phase.commands.size()));
    for (const ObstacleCommand& command : phase.commands) add(digest, command);
    digest.add(phase.activate);
    digest.add(phase.deactivate);
    for (const Forget& forget : phase.forget) {
        digest.add("forget");
        digest.add(forget.vertices);
        for (const double remains : {forget.friction, forget.plasticity, forget.relaxation})
            digest.add(remains);
    }
}

void add_surroundings(Digest& digest, const Scene& scene) {
    add(digest, scene.gravity);
    digest.add(scene.mass_damping);
    digest.add(scene.stiffness_damping);
    digest.add(scene.stepper.tolerance);
    digest.add(static_cast<int>(scene.stepper.solver));
    digest.add(static_cast<int>(scene.stepper.backend));
    digest.add(scene.stepper.newton_iterations);
    digest.add(scene.stepper.newton_tolerance);
    digest.add(scene.output_rate);
    digest.add(scene.output_memory);
}

void add_contact(Digest& digest, const Scene& scene) {
    digest.add(scene.has_contact());
    if (!scene.has_contact()) return;
    digest.add(scene.contact.cloth_on_cloth);
    digest.add(scene.contact.thickness);
    digest.add(scene.contact.friction);
    digest.add(scene.contact.stiffness);
    digest.add(static_cast<int>(scene.obstacles.size()));
    for (const SceneObstacle& obstacle : scene.obstacles) add_shape(digest, obstacle);
}

}  // namespace

SceneHashes scene_hashes(const Scene& scene) {
    SceneHashes hashes;
    Digest digest;
    digest.add(kHashVersion);
    add_surroundings(digest, scene);
    digest.add(static_cast<int>(scene.cloths.size()));
    for (const SceneCloth& cloth : scene.cloths) add(digest, cloth);
    digest.add(static_cast<int>(scene.handles.size()));
    for (const SceneHandle& handle : scene.handles) add(digest, handle);
    add_contact(digest, scene);
    if (scene.start) {
        digest.add("from");
        digest.add(scene.start->digest);
        digest.add(!scene.start->x.empty());
    }

    const ObstacleTimeline timeline(scene);
    std::vector<bool> met(scene.obstacles.size());  // how an obstacle responds matters once it is there
    for (std::size_t k = 0; k < scene.phases.size(); ++k) {
        add(digest, scene.phases[k]);
        for (std::size_t i = 0; i < met.size(); ++i) {
            if (met[i] || scene.phases[k].steps == 0 || !timeline.present(static_cast<int>(k))[i]) continue;
            add_response(digest, static_cast<int>(i), scene.obstacles[i]);
            met[i] = true;
        }
        hashes.phases.push_back(digest.hex32());
    }
    for (std::size_t i = 0; i < met.size(); ++i)
        if (!met[i]) add_response(digest, static_cast<int>(i), scene.obstacles[i]);
    digest.add(scene.recovery_phase);
    hashes.run = digest.hex16();
    return hashes;
}

}  // namespace rumple
