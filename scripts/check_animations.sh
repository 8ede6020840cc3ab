#!/bin/sh
# Animations of runs, with seams, several meshes and moving obstacles, read by other people's readers (clients/):
# check_animations.sh PROGRAM FOLDER
set -eu
program=$1 folder=$2
scripts=$(dirname "$0")
command -v npm > /dev/null || sh "$scripts/install_packages.sh" nodejs npm
mkdir -p "$folder/node" && cp "$scripts"/clients/* "$folder/node/"
npm install --loglevel=error --no-audit --no-fund --prefix "$folder/node"
rm -rf "$folder/animations" && mkdir -p "$folder/animations"
"$program" run twist --variant brief --quiet --set 'output.formats=["glb","usda"]' --out "$folder/animations"
"$program" dress trousers mannequin --clip lift_leg --edge 0.04 --step 0.02 --quiet --no-film --out "$folder/animations/dress"
for format in glb usda; do
    "$program" convert "$folder/animations/dress" "$folder/animations/dress.$format"
done
check="node $folder/node/check_animations.mjs"
$check "$folder/animations/brief" "$folder/animations/brief/animation.glb" "$folder/animations/brief/animation.usda"
$check "$folder/animations/dress" "$folder/animations/dress.glb" "$folder/animations/dress.usda"
for name in brief dress; do
    glb="$folder/animations/$name.glb"
    [ -e "$glb" ] || glb="$folder/animations/$name/animation.glb"
    blender --background --factory-startup --python-exit-code 1 --python "$scripts/clients/blender_gltf.py" -- \
        "$folder/animations/$name" "$glb" | grep "Blender .* frames"
done
