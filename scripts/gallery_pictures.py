#!/usr/bin/env python3
"""Makes the pictures of docs/gallery.md with the commands that stand below them.

Usage: gallery_pictures.py [--runs] [--program RUMPLE] [NAME...]    from the repository; needs ffmpeg
--runs does the runs of the page's first block before; NAME: only these pictures, e.g. sit.
"""
import argparse
import pathlib
import re
import shlex
import subprocess

PAGE = pathlib.Path("docs/gallery.md")


def commands(block):
    return [shlex.split(line) for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", action="store_true", help="do the runs first")
    parser.add_argument("--program", default="build/rumple")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    if arguments.runs:
        for command in commands(re.search(r"```sh\n(.*?)```", page, re.DOTALL)[1]):
            subprocess.run([arguments.program, *command[1:], "--quiet"], check=True)
    for image, block in re.findall(r"!\[[^]]*\]\((images/gallery/[^)]*)\).*?```sh\n(.*?)```", page, re.DOTALL):
        picture = PAGE.parent / image
        if arguments.names and picture.stem not in arguments.names:
            continue
        scratch = pathlib.Path("out/gallery") / (picture.stem + ".png")
        scratch.parent.mkdir(parents=True, exist_ok=True)
        for command in commands(block):
            subprocess.run([arguments.program, *command[1:], "--quiet", "--out", scratch], check=True)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", scratch, "-frames:v", "1", "-pix_fmt",
                        "yuvj444p", "-q:v", "2", picture], check=True)
        print(picture, flush=True)


if __name__ == "__main__":
    main()
