#!/bin/sh
# Makes docs/images/hero.webp: trousers that sat for a moment beside trousers that sat for 500 s, and their knees.
# Usage: scripts/hero.sh [RUMPLE]    from the repository, after `make demo`; needs ffmpeg
set -eu

rumple=${1:-build/rumple}
trousers=out/demo/trousers

"$rumple" render "$trousers/brief" "$trousers/held" --light overhead --view whole,knees --captions --size 320x460 \
    --columns 4 --labels "sits for a moment,sits for 500 s" --every 2 --fps 15 --quiet --out out/demo/hero.mp4
# Without the border that films have if a side is odd. The last frame stays for three seconds. Frames that build on one
# another would add up their blocks.
frames="crop=iw-2:ih-2:0:0,tpad=stop_mode=clone:stop_duration=3"
ffmpeg -v error -y -i out/demo/hero.mp4 -vf "$frames" -c:v libwebp_anim -lossless 0 -g 1 \
    -quality 90 -compression_level 4 -loop 0 docs/images/hero.webp
