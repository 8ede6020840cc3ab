"""Frames of Blender and frames of the cache. Needs no Blender.

The cache has more frames than the timeline: those in which the cloth settles before the first frame, and those of each
hold, in which the body stands still and hours pass for the cloth.

    timeline        1 ..... 40 41 ...... 80
    cache    0 .... S ..... S+39 [hold: H frames] S+39+H+1 ...
"""
import math
import re

HOLD_STEPS = 50  # dynamic steps of a hold, at least
SECONDS = {"S": 1.0, "MIN": 60.0, "H": 3600.0, "D": 86400.0}
MARKER = re.compile(r"\s*hold\s+([0-9]*\.?[0-9]+)\s*(s|sec|secs|seconds?|min|mins|minutes?|h|hours?|d|days?)\s*$",
                    re.IGNORECASE)


def hold_of_marker(name):
    """Seconds of a marker named like "hold 20 min". None: it is no such marker."""
    match = MARKER.match(name)
    if not match:
        return None
    unit = match.group(2)[0].upper()
    return float(match.group(1)) * SECONDS["MIN" if unit == "M" else unit]


class Timeline:
    def __init__(self, start, end, fps, step, settle=0.0, holds=()):
        """`step`: longest time step [s]; `settle` [s]; `holds`: (frame, seconds)."""
        self.start, self.end, self.fps = start, end, fps
        self.substeps = max(1, math.ceil(1 / (fps * step) - 1e-6))
        self.h = 1 / (fps * self.substeps)
        self.settle_frames = round(settle * fps)
        self.holds = sorted(holds)
        self.hold_frames = math.ceil(HOLD_STEPS / self.substeps)

    @property
    def frames(self):
        """Of the whole cache."""
        return self.settle_frames + self.end - self.start + len(self.holds) * self.hold_frames + 1

    def knots(self):
        """(frame of Blender, frame of the cache): the map is linear between them and beyond."""
        points, add = [(self.start, self.settle_frames)], self.settle_frames - self.start
        for frame, _ in self.holds:
            if frame > points[-1][0]:
                points.append((frame, frame + add))
            add += self.hold_frames
            points.append((frame + 1, frame + 1 + add))
        if self.end > points[-1][0]:
            points.append((self.end, self.end + add))
        return points

    def cache_frame(self, frame):
        add = self.settle_frames - self.start + self.hold_frames * sum(1 for at, _ in self.holds if at < frame)
        return frame + add

    def timeline_frame(self, cache_frame):
        """The last frame of Blender that can be shown when the cache has reached `cache_frame`."""
        shown = self.start
        for frame in range(self.start, self.end + 1):
            if self.cache_frame(frame) > cache_frame:
                break
            shown = frame
        return shown

    def phases(self, moving):
        """Phases of the scene; `moving`: names of the obstacles that move."""
        phases = []

        def play(name, frames, action):
            if frames > 0:
                phase = {"name": name, "duration": frames / self.fps}
                if moving:
                    phase["obstacles"] = {obstacle: action for obstacle in moving}
                phases.append(phase)

        play("settle", self.settle_frames, "fixed")
        at = self.start
        for number, (frame, seconds) in enumerate(self.holds, 1):
            play(f"play_{number}", frame - at, {"to": (frame - self.start) / self.fps})
            phases.append({"name": f"hold_{number}", "hold": seconds, "steps": self.hold_frames * self.substeps})
            at = frame
        play(f"play_{len(self.holds) + 1}", self.end - at, {"to": (self.end - self.start) / self.fps})
        return phases
