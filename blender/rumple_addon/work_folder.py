"""Where the files of one garment are. Everything that Resume, Bake and the heat map need is on disk.

    <folder>/<garment>/garment.obj, <body>.obj, <body>.pc2   what was exported
                       scene.json, scene_elastic.json        what the program runs
                       blender.json                          frames of Blender and of the cache
                       run/, elastic/                        what the program wrote (docs/run_folder.md)
"""
import json
import os
import re
import shutil
import tempfile
import threading

import bpy

from . import pc2
from .scene_file import CLOTH
from .timeline import Timeline

KINDS = {"memory": ("scene.json", "run"), "elastic": ("scene_elastic.json", "elastic")}
DELETED = ".deleted-"


class WorkFolder:
    def __init__(self, path):
        self.path = path

    @staticmethod
    def of(scene):
        """Of the garment of the scene; None without a garment."""
        settings = scene.rumple
        if settings.garment is None:
            return None
        folder = settings.folder
        if folder.startswith("//") and not bpy.data.filepath:
            folder = os.path.join(tempfile.gettempdir(), f"rumple-{os.getpid()}")
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", settings.garment.name).lstrip(".") or "garment"
        return WorkFolder(os.path.join(os.path.abspath(bpy.path.abspath(folder)), name))

    def file(self, *parts):
        return os.path.join(self.path, *parts)

    def scene(self, kind):
        return KINDS[kind][0]

    def run(self, kind):
        return self.file(KINDS[kind][1])

    def cache(self, kind):
        return os.path.join(self.run(kind), "cache", CLOTH + ".pc2")

    def memory(self, kind):
        return os.path.join(self.run(kind), "memory", CLOTH + ".pc2")

    def frames(self, kind):
        return pc2.read_counts(self.cache(kind))[1]

    def write_timeline(self, timeline, step, scale):
        values = {"start": timeline.start, "end": timeline.end, "fps": timeline.fps, "step": step,
                  "settle": timeline.settle_frames / timeline.fps, "holds": timeline.holds, "scale": scale}
        with open(self.file("blender.json"), "w", encoding="utf-8") as file:
            json.dump(values, file, indent=1)

    def timeline(self):
        """(timeline, metres in a unit of Blender) of what was exported; None where nothing was."""
        try:
            with open(self.file("blender.json"), encoding="utf-8") as file:
                values = json.load(file)
            scale = values.pop("scale")
            return Timeline(**values), scale
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def complete(self, kind):
        return os.path.exists(os.path.join(self.run(kind), "summary.json"))

    def can_resume(self, kind):
        """A run was started here and has not come to its end."""
        return os.path.isdir(self.run(kind)) and not self.complete(kind) and self.timeline() is not None

    def clear_run(self, kind):
        """The folder is gone at once; its gigabytes are deleted while Blender goes about its business."""
        if not os.path.isdir(self.run(kind)):
            return
        old = tempfile.mkdtemp(prefix=DELETED, dir=self.path)
        os.rename(self.run(kind), os.path.join(old, "run"))
        threading.Thread(target=shutil.rmtree, args=(old, True)).start()

    def clear(self):
        """Removes what was exported and simulated, and nothing else."""
        if not os.path.isdir(self.path):
            return
        for name in os.listdir(self.path):
            if name.endswith((".obj", ".pc2", ".json")):
                os.remove(self.file(name))
            elif name.startswith(DELETED) or name in (run for _, run in KINDS.values()):
                shutil.rmtree(self.file(name), ignore_errors=True)
        for folder in (self.path, os.path.dirname(self.path)):
            try:
                os.rmdir(folder)  # does nothing unless empty
            except OSError:
                break
