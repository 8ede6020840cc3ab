#!/bin/sh
# Plays caches of a run in Blender, as PC2, as MDD and as animated glTF, and compares every vertex with ours (blender_check.py).
# Usage: blender_check.sh RUMPLE FOLDER NAME...
set -e
program=$1 folder=$2
shift 2
for name in "$@"; do
    for format in mdd glb; do
        "$program" convert "$folder/cache/$name.pc2" "$folder/cache/$name.$format" > "$folder/blender.log"
    done
done
blender --background --factory-startup --python-exit-code 1 --python "$(dirname "$0")/blender_check.py" -- "$folder" "$@" \
    > "$folder/blender.log" 2>&1 || { cat "$folder/blender.log"; exit 1; }
grep blender: "$folder/blender.log"
