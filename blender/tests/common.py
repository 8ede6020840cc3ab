"""Scenes for the tests of the add-on, and how it is enabled from the tree. Run inside Blender."""
import os
import pathlib
import sys

import bmesh
import bpy
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def enable():
    """Enables the add-on as a user would, from the folder of the sources."""
    import addon_utils
    scripts = ROOT
    if str(scripts) not in sys.path:
        sys.path.insert(0, str(scripts))
    module = addon_utils.enable("rumple_addon", default_set=True, persistent=True)
    assert module is not None, "the add-on cannot be enabled"
    assert module.program.find_program(), "set RUMPLE to the program"
    return module


def new_mesh(name, vertices, faces):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def square(name="Cloth", count=21, size=0.4, height=0.3):
    """A square of quads."""
    side = np.linspace(-size / 2, size / 2, count)
    vertices = [(x, y, height) for y in side for x in side]
    faces = [(j * count + i, j * count + i + 1, (j + 1) * count + i + 1, (j + 1) * count + i)
             for j in range(count - 1) for i in range(count - 1)]
    return new_mesh(name, vertices, faces)


def sphere(name="Ball", radius=0.1, height=0.15):
    shape = bmesh.new()
    bmesh.ops.create_uvsphere(shape, u_segments=32, v_segments=16, radius=radius)
    thing = new_mesh(name, [], [])
    shape.to_mesh(thing.data)
    shape.free()
    thing.location.z = height
    return thing


def empty_scene():
    """As after File > New with nothing in it; a window stays as it is."""
    if bpy.app.background:
        bpy.ops.wm.read_factory_settings(use_empty=True)
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)


def cloth_on_ball(end=20, fps=24):
    """An empty scene with a square of cloth above a ball that rises. Saved nowhere."""
    empty_scene()
    module = enable()
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = fps, 1, end
    cloth, ball = square(), sphere()
    ball.keyframe_insert("location", frame=1)
    ball.location.z += 0.05
    ball.keyframe_insert("location", frame=end)
    settings = scene.rumple
    settings.garment, settings.body = cloth, ball
    settings.preset = "cotton-garment"
    settings.quality = "DRAFT"
    settings.folder = os.environ["RUMPLE_TEST_FOLDER"]
    return module, scene


def shown(thing):
    """World positions of the evaluated mesh."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    found = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", found)
    evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world)
    return found.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
