"""The buttons of the panel."""
import os

import bmesh
import bpy
from bpy.props import BoolProperty
from mathutils import Vector

from . import errors, exporting, heat_map, program, result, runner
from .work_folder import WorkFolder

PIN_GROUP = "waistband"


class Starts:
    """Of the operators that run the program."""
    wait: BoolProperty(options={"HIDDEN", "SKIP_SAVE"}, description="Return when it is done, for scripts")
    kind, resume = "memory", False

    @classmethod
    def poll(cls, context):
        return context.scene.rumple.garment is not None and not errors.status().running

    def execute(self, context):
        wait = self.wait or bpy.app.background
        run = runner.start(context.scene, self.kind, self.resume, wait)
        if wait and run.failed:
            # Not an ERROR report: that raises an exception in scripts, and the panel shows the message.
            self.report({"WARNING"}, errors.status().error)
            return {"CANCELLED"}
        return {"FINISHED"}


class RUMPLE_OT_simulate(Starts, bpy.types.Operator):
    """Simulate the garment in the background"""
    bl_idname, bl_label = "rumple.simulate", "Simulate"
    wait: Starts.__annotations__["wait"]


class RUMPLE_OT_resume(Starts, bpy.types.Operator):
    """Continue the simulation that was cancelled, with the settings that it began with"""
    bl_idname, bl_label = "rumple.resume", "Resume"
    wait: Starts.__annotations__["wait"]
    resume = True

    @classmethod
    def poll(cls, context):
        folder = WorkFolder.of(context.scene)
        return super().poll(context) and folder is not None and folder.can_resume("memory")


class RUMPLE_OT_compare(Starts, bpy.types.Operator):
    """Simulate the same without memory: no internal friction, no plasticity, no relaxation"""
    bl_idname, bl_label = "rumple.compare", "Compare with Elastic"
    wait: Starts.__annotations__["wait"]
    kind = "elastic"

    @classmethod
    def poll(cls, context):
        return super().poll(context) and context.scene.rumple.result is not None


class RUMPLE_OT_cancel(bpy.types.Operator):
    """Stop the simulation. Frames stay; Resume continues"""
    bl_idname, bl_label = "rumple.cancel", "Cancel"

    @classmethod
    def poll(cls, _context):
        return errors.status().running

    def execute(self, _context):
        runner.cancel()
        return {"FINISHED"}


class RUMPLE_OT_show_vertices(bpy.types.Operator):
    """Enter Edit Mode and look at the vertices that the message speaks of"""
    bl_idname, bl_label = "rumple.show_vertices", "Show Vertices"

    @classmethod
    def poll(cls, _context):
        return errors.status().error_vertices > 0

    @staticmethod
    def look_at(view, thing):
        """Turns to the selected vertices, with the part of the garment around them."""
        mesh = bmesh.from_edit_mesh(thing.data)
        chosen = [thing.matrix_world @ v.co for v in mesh.verts if v.select]
        if chosen:
            view.view_location = sum(chosen, Vector()) / len(chosen)
            view.view_distance = 0.4 * max(thing.dimensions)

    def execute(self, context):
        thing = bpy.data.objects.get(errors.status().error_object)
        if thing is None:
            return {"CANCELLED"}
        if context.object and context.object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        result.set_hidden(context.scene, thing, False)
        for other in context.selected_objects:
            other.select_set(False)
        thing.select_set(True)
        context.view_layer.objects.active = thing
        context.tool_settings.mesh_select_mode = (True, False, False)
        bpy.ops.object.mode_set(mode="EDIT")
        if context.area and context.area.type == "VIEW_3D":
            self.look_at(context.space_data.region_3d, thing)
        return {"FINISHED"}


class RUMPLE_OT_bake(bpy.types.Operator):
    """Make the result independent of the simulation. Afterwards it is an object like any other"""
    bl_idname, bl_label = "rumple.bake", "Bake"

    @classmethod
    def poll(cls, context):
        return context.scene.rumple.result is not None and not errors.status().running

    def execute(self, context):
        scene, settings = context.scene, context.scene.rumple
        folder = WorkFolder.of(scene)
        known = folder.timeline()
        if known is None or folder.frames("memory") == 0:
            self.report({"WARNING"}, "There is nothing to bake: simulate first")
            return {"CANCELLED"}
        thing, source = settings.result, folder.cache("memory")
        if settings.bake_as == "KEYS":
            result.bake_keys(thing, source, known[0])
        else:
            if not bpy.data.filepath:
                self.report({"WARNING"}, "Save the file first: the cache is kept in its folder")
                return {"CANCELLED"}
            path = bpy.path.abspath(f"//{bpy.path.clean_name(thing.name)}.pc2")
            result.bake_cache(thing, source, known[0], path)
        thing.name = f"{settings.garment.name} baked"
        settings.result = None
        self.report({"INFO"}, f"Baked: {thing.name}")
        return {"FINISHED"}


class RUMPLE_OT_clear(bpy.types.Operator):
    """Delete the results and the files of the simulation, and show the garment again"""
    bl_idname, bl_label = "rumple.clear", "Clear"

    @classmethod
    def poll(cls, context):
        return context.scene.rumple.garment is not None and not errors.status().running

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context):
        scene, settings = context.scene, context.scene.rumple
        for slot in ("result", "elastic"):
            result.remove(scene, slot)
        WorkFolder.of(scene).clear()
        settings.garment.hide_render = False
        result.set_hidden(scene, settings.garment, False)
        errors.clear()
        errors.status().text, errors.status().fraction = "", 0
        return {"FINISHED"}


class RUMPLE_OT_add_hold(bpy.types.Operator):
    """Here the body stands still for a while: add a hold at the current frame"""
    bl_idname, bl_label = "rumple.add_hold", "Hold at This Frame"
    bl_options = {"UNDO"}

    def execute(self, context):
        settings = context.scene.rumple
        settings.holds.add().frame = context.scene.frame_current
        settings.hold_index = len(settings.holds) - 1
        return {"FINISHED"}


class RUMPLE_OT_remove_hold(bpy.types.Operator):
    """Remove this hold"""
    bl_idname, bl_label = "rumple.remove_hold", "Remove Hold"
    bl_options = {"UNDO"}
    index: bpy.props.IntProperty(options={"HIDDEN"})

    def execute(self, context):
        context.scene.rumple.holds.remove(self.index)
        return {"FINISHED"}


class RUMPLE_OT_pin_border(bpy.types.Operator):
    """Make a vertex group of the highest border of the garment: a waistband, or a neckline"""
    bl_idname, bl_label = "rumple.pin_border", "Pin the Highest Border"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        return context.scene.rumple.garment is not None and context.mode == "OBJECT"

    def execute(self, context):
        settings = context.scene.rumple
        thing = settings.garment
        chosen = exporting.highest_border(thing)
        if not chosen:
            self.report({"WARNING"}, f"{thing.name} has no open border")
            return {"CANCELLED"}
        group = thing.vertex_groups.get(PIN_GROUP) or thing.vertex_groups.new(name=PIN_GROUP)
        group.remove(list(range(len(thing.data.vertices))))
        group.add(chosen, 1.0, "REPLACE")
        settings.pins, settings.pin_to = group.name, "BODY" if settings.body else "PLACE"
        self.report({"INFO"}, f"{len(chosen)} vertices are held")
        return {"FINISHED"}


class RUMPLE_OT_reset_material(bpy.types.Operator):
    """Set all fields to the values of the preset"""
    bl_idname, bl_label = "rumple.reset_material", "Reset Fields"
    bl_options = {"UNDO"}

    def execute(self, context):
        context.scene.rumple.preset = context.scene.rumple.preset
        return {"FINISHED"}


class RUMPLE_OT_fit_heat(bpy.types.Operator):
    """Choose the scale for the values of this frame"""
    bl_idname, bl_label = "rumple.fit_heat", "Fit to Frame"

    def execute(self, context):
        heat_map.fit(context.scene)
        return {"FINISHED"}


class RUMPLE_OT_preferences(bpy.types.Operator):
    """Open the preferences of this add-on to choose the program"""
    bl_idname, bl_label = "rumple.preferences", "Choose the Program"

    def execute(self, _context):
        bpy.ops.preferences.addon_show(module=program.ADDON)
        return {"FINISHED"}


class RUMPLE_OT_open_folder(bpy.types.Operator):
    """Open the folder of the simulation in the file browser of the system"""
    bl_idname, bl_label = "rumple.open_folder", "Open Folder"

    @classmethod
    def poll(cls, context):
        folder = WorkFolder.of(context.scene)
        return folder is not None and os.path.isdir(folder.path)

    def execute(self, context):
        bpy.ops.wm.path_open(filepath=WorkFolder.of(context.scene).path)
        return {"FINISHED"}


CLASSES = (RUMPLE_OT_simulate, RUMPLE_OT_resume, RUMPLE_OT_compare, RUMPLE_OT_cancel, RUMPLE_OT_show_vertices,
           RUMPLE_OT_bake, RUMPLE_OT_clear, RUMPLE_OT_add_hold, RUMPLE_OT_remove_hold, RUMPLE_OT_pin_border,
           RUMPLE_OT_reset_material, RUMPLE_OT_fit_heat, RUMPLE_OT_preferences, RUMPLE_OT_open_folder)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
