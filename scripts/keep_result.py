#!/usr/bin/env python3
"""Keeps the verdicts of experiments that have ended: one JSON file each in docs/results/<size>, with machine and seconds.

    keep_result.py OUT/EXPERIMENT ...       folders that `rumple reproduce` has written
"""
import json
import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "docs/results"
KEPT = ("experiment", "size", "version", "source")


def main() -> None:
    for folder in map(pathlib.Path, sys.argv[1:]):
        verdict = json.loads((folder / "verdict.json").read_text())
        ran = json.loads((folder / "ran.json").read_text())
        result = {key: verdict[key] for key in KEPT} | ran | {"claims": verdict["claims"]}
        file = RESULTS / verdict["size"] / f"{verdict['experiment']}.json"
        file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
        print(file)


if __name__ == "__main__":
    main()
