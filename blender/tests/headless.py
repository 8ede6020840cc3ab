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


def test_the_highest_border_is_pinned():
    module, scene = cloth_on_ball()
    around, up = 12, 5
    vertices = [(np.cos(2 * np.pi * i / around), np.sin(2 * np.pi * i / around), 0.3 * j)
                for j in range(up) for i in range(around)]
    faces = [(j * around + i, j * around + (i + 1) % around, (j + 1) * around + (i + 1) % around, (j + 1) * around + i)
             for j in range(up - 1) for i in range(around)]
    settings, tube = scene.rumple, common.new_mesh("Tube", vertices, faces)
    settings.garment = tube
    assert bpy.ops.rumple.pin_border() == {"FINISHED"}
    assert settings.pin_to == "BODY"

    def pinned():
        found = module.exporting.pinned_vertices(tube, tube.data, settings.pins)
        while True:
            try:
                next(found)
            except StopIteration as end:
                return end.value
    assert pinned() == list(range((up - 1) * around, up * around))
    tube.rotation_euler.x = np.pi  # upside down: the other border is higher
    bpy.context.view_layer.update()
    bpy.ops.rumple.pin_border()
    assert pinned() == list(range(around))
    settings.garment = settings.body  # closed
    assert bpy.ops.rumple.pin_border() == {"CANCELLED"}


def test_holds_take_no_frames_of_the_timeline():
    module, scene = cloth_on_ball(12)
    scene.rumple.settle = 0.25
    scene.timeline_markers.new("hold 20 min", frame=6)
    scene.rumple.holds.add().frame = 9
    result = simulate(scene)
    assert largest_difference(module, scene, result) == 0
    folder = folder_of(module, scene)
    timeline, _ = folder.timeline()
    assert timeline.holds == [[6, 1200.0], [9, 1200.0]] and folder.frames("memory") == timeline.frames
    # The ball stands still while the cloth settles and in holds, and is at every frame where Blender has it.
    ball = folder.run("memory") + "/cache/o_Ball.pc2"
    for frame in range(1, 13):
        scene.frame_set(frame)
        difference = np.abs(module.pc2.read_frame(ball, timeline.cache_frame(frame)) - shown(scene.rumple.body)).max()
        assert difference < 2e-6, (frame, difference)
    import json
    summary = json.load(open(folder.run("memory") + "/summary.json", encoding="utf-8"))
    assert summary["material_time"] > 2400


def test_units_transforms_and_modifiers():
    module, scene = cloth_on_ball(8)
    settings, cloth = scene.rumple, scene.rumple.garment
    # Which diagonal cuts a square is a matter of rounding: begin with triangles.
    triangles, _ = module.exporting.triangles_of(cloth.data)
    mesh = bpy.data.meshes.new("triangles")
    mesh.from_pydata([v.co.copy() for v in cloth.data.vertices], [], triangles.tolist())
    cloth.data = mesh
    simulate(scene)
    folder = folder_of(module, scene)
    plain = pathlib.Path(folder.file("garment.obj")).read_text()
    names = (folder.file("o_Ball.pc2"), folder.cache("memory"))
    cached = [module.pc2.read_frame(name, 2) for name in names]  # later the cloth buckles: rounding decides how
    # The same cloth and ball in centimetres, turned, scaled and under a parent, with modifiers for the eye.
    scene.unit_settings.scale_length = 0.01
    parent = bpy.data.objects.new("parent", None)
    scene.collection.objects.link(parent)
    parent.scale = (100, 100, 100)
    settings.body.parent = parent
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]) * 4.0
    for vertex in cloth.data.vertices:
        vertex.co = np.linalg.solve(turn, np.array(vertex.co))
    cloth.rotation_euler.z, cloth.scale, cloth.parent = np.pi / 2, (4, 4, 4), parent
    cloth.modifiers.new("fine", "SUBSURF").levels = 1
    cloth.modifiers.new("thick", "SOLIDIFY").thickness = 0.1
    result = simulate(scene)
    lines = [np.array(list(map(float, line.split()[1:]))) for line in plain.splitlines() if line.startswith("v ")]
    again = [np.array(list(map(float, line.split()[1:])))
             for line in pathlib.Path(folder.file("garment.obj")).read_text().splitlines() if line.startswith("v ")]
    assert np.abs(np.array(lines) - np.array(again)).max() < 1e-6
    for name, before in zip(names, cached):
        assert np.abs(module.pc2.read_frame(name, 2) - before).max() < 1e-6, name
    assert [m.type for m in result.modifiers] == ["MESH_CACHE", "SUBSURF", "SOLIDIFY"]
    assert len(shown(result)) > 3 * len(cloth.data.vertices), "the result is subdivided for the eye"
    for modifier in list(result.modifiers)[1:]:
        modifier.show_viewport = False
    assert largest_difference(module, scene, result) < 1e-6
    assert all(m.show_viewport for m in cloth.modifiers), "the garment is as it was"


def test_compare_heat_map_bake_and_clear():
    module, scene = cloth_on_ball(10)
    settings = scene.rumple
    bpy.ops.wm.save_as_mainfile(filepath=settings.folder + "/test.blend")
    group = settings.garment.vertex_groups.new(name="corner")
    group.add([0, 1, 21], 1.0, "REPLACE")
    settings.pins, settings.pin_to, settings.pin_stiffness = "corner", "PLACE", 0
    settings.holds.add().frame = 6
    result = simulate(scene)
    folder = folder_of(module, scene)
    frames = [module.pc2.read_frame(folder.cache("memory"), i) for i in range(folder.frames("memory"))]
    assert all((frame[[0, 1, 21]] == frames[0][[0, 1, 21]]).all() for frame in frames), "pins stay"
    simulate(scene, bpy.ops.rumple.compare)
    assert largest_difference(module, scene, result) == 0
    settings.show = "ELASTIC"
    assert result.hide_render and not settings.elastic.hide_render
    assert largest_difference(module, scene, settings.elastic, "elastic") == 0
    apart = np.abs(module.pc2.read_frame(folder.cache("elastic"), folder.frames("elastic") - 1) - frames[-1]).max()
    assert apart > 1e-4, apart
    for heat in ("CURVATURE", "PLASTIC", "STICK"):
        settings.heat = heat
        layer = result.data.color_attributes[module.heat_map.ATTRIBUTE]
        seen = np.empty(4 * len(layer.data), dtype=np.float32)
        layer.data.foreach_get("color", seen)
        values = module.heat_map.values_of(scene)
        wanted = module.heat_map.colours(values, settings.heat_top)
        # Bytes or floats: Blender may round.
        assert np.abs(seen.reshape(-1, 4) - wanted).max() < 0.01, heat
        assert heat == "PLASTIC" or np.ptp(values) > 0, heat
    settings.heat = "NONE"
    timeline, _ = folder.timeline()
    shapes = {}
    for frame in range(1, 11):
        scene.frame_set(frame)
        shapes[frame] = shown(result).copy()
    bpy.ops.rumple.bake()
    again = simulate(scene)
    settings.bake_as = "KEYS"
    bpy.ops.rumple.bake()
    assert settings.result is None and again != result
    bpy.ops.rumple.clear()
    assert not pathlib.Path(folder.path).exists() and not settings.garment.hide_render
    for frame in range(1, 11):
        scene.frame_set(frame)
        assert np.abs(shown(result) - shapes[frame]).max() == 0, frame
        assert np.abs(shown(again) - shapes[frame]).max() < 1e-6, frame


def test_curvature_is_exact_on_a_sphere():
    module, _ = cloth_on_ball()
    import bmesh
    shape = bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=4, radius=0.2)
    mesh = bpy.data.meshes.new("sphere")
    shape.to_mesh(mesh)
    triangles, _ = module.exporting.triangles_of(mesh)
    positions = np.array([v.co for v in mesh.vertices])
    border = module.heat_map.border_of(triangles, len(positions))
    curvature = module.heat_map.mean_curvature(positions, triangles, border)
    assert len(border) == 0
    assert np.abs(curvature - 5).max() < 0.05, (curvature.min(), curvature.max())


def test_mannequin_and_trousers():
    common.empty_scene()
    module, scene = common.enable(), bpy.context.scene
    settings = scene.rumple
    settings.folder = common.os.environ["RUMPLE_TEST_FOLDER"]
    assert bpy.ops.rumple.add_mannequin(clip="sit") == {"FINISHED"}
    assert scene.frame_end == 73 and settings.body.name == "Mannequin"
    heights = {}
    for frame in (1, 37, 73):
        scene.frame_set(frame)
        heights[frame] = shown(settings.body)[:, 2].max()
    assert abs(heights[1] - 1.75) < 0.01 and heights[37] < 1.4 and abs(heights[73] - heights[1]) < 1e-4, heights
    scene.frame_set(1)
    assert bpy.ops.rumple.add_garment(cut="trousers", edge=40) == {"FINISHED"}
    garment = settings.garment
    assert garment.name == "Trousers" and settings.pins == "waistband" and 400 < len(garment.data.vertices) < 1500
    settings.quality, settings.settle, scene.frame_end = "DRAFT", 0, 6
    result = simulate(scene)
    assert largest_difference(module, scene, result) == 0
    scene.frame_set(6)
    band = [v.index for v in garment.data.vertices if any(g.weight > 0.5 for g in v.groups)]
    moved = np.linalg.norm(shown(result)[band] - np.array([garment.data.vertices[i].co for i in band]), axis=1)
    assert moved.max() < 0.05, "the belt holds"


def test_the_result_can_be_rendered():
    module, scene = cloth_on_ball(14)
    result = simulate(scene)
    scene.frame_set(14)
    bpy.ops.object.light_add(type="SUN", rotation=(0.5, 0.5, 0))
    bpy.context.object.data.energy = 3
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.location, camera.rotation_euler = (0, -0.9, 0.6), (1.03, 0, 0)
    scene.camera = camera
    for polygon in result.data.polygons:
        polygon.use_smooth = True
    scene.render.engine, scene.cycles.samples, scene.cycles.device = "CYCLES", 8, "CPU"
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 320, 240, 100
    scene.render.filepath = scene.rumple.folder + "/render.png"
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = np.array(image.pixels[:]).reshape(240, 320, 4)[:, :, :3].mean(axis=2)
    assert tuple(image.size) == (320, 240)
    cloth = pixels > 0.2
    assert 0.05 < cloth.mean() < 0.6, cloth.mean()
    assert pixels[cloth].std() > 0.02, "the cloth is shaded"


def test_the_package_installs():
    """The zip file of `make blender-addon`, in another Blender with its own settings."""
    import os
    import subprocess
    folder = os.path.join(os.environ["RUMPLE_TEST_FOLDER"], "install")
    os.makedirs(folder, exist_ok=True)
    package = os.path.join(folder, "rumple_blender.zip")
    script = common.ROOT.parent / "scripts" / "zip_blender_addon.py"
    subprocess.run(["/usr/bin/python3", str(script), package], check=True, stdout=subprocess.DEVNULL)
    lines = (f"import bpy; bpy.ops.preferences.addon_install(filepath={package!r}); "
             "bpy.ops.preferences.addon_enable(module='rumple_addon'); "
             "assert bpy.context.scene.rumple.quality == 'NORMAL'; import rumple_addon; "
             "assert 'install' in rumple_addon.__file__; bpy.ops.preferences.addon_disable(module='rumple_addon'); "
             "assert not hasattr(bpy.context.scene, 'rumple')")
    done = subprocess.run([bpy.app.binary_path, "--background", "--factory-startup", "--python-exit-code", "1",
                           "--python-expr", lines], env={**os.environ, "BLENDER_USER_SCRIPTS": folder},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


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
