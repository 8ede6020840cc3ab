#!/usr/bin/env python3
"""Checks the hash of the sources: the same in any folder, another when one byte or one name changes, and, where the
program is built, that of the sources as they are.

check_source_hash.py SOURCE GENERATED
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile


def written(source: pathlib.Path, output: pathlib.Path) -> str:
    subprocess.run(["cmake", f"-DSOURCE_DIR={source}", f"-DOUTPUT={output}", "-DRUMPLE_VERSION=1", "-P",
                    source / "cmake/SourceHash.cmake"], check=True)
    lines = [line for line in output.read_text().splitlines() if "source_hash() {" in line]
    assert len(lines) == 1, lines
    return lines[0]


def main() -> int:
    source, generated = (pathlib.Path(a) for a in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        output, copy = pathlib.Path(folder) / "version.cpp", pathlib.Path(folder) / "copy"
        here = written(source, output)
        if here not in generated.read_text():
            sys.exit("the built program carries the hash of other sources: build first")
        shutil.copytree(source / "src/rumple", copy / "src/rumple")
        shutil.copytree(source / "cmake", copy / "cmake")
        if written(copy, output) != here:
            sys.exit("the hash depends on the folder")
        header = copy / "src/rumple/core/version.hpp"
        text = header.read_text()
        header.write_text(text + "\n")
        if written(copy, output) == here:
            sys.exit("the hash does not see a change")
        header.write_text(text)
        if written(copy, output) != here:
            sys.exit("the hash depends on more than contents and names")
        header.rename(header.with_name("other.hpp"))
        if written(copy, output) == here:
            sys.exit("the hash does not see a name")
    print("the hash is that of names and contents")
    return 0


if __name__ == "__main__":
    sys.exit(main())
