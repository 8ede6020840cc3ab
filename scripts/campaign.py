#!/usr/bin/env python3
"""Runs the experiments at paper size one after another, cheapest first, and keeps each result as it ends.

    campaign.py [--program build/rumple] [--out out/campaign] [--size paper] [--threads N] [NAME ...]

An experiment whose kept result (docs/results) has the sources of this program is skipped (--again: it is not). What was
interrupted continues where it stopped. It runs at the lowest priority. --list only says what would run."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Cheapest first, by `rumple reproduce NAME --size paper --plan-only` and what runs took (docs/notes/campaign.md).
ORDER = ["creep", "dominance", "performance", "recovery-curve", "standing", "buckling", "versus-hardening", "timestep",
         "crumple", "materials", "convergence", "stretch", "fold", "tshirt", "ablation", "trousers", "stability",
         "versus-dahl", "press", "twist"]


def source_of(program):
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return text.split("source ")[1].split(")")[0]


def is_kept(name, size, source):
    file = ROOT / "docs/results" / size / f"{name}.json"
    return file.exists() and json.loads(file.read_text()).get("source") == source


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/rumple")
    parser.add_argument("--out", default="out/campaign")
    parser.add_argument("--size", default="paper", choices=["draft", "paper"])
    parser.add_argument("--threads", default="0")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    unknown = set(options.names) - set(ORDER)
    if unknown:
        parser.error(f"there is no experiment {', '.join(sorted(unknown))}")
    source, failed = source_of(options.program), []
    for name in [name for name in ORDER if not options.names or name in options.names]:
        if not options.again and is_kept(name, options.size, source):
            print(f"{name}: kept")
            continue
        if options.list:
            print(f"{name}: to run")
            continue
        begin = time.monotonic()
        code = subprocess.run([options.program, "reproduce", name, "--size", options.size, "--threads", options.threads,
                               "--quiet", "--out", options.out], preexec_fn=lambda: os.nice(19)).returncode
        if code == 0:
            code = subprocess.run([sys.executable, ROOT / "scripts/keep_result.py", "--program", options.program,
                                   pathlib.Path(options.out) / name]).returncode
        if code != 0:
            failed.append(name)
        print(f"{name}: exit status {code}, {time.monotonic() - begin:.0f} s", flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}; run again to continue them")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
