#!/bin/sh
# Hashes of what several scenes come to, with each of the programs given: with 1 and 3 threads, and stopped in the
# middle and resumed. All must agree.
#   scripts/determinism.sh PROGRAM...
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Everything a run writes but timing.json, as one hash.
hash_of() { (cd "$1" && find . -type f ! -name timing.json | LC_ALL=C sort | xargs sha256sum) | sha256sum | cut -c1-16; }

small() {
    case $1 in
        twist) echo "--variant held --set cloths.0.mesh.around=24 --set cloths.0.mesh.up=12" ;;
        sphere) echo "--set cloths.0.mesh.nx=17 --set cloths.0.mesh.ny=17 --set contact.thickness=0.002" ;;
        fall) echo "--set cloths.0.mesh.nx=13 --set cloths.0.mesh.ny=13 --set contact.thickness=0.002" ;;
        sleeve) echo "--variant held --set cloths.0.mesh.around=24 --set cloths.0.mesh.up=16 --set phases.hold.steps=5" ;;
    esac
}

failed=0
for scene in twist sphere fall sleeve; do
    first=""
    for program in "$@"; do
        for how in "--threads 1" "--threads 3" "resumed"; do
            rm -rf "$out/run"
            if [ "$how" = resumed ]; then
                timeout -s KILL 2 "$program" run $scene $(small $scene) --quiet --threads 2 --checkpoint-every 0 --out "$out/run" ||
                    true
                "$program" run $scene $(small $scene) --quiet --threads 1 --resume --out "$out/run"
            else
                "$program" run $scene $(small $scene) --quiet $how --out "$out/run"
            fi
            hash=$(hash_of "$out/run")
            [ -n "$first" ] || first=$hash
            verdict=""
            [ "$hash" = "$first" ] || { verdict="DIFFERS"; failed=1; }
            echo "$scene $hash $program $how $verdict"
        done
    done
done
exit $failed
