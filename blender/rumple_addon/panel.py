"""The panel Rumple in the sidebar of the 3D view."""
import textwrap

import bpy

from . import errors, program, properties
from .material_fields import FIELDS
from .work_folder import WorkFolder


HEAT_UNITS = {"CURVATURE": "1/m", "PLASTIC": "rad", "STICK": "s"}


class InSidebar:
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Rumple"


def wrapped(layout, context, text, icon="NONE"):
    """A text over as many lines as the width of the sidebar asks for."""
    scale = context.preferences.system.ui_scale
    width = max(20, int(context.region.width / (7.0 * scale)) - 7)
    column = layout.column(align=True)
    for paragraph in text.splitlines():
        for line in textwrap.wrap(paragraph, width) or [""]:
            column.label(text=line, icon=icon)
            icon = "BLANK1" if icon != "NONE" else icon


def next_step(settings):
    """What a person who has just begun still has to do."""
    if settings.garment is None:
        return "Choose the garment: the mesh that is cloth"
    if settings.body is None and settings.obstacles is None and not settings.pins:
        return "Nothing holds the garment: choose a body, or pins"
    return ""


def draw_run(layout, context):
    """Simulate, or the progress of it."""
    status, folder = errors.status(), WorkFolder.of(context.scene)
    if status.running:
        column = layout.column(align=True)
        if hasattr(column, "progress"):
            column.progress(factor=status.fraction / 100, text=f"{status.fraction:.0f} %")
        else:
            bar = column.row(align=True)
            bar.enabled = False
            bar.use_property_split = False
            bar.prop(status, "fraction", text="", slider=True)
        column.label(text=status.text)
        column.operator("rumple.cancel", icon="CANCEL")
        column.use_property_split = False
        column.prop(context.scene.rumple, "follow")
        return
    hint = next_step(context.scene.rumple)
    if hint:
        wrapped(layout, context, hint, "INFO")
    row = layout.row(align=True)
    row.scale_y = 1.6
    if folder and folder.can_resume("memory"):
        row.operator("rumple.resume", icon="PLAY")
        row.operator("rumple.simulate", text="Start Again", icon="FILE_REFRESH")
    else:
        row.operator("rumple.simulate", icon="PLAY")
    if status.text and not status.error:
        layout.label(text=status.text)


def draw_messages(layout, context):
    status = errors.status()
    if status.error:
        box = layout.box()
        box.alert = True
        wrapped(box, context, status.error, "ERROR")
        if status.error_vertices:
            number = status.error_vertices
            box.operator("rumple.show_vertices", text=f"Show {number} {'Vertex' if number == 1 else 'Vertices'}",
                         icon="VERTEXSEL")
    if status.warning:
        wrapped(layout.box(), context, status.warning, "INFO")


class RUMPLE_PT_main(InSidebar, bpy.types.Panel):
    bl_label = "Rumple"

    def draw(self, context):
        layout, settings = self.layout, context.scene.rumple
        layout.use_property_split, layout.use_property_decorate = True, False
        if not settings.loaded and not bpy.app.timers.is_registered(properties.load_presets):
            bpy.app.timers.register(properties.load_presets)  # nothing may be changed while drawing
        if program.find_program() is None:
            box = layout.box()
            box.alert = True
            wrapped(box, context, "The program rumple was not found.", "ERROR")
            box.operator("rumple.preferences", icon="PREFERENCES")
        column = layout.column()
        column.enabled = not errors.status().running
        column.prop(settings, "garment", icon="MOD_CLOTH")
        column.prop(settings, "body", icon="ARMATURE_DATA")
        column.prop(settings, "obstacles")
        column.prop(settings, "preset")
        column.prop(settings, "quality")
        draw_run(layout, context)
        draw_messages(layout, context)


class SubPanel(InSidebar):
    bl_parent_id = "RUMPLE_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        column = layout.column()
        column.enabled = not errors.status().running
        self.draw_settings(column, context, context.scene.rumple)


class RUMPLE_PT_result(SubPanel, bpy.types.Panel):
    bl_label = "Result"
    bl_options = set()

    @classmethod
    def poll(cls, context):
        return context.scene.rumple.result is not None

    def draw_settings(self, layout, context, settings):
        layout.prop(settings, "heat")
        if settings.heat != "NONE":
            row = layout.row(align=True)
            row.use_property_split = False
            row.prop(settings, "heat_top", text=f"Brightest [{HEAT_UNITS[settings.heat]}]")
            row.operator("rumple.fit_heat", text="", icon="FULLSCREEN_ENTER")
            if not settings.heat_found:
                layout.label(text="All zero at this frame", icon="INFO")
        layout.operator("rumple.compare", icon="MOD_ARRAY")
        if settings.elastic is not None:
            row = layout.row(align=True)
            row.use_property_split = False
            row.prop(settings, "show", expand=True)
        row = layout.row(align=True)
        row.operator("rumple.bake", icon="FILE_TICK")
        row.use_property_split = False
        row.prop(settings, "bake_as", text="")
        layout.operator("rumple.clear", icon="TRASH")


class RUMPLE_PT_pins(SubPanel, bpy.types.Panel):
    bl_label = "Pins"
    bl_options = set()

    def draw_settings(self, layout, context, settings):
        if settings.garment is None:
            layout.label(text="Choose a garment first")
            return
        if settings.pins not in settings.garment.vertex_groups:
            layout.operator("rumple.pin_border", icon="PINNED")
        layout.prop_search(settings, "pins", settings.garment, "vertex_groups", text="Pin Group")
        if settings.pins:
            layout.prop(settings, "pin_to", expand=True)
            layout.use_property_split = False
            layout.prop(settings, "pin_stiffness")


class RUMPLE_PT_time(SubPanel, bpy.types.Panel):
    bl_label = "Time and Holds"
    bl_options = set()

    def draw_settings(self, layout, context, settings):
        layout.prop(settings, "settle")
        row = layout.row()
        row.use_property_split = False
        row.prop(settings, "use_range")
        if settings.use_range:
            column = layout.column(align=True)
            column.prop(settings, "frame_start")
            column.prop(settings, "frame_end")
        for index, hold in enumerate(settings.holds):
            column = layout.column(align=True)
            column.use_property_split = False
            row = column.row(align=True)
            row.prop(hold, "frame", text="Hold at frame")
            row.operator("rumple.remove_hold", text="", icon="X").index = index
            row = column.row(align=True)
            row.prop(hold, "amount", text="for")
            row.prop(hold, "unit", text="")
        for frame, seconds, origin in properties.holds_of(context.scene):
            if origin == "marker":
                layout.label(text=f"Marker at frame {frame}: {seconds:g} s", icon="MARKER_HLT")
        layout.operator("rumple.add_hold", icon="TIME")


class RUMPLE_PT_cloth(SubPanel, bpy.types.Panel):
    bl_label = "Cloth"

    def draw_settings(self, layout, context, settings):
        layout.use_property_split = False  # numbers with units need the whole width
        column = layout.column(align=True)
        for field in FIELDS:
            column.prop(settings.material, field.name, text=f"{field.label} [{field.unit}]")
        layout.operator("rumple.reset_material", icon="LOOP_BACK")
        layout.prop(settings, "rest")
        if settings.rest == "UV":
            layout.prop(settings, "uv_scale")
        layout.prop(settings, "thickness")


class RUMPLE_PT_contact(SubPanel, bpy.types.Panel):
    bl_label = "Contact and Files"

    def draw_settings(self, layout, context, settings):
        layout.use_property_split = False
        column = layout.column()
        for name in ("distance", "friction", "self_friction", "damping", "record", "folder"):
            column.prop(settings, name)
        column.operator("rumple.open_folder", icon="FILE_FOLDER")


CLASSES = (RUMPLE_PT_main, RUMPLE_PT_result, RUMPLE_PT_pins, RUMPLE_PT_time, RUMPLE_PT_cloth, RUMPLE_PT_contact)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
