// The commands for Blender, in Python, of `rumple bench garment`; see bench_garment.hpp.
#pragma once

namespace rumple {

inline constexpr const char* kBlenderGarmentScript = R"PY(
import array, json, math, sys, time
import bpy

job = json.load(open(sys.argv[-1]))
first, last = 1, job["frames"] + 1

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.frame_start, scene.frame_end = first, last
scene.gravity = (0, 0, -9.81)


def add(name, part):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(part["vertices"], [], part["faces"])
    made = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(made)
    return made


body = add("body", job["body"])
motion = body.modifiers.new("motion", "MESH_CACHE")
motion.cache_format, motion.filepath = "PC2", job["body"]["cache"]
motion.frame_start = first
body.modifiers.new("collision", "COLLISION")
body.collision.thickness_outer = job["distance"]
body.collision.cloth_friction = 5  # Blender's default
shirt = add("shirt", job["shirt"])

# A frame of Blender's solver is sqrt(0.001) s long whatever the frame rate: it scales gravity by 0.001.
cloth = shirt.modifiers.new("cloth", "CLOTH")
settings = cloth.settings
settings.quality = job["quality"]
settings.time_scale = job["frame_seconds"] / math.sqrt(0.001)
settings.mass = job["vertex_mass"]
# Blender's preset "Cotton"
settings.tension_stiffness = settings.compression_stiffness = settings.shear_stiffness = 15
settings.tension_damping = settings.compression_damping = settings.shear_damping = 5
settings.bending_stiffness, settings.bending_damping, settings.air_damping = 0.5, 0.5, 1
collisions = cloth.collision_settings
collisions.collision_quality = job["collision_quality"]
collisions.use_collision = collisions.use_self_collision = True
collisions.distance_min = collisions.self_distance_min = job["distance"]
cloth.point_cache.frame_start, cloth.point_cache.frame_end = first, last


def evaluated(object):
    return object.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices


def walk(after_frame):
    seconds = []
    for frame in range(first, last + 1):
        start = time.perf_counter()
        scene.frame_set(frame)  # evaluates the modifiers: here the cloth moves
        seconds.append(time.perf_counter() - start)
        after_frame()
    return seconds[1:]  # in the first nothing moves yet


positions = open(job["positions"], "wb")


def save():
    for object in (shirt, body):
        vertices = evaluated(object)
        flat = array.array("f", [0.0]) * (3 * len(vertices))
        vertices.foreach_get("co", flat)
        flat.tofile(positions)


seconds = walk(save)
positions.close()
cloth.show_viewport = False
overhead = walk(lambda: None)
json.dump({"version": bpy.app.version_string, "seconds": seconds, "overhead": overhead},
          open(job["result"], "w"))
)PY";

}  // namespace rumple
