#!/usr/bin/env python3
"""Installs a build into a temporary folder, and builds and runs a project outside the tree with find_package(rumple).

check_install.py SOURCE BUILD COMPILER
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(*command: object) -> str:
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(c) for c in command)}\n{done.stdout}")
    return done.stdout


def main() -> int:
    source, build, compiler = (pathlib.Path(a) for a in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder:
        prefix, project, made = (pathlib.Path(folder) / name for name in ("prefix", "project", "made"))
        run("cmake", "--install", build, "--prefix", prefix)
        shutil.copytree(source / "tests/packaging/consumer", project)
        shutil.copy(source / "examples/hello.cpp", project)
        for path in prefix.rglob("*.cmake"):  # an installation must not lead back to where it was built
            if str(source) in path.read_text() or str(build) in path.read_text():
                sys.exit(f"{path.relative_to(prefix)} names the source or build folder")
        render = any(prefix.rglob("rumpleRenderTargets.cmake"))
        run("cmake", "-S", project, "-B", made, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCONSUMER_RENDER={'ON' if render else 'OFF'}")
        run("cmake", "--build", made, "--parallel")
        print(run(made / "hello"))
        if render:
            print(run(made / "picture"))
        program = next(iter(prefix.rglob("bin/rumple")), None)
        if program:
            print(run(program, "--version"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
