#!/bin/sh
# Tests the add-on in Blender: without a window (blender/tests/headless.py); with the word window also in one under Xvfb
# (window.py), which leaves screenshots in FOLDER. Usage: test_blender_addon.sh RUMPLE FOLDER [window]
set -e
RUMPLE=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
RUMPLE_TEST_FOLDER=$(realpath "$2")
LIBGL_ALWAYS_SOFTWARE=1
export RUMPLE RUMPLE_TEST_FOLDER LIBGL_ALWAYS_SOFTWARE
tests=$(realpath "$(dirname "$0")/../blender/tests")
/usr/bin/python3 -B "$tests/without_blender.py"
blender --background --factory-startup --python-exit-code 1 --python "$tests/headless.py" > "$2/headless.log" 2>&1 ||
    { cat "$2/headless.log"; exit 1; }
grep blender: "$2/headless.log"
[ "$3" = window ] || exit 0
timeout 1200 xvfb-run -a -s "-screen 0 1280x800x24" blender --factory-startup --window-geometry 0 0 1280 800 \
    --python "$tests/window.py" > "$2/window.log" 2>&1 || { cat "$2/window.log"; exit 1; }
grep blender: "$2/window.log"
