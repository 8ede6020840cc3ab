#!/bin/sh
# Installs the Debian packages that building Rumple needs and that are missing; nothing when all are there.
# Names of further packages may follow.
set -eu

packages="g++ cmake ninja-build libeigen3-dev libtbb-dev nlohmann-json3-dev libcli11-dev libfmt-dev libxxhash-dev libgtest-dev libcgal-dev python3 \
    libembree-dev libpng-dev libfreetype-dev fonts-dejavu-core ffmpeg $*"

missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "Rumple needs these Debian packages, or what your system calls them:$missing" >&2
    exit 1
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Run this as root, or install:$missing" >&2; exit 1; }
    sudo="sudo"
fi
echo "Installing:$missing"
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
