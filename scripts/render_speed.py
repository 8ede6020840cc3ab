#!/usr/bin/env python3
"""How long `rumple render` takes for 960x720 pixels of a crumpled sheet of 40 000 triangles, with two threads.

Usage: render_speed.py [RUMPLE [FOLDER]]
Prints the wall times of five pictures in each light, reading the mesh and writing the PNG included; leaves one of each in FOLDER.
"""
import math
import pathlib
import subprocess
import sys
import tempfile
import time

ACROSS = 142  # vertices: 2 * 141 * 141 triangles


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


def main():
    rumple = sys.argv[1] if len(sys.argv) > 1 else "build/rumple"
    with tempfile.TemporaryDirectory() as folder:
        mesh = pathlib.Path(folder) / "crumpled.obj"
        mesh.write_text(crumpled(), encoding="ascii")
        for light in ("studio", "raking"):
            seconds = []
            for _ in range(5):
                begin = time.perf_counter()
                subprocess.run([rumple, "render", mesh, "--view", "top", "--light", light, "--threads", "2", "--quiet", "--out",
                                mesh.with_name(f"{light}.png")], check=True)
                seconds.append(time.perf_counter() - begin)
            print(f"{light}: " + ", ".join(f"{s:.2f}" for s in sorted(seconds)) + " s")
            if len(sys.argv) > 2:
                pathlib.Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
                pathlib.Path(sys.argv[2], f"{light}.png").write_bytes(mesh.with_name(f"{light}.png").read_bytes())


if __name__ == "__main__":
    main()
