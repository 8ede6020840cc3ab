#!/bin/sh
# Makes the pictures of docs/tuning.md: one row of small runs for each parameter, rendered side by side.
# Usage: scripts/tuning_pictures.sh [RUMPLE [ROW]...]    from the repository; runs go to out/tuning/
set -eu

rumple=${1:-build/rumple}
[ $# -gt 0 ] && shift
wanted=${*:-all}
runs=out/tuning

# row NAME LABEL KEY "VALUES" RUN-OPTIONS... : one run a value, one picture for all. % in LABEL stands for the value; a
# LABEL without it has one label a value, with commas between them.
row() {
    name=$1 label=$2 key=$3 values=$4
    shift 4
    case " $wanted " in *" all "* | *" $name "*) ;; *) return 0 ;; esac
    inputs="" labels=""
    for value in $values; do
        folder=$runs/$name/$value
        "$rumple" run "$@" --set "$key=$value" --out "$folder" --resume --quiet >/dev/null
        # a single variant has a folder of its own below
        for run in "$folder"/*/; do [ -f "$run/summary.json" ] && folder=${run%/}; done
        inputs="$inputs $folder"
        labels="$labels,$(printf '%s' "$label" | sed "s/%/$value/")"
    done
    # shellcheck disable=SC2086
    case "$label" in *%*) draw "$name" "${labels#,}" $inputs ;; *) draw "$name" "$label" $inputs ;; esac
}

# draw NAME LABELS FOLDER... : one picture of several runs.
draw() {
    name=$1 labels=$2
    shift 2
    "$rumple" render "$@" --light "$LIGHT" --view "$VIEW" --look "$LOOK" --size "$SIZE" --columns 4 --labels "$labels" \
        --out "$runs/$name.png" --quiet
    ffmpeg -v error -y -i "$runs/$name.png" -frames:v 1 -pix_fmt yuvj444p -q:v 2 "docs/images/tuning-$name.jpg"
    echo "docs/images/tuning-$name.jpg"
    for run in "$@"; do
        if [ ! -f "$run/summary.json" ]; then run=$(dirname "$(ls "$run"/*/summary.json)"); fi
        python3 -c "import json, sys; r = json.load(open(sys.argv[1]))['final']
print(sys.argv[1], {name: round(m['bending_content'], 1) for name, m in r.items()})" "$run/summary.json"
    done
}

m=cloths.tube.material
LIGHT=raking VIEW=three-quarter LOOK=cotton SIZE=360x400
held="twist --variant held"
brief="twist --variant brief"
# shellcheck disable=SC2086
{
    row hold "held % s" phases.hold.hold "1 10 60 500" $held
    row friction-k "k = %" $m.friction.k "1e-6 5e-6 1e-5 4e-5" $held
    row eps-inf "eps_inf = %" $m.friction.eps_inf "0.1 0.4 0.8 1.7" $held
    row eps-0 "eps_0 = %" $m.friction.eps_0 "0.02 0.1 0.3 0.6" $brief
    row tau "tau = % s" $m.friction.tau "3 30 100 300" $held --set phases.hold.hold=30
    row d-c "d_c = %" $m.friction.d_c "0 0.05 0.3 1.2" $held
    row bending "bending = %" $m.bending "1e-6 5e-6 2e-5 1e-4" $held
}

# One fold, plasticity alone. Its curvature is 491 1/m, which cotton's table does not let yield: eps_Y0 is lowered.
m=cloths.strip.material
LIGHT=studio LOOK=rose SIZE=360x320
strip="ablation --set $m.friction.law=none --set $m.plasticity.law=hardening"
# shellcheck disable=SC2086
{
    row eps-y0 "eps_Y0 = %" $m.plasticity.eps_Y0 "0.2 0.4 0.8 1.2" $strip --variant held
    row g "g = %" $m.plasticity.g "0 0.5 0.9 0.99" $strip --variant held --set $m.plasticity.eps_Y0=0.4
    row k-h0 "K_h0 = %" $m.plasticity.K_h0 "1e-6 5e-6 2e-5 1e-4" $strip --variant brief --set $m.plasticity.eps_Y0=0.4
}

# When friction ages: the tube at rest for a while before it is twisted, held and turned back.
m=cloths.tube.material
LIGHT=raking LOOK=cotton SIZE=360x400
turn='"rotate": {"axis": [0, 0, 1], "through": [0, 0, 0], "degrees"'
phases='[{"name": "wait", "hold": 1, "steps": 50},
 {"name": "twist", "duration": 1, "motions": {"top": {'"$turn"': -90}, "translate": [0, 0, -0.02]}}},
 {"name": "rest", "duration": 0.4}, {"name": "hold", "hold": 500, "steps": 50},
 {"name": "back", "duration": 1, "motions": {"top": {'"$turn"': 90}, "translate": [0, 0, 0.02]}}},
 {"name": "settle", "duration": 0.5}]'
row gate-none "none after % s" phases.wait.hold "1 10 60 500" twist --variant held --set "phases=$phases" --set $m.friction.gate=none
row gate-load "load after % s" phases.wait.hold "1 500 3600 604800" twist --variant held --set "phases=$phases"
# Stiffness by direction: warp runs around this tube.
equal='{"warp":6e-6,"weft":6e-6,"bias":6e-6}'
warp='{"warp":9e-6,"weft":3e-6,"bias":6e-6}'
weft='{"warp":3e-6,"weft":9e-6,"bias":6e-6}'
bias='{"warp":6e-6,"weft":6e-6,"bias":4.5e-6}'
# shellcheck disable=SC2086
row direction "equal,stiff warp,stiff weft,soft bias" $m.bending "$equal $warp $weft $bias" $held

# One crease of 785 1/m, held for an hour and let go: how much of it relaxes, and for how long.
m=cloths.strip.material
LIGHT=studio LOOK=rose SIZE=360x320
night='{"name": "recover", "recover": 300, "steps": 20, "release": ["left", "right"]}'
crease="recovery-curve --set variants=[{\"name\":\"crease\"}] --set phases.hold.hold=3600 --set $m.friction.eps_0=0.05 --set $m.friction.eps_inf=0.05"
# shellcheck disable=SC2086
{
    row share "share = %" $m.relaxation.share "0 0.3 0.6 0.9" $crease --set "phases.settle=$night"
    row recover "% s after" phases.recover.recover "1 300 3600 86400" $crease --set "phases.settle=$night" --set $m.relaxation.share=0.6
}
