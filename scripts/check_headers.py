#!/usr/bin/env python3
"""Checks what the headers drag in, by reading the #include lines alone.

- A program that includes dynamics/stepper.hpp parses no linear algebra: no Eigen, no header of linear/ but the pattern.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
INTERFACE = "rumple/dynamics/stepper.hpp"
FORBIDDEN = re.compile(r"Eigen/|tbb/|rumple/linear/(?!block_pattern\.hpp)|rumple/core/lanes\.hpp")


def includes(path: pathlib.Path) -> list[str]:
    return INCLUDE.findall(path.read_text())


def reached(header: str, seen: dict[str, str], via: str) -> dict[str, str]:
    """Everything that `header` includes, directly or not, with the file that includes it first."""
    if header in seen:
        return seen
    seen[header] = via
    path = ROOT / "src" / header
    if path.exists():
        for other in includes(path):
            reached(other, seen, header)
    return seen


def main() -> int:
    faults = [f"{INTERFACE} parses {header}, through {via}"
              for header, via in reached(INTERFACE, {}, "itself").items() if FORBIDDEN.match(header)]
    print("\n".join(faults) if faults else "headers drag in what they should")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
