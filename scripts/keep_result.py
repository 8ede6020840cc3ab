#!/usr/bin/env python3
"""Keeps the verdicts of experiments that have ended: one JSON file each in docs/results/<size>, with machine and seconds,
and with the pairs of triangles that intersect in all frames of the runs with contact, counted by `rumple measure`. The
seconds of a campaign (spent.json) are those of all calls, also of interrupted ones.

    keep_result.py [--program build/rumple] OUT/EXPERIMENT ...       folders that `rumple reproduce` has written
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ("experiment", "size", "version", "source")
COUNTS = re.compile(r": (\d+) frames, intersecting pairs of triangles: (\d+) of cloth, (\d+) with obstacles")


def intersections(program: str, folder: pathlib.Path) -> dict:
    """Over all runs below the folder in which cloth touches cloth."""
    runs = [summary.parent for summary in sorted(folder.rglob("summary.json"))
            if json.loads(summary.read_text()).get("contact", {}).get("self")]

    def count(run: pathlib.Path) -> tuple:
        said = subprocess.run([program, "measure", run, "--intersections"], check=True, capture_output=True,
                              text=True).stdout
        return (1, *map(int, COUNTS.search(said).groups()))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:  # each waits for a process
        counts = [(0, 0, 0, 0), *pool.map(count, runs)]
    return dict(zip(("runs", "frames", "cloth", "obstacles"), map(sum, zip(*counts))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", default=ROOT / "build/rumple")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        verdict = json.loads((folder / "verdict.json").read_text())
        ran = json.loads((folder / "ran.json").read_text())
        result = {key: verdict[key] for key in KEPT} | ran
        if (spent := folder / "spent.json").exists():
            result |= json.loads(spent.read_text())
        if (found := intersections(arguments.program, folder))["runs"]:
            result["intersections"] = found
        result["claims"] = verdict["claims"]
        file = ROOT / f"docs/results/{verdict['size']}/{verdict['experiment']}.json"
        part = file.with_name(file.name + ".part")  # a kill leaves the old result or the new one
        part.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
        os.replace(part, file)
        print(file)


if __name__ == "__main__":
    main()
