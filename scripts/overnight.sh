#!/bin/sh
# Numbers of docs/tuning.md: trousers that sat for a day, hung overnight, and are worn again.
# Usage: scripts/overnight.sh [RUMPLE [EDGE]]    from the repository; runs go to out/time/
set -eu

rumple=${1:-build/rumple}
edge=${2:-0.02}
runs=out/time
day=$runs/day

"$rumple" dress trousers mannequin --clip sit_chair --material cotton-relaxing --hold 28800 --edge "$edge" --no-film --quiet \
    --resume --out "$day"
hang='{"name": "hang", "duration": 1, "deactivate": ["body"], "obstacles": {"body": "fixed"}}'
"$rumple" run "$day/scene.json" --set 'from="../day"' --quiet --resume --out "$runs/night" \
    --set "phases=[$hang, {\"name\": \"night\", \"recover\": 28800, \"steps\": 20}]"
# Put on again: what they remember, where the scene places them.
from='from={"run": "../night", "positions": false}'
"$rumple" run "$day/scene.json" --set "$from" --quiet --resume --out "$runs/morning" \
    --set 'phases=[{"name": "settle", "duration": 1, "obstacles": {"body": "fixed"}}]'
"$rumple" run "$day/scene.json" --set "$from" --quiet --resume --out "$runs/again"

for run in day night morning again; do
    printf '%s ' "$run"
    python3 -c "import json, sys; r = json.load(open(sys.argv[1]))['regions']['garment']
print({k: round(v['bending_content'], 1) for k, v in r.items() if 'knee' in k})" "$runs/$run/summary.json"
done
