"""The object that shows a simulation: a Mesh Cache modifier plays the cache while it grows."""
import os

import bpy

from . import pc2
from .exporting import VIEW_ONLY

MODIFIER = "Rumple"
KEPT = {"SUBSURF", "SOLIDIFY"}  # of the garment's modifiers, after the cache


def slot_of(kind):
    """The setting that has the object of this kind of run."""
    return "result" if kind == "memory" else "elastic"


def detach_cache(scene, kind):
    """The cache is about to be replaced: the object stays as it is until there are new frames."""
    thing = getattr(scene.rumple, slot_of(kind))
    if thing is not None and MODIFIER in thing.modifiers:
        thing.modifiers[MODIFIER].show_viewport = thing.modifiers[MODIFIER].show_render = False


def make(scene, kind, mesh):
    """The object of this kind for a garment that begins as `mesh` (metres of the world). An old one is reused."""
    settings, garment = scene.rumple, scene.rumple.garment
    slot = slot_of(kind)
    thing = getattr(settings, slot)
    if thing is None or thing.name not in scene.objects:
        label = "simulated" if kind == "memory" else "elastic"
        thing = bpy.data.objects.new(f"{garment.name} {label}", mesh)
        (garment.users_collection[0] if garment.users_collection else scene.collection).objects.link(thing)
        setattr(settings, slot, thing)
    else:
        old, thing.data = thing.data, mesh
        if old is not mesh and old.users == 0:
            bpy.data.meshes.remove(old)
        thing.modifiers.clear()
    mesh.name = thing.name
    for group in garment.vertex_groups:
        if group.name not in thing.vertex_groups:
            thing.vertex_groups.new(name=group.name)
    return thing


def copy_modifiers(source, target):
    for old in source.modifiers:
        if old.type not in KEPT:
            continue
        new = target.modifiers.new(old.name, old.type)
        for rna in old.bl_rna.properties:
            if not rna.is_readonly and rna.identifier not in ("name", "type"):
                setattr(new, rna.identifier, getattr(old, rna.identifier))


def view_modifiers(scene, kind, on):
    """Modifiers of the garment that only serve the eye are off in the 3D view while frames arrive."""
    thing, garment = getattr(scene.rumple, slot_of(kind)), scene.rumple.garment
    for modifier in thing.modifiers if thing else ():
        own = garment.modifiers.get(modifier.name) if garment else None
        if modifier.type in KEPT and own:
            modifier.show_viewport = on and own.show_viewport


def cache_modifier(thing, path):
    """The Mesh Cache modifier for a cache in metres, Z up."""
    modifier = thing.modifiers.get(MODIFIER) or thing.modifiers.new(MODIFIER, "MESH_CACHE")
    modifier.cache_format, modifier.filepath = "PC2", path
    modifier.interpolation, modifier.time_mode = "LINEAR", "FRAME"
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    return modifier


def attach_cache(thing, path, timeline, scale):
    """Plays the cache of a simulation; `scale`: metres in a unit of Blender."""
    cache_modifier(thing, path).play_mode = "CUSTOM"
    thing.scale = [1 / scale] * 3
    drive(thing, timeline.knots())


def play_cache(thing, path, start, scale=None):
    """Plays a cache with one sample per frame from the frame `start` on."""
    modifier = cache_modifier(thing, bpy.path.relpath(path) if bpy.data.filepath else path)
    modifier.play_mode, modifier.frame_start, modifier.frame_scale = "SCENE", start, 1
    if scale is not None:
        thing.scale = [1 / scale] * 3


def drive(thing, knots):
    """The modifier's frame follows the frame of the scene along straight lines between the knots."""
    path = f'modifiers["{MODIFIER}"].eval_frame'
    thing.driver_remove(path)
    curve = thing.driver_add(path)
    curve.driver.type, curve.driver.expression = "SCRIPTED", "frame"
    for modifier in list(curve.modifiers):
        curve.modifiers.remove(modifier)
    while len(curve.keyframe_points):
        curve.keyframe_points.remove(curve.keyframe_points[0])
    for at, value in knots:
        point = curve.keyframe_points.insert(at, value)
        point.interpolation = "LINEAR"
    curve.extrapolation = "CONSTANT"


def show_instead_of_garment(scene, garment, thing):
    garment.hide_render = True
    set_hidden(scene, garment, True)
    set_hidden(scene, thing, False)


def set_hidden(scene, thing, hidden):
    for layer in scene.view_layers:
        if thing.name in layer.objects:
            thing.hide_set(hidden, view_layer=layer)


def arrange(scene):
    """Shows the result, the elastic one, or both side by side."""
    settings = scene.rumple
    if settings.elastic is None or settings.result is None:
        return
    both = settings.show == "BOTH"
    for thing, wanted in ((settings.result, settings.show != "ELASTIC"), (settings.elastic, settings.show != "RESULT")):
        set_hidden(scene, thing, not wanted)
        thing.hide_render = not wanted
    widths = settings.result.dimensions.x + max(settings.result.dimensions.x,
                                                settings.body.dimensions.x if settings.body else 0)
    settings.elastic.location.x = 0.55 * widths if both else 0


def remove(scene, slot):
    thing = getattr(scene.rumple, slot)
    setattr(scene.rumple, slot, None)
    if thing is None:
        return
    mesh = thing.data
    bpy.data.objects.remove(thing)
    if mesh is not None and mesh.users == 0:
        bpy.data.meshes.remove(mesh)


def bake_cache(thing, source, timeline, path):
    """A cache with the frames of the timeline only; the modifier plays it with the scene."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    writer = pc2.Writer(path, pc2.read_counts(source)[0])
    last = pc2.read_counts(source)[1] - 1
    for frame in range(timeline.start, timeline.end + 1):
        writer.append(pc2.read_frame(source, min(timeline.cache_frame(frame), last)))
    writer.close()
    thing.driver_remove(f'modifiers["{MODIFIER}"].eval_frame')
    play_cache(thing, path, timeline.start)


def bake_keys(thing, source, timeline):
    """One shape key per frame, each fully on at its own frame."""
    thing.driver_remove(f'modifiers["{MODIFIER}"].eval_frame')
    thing.modifiers.remove(thing.modifiers[MODIFIER])
    last = pc2.read_counts(source)[1] - 1
    editing = bpy.context.preferences.edit
    usual, editing.keyframe_new_interpolation_type = editing.keyframe_new_interpolation_type, "LINEAR"
    try:
        thing.shape_key_add(name="Basis", from_mix=False)
        for frame in range(timeline.start, timeline.end + 1):
            key = thing.shape_key_add(name=f"frame {frame}", from_mix=False)
            key.data.foreach_set("co", pc2.read_frame(source, min(timeline.cache_frame(frame), last)).ravel())
            for at, value in ((frame - 1, 0), (frame, 1), (frame + 1, 0)):
                # The first key holds before it, the last one after it.
                if timeline.start <= at <= timeline.end:
                    key.value = value
                    key.keyframe_insert("value", frame=at)
    finally:
        editing.keyframe_new_interpolation_type = usual
