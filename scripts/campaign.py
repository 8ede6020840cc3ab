#!/usr/bin/env python3
"""Runs experiments one after the other and keeps each result as soon as it ends (scripts/keep_result.py).

    campaign.py [--program build/rumple] [--out out/campaign] [--size paper] [--threads N] [--jobs N] [--minutes M]
                [--nice N] [NAME ...]

Experiments run in the order of their names here, or, without names, in that of ORDER; those of which a result of other
sources is kept come after those of which there is none with a stamp. One whose kept result (docs/results) has the
sources of this program is skipped (--again: it is not). Runs are in OUT/SOURCE, beside a copy of the program, so that
no result mixes two. What was interrupted, by --minutes, a kill or a failure, continues where it stopped. All run at
the lowest priority, or at that of --nice. --list only says what would run."""
import argparse
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# First what a reader looks for, then rows of docs/experiments.md per hour (docs/notes/campaign.md); last what is ours.
# `convergence` takes the runs of `twist` and `crumple`.
ORDER = ["crumple", "twist", "press", "trousers", "versus-dahl", "tshirt", "fold", "buckling", "versus-hardening",
         "convergence", "ablation", "stretch", "stability", "timestep", "performance", "creep", "dominance",
         "recovery-curve", "standing"]
PR_SET_PDEATHSIG = 1  # of Linux
TICK = 5  # s between looks at a running program


def source_of(program):
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return text.split("source ")[1].split(")")[0]


def kept_source(name, size):
    """None: there is no result; "": one without a stamp."""
    file = ROOT / "docs/results" / size / f"{name}.json"
    return json.loads(file.read_text()).get("source", "") if file.exists() else None


def processor_seconds(pid):
    """Of a process and of the children that it has waited for."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0


def write_atomically(file, text):
    part = file.with_name(file.name + ".part")
    part.write_text(text)
    os.replace(part, file)


def ends_with_campaign():
    """In the program that is started: also when the campaign is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run_counted(command, folder, deadline):
    """Exit status, None when the time is over. Adds to folder/spent.json as it goes, so that a kill loses no count."""
    file = folder / "spent.json"
    folder.mkdir(parents=True, exist_ok=True)
    before = json.loads(file.read_text()) if file.exists() else {"seconds": 0.0, "processor_seconds": 0.0, "calls": 0}
    begin, processor = time.monotonic(), 0.0
    child = subprocess.Popen(command, start_new_session=True, preexec_fn=ends_with_campaign)
    try:
        while True:
            try:
                code = child.wait(timeout=TICK)
            except subprocess.TimeoutExpired:
                code = None
            processor = max(processor, processor_seconds(child.pid))
            spent = {"seconds": round(before["seconds"] + time.monotonic() - begin, 1),
                     "processor_seconds": round(before["processor_seconds"] + processor, 1),
                     "calls": before["calls"] + 1}
            write_atomically(file, json.dumps(spent) + "\n")
            if code is not None:
                return code
            if time.monotonic() > deadline:
                return None
    finally:
        if child.poll() is None:  # the jobs of the program, too
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def copy_of(program, out):
    """A build in between does not change a campaign."""
    out.mkdir(parents=True, exist_ok=True)
    copy = out / "rumple"
    if not copy.exists():
        shutil.copy2(program, out / "rumple.part")
        os.replace(out / "rumple.part", copy)
    return copy


def chosen(options, source):
    """(name, is it to run)"""
    order = {name: i for i, name in enumerate(options.names or ORDER)}
    kept = {name: kept_source(name, options.size) for name in order}
    names = sorted(order, key=order.get) if options.names else sorted(order, key=lambda n: (bool(kept[n]), order[n]))
    return [(name, options.again or kept[name] != source) for name in names]


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/rumple")
    parser.add_argument("--out", default="out/campaign")
    parser.add_argument("--size", default="paper", choices=["draft", "paper"])
    parser.add_argument("--threads", default="0")
    parser.add_argument("--jobs", type=int, default=1, help="runs at once, each a process with --threads")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--nice", type=int, default=19, help="priority: 0 is that of other programs, 19 the lowest")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    unknown = set(options.names) - set(ORDER)
    if unknown:
        parser.error(f"there is no experiment {', '.join(sorted(unknown))}")
    return options


def main():
    options = parsed()
    source, failed = source_of(options.program), []
    os.nice(options.nice)
    deadline = time.monotonic() + 60 * options.minutes
    out = pathlib.Path(options.out) / source[:8]
    program = options.program if options.list else copy_of(options.program, out)
    for name, to_run in chosen(options, source):
        if options.list or not to_run:
            print(f"{name}: {'to run' if to_run else 'kept'}")
            continue
        command = [program, "reproduce", name, "--size", options.size, "--threads", options.threads, "--quiet",
                   "--out", out, *(["--jobs", str(options.jobs)] if options.jobs > 1 else [])]
        begin = time.monotonic()
        code = run_counted([str(word) for word in command], out / name, deadline)
        if code is None:
            print(f"{name}: the time is over; run again to continue", flush=True)
            return 0
        if code == 0:
            code = subprocess.run([sys.executable, ROOT / "scripts/keep_result.py", "--program", program,
                                   out / name]).returncode
        if code != 0:
            failed.append(name)
        print(f"{name}: exit status {code}, {time.monotonic() - begin:.0f} s", flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}; run again to continue them")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
