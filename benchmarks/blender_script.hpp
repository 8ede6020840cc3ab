// The commands for Blender, in Python; see blender_peer.hpp.
#pragma once

namespace rumple {

inline constexpr const char* kBlenderScript = R"PY(
import json, math, sys, time
import bpy

job = json.load(open(sys.argv[-1]))
vertices, faces, ring = job["vertices"], job["faces"], job["ring"]
first, frames = 1, job["frames"]
last = first + frames

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.use_gravity = False
scene.frame_start, scene.frame_end = first, last
mesh = bpy.data.meshes.new("tube")
mesh.from_pydata(vertices, [], faces)
tube = bpy.data.objects.new("tube", mesh)
scene.collection.objects.link(tube)
bottom, top = list(range(ring)), list(range(len(vertices) - ring, len(vertices)))
tube.vertex_groups.new(name="top").add(top, 1.0, "REPLACE")
tube.vertex_groups.new(name="held").add(bottom + top, 1.0, "REPLACE")

handle = bpy.data.objects.new("handle", None)
scene.collection.objects.link(handle)
for frame, share in ((first, 0.0), (last, 1.0)):
    handle.location = (0, 0, -job["lowered"] * share)
    handle.rotation_euler = (0, 0, job["turn"] * share)
    handle.keyframe_insert("location", frame=frame)
    handle.keyframe_insert("rotation_euler", frame=frame)
for curve in handle.animation_data.action.fcurves:
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
scene.frame_set(first)
hook = tube.modifiers.new("hook", "HOOK")
hook.object, hook.vertex_group, hook.falloff_type = handle, "top", "NONE"

# A frame of Blender's solver is sqrt(0.001) s long whatever the frame rate: it scales gravity by 0.001.
cloth = tube.modifiers.new("cloth", "CLOTH")
settings = cloth.settings
settings.quality = job["substeps"]
settings.time_scale = job["substeps"] * job["substep"] / math.sqrt(0.001)
settings.vertex_group_mass = "held"
settings.mass = 0.3  # from here on Blender's preset "Cotton"
settings.tension_stiffness = settings.compression_stiffness = settings.shear_stiffness = 15
settings.tension_damping = settings.compression_damping = settings.shear_damping = 5
settings.bending_stiffness, settings.bending_damping, settings.air_damping = 0.5, 0.5, 1
cloth.collision_settings.use_collision = False
cloth.collision_settings.use_self_collision = False
cloth.point_cache.frame_start, cloth.point_cache.frame_end = first, last


def evaluated():
    return tube.evaluated_get(bpy.context.evaluated_depsgraph_get())


def walk(after_frame):
    seconds = []
    for frame in range(first, last + 1):
        start = time.perf_counter()
        scene.frame_set(frame)  # evaluates the modifiers: here the cloth moves
        took = time.perf_counter() - start
        if frame > first + job["first_frame"]:
            seconds.append(took / job["substeps"])
            after_frame()
    return seconds


iterations = []  # Blender weighs them with the length of a substep
seconds = walk(lambda: iterations.append(
    evaluated().modifiers["cloth"].solver_result.avg_iterations / settings.time_scale))
final = evaluated().data.vertices
pins_off = max(math.dist(final[v].co, x) for v, x in zip(bottom + top, job["held_at_end"]))
cloth.show_viewport = False
overhead = walk(lambda: None)
json.dump({"version": bpy.app.version_string, "seconds": seconds, "overhead": overhead,
           "iterations": iterations, "pins_off": pins_off}, open(job["result"], "w"))
)PY";

}  // namespace rumple
