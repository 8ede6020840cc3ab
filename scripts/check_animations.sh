#!/bin/sh
# Animations of runs, with seams, several meshes and moving obstacles, read by other people's readers (clients/):
# check_animations.sh PROGRAM FOLDER. FOLDER/node has what npm installed.
set -eu
program=$1 folder=$2
rm -rf "$folder/animations" && mkdir -p "$folder/animations"
"$program" run twist --variant brief --quiet --set 'output.formats=["glb","usda"]' --out "$folder/animations"
"$program" dress trousers mannequin --clip lift_leg --edge 0.05 --step 0.02 --quiet --no-film --out "$folder/animations/dress"
for format in glb usda; do
    "$program" convert "$folder/animations/dress" "$folder/animations/dress.$format"
done
check="node $folder/node/check_animations.mjs"
$check "$folder/animations/brief" "$folder/animations/brief/animation.glb" "$folder/animations/brief/animation.usda"
$check "$folder/animations/dress" "$folder/animations/dress.glb" "$folder/animations/dress.usda"
