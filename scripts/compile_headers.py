#!/usr/bin/env python3
"""Checks that every public header compiles alone, and that all of them compile in one file.

compile_headers.py --cache FILE --folders "rumple;rumple_render" -- COMPILER FLAGS...

Syntax only, as many at a time as there are cores. What FILE remembers is not compiled again while neither the header
nor anything that it includes has changed.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

SRC = pathlib.Path(__file__).resolve().parent.parent / "src"


def compile_text(command, text):
    """(messages, files read) of compiling the text; messages are empty where it compiles."""
    done = subprocess.run(command + ["-fsyntax-only", "-MD", "-MF", "-", "-MT", "x", "-x", "c++", "-"],
                          input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    files = re.sub(r"\\\n", " ", done.stdout).split(":", 1)[-1].split()
    return done.stderr.strip() if done.returncode or done.stderr else "", [f for f in files if f != "-"]


def digest(files):
    total = hashlib.sha256()
    for name in sorted(files):
        try:
            facts = os.stat(name)
            total.update(f"{name} {facts.st_mtime_ns} {facts.st_size}\n".encode())
        except OSError:
            return ""
    return total.hexdigest()


def main() -> int:
    split = sys.argv.index("--")
    cache_file = pathlib.Path(sys.argv[sys.argv.index("--cache") + 1])
    command = sys.argv[split + 1:]
    folders = sys.argv[sys.argv.index("--folders") + 1].split(";")
    headers = sorted(str(p.relative_to(SRC)) for folder in folders if folder for p in (SRC / folder).rglob("*.hpp"))
    key = " ".join(command)
    try:
        known = json.loads(cache_file.read_text())
        known = known["passed"] if known["command"] == key else {}
    except (OSError, ValueError, KeyError):
        known = {}
    units = {h: f"#include <{h}>\n" for h in headers}
    units["all headers in one file"] = "".join(units.values())
    passed, faults = {}, []

    def check(name):
        old = known.get(name)
        if old and old["text"] == units[name] and digest(old["files"]) == old["digest"]:
            return name, "", old["files"], True
        return name, *compile_text(command, units[name]), False

    order = sorted(units, key=lambda name: name != "all headers in one file")  # the longest first
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(check, order))
    for name, messages, files, _ in results:
        if messages:
            faults.append(f"{name} does not compile:\n{messages}")
        else:
            passed[name] = {"text": units[name], "files": files, "digest": digest(files)}
    cache_file.write_text(json.dumps({"command": key, "passed": passed}))
    again = sum(1 for r in results if r[3])
    print("\n".join(faults) if faults else f"{len(headers)} headers compile alone and together ({again} unchanged)")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
