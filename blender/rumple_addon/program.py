"""Where the program is, and which materials it knows."""
import functools
import json
import os
import shutil
import subprocess

import bpy

ADDON = __package__
FALLBACK = [{"name": name} for name in ("cotton-garment", "denim-garment", "polyester-garment", "cotton", "denim",
                                        "polyester")]


class ProgramMissing(Exception):
    pass


class RumplePreferences(bpy.types.AddonPreferences):
    bl_idname = ADDON

    program: bpy.props.StringProperty(
        name="Program", subtype="FILE_PATH",
        description="The program rumple. Empty: the one on the search path")
    threads: bpy.props.IntProperty(
        name="Threads", min=0, max=1024,
        description="Threads that simulate. 0: all cores but one, so that Blender stays responsive. The result does "
                    "not depend on it")

    def draw(self, _context):
        self.layout.prop(self, "program")
        self.layout.prop(self, "threads")
        found = find_program()
        if found:
            self.layout.label(text=f"{version_of(found)}: {found}", icon="CHECKMARK")
        else:
            self.layout.label(text="There is no program here: install Rumple, or choose the file", icon="ERROR")


def preferences():
    addon = bpy.context.preferences.addons.get(ADDON)
    return addon.preferences if addon else None


def find_program():
    """Path of the program; None where it is missing."""
    chosen = preferences().program if preferences() else ""
    if not chosen:
        chosen = os.environ.get("RUMPLE", "")
    if chosen:
        path = bpy.path.abspath(chosen)
        return path if os.path.isfile(path) and os.access(path, os.X_OK) else None
    return shutil.which("rumple")


def require_program():
    found = find_program()
    if not found:
        raise ProgramMissing("The program rumple was not found: choose it in the preferences of this add-on")
    return found


def threads():
    chosen = preferences().threads if preferences() else 0
    return chosen or max(1, (os.cpu_count() or 2) - 1)


@functools.lru_cache(maxsize=8)
def _output(path, _modified, *arguments):
    try:
        done = subprocess.run([path, *arguments], capture_output=True, encoding="utf-8", timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def output(path, *arguments):
    return _output(path, os.path.getmtime(path), *arguments)


def version_of(path):
    lines = output(path, "--version").splitlines()
    return lines[0] if lines else "not a rumple program"


@functools.lru_cache(maxsize=8)
def _parsed(text):
    try:
        found = json.loads(text)
    except ValueError:
        found = []
    # Garments first: this is what people dress bodies with.
    return sorted(found, key=lambda m: "garment" not in m["name"]) or FALLBACK


def materials():
    """The presets as the program prints them; only names where there is no program. Panels ask at every drawing."""
    path = find_program()
    return _parsed(output(path, "materials", "--json") if path else "")


def material(name):
    return next((m for m in materials() if m["name"] == name), {})


def register():
    bpy.utils.register_class(RumplePreferences)


def unregister():
    bpy.utils.unregister_class(RumplePreferences)
