"""Messages in the panel, with the vertices they speak of selected."""
import bpy
import numpy as np


def status():
    return bpy.context.window_manager.rumple_status


def clear():
    now = status()
    now.error, now.error_object, now.error_vertices, now.warning = "", "", 0, ""


def show(text, thing=None, vertices=()):
    """The message goes to the panel; vertices are selected in `thing`, which becomes visible."""
    now = status()
    now.error, now.error_object, now.error_vertices = text, thing.name if thing else "", 0
    print(f"rumple: error: {text}")
    if thing is not None and len(vertices):
        now.error_vertices = select_vertices(thing, vertices)


def warn(text):
    now = status()
    now.warning = (now.warning + "\n" if now.warning else "") + text


def select_vertices(thing, vertices):
    """Selects exactly these vertices, and no edges or faces but those between them. Returns how many there are."""
    mesh = thing.data
    if thing.mode == "EDIT":
        return 0
    chosen = np.zeros(len(mesh.vertices), dtype=bool)
    chosen[[v for v in vertices if v < len(chosen)]] = True
    mesh.vertices.foreach_set("select", chosen)
    edges = np.empty(2 * len(mesh.edges), dtype=np.int32)
    mesh.edges.foreach_get("vertices", edges)
    mesh.edges.foreach_set("select", chosen[edges.reshape(-1, 2)].all(axis=1))
    corners, begins = np.empty(len(mesh.loops), dtype=np.int32), np.empty(len(mesh.polygons), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.polygons.foreach_get("loop_start", begins)
    if len(begins):
        mesh.polygons.foreach_set("select", np.logical_and.reduceat(chosen[corners], begins))
    mesh.update()
    return int(chosen.sum())
