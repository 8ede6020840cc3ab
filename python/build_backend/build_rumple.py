"""Builds the wheel of the Python module with CMake, for pip (PEP 517). Needs nothing from the internet.

pip install --no-build-isolation ./python
    --config-settings=build-dir=FOLDER   a build folder to use again (default: build-python in the repository)
    --config-settings=jobs=N             processes that compile at a time (default: all cores)
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The second is a machine without what pictures and experiments need.
OPTIONS = [["-DRUMPLE_RENDER=ON", "-DRUMPLE_APPS=ON"], ["-DRUMPLE_RENDER=OFF", "-DRUMPLE_APPS=OFF"]]


def _version():
    return re.search(r"project\(rumple VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _metadata():
    return (f"Metadata-Version: 2.1\nName: rumple\nVersion: {_version()}\n"
            "Summary: Cloth simulator with time-dependent persistent wrinkles\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n")


def _configure(folder):
    cache = folder / "CMakeCache.txt"
    if cache.exists() and "RUMPLE_PYTHON:BOOL=ON" in cache.read_text():
        return  # as it was configured
    for options in OPTIONS:
        cache.unlink(missing_ok=True)
        done = subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
                               "-DRUMPLE_PYTHON=ON", "-DRUMPLE_TESTS=OFF", "-DRUMPLE_INSTALL=OFF",
                               f"-DPython_EXECUTABLE={sys.executable}", *options], capture_output=True, text=True)
        if done.returncode == 0:
            return
    raise SystemExit(done.stderr + "\nRumple: CMake cannot configure; docs/python.md lists the packages it needs")


def _build(settings):
    folder = pathlib.Path(settings.get("build-dir") or ROOT / "build-python").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _configure(folder)
    subprocess.run(["cmake", "--build", str(folder), "--target", "rumple_python_package",
                    "--parallel", str(settings.get("jobs") or os.cpu_count())], check=True)
    return folder / "python" / "rumple"


def _hash(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / f"rumple-{_version()}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "METADATA").write_text(_metadata())
    (folder / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: build_rumple\nRoot-Is-Purelib: false\nTag: {_tag()}\n")
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _build(config_settings or {})
    info = f"rumple-{_version()}.dist-info"
    files = {f"rumple/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: build_rumple\nRoot-Is-Purelib: false\n"
                              f"Tag: {_tag()}\n").encode()
    record = "".join(f"{name},{_hash(data)},{len(data)}\n" for name, data in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = record.encode()
    name = f"rumple-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return name
