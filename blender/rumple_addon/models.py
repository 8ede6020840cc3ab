"""Add > Mesh: the mannequin of Rumple, and garments cut to a body. The program makes them."""
import json
import os
import shutil
import subprocess
import tempfile

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from . import exporting, program, result

CLIP_SECONDS = {"sit": 3, "sit_chair": 3, "lift_leg": 3, "bend_arms": 3, "lower_arms": 3, "walk": 4, "stand": 0}
WAISTBAND = 0.035  # m
COLOURS = {"skin": (0.62, 0.47, 0.38, 1), "cloth": (0.18, 0.27, 0.48, 1), "wood": (0.35, 0.25, 0.17, 1)}
# A piece of cloth far away: a scene has at least one.
SMALL_CLOTH = {"name": "cloth", "mesh": {"generator": "grid", "nx": 2, "ny": 2, "width": 0.1, "height": 0.1},
               "place": {"translate": [0, 0, 10]}, "material": "cotton"}


def run(scene, folder):
    """Runs a scene and returns the folder of its caches. ExportError: the program's sentence."""
    with open(os.path.join(folder, "scene.json"), "w", encoding="utf-8") as file:
        json.dump(scene, file)
    bpy.context.window_manager.progress_begin(0, 1)
    try:
        done = subprocess.run([program.require_program(), "run", "scene.json", "--out", "out", "--quiet"], cwd=folder,
                              capture_output=True, encoding="utf-8", errors="replace", check=False)
    finally:
        bpy.context.window_manager.progress_end()
    if done.returncode != 0:
        raise exporting.ExportError(done.stderr.strip() or f"the program ended with status {done.returncode}")
    return os.path.join(folder, "out", "cache")


def read_obj(path):
    """(positions, triangles) of a mesh that the program wrote."""
    positions, triangles = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                positions.append([float(x) for x in words[1:4]])
            elif words[:1] == ["f"]:
                triangles.append([int(word.split("/")[0]) - 1 for word in words[1:4]])
    return np.array(positions), triangles


def coloured(name):
    """A material for the eye, made once in a file."""
    made = bpy.data.materials.get(f"Rumple {name}")
    if made is None:
        made = bpy.data.materials.new(f"Rumple {name}")
        made.diffuse_color = COLOURS[name]
    return made


def add_object(context, name, path, scale, material):
    """An object with the mesh of the file; `scale`: metres in a unit of Blender."""
    positions, triangles = read_obj(path)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((positions / scale).tolist(), [], triangles)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.materials.append(coloured(material))
    mesh.update()
    thing = bpy.data.objects.new(name, mesh)
    context.collection.objects.link(thing)
    for other in context.selected_objects:
        other.select_set(False)
    thing.select_set(True)
    context.view_layer.objects.active = thing
    return thing


def model_file(name):
    """Where the motion of a mannequin is kept: beside the Blender file, or in a temporary folder."""
    folder = bpy.path.abspath("//") if bpy.data.filepath else os.path.join(tempfile.gettempdir(), f"rumple-{os.getpid()}")
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, name)


class AddsModel:
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and program.find_program() is not None

    def execute(self, context):
        with tempfile.TemporaryDirectory() as folder:
            try:
                self.add(context, folder, context.scene.unit_settings.scale_length)
            except (exporting.ExportError, program.ProgramMissing, OSError) as error:
                self.report({"WARNING"}, str(error))
                return {"CANCELLED"}
        return {"FINISHED"}


class RUMPLE_OT_add_mannequin(AddsModel, bpy.types.Operator):
    """Add a person who sits down, walks or bends, 1.75 m tall. The motion begins at the first frame of the scene"""
    bl_idname, bl_label = "rumple.add_mannequin", "Rumple Mannequin"
    clip: EnumProperty(name="Motion", items=[
        ("sit", "Sits down and stands up", "In the middle of the motion the thighs are level"),
        ("sit_chair", "Sits down on a chair", "With a chair"), ("lift_leg", "Lifts a leg", ""),
        ("bend_arms", "Bends the arms", ""), ("lower_arms", "Lowers the arms", ""), ("walk", "Walks", "Four steps"),
        ("stand", "Stands", "Without a motion")])
    set_range: BoolProperty(name="Set frame range", default=True, description="The scene ends when the motion does")

    def add(self, context, folder, scale):
        scene = context.scene
        fps = scene.render.fps / scene.render.fps_base
        frames = round(CLIP_SECONDS[self.clip] * fps)
        obstacles = [{"name": "body", "body": {"mannequin": {}, "clip": self.clip, "rate": fps}}]
        if self.clip == "sit_chair":
            obstacles.append({"name": "chair", "body": {"chair": {}}})
        cache = run({"rumple": 1, "name": "model", "gravity": [0, 0, 0], "step": {"h": min(0.1, 1 / fps)},
                     "output": {"rate": fps}, "cloths": [SMALL_CLOTH], "obstacles": obstacles,
                     "phases": [{"name": "play", "duration": max(1, frames) / fps}]}, folder)
        if self.clip == "sit_chair":
            add_object(context, "Chair", os.path.join(cache, "chair.obj"), scale, "wood")
        thing = add_object(context, "Mannequin", os.path.join(cache, "body.obj"), scale, "skin")
        if frames:
            path = model_file(f"mannequin_{self.clip}.pc2")
            shutil.copyfile(os.path.join(cache, "body.pc2"), path)
            result.play_cache(thing, path, scene.frame_start, scale)
            if self.set_range:
                scene.frame_end = scene.frame_start + frames
        scene.rumple.body = thing


class RUMPLE_OT_add_garment(AddsModel, bpy.types.Operator):
    """Add a garment that is cut to the body of the panel as it stands at this frame"""
    bl_idname, bl_label = "rumple.add_garment", "Rumple Garment"
    cut: EnumProperty(name="Garment", items=[("trousers", "Trousers", ""), ("tshirt", "T-Shirt", "For a body with the "
                                                                            "arms spread")])
    edge: FloatProperty(name="Edges [mm]", default=20, min=4, max=40,
                        description="Length of the edges: 20 is a sketch, 8 is fine")

    @classmethod
    def poll(cls, context):
        return super().poll(context) and context.scene.rumple.body is not None

    def add(self, context, folder, scale):
        body = exporting.ObstacleExport(context.scene.rumple.body, folder, scale)
        for _ in body.add_frame(context.evaluated_depsgraph_get()):
            pass
        body.close()
        cache = run({"rumple": 1, "name": "model",
                     "cloths": [{"name": "garment", "material": "cotton",
                                 "mesh": {"garment": self.cut, "body": "body", "edge": self.edge * 1e-3}}],
                     "obstacles": [{"name": "body", "mesh": {"file": os.path.basename(body.path) + ".obj"}}],
                     "phases": [{"name": "skipped", "duration": 0}]}, folder)
        thing = add_object(context, self.cut.capitalize(), os.path.join(cache, "garment.obj"), scale, "cloth")
        settings = context.scene.rumple
        settings.garment = thing
        if self.cut == "trousers":
            top = max(v.co.z for v in thing.data.vertices)
            group = thing.vertex_groups.new(name="waistband")
            group.add([v.index for v in thing.data.vertices if v.co.z > top - WAISTBAND / scale], 1.0, "REPLACE")
            settings.pins, settings.pin_to = group.name, "BODY"
        settings.settle = 0.5


def draw_menu(self, context):
    self.layout.separator()
    self.layout.operator_menu_enum("rumple.add_mannequin", "clip", text="Rumple Mannequin", icon="ARMATURE_DATA")
    self.layout.operator_menu_enum("rumple.add_garment", "cut", text="Rumple Garment", icon="MOD_CLOTH")


CLASSES = (RUMPLE_OT_add_mannequin, RUMPLE_OT_add_garment)


register_classes, unregister_classes = bpy.utils.register_classes_factory(CLASSES)


def register():
    register_classes()
    bpy.types.VIEW3D_MT_mesh_add.append(draw_menu)


def unregister():
    bpy.types.VIEW3D_MT_mesh_add.remove(draw_menu)
    unregister_classes()
