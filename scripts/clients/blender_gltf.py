"""Reads animation.glb of a run into Blender and compares every frame with the caches:
blender --background --factory-startup --python-exit-code 1 --python blender_gltf.py -- RUN FILE.glb"""
import pathlib
import sys

import bpy
import numpy

numpy.bool = bool  # the importer of Debian's Blender 3.4 uses a name that its numpy no longer has
run, glb = (pathlib.Path(argument) for argument in sys.argv[sys.argv.index("--") + 1:])
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 30  # of the runs that are compared: a frame of the cache is a frame of the scene
bpy.ops.import_scene.gltf(filepath=str(glb))
largest, frames = 0.0, 0
for path in sorted((run / "cache").glob("*.pc2")):
    points, samples = numpy.fromfile(path, "<i4", 1, offset=16)[0], numpy.fromfile(path, "<i4", 1, offset=28)[0]
    cache = numpy.memmap(path, "<f4", "r", 32, (samples, points, 3))
    thing = bpy.data.objects[path.stem]
    for frame in range(samples):
        scene.frame_set(frame)
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        x = numpy.empty(3 * len(mesh.vertices), "f4")
        mesh.vertices.foreach_get("co", x)
        # The importer turns vertices, not the object: Z is up. Copies at seams come behind the vertices of the cache.
        largest = max(largest, abs(x.reshape(-1, 3)[:points] - cache[frame]).max())
        frames += 1
print(f"{glb}: Blender {bpy.app.version_string}: {frames} frames differ from the cache by at most {largest:.2e} m")
assert frames > 0 and largest < 1e-6
