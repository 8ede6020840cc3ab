#!/bin/sh
# The tests under the sanitizers: addresses and undefined behaviour over all rooms, threads over those that have some.
#   scripts/sanitize.sh [JOBS] [asan|tsan]...
# What is not ours and does not concern us is listed, with reasons, in scripts/sanitizers/*.supp.
set -eu
jobs=${1:-2}
[ $# -gt 0 ] && shift
presets=${*:-asan tsan}
here=$(pwd)
# No detect_stack_use_after_return: with AVX-512, g++ 12 takes its frames for aligned to 64 bytes, and they are to 32 (seen in
# test_constitutive: vmovdqa64).
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:check_initialization_order=1
export LSAN_OPTIONS=suppressions=$here/scripts/sanitizers/leak.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export TSAN_OPTIONS=suppressions=$here/scripts/sanitizers/thread.supp:halt_on_error=1:ignore_noninstrumented_modules=0

for preset in $presets; do
    cmake --preset "$preset" > "build-$preset.log" 2>&1 || { cat "build-$preset.log"; exit 1; }
    rm -f "build-$preset.log"
    if [ "$preset" = tsan ]; then
        # Rooms that run loops on threads; the others are serial, and their tests under tsan would only repeat asan's.
        rooms="core linear contact dynamics sim render"
    else
        rooms=$(cd tests && ls */*_test.cpp | cut -d/ -f1 | sort -u)
    fi
    targets=""
    for room in $rooms; do [ -d "tests/$room" ] && targets="$targets test_$room"; done
    cmake --build "build-$preset" --parallel "$jobs" --target $targets
    for target in $targets; do
        echo "== $preset $target"
        "build-$preset/tests/$target" --gtest_brief=1 2>&1 | tail -n 40 | tee "build-$preset/$target.out"
        grep -q "PASSED" "build-$preset/$target.out" && ! grep -q "FAILED\|ERROR: \|WARNING: ThreadSanitizer\|runtime error" \
            "build-$preset/$target.out" || { echo "$preset: $target is not clean"; exit 1; }
    done
done
