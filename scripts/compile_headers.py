#!/usr/bin/env python3
"""Checks that every public header compiles alone, and that all of them compile in one file.

compile_headers.py --cache FILE --folders rumple,rumple_render -- COMPILER FLAGS...

Syntax only, as many files at a time as there are cores. One file can show for several headers that they compile
alone: where b includes all that a includes, and a itself, nothing that is parsed before b's own text is missing in b.
So headers are sorted into chains a < b < c, as few as possible, and a file includes one chain in that order. (Includes
stand at the top of our headers and outside of #if; both is checked.)

What FILE remembers is not compiled again while neither the headers nor anything that they include has changed.
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
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
ALL = "all headers in one file"


def includes(header):
    """What a header includes itself; exits where an include does not stand at the top."""
    found, top = [], True
    for number, line in enumerate((SRC / header).read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match and not top:
            sys.exit(f"{header}:{number}: an #include that does not stand at the top, outside of #if")
        if match:
            found.append(match.group(1))
        elif line.strip() and not line.startswith("//") and line.strip() != "#pragma once":
            top = False
    return found


def closures(headers):
    """For each header all that it includes, directly or not, and itself."""
    direct = {h: includes(h) for h in headers}
    done = {}

    def closure(name):
        if name not in done:
            done[name] = {name}
            for other in direct.get(name, []):
                done[name] |= closure(other)
        return done[name]

    return {h: closure(h) for h in headers}


def chains(headers):
    """The headers in as few chains as possible, each header with a larger closure than the one before it.

    A least cover of a partial order by chains, by the largest matching of headers with successors (Dilworth).
    """
    closure = closures(headers)
    by_size = sorted(headers, key=lambda h: (len(closure[h]), h))
    above = {h: [g for g in by_size if closure[h] < closure[g]] for h in headers}
    before = {}  # the header before each one that has one

    def find_successor(header, seen):
        for other in above[header]:
            if other not in seen:
                seen.add(other)
                if other not in before or find_successor(before[other], seen):
                    before[other] = header
                    return True
        return False

    for header in headers:
        find_successor(header, set())
    after = {b: a for a, b in before.items()}
    for header in by_size:
        if header not in before:
            chain = [header]
            while chain[-1] in after:
                chain.append(after[chain[-1]])
            yield chain


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
    cache_file = pathlib.Path(sys.argv[sys.argv.index("--cache") + 1])
    folders = sys.argv[sys.argv.index("--folders") + 1].split(",")
    command = sys.argv[sys.argv.index("--") + 1:]
    headers = sorted(str(p.relative_to(SRC)) for folder in folders if folder for p in (SRC / folder).rglob("*.hpp"))
    key = " ".join(command)
    try:
        known = json.loads(cache_file.read_text())
        known = known["passed"] if known["command"] == key else {}
    except (OSError, ValueError, KeyError):
        known = {}
    units = {ALL: "".join(f"#include <{h}>\n" for h in headers)}  # the longest first
    for chain in sorted(chains(headers), key=len, reverse=True):
        units[" < ".join(chain)] = "".join(f"#include <{h}>\n" for h in chain)

    def check(name):
        old = known.get(name)
        if old and digest(old["files"]) == old["digest"]:
            return name, "", old["files"], True
        return name, *compile_text(command, units[name]), False

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(check, units))
    faults = [f"{name} does not compile:\n{messages}" for name, messages, _, _ in results if messages]
    passed = {name: {"files": files, "digest": digest(files)} for name, messages, files, _ in results if not messages}
    cache_file.write_text(json.dumps({"command": key, "passed": passed}))
    fresh = sum(1 for result in results if not result[3])
    print("\n".join(faults) if faults else
          f"{len(headers)} headers compile alone and together ({fresh} of {len(units)} files compiled)")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
