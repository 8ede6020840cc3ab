#!/bin/sh
# What to ask a machine with a CUDA device, the most valuable first: build, tests, benchmarks, sanitizer.
#   scripts/gpu_session.sh FOLDER [BUILD]
#     LIMIT=570          seconds that this call may take; a part that does not fit any more is left to the next
#     DONE=summary.txt   of an earlier call: the parts that ended there are left out
#     PARTS="test long"  these parts only, after the build
# FOLDER gets three files: summary.txt, a line for each part with its exit status (124: out of time) and seconds;
# results.json, what the benchmarks measured; logs.tar.gz. BUILD (default build-cuda) keeps what was built and measured,
# so that the next call is quicker. A part that fails does not stop the others.
set -u
if [ $# -lt 1 ]; then
    sed -n '2,9s/^# //p' "$0"
    exit 2
fi
mkdir -p "$1" || exit 1
out=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
limit=${LIMIT:-570}
wanted=${PARTS:-}
begin=$(date +%s)
kept_lines='' done_before=''
if [ -n "${DONE:-}" ]; then  # lines "NAME: status N, S s, ended"; DONE may be the summary that this call writes anew
    kept_lines=$(sed -n '/^configure:/d; /^build:/d; /: status .* ended$/p' "$DONE"; echo .) || exit 1
    kept_lines=${kept_lines%.}
    done_before=$(echo "$kept_lines" | sed 's/:.*//' | tr '\n' ' ')
fi
cd "$source" || exit 1
build=${2:-build-cuda}
mkdir -p "$build" || exit 1
build=$(cd "$build" && pwd)
work=$build/session
mkdir -p "$work/logs" "$work/json"
printf '%s' "$kept_lines" > "$out/summary.txt"
PATH=$PATH:/usr/local/cuda/bin
export PATH

left() { echo $((limit - ($(date +%s) - begin))); }

# What there is so far goes to FOLDER, so that nothing is lost if this call is stopped.
keep() {
    tar -C "$work" -czf "$out/logs.tar.gz" logs
    (
        echo '{'
        for json in "$work"/json/*.json; do
            [ -s "$json" ] || continue
            [ "${comma:-}" ] && echo ','
            comma=1
            echo "\"$(basename "$json" .json)\":"
            cat "$json"
        done
        echo '}'
    ) > "$out/results.json"
}

# run NAME SECONDS COMMAND...: at most so long, and no longer than this call may take.
run() {
    name=$1 most=$2
    shift 2
    cut=''
    if [ "$most" -gt "$(left)" ]; then
        most=$(left)
        cut=1
    fi
    if [ "$most" -lt 10 ]; then
        echo "$name: left to the next call" | tee -a "$out/summary.txt"
        return 1
    fi
    start=$(date +%s)
    timeout -k 5 "$most" "$@" > "$work/logs/$name.log" 2>&1
    status=$?
    how=ended
    if [ $status -ge 124 ] && [ -n "$cut" ]; then how='cut by the end of this call'; fi
    echo "$name: status $status, $(($(date +%s) - start)) s, $how" | tee -a "$out/summary.txt"
    keep
    return $status
}

# part NAME SECONDS COMMAND...: the same, unless an earlier call did it or other parts are wanted.
part() {
    case " $done_before " in *" $1 "*) return 0 ;; esac
    if [ -n "$wanted" ]; then
        case " $wanted " in *" $1 "*) ;; *) return 0 ;; esac
    fi
    run "$@"
}

run configure 60 cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DRUMPLE_CUDA=ON -DRUMPLE_RENDER=OFF \
    -DRUMPLE_APPS=OFF -DRUMPLE_TESTS=OFF -DRUMPLE_INSTALL=OFF -DRUMPLE_XXHASH=OFF -DRUMPLE_UNITY=ON
if [ $? -ne 0 ]; then
    tail -n 30 "$work/logs/configure.log"
    exit 1
fi
run build 400 cmake --build "$build" --parallel "$(nproc)" --target test_cuda bench_cuda
if [ $? -ne 0 ]; then
    grep -m 20 -E 'error|Error' "$work/logs/build.log"
    exit 1
fi
test=$build/src/rumple_cuda/test_cuda
bench=$build/src/rumple_cuda/bench_cuda
json=$work/json
nvidia-smi > "$work/logs/device.txt" 2>&1

# one step with and without contact: if these fail, everything else is worth less
part test_first 60 "$test" assembly one contact_one contact_domains
# the table of contact-free solves, CPU beside it where that is quick
part bench_twist 100 "$bench" --sizes 2K,7K,27K,100K --cpu-until 30000 --json "$json/bench_twist.json"
# goals with contact, both backends from the same state
part bench_trousers 120 "$bench" --contact trousers --json "$json/bench_trousers.json"
part bench_crumple 240 "$bench" --contact crumple-20K --json "$json/bench_crumple.json"
part bench_large 90 "$bench" --sizes 250K,1M --cpu-until 0 --steps 10 --json "$json/bench_large.json"
# agreement with the CPU: laws, contact in whole scenes, a whole twist
part test_laws 120 "$test" steps sizes estimate determinism subdivision failures laws more_laws newton runs
part test_contact 200 "$test" contact contact_variants contact_scenes
part test_twist 100 "$test" twist
if command -v compute-sanitizer > /dev/null; then
    for tool in memcheck racecheck initcheck; do
        part $tool 90 compute-sanitizer --tool $tool --error-exitcode 1 "$test" one contact_one
    done
    part memcheck_laws 90 compute-sanitizer --tool memcheck --error-exitcode 1 "$test" quick more_laws
else
    echo "sanitizer: compute-sanitizer is not installed" | tee -a "$out/summary.txt"
fi
# whole scenes at draft size on both backends: seconds, bending contents, crossings
part bench_runs 240 "$bench" --runs crumple-brief,crumple-held,crumple-weight-brief,crumple-weight-held \
    --json "$json/bench_runs.json"
# ten thousand steps without growth of memory
part test_long 60 "$test" long
part bench_small 120 "$bench" --contact crumple-5K,wring-cylinder --json "$json/bench_small.json"
keep
echo "$(left) s of $limit left"
