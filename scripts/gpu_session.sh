#!/bin/sh
# What to ask a machine with a CUDA device first, in about ten minutes: build, tests, benchmarks, sanitizer.
#   scripts/gpu_session.sh FOLDER [BUILD]
# Every part has a time limit; one that fails does not stop the others. FOLDER gets a log of each part, JSON of the
# benchmarks, and summary.txt: a line for each part with its exit status (124: out of time) and its seconds. The most
# valuable parts come first. BUILD (default build-cuda) is kept, so that a second call is quicker.
set -u
if [ $# -lt 1 ]; then
    sed -n '2,7s/^# //p' "$0"
    exit 2
fi
out=$1
build=${2:-build-cuda}
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
: > "$out/summary.txt"
cd "$source" || exit 1

# part NAME SECONDS COMMAND...: runs it, at most so long.
part() {
    name=$1 limit=$2
    shift 2
    begin=$(date +%s)
    timeout -k 5 "$limit" "$@" > "$out/$name.log" 2>&1
    status=$?
    echo "$name: status $status, $(($(date +%s) - begin)) s" | tee -a "$out/summary.txt"
    return $status
}

part configure 60 cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DRUMPLE_CUDA=ON -DRUMPLE_RENDER=OFF \
    -DRUMPLE_APPS=OFF -DRUMPLE_TESTS=OFF -DRUMPLE_UNITY=ON || exit 1
part build 300 cmake --build "$build" --parallel "$(nproc)" --target test_cuda bench_cuda || exit 1
programs=$build/src/rumple_cuda
nvidia-smi > "$out/device.txt" 2>&1

# one step with and without contact: if these fail, everything else is worth less
part test_first 60 "$programs/test_cuda" assembly one contact_one
part bench_twist 60 "$programs/bench_cuda" --sizes 2K,7K,27K,100K --cpu-until 0 --json "$out/twist.json"
part bench_trousers 90 "$programs/bench_cuda" --contact trousers --json "$out/contact-trousers.json"
part test 180 "$programs/test_cuda"
part bench_crumple 90 "$programs/bench_cuda" --contact crumple-5K,wring-cylinder --json "$out/contact-crumple.json"
if command -v compute-sanitizer > /dev/null; then
    part memcheck 60 compute-sanitizer --tool memcheck --error-exitcode 1 "$programs/test_cuda" one contact_one
    part initcheck 60 compute-sanitizer --tool initcheck --error-exitcode 1 "$programs/test_cuda" one contact_one
    part racecheck 90 compute-sanitizer --tool racecheck --error-exitcode 1 "$programs/test_cuda" one contact_one
else
    echo "sanitizer: compute-sanitizer is not installed" | tee -a "$out/summary.txt"
fi
part bench_large 90 "$programs/bench_cuda" --sizes 250K,1M --cpu-until 0 --steps 10 --json "$out/twist-large.json"
