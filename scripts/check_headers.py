#!/usr/bin/env python3
"""Checks what the headers drag in, by reading the #include lines alone.

- A program that includes dynamics/stepper.hpp parses no linear algebra (no Eigen, no header of linear/ but the pattern),
  no JSON, and the formula of no law.
- A change of one law's header recompiles at most MAX_REBUILT files, tests included.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
INTERFACE = "rumple/dynamics/stepper.hpp"
# No formulas: data of the laws and of elements, and geometry.
DATA = {"laws.hpp", "element_records.hpp", "hinge_angle.hpp", "response.hpp"}
MAX_REBUILT = 15


def sources() -> list[pathlib.Path]:
    folders = ("src", "apps", "benchmarks", "examples", "experiments", "fuzz", "tests")
    return sorted(p for f in folders for kind in ("*.cpp", "*.cu") for p in (ROOT / f).rglob(kind))


def find(include: str, by: pathlib.Path) -> pathlib.Path | None:
    """The file of ours that an #include means."""
    for folder in (ROOT / "src", by.parent, ROOT, ROOT / "tests", ROOT / "benchmarks"):
        if (folder / include).is_file():
            return (folder / include).resolve()
    return None


def reached(start: pathlib.Path) -> dict[str, str]:
    """Every include that `start` reaches, as written, with the file that includes it first."""
    seen: dict[str, str] = {}
    waiting, known = [start], {start}
    while waiting:
        path = waiting.pop()
        for include in INCLUDE.findall(path.read_text()):
            seen.setdefault(include, str(path.relative_to(ROOT)))
            other = find(include, path)
            if other and other not in known:
                known.add(other)
                waiting.append(other)
    return seen


def main() -> int:
    laws = {f"rumple/constitutive/{p.name}" for p in (ROOT / "src/rumple/constitutive").glob("*.hpp")
            if p.name not in DATA}
    forbidden = re.compile(r"Eigen/|tbb/|nlohmann/|rumple/linear/(?!block_pattern\.hpp)|rumple/core/lanes\.hpp")
    faults = [f"{INTERFACE} parses {header}, through {via}"
              for header, via in reached(ROOT / "src" / INTERFACE).items()
              if forbidden.match(header) or header in laws]

    rebuilt: dict[str, list[str]] = {law: [] for law in laws}
    for source in sources():
        for include in reached(source):
            if include in rebuilt:
                rebuilt[include].append(str(source.relative_to(ROOT)))
    for law, files in sorted(rebuilt.items()):
        if "-v" in sys.argv:
            print(f"{law}: {len(files)} files\n  " + "\n  ".join(files))
        if len(files) > MAX_REBUILT:
            faults.append(f"a change of {law} recompiles {len(files)} files, more than {MAX_REBUILT}: {', '.join(files)}")
    print("\n".join(faults) if faults else
          f"headers drag in what they should; a law recompiles {max(map(len, rebuilt.values()))} files at most")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
