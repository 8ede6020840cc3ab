#!/usr/bin/env python3
"""Time and noise of a picture of 960x720 pixels of a crumpled sheet of 40 000 triangles, with two threads.

Usage: render_speed.py [RUMPLE [FOLDER [SAMPLES...]]]    (needs ffmpeg, to read pictures)
Prints a row for each light and number of samples (default 8 and 16): the median wall time of five pictures, reading
the mesh and writing the PNG included, and the root mean square difference to a picture with 1024 samples, in steps of
255. Leaves the pictures and render-speed.json in FOLDER.
"""
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ACROSS = 142  # vertices: 2 * 141 * 141 triangles
EXACT = 1024  # samples


def crumpled():
    """A sheet with folds in many directions and of many sizes, lying a little above the ground."""
    lines = []
    for j in range(ACROSS):
        for i in range(ACROSS):
            x, y = i / (ACROSS - 1) - 0.5, j / (ACROSS - 1) - 0.5
            z = 0.15
            for k in range(1, 9):
                angle, wave = 2.4 * k, 5.0 * k ** 0.8
                z += 0.05 / k * abs(math.sin(wave * (x * math.cos(angle) + y * math.sin(angle)) + k))
            lines.append(f"v {x:.6f} {y:.6f} {z:.6f}")
    for j in range(ACROSS - 1):
        for i in range(ACROSS - 1):
            a = j * ACROSS + i + 1
            lines.append(f"f {a} {a + 1} {a + ACROSS + 1}\nf {a} {a + ACROSS + 1} {a + ACROSS}")
    return "\n".join(lines) + "\n"


def pixels(picture):
    return subprocess.run(["ffmpeg", "-v", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True,
                          capture_output=True).stdout


def root_mean_square(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / len(a))


class Renders:
    def __init__(self, rumple, folder):
        self.rumple, self.folder, self.mesh = rumple, folder, folder / "crumpled.obj"
        self.mesh.write_text(crumpled(), encoding="ascii")

    def picture(self, light, samples):
        """The picture, and the seconds that it took."""
        out = self.folder / f"{light}-{samples}.png"
        begin = time.perf_counter()
        subprocess.run([self.rumple, "render", self.mesh, "--view", "top", "--light", light, "--samples", str(samples),
                        "--size", "960x720", "--threads", "2", "--quiet", "--out", out], check=True)
        return out, time.perf_counter() - begin

    def rows(self, light, counts):
        exact = pixels(self.picture(light, EXACT)[0])
        for samples in counts:
            times = [self.picture(light, samples) for _ in range(5)]
            yield {"light": light, "samples": samples, "seconds": [round(seconds, 2) for _, seconds in times],
                   "noise": round(root_mean_square(pixels(times[0][0]), exact), 3)}


def main():
    rumple = sys.argv[1] if len(sys.argv) > 1 else "build/rumple"
    counts = [int(word) for word in sys.argv[3:]] or [8, 16]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else scratch)
        folder.mkdir(parents=True, exist_ok=True)
        renders = Renders(rumple, folder)
        version = subprocess.run([rumple, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        rows = []
        for row in (row for light in ("studio", "raking") for row in renders.rows(light, counts)):
            rows.append(row)
            print(f"{row['light']}, {row['samples']} samples: {statistics.median(row['seconds']):.2f} s, "
                  f"noise {row['noise']:.2f}/255", flush=True)
        (folder / "render-speed.json").write_text(json.dumps({"version": version, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
