"""Whole runs: the same bytes as the program, progress, Ctrl-C, variants."""
import filecmp
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import unittest

import numpy

import rumple
from scenes import twist

PROGRAM = os.environ.get("RUMPLE_PROGRAM")


def plain_document():
    """The scene without a Mesh, so that the program can read it."""
    document = dict(twist().to_dict())
    document["cloths"] = [{**document["cloths"][0], "mesh": {"generator": "tube", "radius": 0.02, "height": 0.04,
                                                             "around": 16, "up": 9}}]
    return document


class Runs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_result(self):
        result = rumple.run(twist().build())
        self.assertEqual(result.positions["tube"].shape, (144, 3))
        self.assertGreater(result.measures["tube"]["bending_content"], 0)
        self.assertEqual(result.summary["status"], "complete")
        self.assertIsNone(result.folder)
        self.assertGreater(result.recovery["tube"], 0)
        self.assertEqual(result.failure, "")

    def test_a_mesh_from_numpy_runs_as_the_generator_does(self):
        given = rumple.run(twist().build()).positions["tube"]
        generated = rumple.run(plain_document()).positions["tube"]
        self.assertTrue((given == generated).all())
        self.assertEqual(twist().build().hash, rumple.load_scene(plain_document()).hash)

    def test_run_folder_reads_back(self):
        result = rumple.run(twist().build(), self.folder / "out")
        run = rumple.Run(self.folder / "out")
        self.assertEqual(run.summary, result.summary)
        self.assertEqual(run.names, ["tube"])
        frames = run.positions("tube")
        self.assertEqual(frames.shape, (len(run.metrics["frame"]), 144, 3))
        self.assertTrue((frames[-1] == result.positions["tube"].astype("f4")).all())
        self.assertTrue((run.mesh("tube").triangles == twist().build().mesh("tube").triangles).all())

    @unittest.skipUnless(PROGRAM, "RUMPLE_PROGRAM is not set")
    def test_the_same_bytes_as_the_program(self):
        (self.folder / "scene.json").write_text(json.dumps(plain_document()))
        subprocess.run([PROGRAM, "run", "scene.json", "--out", "by-program", "--quiet"], cwd=self.folder, check=True)
        rumple.run(self.folder / "scene.json", self.folder / "by-python")
        for name in ("cache/tube.pc2", "cache/tube.obj", "final/tube.obj", "metrics.csv", "summary.json"):
            self.assertTrue(filecmp.cmp(self.folder / "by-program" / name, self.folder / "by-python" / name,
                                        shallow=False), name)

    def test_progress(self):
        seen = []
        rumple.run(twist().build(), progress=lambda p: seen.append((p.fraction, p.phase, p.steps_done)))
        self.assertEqual(len(seen), 52)
        self.assertEqual(seen[-1], (1.0, "back", 52))
        self.assertEqual(sorted(seen), sorted(seen, key=lambda one: one[2]))

    def test_what_progress_raises_ends_the_run_and_resume_continues(self):
        def stop(progress):
            if progress.steps_done == 30:
                raise LookupError("enough")
        with self.assertRaisesRegex(LookupError, "enough"):
            rumple.run(twist().build(), self.folder / "out", progress=stop, checkpoint_seconds=0)
        self.assertIsNone(rumple.Run(self.folder / "out").summary)
        done = []
        resumed = rumple.run(twist().build(), self.folder / "out", resume=True,
                             progress=lambda p: done.append(p.steps_done))
        self.assertLess(len(done), 30)
        self.assertTrue((resumed.positions["tube"] == rumple.run(twist().build()).positions["tube"]).all())

    def test_ctrl_c(self):
        endless = twist(around=32, up=17).to_dict()
        endless["phases"][0]["duration"] = 1000
        usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in jobs in the background of a shell
        self.addCleanup(signal.signal, signal.SIGINT, usual)
        timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            rumple.run(endless)
        timer.join()

    def test_variants_and_settings(self):
        document = twist().set(variants=[{"name": "brief", "set": {"phases.hold.steps": 0}}, {"name": "held"}])
        scenes = rumple.load_scenes(document)
        self.assertEqual([scene.variant for scene in scenes], ["brief", "held"])
        results = rumple.run_variants(scenes, self.folder / "out")
        self.assertEqual([result.folder.name for result in results], ["brief", "held"])
        alone = rumple.run(rumple.load_scene(document, variant="brief"))
        self.assertTrue((alone.positions["tube"] == results[0].positions["tube"]).all())
        with self.assertRaisesRegex(rumple.InputError, "2 variants; name one of them: brief, held"):
            rumple.load_scene(document)
        self.assertEqual(rumple.load_scene(twist(), set={"phases.hold.steps": 3}).steps, 43)

    def test_a_mesh_where_it_does_not_belong(self):
        with self.assertRaisesRegex(rumple.InputError, "a Mesh does not belong here"):
            rumple.load_scene({**twist().to_dict(), "gravity": rumple.grid(3, 3, 1, 1)})

    def test_a_numpy_obstacle(self):
        floor = rumple.grid(5, 5, 0.6, 0.6)
        floor.positions[:, 2] = -0.05
        scene = (rumple.SceneBuilder("drop").cloth("sheet", rumple.grid(7, 7, 0.2, 0.2), "cotton")
                 .obstacle("floor", mesh=floor).phase("fall", duration=0.3).build())
        z = rumple.run(scene).positions["sheet"][:, 2]
        self.assertTrue((z > -0.0505).all() and (z < -0.03).all(), (z.min(), z.max()))

    def test_animations(self):
        scene = twist(**{"contact": {"self": True}}).set(output={"rate": 30, "formats": ["glb", "usda"]}).build()
        rumple.run(scene, self.folder / "out")
        for name in ("animation.glb", "animation.usda"):
            written = (self.folder / "out" / name).read_bytes()
            rumple.convert(self.folder / "out", self.folder / name)
            self.assertEqual((self.folder / name).read_bytes(), written)
        with self.assertRaisesRegex(rumple.InputError, 'formats: "fbx" is unknown'):
            twist().set(output={"formats": ["fbx"]}).build()


if __name__ == "__main__":
    unittest.main()
