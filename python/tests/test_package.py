"""The package as a whole: help, stubs, examples, optional parts."""
import ast
import importlib.util
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import rumple
from scenes import twist

SOURCE = pathlib.Path(__file__).resolve().parents[1]


class Package(unittest.TestCase):
    def test_version_and_source(self):
        self.assertRegex(rumple.__version__, r"^\d+\.\d+\.\d+$")
        self.assertRegex(rumple.source_hash, r"^[0-9a-f]{16}$")
        self.assertEqual(rumple.run(twist()).summary["source"], rumple.source_hash)

    def test_everything_has_a_docstring(self):
        for name in rumple.__all__:
            thing = getattr(rumple, name)
            if not inspect.isroutine(thing) and not inspect.isclass(thing):
                continue
            self.assertTrue(thing.__doc__, name)
            self.assertIn(name, rumple.__doc__ + "ContactReport State StepReport Progress material_fields source_hash"
                          "builtin_scenes has_render", name)

    def test_the_program_in_help_runs(self):
        program = re.search(r"Start here:\n\n(.*?)\n\nScenes ", rumple.__doc__, re.DOTALL).group(1)
        exec(inspect.cleandoc("\n" + program), {})

    def test_stubs_name_what_there_is(self):
        stub = {}
        for node in ast.parse((SOURCE / "rumple" / "__init__.pyi").read_text()).body:
            if isinstance(node, ast.ClassDef):
                stub[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            elif isinstance(node, ast.FunctionDef):
                stub[node.name] = None
        for name in rumple.__all__:
            thing = getattr(rumple, name)
            if inspect.isroutine(thing):
                self.assertIn(name, stub)
            elif inspect.isclass(thing) and not issubclass(thing, Exception):
                here = {member for member in vars(thing) if not member.startswith("_")}
                self.assertEqual(here, {member for member in stub[name] if not member.startswith("_")}, name)
        for name in stub:
            if name not in ("builtin_scene", "builtin_scenes", "reproduce"):
                self.assertTrue(hasattr(rumple, name), name)

    def test_examples_run(self):
        wanted = {"twist": r"not held +\d+\.\d 1/m2\nheld 10 min +\d+", "moving_handle": r"held 3600 s: .* of its height lost",
                  "hold_times": r"1000 s +\d", "own_mesh": r"nearest vertex"}
        self.assertEqual(set(wanted), {path.stem for path in (SOURCE / "examples").glob("*.py")})
        with tempfile.TemporaryDirectory() as folder:
            for name, pattern in wanted.items():
                done = subprocess.run([sys.executable, SOURCE / "examples" / f"{name}.py"], cwd=folder, text=True,
                                      capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, pattern)
                if name == "hold_times":
                    plotted = "hold_times.png" in done.stdout
                    self.assertEqual(plotted, importlib.util.find_spec("matplotlib") is not None)
                    self.assertEqual(plotted, os.path.exists(os.path.join(folder, "hold_times.png")))
                if name == "twist":
                    brief, held = map(float, re.findall(r"(\d+\.\d) 1/m2", done.stdout))
                    self.assertGreater(held, 1.3 * brief)

    @unittest.skipUnless(rumple.has_render, "built without the renderer")
    def test_render(self):
        with tempfile.TemporaryDirectory() as folder:
            rumple.run(twist(), os.path.join(folder, "out"))
            picture = os.path.join(folder, "picture.png")
            rumple.render(os.path.join(folder, "out"), picture, size=(64, 48), samples=1, view="front")
            with open(picture, "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")
            with self.assertRaisesRegex(rumple.InputError, "there is no frame 99"):
                rumple.render(os.path.join(folder, "out"), picture, frame=99)

    @unittest.skipUnless(hasattr(rumple, "reproduce"), "built without the experiments")
    def test_experiments(self):
        self.assertIn("twist", rumple.builtin_scenes())
        document = rumple.builtin_scene("twist")
        scene = rumple.load_scene(document, variant="held", set={"cloths.tube.mesh.around": 12,
                                                                "cloths.tube.mesh.up": 8})
        self.assertEqual(scene.mesh("tube").positions.shape, (96, 3))
        self.assertEqual(rumple.load_scene("twist", variant="held").hash,
                         rumple.load_scene(document, variant="held").hash)
        seen = []
        claims = rumple.reproduce("recovery-curve", size="smoke", progress=lambda what, done: seen.append(done))
        self.assertTrue(seen)
        self.assertIn("verdict", claims[0])
        self.assertIsInstance(claims[0], dict)
        with self.assertRaisesRegex(rumple.InputError, "no experiment"):
            rumple.reproduce("twisted")


if __name__ == "__main__":
    unittest.main()
