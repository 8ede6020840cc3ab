#!/usr/bin/env python3
"""Tests of the parts of the add-on that need no Blender."""
import importlib
import pathlib
import sys
import tempfile
import time
import types
import unittest

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "rumple_addon"
package = types.ModuleType("addon")  # without __init__, which needs Blender
package.__path__ = [str(FOLDER)]
sys.modules["addon"] = package
job, material_fields, pc2, timeline = (importlib.import_module(f"addon.{name}")
                                       for name in ("job", "material_fields", "pc2", "timeline"))


class TimelineTest(unittest.TestCase):
    def test_frames_of_the_cache(self):
        t = timeline.Timeline(1, 80, 24, 0.01, settle=0.5, holds=[(40, 1200)])
        self.assertEqual(t.substeps, 5)
        self.assertEqual(t.hold_frames, 10)
        self.assertEqual(t.cache_frame(1), 12)
        self.assertEqual(t.cache_frame(40), 51)      # before the hold
        self.assertEqual(t.cache_frame(41), 62)      # after it
        self.assertEqual(t.frames, t.cache_frame(80) + 1)

    def test_knots_agree_with_every_frame(self):
        for holds in ([], [(1, 5)], [(80, 5)], [(30, 5), (31, 5), (60, 7)]):
            t = timeline.Timeline(1, 80, 25, 0.01, settle=1, holds=holds)
            at, value = zip(*t.knots())
            for frame in range(1, 81):
                self.assertEqual(np.interp(frame, at, value), t.cache_frame(frame), (holds, frame))
                self.assertEqual(t.timeline_frame(t.cache_frame(frame)), frame)

    def test_phases_are_whole_steps(self):
        for fps in (24, 25, 30, 24000 / 1001, 60, 12):
            t = timeline.Timeline(1, 50, fps, 0.01, settle=0.7, holds=[(20, 60.0)])
            steps = 0
            for phase in t.phases(["body"]):
                n = phase["duration"] / t.h if "duration" in phase else phase["steps"]
                self.assertAlmostEqual(n, round(n), places=6)
                steps += round(n)
            self.assertEqual(steps, (t.frames - 1) * t.substeps)
            self.assertLessEqual(t.h, 0.01 + 1e-12)

    def test_markers(self):
        self.assertEqual(timeline.hold_of_marker("hold 20 min"), 1200)
        self.assertEqual(timeline.hold_of_marker("Hold 1.5h"), 5400)
        self.assertEqual(timeline.hold_of_marker("hold 30 s"), 30)
        self.assertEqual(timeline.hold_of_marker("hold 2 days"), 172800)
        for name in ("hold", "holds 20 min", "hold 20 apples", "sit"):
            self.assertIsNone(timeline.hold_of_marker(name))


class MaterialTest(unittest.TestCase):
    PRESET = {"name": "cotton", "density": 0.1, "bending": {"warp": 1, "weft": 2, "bias": 1},
              "friction": {"k": 4e-6, "tau": 30.0}, "relaxation": {"share": 0.5}}

    def test_only_what_differs_is_written(self):
        values = {"density": float(np.float32(100)), "friction": float(np.float32(4)), "stick_time": 10.0, "bending": 3.0}
        self.assertEqual(material_fields.description(self.PRESET, values),
                         {"preset": "cotton", "friction": {"tau": 10.0}})

    def test_elastic_has_no_memory(self):
        elastic = material_fields.description(self.PRESET, {}, elastic=True)
        self.assertEqual(elastic, {"preset": "cotton", "friction": {"law": "none"}, "plasticity": {"law": "none"},
                                   "relaxation": {"share": 0}})


class CacheTest(unittest.TestCase):
    def test_round_trip(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/a.pc2"
            self.assertEqual(pc2.read_counts(path), (0, 0))
            frames = [np.random.default_rng(i).random((5, 3), dtype=np.float32) for i in range(3)]
            writer = pc2.Writer(path, 5)
            for frame in frames:
                writer.append(frame)
            writer.close()
            self.assertEqual(pc2.read_counts(path), (5, 3))
            for i, frame in enumerate(frames):
                self.assertTrue((pc2.read_frame(path, i) == frame).all())
            with self.assertRaises(ValueError):
                pc2.read_frame(path, 3)


class JobTest(unittest.TestCase):
    def test_events_and_status(self):
        run = job.Job(["sh", "-c", "echo '{\"event\":\"start\"}'; echo noise; echo oops >&2; exit 3"])
        events = []
        while not run.finished:
            events += run.events()
        self.assertEqual(events + run.events(), [{"event": "start"}])
        self.assertEqual((run.status, run.last_words), (3, "oops"))

    def test_stop_does_not_wait(self):
        stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); print('{}', flush=True); time.sleep(60)"
        run = job.Job([sys.executable, "-c", stubborn])
        while not run.events():
            pass
        job.PATIENCE, usual = 0.2, job.PATIENCE
        begin = time.monotonic()
        run.stop()
        returned = time.monotonic() - begin
        while not run.finished:
            time.sleep(0.01)
        job.PATIENCE = usual
        self.assertLess(returned, 0.1)
        self.assertEqual(run.status, -9)

    def test_stop(self):
        run = job.Job(["sleep", "60"])
        run.stop()
        while not run.finished:
            pass
        self.assertNotEqual(run.status, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=0)
