#!/usr/bin/env python3
"""Looks for words of scripts/retired_terms.txt in the tree. Exit status 1 if one is found."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = ("src", "apps", "experiments", "benchmarks", "examples", "python", "blender", "tests", "fuzz")
DOCS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs")
SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh", ".py", ".md", ".sh", ".txt"}
# Lists of the words themselves, and results that were written by earlier versions.
EXEMPT = ("scripts/", "docs/results/", "tests/data/", "CHANGELOG.md")


def rules():
    for line in (ROOT / "scripts/retired_terms.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        scope, rest = line.split("|", 1)
        words, replacement = rest.rsplit("|", 1)
        yield scope.strip(), re.compile(rf"\b(?:{words.strip()})\b"), replacement.strip()


def in_scope(path, scope):
    folders = {"code": CODE, "docs": DOCS, "all": CODE + DOCS}.get(scope, (scope,))
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def main():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    paths = listed.stdout.splitlines() if listed.returncode == 0 else [
        str(p.relative_to(ROOT)) for folder in CODE + DOCS for p in [ROOT / folder, *(ROOT / folder).rglob("*")] if p.is_file()]
    faults = []
    all_rules = list(rules())
    for path in paths:
        if pathlib.Path(path).suffix not in SUFFIXES or path.startswith(EXEMPT) or not (ROOT / path).exists():
            continue
        wanted = [rule for rule in all_rules if in_scope(path, rule[0])]
        for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1):
            if "alias:" in line:
                continue
            for _, pattern, replacement in wanted:
                if match := pattern.search(line):
                    faults.append(f"{path}:{number}: '{match.group()}' is retired: {replacement}")
    print("\n".join(faults) if faults else "no retired words")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
