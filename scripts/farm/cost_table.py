#!/usr/bin/env python3
"""What a job costs, by the number of vertices: time of a core and memory, on one thread. Prints the table of
docs/farm_administration.md.

    cost_table.py PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TUBES = [(32, 14), (64, 28), (128, 56), (256, 112)]
SHEETS = [21, 41, 81, 141, 201]


def tube(around: int, up: int) -> dict:
    turn = {"rotate": {"axis": [0, 0, 1], "degrees": -20}, "translate": [0, 0, -0.005]}
    return {"rumple": 1, "name": "tube", "gravity": [0, 0, 0], "step": {"h": 0.01},
            "cloths": [{"name": "cloth", "material": "cotton",
                        "mesh": {"generator": "tube", "radius": 0.04, "height": 0.11, "around": around, "up": up},
                        "imperfection": {"amplitude": 2e-5, "seed": 1, "direction": "radial"}}],
            "handles": [{"name": "bottom", "select": {"ring": "bottom"}}, {"name": "top", "select": {"ring": "top"}}],
            "phases": [{"name": "twist", "duration": 0.3, "motions": {"top": turn}}]}


def sheet(n: int) -> dict:
    return {"rumple": 1, "name": "sheet", "contact": {},
            "cloths": [{"name": "cloth", "material": "cotton", "place": {"translate": [0, 0, 0.11]},
                        "mesh": {"generator": "grid", "nx": n, "ny": n, "width": 0.4, "height": 0.4}}],
            "obstacles": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1, "edge": 0.02}}],
            "phases": [{"name": "fall", "duration": 0.3}]}


def measure(program: str, scene: dict, folder: pathlib.Path) -> str:
    (folder / "scene.json").write_text(json.dumps(scene))
    out = folder / "out"
    child = subprocess.Popen([program, "run", "scene.json", "--threads", "1", "--quiet", "--out", str(out)], cwd=folder)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0
    summary = json.loads((out / "summary.json").read_text())
    vertices, steps = summary["cloths"][0]["vertices"], summary["counts"]["steps"]
    seconds = usage.ru_utime + usage.ru_stime
    size = sum(f.stat().st_size for f in out.rglob("*") if f.is_file() and f.suffix != ".pc2")
    subprocess.run(["rm", "-rf", str(out)], check=True)
    return (f"| {scene['name']} | {vertices} | {1000 * seconds / steps:.1f} | {1e6 * seconds / steps / vertices:.1f} | "
            f"{usage.ru_maxrss / 1024:.0f} | {size / 1e6:.2f} | {12 * vertices / 1e6:.3f} |")


def main() -> None:
    program = os.path.abspath(sys.argv[1])
    print("| scene | vertices | ms a step | µs a step and vertex | memory [MB] | disk [MB] | a frame [MB] |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for scene in [tube(*t) for t in TUBES] + [sheet(n) for n in SHEETS]:
            print(measure(program, scene, pathlib.Path(folder)), flush=True)


if __name__ == "__main__":
    main()
