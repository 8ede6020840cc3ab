#!/usr/bin/env python3
"""Checks that includes point one way: a room may include itself and the rooms below it, nothing else."""
import pathlib
import re
import sys

# Each room and what it may see. constitutive's hinge_angle.hpp is pure geometry, so mesh and measure may use it.
ALLOWED = {
    "core": set(),
    "constitutive": {"core"},
    "mesh": {"core", "constitutive/hinge_angle.hpp"},
    "linear": {"core"},
    "contact": {"core"},
    "material": {"core", "constitutive"},
    "measure": {"core", "mesh", "constitutive/hinge_angle.hpp"},
    "io": {"core", "mesh"},
    "modeling": {"core", "mesh", "contact", "measure"},
    "dynamics": {"core", "constitutive", "mesh", "linear", "contact", "material"},
    "scene": {"core", "modeling", "constitutive", "mesh", "linear", "contact", "material", "measure", "io", "dynamics"},
    "sim": {"core", "modeling", "constitutive", "mesh", "linear", "contact", "material", "measure", "io", "dynamics", "scene"},
}


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent / "src" / "rumple"
    faults = []
    for path in sorted(root.rglob("*.?pp")):
        if path == root / "rumple.hpp":  # the umbrella over all rooms
            continue
        room = path.relative_to(root).parts[0]
        if room not in ALLOWED:
            faults.append(f"{path.relative_to(root)}: unknown room '{room}'")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if "Eigen" in line and room in ("core", "constitutive", "mesh") and line.startswith("#include"):
                faults.append(f"{path.relative_to(root)}:{number}: {room} must not see Eigen")
            match = re.match(r'\s*#include <rumple/([^/]+)/([^>]+)>', line)
            if not match:
                continue
            other, file = match.groups()
            if other != room and other not in ALLOWED[room] and f"{other}/{file}" not in ALLOWED[room]:
                faults.append(f"{path.relative_to(root)}:{number}: {room} must not include {other}/{file}")
    print("\n".join(faults) if faults else "includes point one way")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
