#!/bin/sh
# Runs the scenes with contact whole and counts, with CGAL, the triangles that intersect in any frame.
#   sweep_scenes.sh BUILD OUT [SCENE...]
# Exit status 0: not one. Takes a few minutes on two cores; with crumple-20K half an hour.
set -eu
build=$1 out=$2
shift 2
[ $# -gt 0 ] || set -- sphere fall wring wring-cylinder sleeve crumple
cmake --build "$build" --target rumple_app count_crossings
for scene; do
    case $scene in
        crumple-20K)
            "$build/rumple" run crumple --set cloths.sheet.mesh.nx=141 --set cloths.sheet.mesh.ny=141 \
                --variant weight-held --out "$out/$scene" --resume ;;
        *) "$build/rumple" run "$scene" --out "$out/$scene" --resume ;;
    esac
done
find "$out" -name summary.json -exec dirname {} \; | sort | xargs "$build/tests/count_crossings"
