#!/bin/sh
# Installs the module into a fresh environment without internet and imports it there: install.sh PYTHON SOURCE BUILD
set -eu
python=$1 source=$2 build=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv --system-site-packages "$folder/env"
PIP_NO_INDEX=1 "$folder/env/bin/pip" install --quiet --no-build-isolation --disable-pip-version-check \
    --config-settings=build-dir="$build" "$source"
cd "$folder"
unset PYTHONPATH
"$folder/env/bin/python" - <<EOF
import pathlib, rumple
assert pathlib.Path(rumple.__file__).is_relative_to("$folder/env"), rumple.__file__
assert (pathlib.Path(rumple.__file__).parent / "py.typed").exists()
print(rumple.__version__, rumple.source_hash, rumple.measure(rumple.grid(3, 3, 1.0, 1.0))["sharpness"])
EOF
"$folder/env/bin/pip" uninstall --quiet --yes rumple
