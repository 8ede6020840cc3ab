"""The scene of Rumple (docs/scene.md) that the settings describe. Needs no Blender."""
import json

CLOTH = "garment"


def obstacle(name, moves, fps, settings):
    source = {"cache": {"file": f"{name}.pc2", "mesh": f"{name}.obj", "rate": fps}} if moves \
        else {"mesh": {"file": f"{name}.obj"}}
    return {"name": name, **source, "friction": settings["friction"], "thickness": settings["distance"]}


def scene(timeline, material, obstacles, settings):
    """`obstacles`: (name, moves); `settings`: numbers in SI units."""
    cloth = {"name": CLOTH, "mesh": {"file": f"{CLOTH}.obj"}, "material": material}
    if settings["rest"] == "UV":
        cloth["rest"] = "uv"
        cloth["mesh"]["uv_scale"] = settings["uv_scale"]
    else:
        cloth["rest"], cloth["warp"] = "mesh", settings["warp"]
        cloth["rest_angles"] = "flat" if settings["rest"] == "FLAT" else "mesh"
    described = {
        "rumple": 1, "name": "blender", "gravity": settings["gravity"],
        "step": {"h": timeline.h},
        "damping": {"mass": settings["damping"]},
        "output": {"rate": timeline.fps, "memory": settings["record"]},
        "cloths": [cloth],
        "contact": {"thickness": settings["thickness"], "friction": settings["self_friction"]},
        "obstacles": [obstacle(name, moves, timeline.fps, settings) for name, moves in obstacles],
        "phases": timeline.phases([name for name, moves in obstacles if moves]),
    }
    if settings["pins"]:
        handle = {"name": "pins", "select": {"vertices": settings["pins"]}, "stiffness": settings["pin_stiffness"]}
        if settings["pin_to"]:
            handle["attach"] = settings["pin_to"]
        described["handles"] = [handle]
    return described


def write(path, described):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(described, file, indent=1)
