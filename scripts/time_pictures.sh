#!/bin/sh
# Makes docs/images/trousers-overnight.png: trousers that sat for a day, hung overnight, and are worn again.
# Usage: scripts/time_pictures.sh [RUMPLE [EDGE]]    from the repository; runs go to out/time/
set -eu

rumple=${1:-build/rumple}
edge=${2:-0.025}
runs=out/time
day=$runs/day

"$rumple" dress trousers mannequin --clip sit --material cotton-relaxing --hold 28800 --edge "$edge" --no-film --quiet \
    --resume --out "$day"
hang='{"name": "hang", "duration": 1, "deactivate": ["body"], "obstacles": {"body": "fixed"}}'
"$rumple" run "$day/scene.json" --set 'from="../day"' --quiet --resume --out "$runs/night" \
    --set "phases=[$hang, {\"name\": \"night\", \"recover\": 28800, \"steps\": 20}]"
# Put on again: what they remember, where the scene places them.
from='from={"run": "../night", "positions": false}'
"$rumple" run "$day/scene.json" --set "$from" --quiet --resume --out "$runs/morning" \
    --set 'phases=[{"name": "settle", "duration": 1, "obstacles": {"body": "fixed"}}]'
"$rumple" run "$day/scene.json" --set "$from" --quiet --resume --out "$runs/again"

"$rumple" render "$day" "$runs/night" "$runs/morning" "$runs/again" --light raking --eye 0.5,2,0.6 \
    --target 0,0,0.5 --fov 22 --size 300x380 --columns 4 --labels "sat for 8 h,hung for 8 h,put on again,sat for 8 h again" --out "$runs/overnight.png" --quiet
# fewer colours: a third of the bytes
ffmpeg -v error -y -i "$runs/overnight.png" -frames:v 1 \
    -vf "split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none" docs/images/trousers-overnight.png
for run in day night morning again; do
    printf '%s ' "$run"
    python3 -c "import json, sys; r = json.load(open(sys.argv[1]))['regions']['garment']
print({k: round(v['bending_content'], 1) for k, v in r.items() if 'knee' in k})" "$runs/$run/summary.json"
done
