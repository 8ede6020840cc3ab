#!/bin/sh
# Runs each fuzz target for some minutes and adds a line to fuzz/log.csv.
#   scripts/fuzz.sh BUILD SECONDS [TARGET]...
# What a target has learned stays in out/fuzz/<target>; what breaks it, in out/fuzz/finds. A find is a bug: mend
# it, put the input into tests/fuzz_finds/<target>, and the target counts from zero again.
set -u
build=$1 seconds=$2
shift 2
targets=${*:-obj ply point_cache gltf scene checkpoint}
# What strangers' files can be taken for: a scene is larger than a triangle.
most_bytes() { case $1 in scene) echo 1536 ;; checkpoint) echo 8192 ;; *) echo 1024 ;; esac; }
# Stacks of allocations and a long quarantine make every malloc dear, and find nothing that a rerun would not show.
export ASAN_OPTIONS=malloc_context_size=0:quarantine_size_mb=8:thread_local_quarantine_size_kb=64:allocator_may_return_null=0
mkdir -p out/fuzz/finds out/fuzz/bin
[ -f fuzz/log.csv ] || echo "date,target,executions,seconds,finds" > fuzz/log.csv
failed=0
for target in $targets; do
    mkdir -p "out/fuzz/$target"
    cp "$build/fuzz/fuzz_$target" out/fuzz/bin/  # a build meanwhile does not disturb the run
    log=out/fuzz/$target.log
    "out/fuzz/bin/fuzz_$target" -max_total_time="$seconds" -max_len="$(most_bytes "$target")" -dict="fuzz/dictionaries/$target" \
        -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=256 -entropic=0 -print_final_stats=1 \
        -artifact_prefix="out/fuzz/finds/$target-" "out/fuzz/$target" "fuzz/corpus/$target" > "$log" 2>&1
    status=$?
    executions=$(sed -n "s/^stat::number_of_executed_units: *//p" "$log" | tail -n 1)
    finds=0
    if [ $status -ne 0 ]; then
        finds=1 failed=1
        echo "fuzz_$target: $(grep -m1 -E 'ERROR|runtime error|deadly signal|ABORTING|SUMMARY' "$log"); see $log"
    fi
    echo "$(date -u +%F),$target,${executions:-0},$seconds,$finds" >> fuzz/log.csv
done
# Since its last find, what has each survived?
awk -F, 'NR > 1 { if ($5 > 0) { finds[$2] += $5; n[$2] = 0 } else n[$2] += $3; all[$2] += $3 }
         END { for (t in all) printf "%-12s %9.2f million executions, %.2f million since the last of %d finds\n",
               t, all[t] / 1e6, n[t] / 1e6, finds[t] }' fuzz/log.csv
exit $failed
