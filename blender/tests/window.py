"""Tests of the add-on in a window: timers run, the interface is never blocked, the panel looks as it should.

Usage (under Xvfb): blender --factory-startup --window-geometry 0 0 1280 800 --python window.py
RUMPLE is the program, RUMPLE_TEST_FOLDER an empty folder; it gets screenshots and window.txt.

Software OpenGL needs hundreds of milliseconds to draw a 3D view once, with or without the add-on. So gaps between two
calls of a timer are measured where nothing is drawn; with a 3D view they are compared with those of Blender alone."""
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


class Gaps:
    """What the main thread does between two calls of a timer: time on the clock, and time of the processor.

    On a loaded machine the clock counts other programs, too."""

    def __init__(self):
        self.last, self.longest, self.busiest, self.count = None, 0.0, 0.0, 0
        self.timer = self.call  # Blender compares functions by identity
        bpy.app.timers.register(self.timer)

    def call(self):
        now = time.perf_counter(), time.thread_time()
        if self.last is not None:
            self.longest = max(self.longest, now[0] - self.last[0])
            self.busiest = max(self.busiest, now[1] - self.last[1])
            self.count += 1
        self.last = now
        return 0.005

    def stop(self):
        bpy.app.timers.unregister(self.timer)
        return self

    def __str__(self):
        return f"{1e3 * self.longest:.0f} ms ({1e3 * self.busiest:.0f} ms of the processor)"


def idle_machine():
    return os.getloadavg()[0] < 0.75 * os.cpu_count()


def status():
    return bpy.context.window_manager.rumple_status


def wait_for_the_end(shots=()):
    shots = list(shots)
    while status().running:
        yield 0.05
        if shots and status().fraction >= shots[0][0]:
            screenshot(shots.pop(0)[1])
    assert not status().error, status().error


def simulate():
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        assert bpy.ops.rumple.simulate() == {"FINISHED"}
    assert status().running, "the operator returns at once"


def walk():
    module, scene = common.cloth_on_ball(25)
    module.job.NICENESS = 0
    window, view = window_and_view()
    view.spaces.active.show_region_ui = True
    view.spaces.active.region_3d.view_distance = 1.1
    yield 1.5
    subprocess.run(["xdotool", "mousemove", *map(str, TAB), "click", "1"], check=True)
    yield 1.5
    subprocess.run(["xdotool", "mousemove", "400", "600"], check=True)
    yield 1.0
    screenshot("panel")

    # With a 3D view: Blender alone first.
    alone = Gaps()
    for frame in range(1, 7):
        scene.frame_set(frame)
        yield 0.3
    alone = alone.stop()
    with_view = Gaps()
    simulate()
    yield from wait_for_the_end()
    say(f"3D view on software OpenGL: longest gap {alone} without the add-on, {with_view.stop()} while simulating")
    screenshot("done")

    # Without any drawing: every millisecond is ours.
    kinds = [area.type for area in window.screen.areas]
    for area in window.screen.areas:
        area.type = "TEXT_EDITOR"
    yield 1.5
    was_idle = idle_machine()
    gaps = Gaps()
    simulate()
    yield from wait_for_the_end()
    gaps.stop()
    tick = module.runner.current.longest_tick
    say(f"nothing drawn: longest gap {gaps} in {gaps.count} calls while simulating; longest tick of the add-on "
        f"{1e3 * tick:.0f} ms; load {os.getloadavg()[0]:.1f}")
    assert gaps.count > 20, gaps.count
    assert gaps.busiest < LIMIT, gaps.busiest
    if was_idle:
        assert gaps.longest < LIMIT, gaps.longest
    for area, kind in zip(window.screen.areas, kinds):
        area.type = kind
    yield 1.0

    # Cancelled and resumed by the buttons.
    simulate()
    while status().fraction < 30:
        yield 0.05
    screenshot("running")
    bpy.ops.rumple.cancel()
    while status().running:
        yield 0.05
    yield 1.0
    screenshot("cancelled")
    assert bpy.ops.rumple.resume() == {"FINISHED"}
    yield from wait_for_the_end()
    folder = module.work_folder.WorkFolder.of(scene)
    assert folder.frames("memory") == 25 and folder.complete("memory")
    say("cancelled and resumed in a window")
    with bpy.context.temp_override(window=window, area=view):
        scene.rumple.heat = "CURVATURE"
    yield 1.0
    screenshot("heat_map")


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
