"""Meshes of Blender to files of Rumple: metres, Z up, world coordinates, vertices in Blender's order."""
import contextlib
import os
import re

import bpy
import numpy as np

from . import pc2

# Off while the garment is read: they make the surface for the eye, not the cloth.
VIEW_ONLY = {"SUBSURF", "MULTIRES", "SOLIDIFY", "CLOTH", "SURFACE_DEFORM"}
LINES = 2048  # of a file, or vertices of a list, before Blender has its turn
STANDS = 1e-7  # m: an obstacle whose vertices move less is written as a mesh


class ExportError(Exception):
    """What the user has to change; with the object and its vertices where that helps."""

    def __init__(self, text, thing=None, vertices=()):
        super().__init__(text)
        self.thing, self.vertices = thing, list(vertices)


def file_name(name):
    """A name for files and for the scene: letters, digits, _ and -."""
    return "o_" + re.sub(r"[^A-Za-z0-9_-]", "_", name)[:90]


def positions_of(mesh, matrix, scale):
    """World positions [m] as an array (vertices, 3)."""
    local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", local)
    matrix = np.array(matrix, dtype=np.float64)
    return (local.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]) * scale


def triangles_of(mesh, mirrored=False):
    """(triangles as vertices, triangles as loops); a mirrored object is turned inside out again."""
    mesh.calc_loop_triangles()
    vertices = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    loops = np.empty_like(vertices)
    mesh.loop_triangles.foreach_get("vertices", vertices)
    mesh.loop_triangles.foreach_get("loops", loops)
    order = [0, 2, 1] if mirrored else [0, 1, 2]
    return vertices.reshape(-1, 3)[:, order], loops.reshape(-1, 3)[:, order]


def write_obj(path, positions, triangles, uvs=None, uv_triangles=None):
    """A generator: it writes a few thousand lines between two yields."""
    parts = [("v %.9g %.9g %.9g\n", positions)]
    if uvs is None:
        parts.append(("f %d %d %d\n", triangles + 1))
    else:
        both = np.stack([triangles + 1, uv_triangles + 1], axis=2).reshape(-1, 6)
        parts += [("vt %.9g %.9g\n", uvs), ("f %d/%d %d/%d %d/%d\n", both)]
    with open(path, "w", encoding="utf-8") as file:
        for line, rows in parts:
            for begin in range(0, len(rows), LINES):
                some = rows[begin:begin + LINES]
                file.write(line * len(some) % tuple(some.ravel().tolist()))
                yield False


@contextlib.contextmanager
def without_view_modifiers(thing):
    off = [m for m in thing.modifiers if m.type in VIEW_ONLY and m.show_viewport]
    for modifier in off:
        modifier.show_viewport = False
    try:
        yield
    finally:
        for modifier in off:
            modifier.show_viewport = True


def simulation_mesh(thing):
    """A new mesh: the garment at this frame with its modifiers, except for those that only serve the eye."""
    with without_view_modifiers(thing):
        depsgraph = bpy.context.evaluated_depsgraph_get()
        mesh = bpy.data.meshes.new_from_object(thing.evaluated_get(depsgraph), preserve_all_data_layers=True,
                                               depsgraph=depsgraph)
        matrix = thing.evaluated_get(depsgraph).matrix_world.copy()
    return mesh, matrix


def export_garment(thing, path, scale, use_uv):
    """Writes the garment as it is at this frame. A generator that returns its mesh, in metres of the world."""
    mesh, matrix = simulation_mesh(thing)
    triangles, loops = triangles_of(mesh, matrix.determinant() < 0)
    if len(triangles) == 0:
        bpy.data.meshes.remove(mesh)
        raise ExportError(f"The garment {thing.name} has no faces", thing)
    positions = positions_of(mesh, matrix, scale)
    used = np.zeros(len(positions), dtype=bool)
    used[triangles] = True
    if not used.all():
        loose = np.flatnonzero(~used)
        bpy.data.meshes.remove(mesh)
        raise ExportError(f"The garment {thing.name} has {len(loose)} vertices without a face: delete them "
                          "(Mesh > Clean Up > Delete Loose)", thing, loose.tolist())
    uvs = None
    if use_uv:
        if mesh.uv_layers.active is None:
            bpy.data.meshes.remove(mesh)
            raise ExportError(f"The garment {thing.name} has no UV map: choose another rest shape", thing)
        uvs = np.empty(2 * len(mesh.loops), dtype=np.float32)
        mesh.uv_layers.active.data.foreach_get("uv", uvs)
        uvs = uvs.reshape(-1, 2)
    yield from write_obj(path, positions, triangles, uvs, loops if use_uv else None)
    mesh.vertices.foreach_set("co", positions.astype(np.float32).ravel())
    mesh.update()
    return mesh


def warp_of(mesh):
    """The warp runs upwards in cloth that hangs, and along Y in cloth that lies flat."""
    normals, areas = np.empty(3 * len(mesh.polygons), dtype=np.float32), np.empty(len(mesh.polygons), dtype=np.float32)
    mesh.polygons.foreach_get("normal", normals)
    mesh.polygons.foreach_get("area", areas)
    return [0, 1, 0] if np.abs(normals[2::3]) @ areas > 0.7 * areas.sum() else [0, 0, 1]


def highest_border(thing):
    """Vertices of that border of the mesh whose middle is highest in the world; none where the mesh is closed."""
    uses = {}
    for polygon in thing.data.polygons:
        for key in polygon.edge_keys:
            uses[key] = uses.get(key, 0) + 1
    neighbours = {}
    for (a, b), count in uses.items():
        if count == 1:
            neighbours.setdefault(a, []).append(b)
            neighbours.setdefault(b, []).append(a)
    best, best_height, seen = [], -np.inf, set()
    for start in neighbours:
        border, todo = [], [start]
        while todo:
            vertex = todo.pop()
            if vertex not in seen:
                seen.add(vertex)
                border.append(vertex)
                todo += neighbours[vertex]
        if border:
            height = np.mean([(thing.matrix_world @ thing.data.vertices[v].co).z for v in border])
            if height > best_height:
                best, best_height = border, height
    return best


def pinned_vertices(thing, mesh, group):
    """Vertices of the evaluated mesh with a weight above one half. A generator that returns their list."""
    if group not in thing.vertex_groups:
        raise ExportError(f"The garment {thing.name} has no vertex group {group}: choose one under Pins", thing)
    index = thing.vertex_groups[group].index
    found = []
    for begin in range(0, len(mesh.vertices), LINES):
        found += [v.index for v in mesh.vertices[begin:begin + LINES]
                  if any(g.group == index and g.weight > 0.5 for g in v.groups)]
        yield False
    if not found:
        raise ExportError(f"No vertex of {thing.name} has a weight above one half in the vertex group {group}", thing)
    return found


class ObstacleExport:
    """One object, frame by frame. `moves` is known after the last frame."""

    def __init__(self, thing, folder, scale):
        self.name, self.path, self.scale = thing.name, os.path.join(folder, file_name(thing.name)), scale
        self.cache, self.first, self.moves = None, None, False

    def add_frame(self, depsgraph):
        """A generator, which reads all of the frame before its first yield."""
        thing = bpy.data.objects.get(self.name)
        if thing is None:
            raise ExportError(f"The object {self.name} is gone")
        evaluated = thing.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        try:
            positions = positions_of(mesh, evaluated.matrix_world, self.scale)
            if self.cache is None:
                triangles, _ = triangles_of(mesh, evaluated.matrix_world.determinant() < 0)
        finally:
            evaluated.to_mesh_clear()
        if self.cache is None:
            if len(triangles) == 0:
                raise ExportError(f"{self.name} has no faces that cloth could touch", thing)
            self.cache, self.first = pc2.Writer(self.path + ".pc2", len(positions)), positions
            yield from write_obj(self.path + ".obj", positions, triangles)
        if len(positions) != len(self.first):
            raise ExportError(f"{self.name} has {len(positions)} vertices at frame {bpy.context.scene.frame_current} "
                              f"and {len(self.first)} at the first: a modifier changes its topology", thing)
        self.cache.append(positions)
        self.moves = self.moves or np.abs(positions - self.first).max() > STANDS

    def close(self):
        if self.cache is None:
            return
        self.cache.close()
        if not self.moves:
            os.remove(self.path + ".pc2")
