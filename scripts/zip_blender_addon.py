#!/usr/bin/env python3
"""Packs blender/rumple_addon for Preferences > Add-ons > Install. Usage: zip_blender_addon.py OUT.zip"""
import pathlib
import sys
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "blender/rumple_addon"


def main():
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as package:
        for path in sorted(SOURCE.glob("*.py")):
            # The same bytes for the same sources.
            entry = zipfile.ZipInfo(f"rumple_addon/{path.name}", (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            package.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    print(sys.argv[1])


if __name__ == "__main__":
    main()
