#!/bin/sh
# Installs the packages of the program and of the Python module into a fresh Debian 12 without compilers, and runs it there: test_deb.sh [FOLDER]
# Needs root and a Debian mirror; the one that /etc/apt names is used.
set -eu
folder=${1:-build-deb}
[ "$(id -u)" -eq 0 ] || { echo "make test-deb needs root: it makes a Debian in a folder" >&2; exit 1; }
sh "$(dirname "$0")/install_packages.sh" mmdebstrap
package=$(ls "$folder"/rumple_*.deb)
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT

echo "A fresh Debian in $root"
mmdebstrap --quiet --variant=apt --dpkgopt=force-unsafe-io --include=ca-certificates bookworm "$root" ${RUMPLE_DEBIAN_MIRROR:-}
cp "$package" "$root/rumple.deb"
cp "$folder"/python3-rumple_*.deb "$root/python3-rumple.deb"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /rumple.deb /python3-rumple.deb > /dev/null
for tool in cc c++ gcc g++ clang cmake make; do
    if inside sh -c "command -v $tool" > /dev/null; then echo "$tool is installed there: this proves little" >&2; exit 1; fi
done

inside rumple --version
inside rumple run twist --variant brief --quiet --threads 2 --set cloths.0.mesh.around=24 --set cloths.0.mesh.up=12 --out /out
inside rumple render /out/brief --size 160x120 --samples 4 --out /out/picture.png
cp "$(dirname "$0")/../python/examples/twist.py" "$root/twist.py"
inside python3 /twist.py
inside python3 -c "import rumple; rumple.render('/out/brief', '/out/python.png', size=(160, 120), samples=4)"
for file in out/python.png out/brief/summary.json out/brief/final/tube.obj out/picture.png; do
    [ -s "$root/$file" ] || { echo "$file was not written" >&2; exit 1; }
done
echo "rumple runs on a Debian without compilers"
