"""What the panel shows: settings in the scene (saved with it), status in the window manager (not saved)."""
import zlib

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty,
                       StringProperty)

from . import program, timeline
from .material_fields import FIELDS, value_at

DEFAULT_PRESET = "cotton-garment"

_items = []  # Blender keeps pointers to these strings


def preset_items(_self, _context):
    _items[:] = [(m["name"], m["name"].replace("-", " ").capitalize(), "", preset_number(m["name"]))
                 for m in program.materials()]
    return _items


def preset_number(name):
    """Does not change when presets are added; 0 is the default."""
    return 0 if name == DEFAULT_PRESET else zlib.crc32(name.encode()) & 0x7FFFFFFF


def load_preset(settings, _context=None):
    settings.loaded = settings.preset
    preset = program.material(settings.preset)
    for field in FIELDS:
        value = value_at(preset, field.key)
        if value is not None:
            setattr(settings.material, field.name, value / field.scale)


def load_presets():
    """Once for every scene, when its panel is first drawn or simulated."""
    for scene in bpy.data.scenes:
        if not scene.rumple.loaded and program.find_program():
            load_preset(scene.rumple)


def is_mesh(_self, thing):
    return thing.type == "MESH"


def show_heat_map(_self, context):
    from . import heat_map
    heat_map.switch(context.scene)


def repaint(_self, context):
    from . import heat_map
    heat_map.paint(context.scene)


def arrange(_self, context):
    from . import result
    result.arrange(context.scene)


class RumpleMaterial(bpy.types.PropertyGroup):
    __annotations__ = {
        field.name: FloatProperty(name=field.label, description=f"{field.description} [{field.unit}]", min=0,
                                  precision=2)
        for field in FIELDS}


class RumpleHold(bpy.types.PropertyGroup):
    frame: IntProperty(name="Frame", description="Here the body stands still")
    amount: FloatProperty(name="For", default=20, min=0, max=1e6, precision=1)
    unit: EnumProperty(name="Unit", default="MIN", items=[
        ("S", "s", "Seconds"), ("MIN", "min", "Minutes"), ("H", "h", "Hours"), ("D", "days", "Days")])

    @property
    def seconds(self):
        return self.amount * timeline.SECONDS[self.unit]


class RumpleSettings(bpy.types.PropertyGroup):
    garment: PointerProperty(name="Garment", type=bpy.types.Object, poll=is_mesh, description="The cloth: a mesh")
    body: PointerProperty(
        name="Body", type=bpy.types.Object, poll=is_mesh,
        description="What the cloth lies on: any mesh, with its armature, shape keys, caches and other modifiers")
    obstacles: PointerProperty(name="Obstacles", type=bpy.types.Collection,
                               description="Further objects that the cloth touches: a chair, the floor")
    preset: EnumProperty(name="Cloth", items=preset_items, update=load_preset,
                         description="Which cloth it is. The fields below change it")
    material: PointerProperty(type=RumpleMaterial)
    loaded: StringProperty(description="The preset whose values the fields had at first", options={"HIDDEN"})
    rest: EnumProperty(name="Rest Shape", items=[
        ("FLAT", "Flat where it is free", "Unstrained as it lies at the first frame, and flat when nothing bends it"),
        ("MODEL", "As modelled", "Unstrained as it lies at the first frame, folds included"),
        ("UV", "Sewing pattern in the UVs", "Unstrained as in the active UV map, times the scale")])
    uv_scale: FloatProperty(name="UV Scale [m]", default=1, min=1e-6, max=1e4, precision=4,
                            description="Metres in one unit of the UV map")

    pins: StringProperty(name="Pins", description="Vertex group of the garment that is held: a waistband. Weights "
                                                  "above one half count")
    pin_to: EnumProperty(name="Held by", items=[
        ("BODY", "Body", "Pins follow the skin of the body"), ("PLACE", "Place", "Pins stay where they are")])
    pin_stiffness: FloatProperty(name="Stiffness [N/m]", default=200, min=0, max=1e6, precision=0,
                                 description="Springs of the pins [N/m]. 0: held exactly")

    holds: CollectionProperty(type=RumpleHold)
    hold_index: IntProperty()

    quality: EnumProperty(name="Quality", default="NORMAL", items=[
        ("DRAFT", "Draft", "Time steps up to 20 ms"), ("NORMAL", "Normal", "Time steps up to 10 ms"),
        ("FINE", "Fine", "Time steps up to 5 ms")])
    settle: FloatProperty(name="Settle [s]", default=0, min=0, max=60, precision=2,
                          description="Seconds in which the cloth comes to rest before the first frame")
    use_range: BoolProperty(name="Custom Range", description="Frames to simulate. Otherwise that of the scene")
    frame_start: IntProperty(name="Start", default=1)
    frame_end: IntProperty(name="End", default=50)

    thickness: FloatProperty(name="Thickness [mm]", default=1, min=0.01, max=100, precision=2,
                             description="Distance that layers of cloth keep [mm]")
    distance: FloatProperty(name="Body Gap [mm]", default=1, min=0.01, max=100, precision=2,
                            description="Distance that cloth keeps from bodies [mm]")
    friction: FloatProperty(name="Body Friction", default=0.4, min=0, max=10,
                            description="Coulomb's coefficient of cloth on bodies")
    self_friction: FloatProperty(name="Self Friction", default=0.3, min=0, max=10,
                                 description="Coulomb's coefficient of cloth on cloth")
    damping: FloatProperty(name="Air Drag [1/s]", default=5, min=0, max=100, precision=1, description="Damping by the air [1/s]")
    record: BoolProperty(name="Record Memory", default=True,
                         description="Write plastic strain and stick time of every frame, for the heat map; doubles the files")

    folder: StringProperty(name="Folder", default="//rumple", subtype="DIR_PATH",
                           description="Where simulations are kept. Beside the file, or a temporary folder as long as "
                                       "the file is not saved")
    follow: BoolProperty(name="Follow Newest Frame", default=True, description="Show the newest frame while simulating")

    result: PointerProperty(name="Result", type=bpy.types.Object)
    elastic: PointerProperty(name="Elastic", type=bpy.types.Object)

    show: EnumProperty(name="Show", update=arrange, items=[
        ("RESULT", "Result", "With memory"), ("ELASTIC", "Elastic", "Without memory"),
        ("BOTH", "Both", "Side by side")])
    heat: EnumProperty(name="Heat Map", update=show_heat_map, items=[
        ("NONE", "Off", "No heat map"),
        ("CURVATURE", "Curvature", "Mean curvature [1/m]: where the cloth is folded now"),
        ("PLASTIC", "Plastic strain", "Bending that stays for good [rad]"),
        ("STICK", "Stick time", "Time since the fibres last slipped [s]")])
    heat_top: FloatProperty(name="Brightest", min=1e-9, default=1, update=repaint,
                            description="Value of the brightest colour")
    heat_found: BoolProperty(default=True, options={"HIDDEN"})
    bake_as: EnumProperty(name="Bake As", items=[
        ("CACHE", "Mesh cache", "A cache in the folder of the file, with the frames of the timeline only"),
        ("KEYS", "Shape keys", "One shape key per frame; needs no files")])


class RumpleStatus(bpy.types.PropertyGroup):
    """Of the simulation that runs or ran last in this session."""
    running: BoolProperty()
    fraction: FloatProperty(name="Progress", min=0, max=100, subtype="PERCENTAGE", precision=0)
    text: StringProperty()
    error: StringProperty()
    error_object: StringProperty()
    error_vertices: IntProperty()
    warning: StringProperty()


def frame_range(scene):
    settings = scene.rumple
    return (settings.frame_start, settings.frame_end) if settings.use_range else (scene.frame_start, scene.frame_end)


def holds_of(scene):
    """(frame, seconds, where it comes from), by frame: those of the list and markers named like "hold 20 min"."""
    found = [(hold.frame, hold.seconds, "list") for hold in scene.rumple.holds]
    for marker in scene.timeline_markers:
        seconds = timeline.hold_of_marker(marker.name)
        if seconds is not None:
            found.append((marker.frame, seconds, "marker"))
    return sorted(found)


STEP = {"DRAFT": 0.02, "NORMAL": 0.01, "FINE": 0.005}


def timeline_of(scene):
    start, end = frame_range(scene)
    holds = [(frame, seconds) for frame, seconds, _ in holds_of(scene) if start <= frame <= end]
    return timeline.Timeline(start, end, scene.render.fps / scene.render.fps_base, STEP[scene.rumple.quality],
                             scene.rumple.settle, holds)


CLASSES = (RumpleMaterial, RumpleHold, RumpleSettings, RumpleStatus)


register_classes, unregister_classes = bpy.utils.register_classes_factory(CLASSES)


def register():
    register_classes()
    bpy.types.Scene.rumple = PointerProperty(type=RumpleSettings)
    bpy.types.WindowManager.rumple_status = PointerProperty(type=RumpleStatus)


def unregister():
    del bpy.types.WindowManager.rumple_status
    del bpy.types.Scene.rumple
    unregister_classes()
