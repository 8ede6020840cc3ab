"""Running scenes, and reading what runs wrote."""
import csv
import json
import os
import pathlib

import numpy

from . import _rumple
from ._rumple import InputError, Mesh, Scene

has_render = hasattr(_rumple, "_render")


def _document(source):
    """What the library loads: a dict, or a file's path. A SceneBuilder has a dict; a built-in scene has a name."""
    if hasattr(source, "to_dict"):
        return source.to_dict()
    if isinstance(source, str) and hasattr(_rumple, "builtin_scene") and not os.path.exists(source) \
            and source in _rumple.builtin_scenes():
        return {"name": source, **_rumple.builtin_scene(source)}
    return source


def load_scene(source, variant="", set={}, folder=""):
    """The Scene of a scene file, of a dict that reads like one, or of a built-in scene's name.

    variant: which one, if there are several. set: values to change first, by path: {"phases.hold.hold": 10}.
    folder: where relative paths of a dict start from.
    """
    return _rumple._load_scene(_document(source), variant, dict(set), os.fspath(folder))


def load_scenes(source, variants=(), set={}, folder=""):
    """The Scenes of all variants, or of those named; see load_scene()."""
    return _rumple._load_scenes(_document(source), list(variants), dict(set), os.fspath(folder))


def run_variants(scenes, out=None, *, progress=None, resume=False, threads=0, backend=None, checkpoint_seconds=30.0):
    """Runs several scenes; what they have in common at the beginning is simulated once. Returns one Result for each.

    A variant whose step fails has a Result with `failure`; the others continue. The arguments are those of run().
    """
    return _rumple._run_scenes(list(scenes), out, progress, resume, threads, backend, checkpoint_seconds)


def run(scene, out=None, *, progress=None, resume=False, threads=0, backend=None, checkpoint_seconds=30.0):
    """Runs a scene from beginning to end. Returns a Result; SimulationError if a step fails.

    scene: a Scene, or what load_scene() takes.
    out: folder to write (docs/run_folder.md); None: in memory alone.
    progress: called with a Progress after every step. What it raises ends the run, as Ctrl-C does; a run that has a
    folder can then be continued with resume=True.
    """
    if not isinstance(scene, Scene):
        scene = load_scene(scene)
    result, = run_variants([scene], out, progress=progress, resume=resume, threads=threads, backend=backend,
                           checkpoint_seconds=checkpoint_seconds)
    _rumple._raise_failure(result)
    return result


class Run:
    """The folder of a run, ended or still running (docs/run_folder.md)."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if not (self.folder / "cache").is_dir():
            raise InputError(f"{self.folder}: this is not the folder of a run")

    @property
    def summary(self):
        """summary.json as a dict; None: the run has not ended."""
        path = self.folder / "summary.json"
        return json.loads(path.read_text()) if path.exists() else None

    @property
    def metrics(self):
        """metrics.csv as a dict of columns: arrays of numbers, or lists of text."""
        with open(self.folder / "metrics.csv", newline="") as file:
            names, *rows = csv.reader(file)
        columns = {}
        for name, values in zip(names, zip(*rows) if rows else [()] * len(names)):
            try:
                columns[name] = numpy.array([float(value) if value else numpy.nan for value in values])
            except ValueError:
                columns[name] = list(values)
        return columns

    @property
    def names(self):
        """Cloths and obstacles that have a cache."""
        return sorted(path.stem for path in (self.folder / "cache").glob("*.pc2"))

    def mesh(self, name):
        """The Mesh of a cloth or obstacle, where it begins."""
        return Mesh.read(self.folder / "cache" / f"{name}.obj")

    def positions(self, name):
        """All frames of a cloth or obstacle: (frames, n, 3) 32-bit numbers [m], read from the file as they are used."""
        path = self.folder / "cache" / f"{name}.pc2"
        if not path.exists():
            raise InputError(f"{path}: there is no such cache")
        vertices, = numpy.fromfile(path, "<i4", 1, offset=16)
        frames, = numpy.fromfile(path, "<i4", 1, offset=28)
        if frames == 0:
            return numpy.zeros((0, vertices, 3), "f4")
        return numpy.memmap(path, "<f4", "r", 32, (int(frames), int(vertices), 3))


def convert(source, out, *, fps=None, every=1):
    """Writes the animation of a run's folder or of a cache as glTF (.glb) or USD (.usda).

    fps: frames per second; a run knows its own, a cache has 30. every: only every n-th frame.
    """
    _rumple._convert(os.fspath(source), os.fspath(out), fps, every)


def render(inputs, out, *, view=(), light="studio", size=(960, 720), samples=8, frame=None, at="", colour_by="",
           labels=(), title="", threads=0):
    """Makes a picture (.png) or a film (.mp4) of meshes, caches or folders of runs (docs/rendering.md).

    view: a name or several ("front", "three-quarter", a camera of the scene). frame: negative counts from the end.
    at: the end of this phase. colour_by: "curvature", "plastic", ... instead of the cloth's own look.
    """
    if not has_render:
        raise InputError("render: this build has no renderer; build with -DRUMPLE_RENDER=ON")
    one = isinstance(inputs, (str, os.PathLike))
    _rumple._render([os.fspath(i) for i in ([inputs] if one else inputs)], os.fspath(out),
                    [view] if isinstance(view, str) else list(view), light, tuple(size), samples, frame, at, colour_by,
                    list(labels), title, threads)
