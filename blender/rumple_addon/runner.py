"""Export, run, show: one generator that a timer advances a little at a time, so that Blender stays responsive."""
import atexit
import math
import os
import time

import bpy

from . import errors, exporting, heat_map, material_fields, program, properties, result, scene_file
from .job import Job
from .work_folder import WorkFolder

TICK = 0.05          # s between two looks at the program
BUDGET = 0.02        # s of work in one of them
CHECKPOINTS = 5      # s between two: what Cancel may lose
SHOW_SHARE = 0.25    # of the time may go into showing new frames
SHOW_LIMIT = 0.06    # s: scenes that need longer for a frame are not shown while they are simulated
REDRAW = 0.25        # s between two drawings of the panel, at least
PHASES = {"settle": "Settling", "play": "Simulating", "hold": "Holding"}

current = None


class Run:
    def __init__(self, scene, kind, resume=False):
        self.scene_name, self.kind, self.resume = scene.name, kind, resume
        self.folder = WorkFolder.of(scene)
        self.job, self.mesh = None, None
        self.made, self.shown, self.next_show, self.drawing = False, -1, 0.0, False
        self.longest_tick, self.failed, self.cancelled, self.began = 0.0, False, False, time.monotonic()
        self.late, self.due, self.next_redraw = 0.0, time.perf_counter(), 0.0
        self.slow_frames = 0
        self.steps = self.work()

    @property
    def scene(self):
        found = bpy.data.scenes.get(self.scene_name)
        if found is None:
            raise exporting.ExportError("The scene is gone")
        return found

    def tick(self, budget=BUDGET):
        """Works for about `budget` seconds. False when there is nothing more to do."""
        begin = time.perf_counter()
        self.late = max(0.0, begin - self.due)  # Blender was drawing
        try:
            while True:
                if next(self.steps):  # nothing to do for now
                    return True
                if time.perf_counter() - begin > budget:
                    return True
        except StopIteration:
            return False
        except (exporting.ExportError, program.ProgramMissing, OSError) as error:
            self.failed = True
            errors.show(str(error), getattr(error, "thing", None), getattr(error, "vertices", ()))
            return False
        finally:
            self.due = time.perf_counter() + TICK
            self.longest_tick = max(self.longest_tick, time.perf_counter() - begin)

    def work(self):
        path = program.require_program()
        if self.kind == "memory" and not self.resume:
            check(self.scene)
            result.remove(self.scene, "elastic")
            self.folder.clear_run("elastic")
            yield from self.export()
        elif self.folder.timeline() is None:
            raise exporting.ExportError("Simulate first")
        if not self.resume:
            result.detach_cache(self.scene, self.kind)
            self.folder.clear_run(self.kind)
        self.timeline, self.scale = self.folder.timeline()
        command = [path, "run", self.folder.scene(self.kind), "--out", os.path.basename(self.folder.run(self.kind)),
                   "--events", "--threads", str(program.threads()), "--checkpoint-every", str(CHECKPOINTS)]
        self.job = Job(command + (["--resume"] if self.resume else []), self.folder.path)
        yield from self.listen()

    # Before the program runs ------------------------------------------------------------------------------------

    def export(self):
        scene, settings = self.scene, self.scene.rumple
        timeline, scale = properties.timeline_of(scene), scene.unit_settings.scale_length
        os.makedirs(self.folder.path, exist_ok=True)
        frame_before = scene.frame_current
        obstacles = [exporting.ObstacleExport(thing, self.folder.path, scale) for thing in obstacles_of(scene)]
        try:
            for frame in range(timeline.start, timeline.end + 1):
                self.scene.frame_set(frame)
                if frame == timeline.start:
                    self.mesh = yield from exporting.export_garment(
                        settings.garment, self.folder.file("garment.obj"), scale, settings.rest == "UV")
                for obstacle in obstacles:
                    if self.scene.frame_current != frame:  # somebody moved it meanwhile
                        self.scene.frame_set(frame)
                    yield from obstacle.add_frame(bpy.context.evaluated_depsgraph_get())
                self.say(f"Reading frame {frame} of {timeline.end}",
                         100 * (frame - timeline.start) / (timeline.end - timeline.start))
                if not obstacles:
                    break
                yield False
        finally:
            for obstacle in obstacles:
                obstacle.close()
            self.scene.frame_set(frame_before)
        yield from self.write_scenes(timeline, obstacles, scale)

    def write_scenes(self, timeline, obstacles, scale):
        scene, settings = self.scene, self.scene.rumple
        names = [(exporting.file_name(o.name), o.moves) for o in obstacles]
        pins = []
        if settings.pins:
            pins = yield from exporting.pinned_vertices(settings.garment, self.mesh, settings.pins)
        values = {
            "rest": settings.rest, "uv_scale": single(settings.uv_scale), "damping": single(settings.damping),
            "record": settings.record, "thickness": single(settings.thickness * 1e-3),
            "distance": single(settings.distance * 1e-3), "friction": single(settings.friction),
            "self_friction": single(settings.self_friction),
            "gravity": [single(g) for g in scene.gravity] if scene.use_gravity else [0, 0, 0],  # m/s², whatever the unit
            "warp": exporting.warp_of(self.mesh),
            "pins": pins, "pin_stiffness": single(settings.pin_stiffness),
            "pin_to": exporting.file_name(settings.body.name) if settings.pin_to == "BODY" and settings.body else "",
        }
        properties.load_presets()
        preset = program.material(settings.preset)
        fields = {field.name: getattr(settings.material, field.name) for field in material_fields.FIELDS}
        for kind in ("memory", "elastic"):
            material = material_fields.description(preset, fields, kind == "elastic")
            scene_file.write(self.folder.file(self.folder.scene(kind)),
                             scene_file.scene(timeline, material, names, values))
        self.folder.write_timeline(timeline, properties.STEP[settings.quality], scale)

    # While it runs ------------------------------------------------------------------------------------------------

    def listen(self):
        newest = -1
        try:
            while not self.job.finished:
                for event in self.job.events():
                    if event.get("event") == "frame":
                        newest = event["frame"]
                    else:
                        self.take(event)
                if newest >= 0 and not self.made:
                    self.make_result()
                elif newest > self.shown:
                    self.show(newest)
                yield True
            if newest >= 0 and not self.cancelled:
                if not self.made:
                    self.make_result()
                    yield True
                self.show(newest, last=True)
                yield True
        finally:
            if self.made:
                result.view_modifiers(self.scene, self.kind, True)
        self.finish()

    def take(self, event):
        kind = event.get("event")
        if kind == "progress" and not self.cancelled:
            left = event.get("seconds_left")
            phase = PHASES.get(str(event.get("phase", "")).split("_")[0], "Simulating")
            self.say(phase + (f", {minutes(left)} left" if left is not None else ""), 100 * event["fraction"])
        elif kind == "warning":
            errors.warn(event.get("text", "").replace("garment.obj", "Garment"))
        elif kind == "error":
            self.failed = True
            garment = self.scene.rumple.garment
            vertices = event.get("vertices", [])
            text = event.get("text", "").replace("garment.obj", garment.name)
            if vertices and self.mesh is not None and len(self.mesh.vertices) != len(garment.data.vertices):
                text += " (vertices are counted with the modifiers of the garment applied)"
            errors.show(text, garment if vertices else None, vertices)

    def show(self, newest, last=False):
        """Shows that frames up to `newest` are there, but spends only a share of the time on it."""
        now = time.perf_counter()
        if self.drawing:  # what was shown has been drawn by now
            self.next_show = now + self.late / SHOW_SHARE
            self.drawing = False
        if not last and (now < self.next_show or self.slow_frames > 1):
            return
        scene = self.scene
        self.shown, self.drawing = newest, True
        playing = any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)
        frame = self.timeline.timeline_frame(newest)
        if scene.rumple.follow and not playing and frame != scene.frame_current:
            scene.frame_set(frame)
        else:
            getattr(scene.rumple, result.slot_of(self.kind)).update_tag()
        seconds = time.perf_counter() - now
        self.slow_frames = self.slow_frames + 1 if seconds > SHOW_LIMIT else 0
        if self.slow_frames == 2 and not last:
            errors.warn(f"Blender needs {1e3 * seconds:.0f} ms for a frame of this scene: the next is shown at the end")

    def make_result(self):
        self.made = True
        heat_map.forget()
        scene = self.scene
        garment, existing = scene.rumple.garment, scene.rumple.result
        mesh = self.mesh
        if mesh is None and existing is not None and existing.name in scene.objects:
            mesh = existing.data if self.kind == "memory" else existing.data.copy()
        if mesh is None:
            mesh, _ = exporting.simulation_mesh(garment)
        self.mesh = None
        thing = result.make(scene, self.kind, mesh)
        result.attach_cache(thing, self.folder.cache(self.kind), self.timeline, self.scale)
        result.copy_modifiers(garment, thing)
        result.view_modifiers(scene, self.kind, False)
        result.show_instead_of_garment(scene, garment, thing)
        scene.rumple.show = "RESULT" if self.kind == "memory" else "BOTH"
        heat_map.paint(scene)

    def finish(self):
        seconds = time.monotonic() - self.began
        if self.cancelled:
            self.say("Cancelled: Resume continues")
        elif self.job.status == 0:
            frames = self.timeline.end - self.timeline.start + 1
            self.say(f"Done: {frames} frames in {minutes(seconds)}", 100)
        elif not self.failed:
            self.failed = True
            errors.show(self.job.last_words or f"The program ended unexpectedly (status {self.job.status})")
        if self.failed:
            self.say("Failed")
        heat_map.paint(self.scene)

    def cancel(self):
        self.cancelled = True
        if self.job:
            self.say("Stopping")
            self.job.stop()
        else:
            self.steps.close()
            self.say("Cancelled")

    def say(self, text, percent=None):
        now = errors.status()
        now.text = text
        if percent is not None:
            now.fraction = percent
        if time.perf_counter() > self.next_redraw:
            self.next_redraw = time.perf_counter() + REDRAW
            redraw_panels()


def single(value):
    """What the user typed: properties have single precision."""
    return float(f"{value:.6g}")


def minutes(seconds):
    return f"{seconds:.0f} s" if seconds < 90 else f"{math.ceil(seconds / 60)} min"


def redraw_panels():
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()


def obstacles_of(scene):
    settings = scene.rumple
    found = [settings.body] if settings.body else []
    if settings.obstacles:
        own = (settings.garment, settings.result, settings.elastic, settings.body)
        found += [thing for thing in settings.obstacles.all_objects if thing.type == "MESH" and thing not in own]
    return found


def check(scene):
    """What can be said before anything is written."""
    settings = scene.rumple
    start, end = properties.frame_range(scene)
    if settings.garment is None:
        raise exporting.ExportError("Choose a garment: the mesh that is cloth")
    if settings.garment == settings.body:
        raise exporting.ExportError("Garment and body are the same object: choose two", settings.garment)
    if settings.garment.mode == "EDIT":
        raise exporting.ExportError("Leave Edit Mode first", settings.garment)
    if settings.garment.name not in scene.objects:
        raise exporting.ExportError(f"The garment {settings.garment.name} is not in this scene")
    if end <= start:
        raise exporting.ExportError(f"The frame range {start} to {end} is empty")
    if settings.pins and settings.pin_to == "BODY" and settings.body is None:
        raise exporting.ExportError("The pins are held by the body: choose a body, or hold them in place")
    frames = [frame for frame, _, _ in properties.holds_of(scene)]
    for frame in frames:
        if not start <= frame <= end:
            raise exporting.ExportError(f"The hold at frame {frame} is outside of the frames {start} to {end}")
        if frames.count(frame) > 1:
            raise exporting.ExportError(f"There are two holds at frame {frame}")


# The run in progress --------------------------------------------------------------------------------------------

def start(scene, kind="memory", resume=False, wait=False):
    global current
    errors.clear()
    current = Run(scene, kind, resume)
    errors.status().running, errors.status().fraction, errors.status().text = True, 0, "Starting"
    if wait:
        while advance():
            time.sleep(0.01)
    else:
        bpy.app.timers.register(advance, first_interval=0.0)
    return current


def advance():
    """The timer."""
    if current is None:
        return None
    if current.tick():
        return TICK
    errors.status().running = False
    redraw_panels()
    return None


def cancel():
    if current is not None:
        current.cancel()


def stop_without_words(*_):
    """Before another file is loaded, or Blender ends: no process is left behind."""
    global current
    if current is not None and current.job is not None:
        current.job.stop()
        current.job.wait()
    current = None


@bpy.app.handlers.persistent
def before_load(*_):
    stop_without_words()


@bpy.app.handlers.persistent
def after_load(*_):
    heat_map.forget()
    errors.status().running = False


def register():
    bpy.app.handlers.load_pre.append(before_load)
    bpy.app.handlers.load_post.append(after_load)
    atexit.register(stop_without_words)


def unregister():
    stop_without_words()
    bpy.app.handlers.load_pre.remove(before_load)
    bpy.app.handlers.load_post.remove(after_load)
    atexit.unregister(stop_without_words)
