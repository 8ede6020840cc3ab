"""Tests of the add-on in a window: timers run, the interface is never blocked, the panel looks as it should.

Usage (under Xvfb): blender --factory-startup --window-geometry 0 0 1280 800 --python window.py
RUMPLE is the program, RUMPLE_TEST_FOLDER an empty folder; it gets screenshots and window.txt.

The verdict is about the add-on: the time that its own code takes (timer, frame handler, operators, panels) in any gap
between two calls of a timer, without the time in which another program had the processor. Beside it stand the gaps
themselves, and as a control those of Blender without a simulation: software OpenGL needs hundreds of milliseconds to
draw a 3D view once, and on a loaded machine the clock counts other programs, too. Without a 3D view the processor time
of the main thread is the add-on's as well, what Blender evaluates for it included."""
import os
import pathlib
import subprocess
import sys
import time
import traceback

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402

LIMIT = 0.1      # s
FOLDER = pathlib.Path(os.environ["RUMPLE_TEST_FOLDER"])
TAB = (1044, 205)  # of the sidebar: Blender 3.4 cannot choose it from Python
lines = []


def say(text):
    lines.append(text)
    print(f"blender: {text}", flush=True)


def window_and_view():
    window = bpy.context.window_manager.windows[0]
    return window, next(area for area in window.screen.areas if area.type == "VIEW_3D")


def screenshot(name):
    with bpy.context.temp_override(window=window_and_view()[0]):
        bpy.ops.screen.screenshot(filepath=str(FOLDER / f"{name}.png"))


def waited():
    """Seconds in which this thread could have run so far, but another one had its processor (Linux)."""
    with open("/proc/thread-self/schedstat", encoding="ascii") as file:
        return 1e-9 * int(file.read().split()[1])


class OwnTime:
    """Seconds that functions of the add-on took so far: on the clock, and without waiting for a processor."""

    def __init__(self):
        self.clock, self.total, self.depth, self.parts = 0.0, 0.0, 0, {}

    def timed(self, function, name):
        def measured(*args, **kwargs):
            begin, before = time.perf_counter(), waited()
            self.depth += 1
            try:
                return function(*args, **kwargs)
            finally:
                self.depth -= 1
                if self.depth == 0:  # a handler inside of a timer counts once
                    clock = time.perf_counter() - begin
                    seconds = clock - (waited() - before)
                    self.clock += clock
                    self.total += seconds
                    self.parts[name] = max(self.parts.get(name, 0), seconds)
        return measured

    def timed_method(self, function, name):
        measured = self.timed(function, name)

        def method(thing, context):  # Blender looks at the number of arguments
            return measured(thing, context)
        return method

    def wrap(self, module):
        module.runner.advance = self.timed(module.runner.advance, "timer")
        handlers = bpy.app.handlers.frame_change_post
        handlers.remove(module.heat_map.on_frame)
        handlers.append(self.timed(module.heat_map.on_frame, "frame"))
        for panel in module.panel.CLASSES:
            panel.draw = self.timed_method(panel.draw, "panel")
        for operator in module.operators.CLASSES:
            operator.execute = self.timed_method(operator.execute, "operator")


own = OwnTime()


class Gaps:
    """Between two calls of a timer: seconds on the clock, of the main thread's processor, and of the add-on."""

    def __init__(self):
        self.last, self.longest, self.busiest, self.own, self.clock, self.count = None, 0.0, 0.0, 0.0, 0.0, 0
        own.parts.clear()
        self.timer = self.call  # Blender compares functions by identity
        bpy.app.timers.register(self.timer)

    def call(self):
        now = time.perf_counter(), time.thread_time(), own.total, own.clock
        if self.last is not None:
            gap, busy, ours, clock = (new - old for new, old in zip(now, self.last))
            self.longest, self.busiest = max(self.longest, gap), max(self.busiest, busy)
            self.own, self.clock = max(self.own, ours), max(self.clock, clock)
            self.count += 1
        self.last = now
        return 0.005

    def stop(self):
        bpy.app.timers.unregister(self.timer)
        return self

    def __str__(self):
        return f"{1e3 * self.longest:.0f} ms ({1e3 * self.busiest:.0f} ms of the processor)"


def status():
    return bpy.context.window_manager.rumple_status


def wait_for_the_end():
    while status().running:
        yield 0.05
    assert not status().error, status().error


def simulate(operator=None):
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        assert (operator or bpy.ops.rumple.simulate)() == {"FINISHED"}
    assert status().running, "the operator returns at once"


def judged(name, control, gaps, no_view):
    parts = ", ".join(f"{part} {1e3 * seconds:.0f}" for part, seconds in sorted(own.parts.items()))
    say(f"{name}: the add-on takes {1e3 * gaps.own:.0f} ms at most ({parts}), {1e3 * gaps.clock:.0f} on the clock; "
        f"longest gap {gaps} in {gaps.count} calls while simulating, {control} without a simulation; "
        f"load {os.getloadavg()[0]:.1f}")
    assert gaps.count > (20 if no_view else 2), gaps.count
    assert gaps.own < LIMIT, gaps.own
    if no_view:
        assert gaps.busiest < LIMIT, gaps.busiest


def frames_played(scene):
    """The control: Blender alone plays frames, as a simulation does when it shows them."""
    control = Gaps()
    for frame in range(1, 7):
        scene.frame_set(frame)
        yield 0.3
    return control.stop()


def simulated(scene, name, no_view):
    control = yield from frames_played(scene)
    gaps = Gaps()
    simulate()
    yield from wait_for_the_end()
    judged(name, control, gaps.stop(), no_view)


def paper_size(module, scene):
    """Cloth of 22,500 vertices with a Subdivision Surface and a heat map; cancelled and resumed on the way."""
    bpy.ops.rumple.clear()
    bpy.data.objects.remove(scene.rumple.garment)
    scene.frame_end, scene.frame_current = 5, 1
    scene.rumple.garment = cloth = common.square(count=150)
    cloth.modifiers.new("fine", "SUBSURF").levels = 1
    scene.rumple.pins = cloth.vertex_groups.new(name="none of it").name
    cloth.vertex_groups[0].add([0], 1.0, "REPLACE")
    scene.rumple.pin_to = "PLACE"
    scene.rumple.heat = "CURVATURE"
    control = yield from frames_played(scene)
    gaps = Gaps()
    simulate()
    while module.runner.current.shown < 2 and status().running:
        yield 0.05
    bpy.ops.rumple.cancel()
    yield from wait_for_the_end()
    simulate(bpy.ops.rumple.resume)
    yield from wait_for_the_end()
    judged("no 3D view, 22,500 vertices with subdivision and heat map", control, gaps.stop(), True)
    assert scene.rumple.result.modifiers["fine"].show_viewport, "subdivision is back in the view"
    scene.rumple.heat = "NONE"


def cancelled_and_resumed(module, scene):
    """By the buttons' operators, with the panel in view."""
    folder = module.work_folder.WorkFolder.of(scene)
    scene.rumple.quality = "FINE"  # so that the run lasts longer than a drawing of the view
    simulate()
    while module.runner.current.job is None or folder.frames("memory") < 3:
        yield 0.05
    screenshot("running")
    bpy.ops.rumple.cancel()
    yield from wait_for_the_end()
    yield 1.0
    screenshot("cancelled")
    simulate(bpy.ops.rumple.resume)
    yield from wait_for_the_end()
    scene.rumple.quality = "DRAFT"
    assert folder.frames("memory") == 25 and folder.complete("memory")
    say("cancelled and resumed in a window")


def walk():
    module, scene = common.cloth_on_ball(25)
    own.wrap(module)
    module.job.NICENESS = 0  # where there is one core, software OpenGL would take all of it
    window, view = window_and_view()
    view.spaces.active.show_region_ui = True
    view.spaces.active.region_3d.view_distance = 1.1
    yield 1.5
    subprocess.run(["xdotool", "mousemove", *map(str, TAB), "click", "1"], check=True)
    yield 1.5
    subprocess.run(["xdotool", "mousemove", "400", "600"], check=True)
    yield 1.0
    screenshot("panel")
    yield from simulated(scene, "3D view on software OpenGL", False)
    screenshot("done")
    yield from cancelled_and_resumed(module, scene)
    with bpy.context.temp_override(window=window, area=view):
        scene.rumple.heat = "CURVATURE"
    yield 1.0
    screenshot("heat_map")
    scene.rumple.heat = "NONE"
    for area in window.screen.areas:
        area.type = "TEXT_EDITOR"
    yield 1.5
    yield from simulated(scene, "no 3D view", True)
    yield from paper_size(module, scene)


steps = walk()


def step():
    try:
        return next(steps)
    except StopIteration:
        code = 0
    except BaseException:  # noqa: BLE001: whatever it is, Blender has to end
        traceback.print_exc()
        code = 1
    (FOLDER / "window.txt").write_text("\n".join(lines) + "\n")
    sys.stdout.flush()
    os._exit(code)  # quit_blender cannot give a status


bpy.context.preferences.view.show_splash = False
bpy.app.timers.register(step, first_interval=1.0)
