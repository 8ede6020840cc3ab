"""Run by Blender: imports what a run wrote, plays the cache through the Mesh Cache modifier, compares every vertex.

Usage: blender --background --factory-startup --python blender_check.py -- FOLDER NAME...
FOLDER is a run's; NAME are cloths or obstacles in its cache/. Each is tried as PC2 and, where there is one, as MDD and as
animated glTF (.glb).
Exits with 1 when a vertex is further off than 1e-5 m.
"""
import array
import pathlib
import struct
import sys

import bpy

TOLERANCE = 1e-5  # m


def pc2_frames(path):
    data = path.read_bytes()
    points, _, _, samples = struct.unpack("<iffi", data[16:32])
    values = array.array("f")
    values.frombytes(data[32:32 + 12 * points * samples])
    return [values[3 * points * i:3 * points * (i + 1)] for i in range(samples)]


def imported(path):
    bpy.ops.wm.obj_import(filepath=str(path), forward_axis="Y", up_axis="Z")
    return bpy.context.selected_objects[0]


def played_by_modifier(folder, name, extension):
    """The mesh with a Mesh Cache modifier."""
    thing = imported(folder / f"{name}.obj")
    modifier = thing.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = extension.upper()
    modifier.filepath = str((folder / f"{name}.{extension}").resolve())
    modifier.frame_start = 0
    modifier.interpolation = "NONE"
    return thing


def played_by_shape_keys(folder, name):
    """The mesh of an animated glTF: one shape key per frame, keyed by the importer."""
    before = set(bpy.data.objects)
    # With normals the importer of Debian's Blender 3.4 fails: it uses np.bool, which Debian's numpy 1.24 lacks.
    bpy.ops.import_scene.gltf(filepath=str(folder / f"{name}.glb"), import_shading="SMOOTH")
    return next(thing for thing in bpy.data.objects if thing not in before and thing.type == "MESH")


def largest_difference(folder, name, extension):
    frames = pc2_frames(folder / f"{name}.pc2")
    scene = bpy.context.scene
    scene.render.fps = 30  # the importer of glTF counts seconds
    thing = played_by_shape_keys(folder, name) if extension == "glb" else played_by_modifier(folder, name, extension)
    last = len(frames) - 1
    if max(abs(a - b) for a, b in zip(frames[0], frames[last // 2])) <= 100 * TOLERANCE:
        raise SystemExit(f"{name}: nothing moves, so that comparing frames shows nothing")
    worst = 0.0
    for frame in sorted({0, 1, last // 3, last // 2, last}):
        scene.frame_set(frame)
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        mesh.transform(evaluated.matrix_world)
        seen = array.array("f", [0.0]) * (3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", seen)
        if extension == "glb":
            seen = seen[:len(frames[frame])]  # copies of vertices on seams follow
        if len(seen) != len(frames[frame]):
            raise SystemExit(f"{name}: Blender has {len(seen) // 3} vertices, the cache {len(frames[frame]) // 3}")
        worst = max(worst, max(abs(a - b) for a, b in zip(seen, frames[frame])))
    return worst


def main():
    folder, *names = sys.argv[sys.argv.index("--") + 1:]
    cache = pathlib.Path(folder) / "cache"
    bad = 0
    for name in names:
        for extension in ("pc2", "mdd", "glb"):
            if not (cache / f"{name}.{extension}").exists():
                continue
            worst = largest_difference(cache, name, extension)
            print(f"blender: {name}.{extension}: largest difference {worst:.2e} m")
            bad += not worst <= TOLERANCE
    sys.exit(1 if bad else 0)


main()
