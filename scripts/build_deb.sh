#!/bin/sh
# Builds the Debian packages for any processor of this architecture: build_deb.sh [FOLDER [JOBS]]
set -eu
folder=${1:-build-deb}
jobs=${2:-$(nproc)}
sh "$(dirname "$0")/install_packages.sh" dpkg-dev file pybind11-dev python3-dev python3-numpy
cmake --preset release -B "$folder" -DRUMPLE_UNITY=ON -DRUMPLE_NATIVE=OFF -DRUMPLE_TESTS=OFF -DRUMPLE_PYTHON=ON \
    > "$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
rm -f "$folder.log"
cmake --build "$folder" --parallel "$jobs"
rm -f "$folder"/*.deb
(cd "$folder" && cpack -G DEB > cpack.log 2>&1) || { cat "$folder/cpack.log"; exit 1; }
for package in "$folder"/*.deb; do
    echo "$package: $(dpkg-deb --field "$package" Depends)"
done
