"""Builds a scene from nothing, dresses the mannequin of Rumple, lets it sit for 20 minutes, and renders.

    blender --background --python sitting_trousers.py -- FOLDER [--edge 20] [--minutes 20] [--quality DRAFT|NORMAL|FINE]

Writes FOLDER/trousers.blend, sitting.png, after.png and elastic.png. The program is found on the search path, or by the
variable RUMPLE. The add-on is the installed one, or that of the sources."""
import argparse
import math
import os
import pathlib
import sys

import addon_utils
import bpy
from mathutils import Vector


def arguments():
    parser = argparse.ArgumentParser(prog="sitting_trousers.py")
    parser.add_argument("folder")
    parser.add_argument("--edge", type=float, default=20, help="length of the edges [mm]")
    parser.add_argument("--minutes", type=float, default=20, help="how long she sits")
    parser.add_argument("--quality", default="DRAFT", choices=["DRAFT", "NORMAL", "FINE"])
    parser.add_argument("--width", type=int, default=640, help="of the pictures [pixels]")
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1:])


def enable_addon():
    sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
    if addon_utils.enable("rumple_addon", default_set=True) is None:
        raise SystemExit("the add-on rumple_addon cannot be enabled: install it")


def material(name, colour, roughness):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    return made


def build(options):
    """The mannequin sits down at frame 37 and stands again at frame 73."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    enable_addon()
    scene = bpy.context.scene
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(options.folder, "trousers.blend"))
    bpy.ops.rumple.add_mannequin(clip="sit")
    bpy.ops.rumple.add_garment(cut="trousers", edge=options.edge)
    settings = scene.rumple
    settings.preset, settings.quality = "cotton-garment", options.quality
    scene.timeline_markers.new(f"hold {options.minutes:g} min", frame=37)
    settings.body.data.materials[0] = material("Skin", (0.55, 0.45, 0.38), 0.6)
    settings.garment.data.materials[0] = material("Cotton", (0.16, 0.23, 0.40), 0.9)
    return scene


def add_studio(scene):
    """A floor, a lamp from the side that shows every wrinkle, and a camera that looks from behind."""
    bpy.ops.mesh.primitive_plane_add(size=20)
    bpy.context.object.data.materials.append(material("Floor", (0.3, 0.3, 0.32), 0.9))
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.rotation_euler = 3.0, 0.05, (-0.35, -1.2, 0)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location, camera.data.lens = (1.2, 3.2, 0.9), 78
    camera.rotation_euler = (Vector((0, 0.1, 0.56)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    for thing in (sun, camera):
        scene.collection.objects.link(thing)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.35


def render(scene, path, frame, width):
    scene.frame_set(frame)
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", 48
    scene.cycles.use_denoising = False
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = width, math.ceil(width * 1.25)
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)


def main():
    options = arguments()
    options.folder = os.path.abspath(options.folder)
    os.makedirs(options.folder, exist_ok=True)
    scene = build(options)
    status = bpy.context.window_manager.rumple_status
    for operator in (bpy.ops.rumple.simulate, bpy.ops.rumple.compare):
        if operator() != {"FINISHED"}:
            raise SystemExit(status.error)
        print(f"blender: {status.text}")
    add_studio(scene)
    scene.rumple.show = "RESULT"
    render(scene, os.path.join(options.folder, "sitting.png"), 37, options.width)
    render(scene, os.path.join(options.folder, "after.png"), scene.frame_end, options.width)
    scene.rumple.show = "ELASTIC"
    render(scene, os.path.join(options.folder, "elastic.png"), scene.frame_end, options.width)
    bpy.ops.wm.save_mainfile()


main()
