"""Tests of the add-on without a window. Usage: blender --background --factory-startup --python headless.py -- [NAME...]

RUMPLE is the program, RUMPLE_TEST_FOLDER an empty folder. Each test begins with an empty scene."""
import pathlib
import sys
import time

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import cloth_on_ball, np, shown  # noqa: E402


def status():
    return bpy.context.window_manager.rumple_status


def simulate(scene, operator=None):
    assert (operator or bpy.ops.rumple.simulate)() == {"FINISHED"}, status().error
    assert not status().error and not status().running and status().fraction == 100, status().error
    return scene.rumple.result


def folder_of(module, scene):
    return module.work_folder.WorkFolder.of(scene)


def largest_difference(module, scene, thing, kind="memory"):
    """Of what Blender shows and the cache, over all frames of the timeline [m]."""
    folder = folder_of(module, scene)
    timeline, scale = folder.timeline()
    worst = 0.0
    for frame in range(timeline.start, timeline.end + 1):
        scene.frame_set(frame)
        cached = module.pc2.read_frame(folder.cache(kind), timeline.cache_frame(frame))
        worst = max(worst, float(np.abs(shown(thing) * scale - cached).max()))
    return worst


def test_frames_equal_the_cache():
    module, scene = cloth_on_ball()
    result = simulate(scene)
    assert largest_difference(module, scene, result) == 0
    folder = folder_of(module, scene)
    moved = module.pc2.read_frame(folder.cache("memory"), 19) - module.pc2.read_frame(folder.cache("memory"), 0)
    assert np.abs(moved).max() > 0.05, "nothing moves"
    assert scene.rumple.garment.hide_render and not result.hide_render
    # The exported ball is the ball of Blender at every frame.
    for frame in (1, 7, 20):
        scene.frame_set(frame)
        assert np.abs(module.pc2.read_frame(folder.file("o_Ball.pc2"), frame - 1) - shown(scene.rumple.body)).max() < 1e-6


def test_cancelled_and_resumed_gives_the_same_bytes():
    module, scene = cloth_on_ball(30)
    simulate(scene)
    folder = folder_of(module, scene)
    cache = pathlib.Path(folder.cache("memory"))
    whole, memory = cache.read_bytes(), pathlib.Path(folder.memory("memory")).read_bytes()
    module.runner.CHECKPOINTS = 0
    assert not bpy.ops.rumple.resume.poll(), "there is nothing to resume"
    run = module.runner.start(scene)
    while module.runner.advance() is not None and run.shown < 15:
        time.sleep(0.005)
    bpy.ops.rumple.cancel()
    while module.runner.advance() is not None:
        time.sleep(0.005)
    assert run.cancelled and not status().running and "Cancelled" in status().text
    assert 15 <= folder.frames("memory") < 30, folder.frames("memory")
    assert bpy.ops.rumple.resume.poll()
    began = folder.frames("memory")
    result = simulate(scene, bpy.ops.rumple.resume)
    assert cache.read_bytes() == whole and pathlib.Path(folder.memory("memory")).read_bytes() == memory
    assert largest_difference(module, scene, result) == 0
    print(f"  cancelled after {began} of 30 frames")


def test_an_error_selects_its_vertices():
    module, scene = cloth_on_ball()
    cloth = scene.rumple.garment
    count = len(cloth.data.vertices)
    faces = [tuple(p.vertices) for p in cloth.data.polygons]
    bad = bpy.data.meshes.new("bad")  # a fin: the edge 42-43 has three triangles
    bad.from_pydata([v.co.copy() for v in cloth.data.vertices] + [(0, 0, 0.5)], [], faces + [(42, 43, count)])
    cloth.data = bad
    assert bpy.ops.rumple.simulate() == {"CANCELLED"}
    assert "edge" in status().error, status().error
    selected = {v.index for v in bad.vertices if v.select}
    assert selected and len(selected) == status().error_vertices, (selected, status().error)
    assert {42, 43} <= selected, selected
    bpy.ops.rumple.show_vertices()
    assert bpy.context.object == cloth and cloth.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert {v.index for v in bad.vertices if v.select} == selected
    print(f"  {status().error}: {sorted(selected)}")


def test_bad_settings_are_one_sentence():
    module, scene = cloth_on_ball()
    settings = scene.rumple
    settings.pins = "waist"
    bpy.ops.rumple.simulate()
    assert "no vertex group waist" in status().error
    settings.pins, scene.frame_end = "", 1
    bpy.ops.rumple.simulate()
    assert "is empty" in status().error
    scene.frame_end = 20
    settings.holds.add().frame = 21
    bpy.ops.rumple.simulate()
    assert "hold at frame 21" in status().error
    settings.holds.clear()
    settings.body = settings.garment
    bpy.ops.rumple.simulate()
    assert "same object" in status().error
    assert settings.result is None


def main():
    names = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    failed = []
    for name, test in [(n, t) for n, t in globals().items() if n.startswith("test_") and (not names or n in names)]:
        begin = time.monotonic()
        try:
            test()
        except Exception:  # noqa: BLE001: the next test shall run
            import traceback
            traceback.print_exc()
            failed.append(name)
        print(f"blender: {name}: {'FAILED' if name in failed else 'ok'} ({time.monotonic() - begin:.1f} s)", flush=True)
    sys.exit(1 if failed else 0)


main()
