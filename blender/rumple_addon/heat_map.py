"""Numbers at vertices as a colour attribute: curvature, plastic strain, stick time."""
import bpy
import numpy as np

from . import pc2
from .work_folder import WorkFolder

ATTRIBUTE = "Rumple heat map"
MEMORY_COLUMN = {"PLASTIC": 0, "STICK": 2}
# From dark to bright through blue, purple, orange and yellow; lightness rises evenly.
STOPS = np.array([(0.02, 0.02, 0.08), (0.12, 0.05, 0.30), (0.38, 0.06, 0.42), (0.68, 0.13, 0.30), (0.91, 0.33, 0.14),
                  (0.98, 0.64, 0.13), (0.98, 0.97, 0.63)])


_topology = {}  # of meshes that are painted frame after frame: triangles, vertices on borders
_painted = {}   # what each of them shows


def forget():
    """Meshes are about to change."""
    _topology.clear()
    _painted.clear()


def topology(mesh):
    key = (mesh.name, len(mesh.vertices), len(mesh.polygons))
    if key not in _topology:
        mesh.calc_loop_triangles()
        triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        triangles = triangles.reshape(-1, 3)
        _topology[key] = triangles, border_of(triangles, len(mesh.vertices))
    return _topology[key]


def border_of(triangles, vertices):
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1).astype(np.int64)
    numbers, count = np.unique(edges[:, 0] * vertices + edges[:, 1], return_counts=True)
    once = numbers[count == 1]
    return np.concatenate([once // vertices, once % vertices])


def mean_curvature(positions, triangles, border):
    """|κ₁+κ₂|/2 at each vertex [1/m]: cotangent formula with mixed areas (Meyer et al. 2003); 0 on the border."""
    x = np.asarray(positions, dtype=np.float64)
    sums, areas = np.zeros_like(x), np.zeros(len(x))
    corners = [x[triangles[:, i]] for i in range(3)]
    double_area = np.linalg.norm(np.cross(corners[1] - corners[0], corners[2] - corners[0]), axis=1)
    double_area = np.maximum(double_area, 1e-30)
    dots = [np.einsum("ij,ij->i", corners[(i + 1) % 3] - corners[i], corners[(i + 2) % 3] - corners[i]) for i in range(3)]
    cotangents = [d / double_area for d in dots]
    obtuse = np.min(dots, axis=0) < 0
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        edge = cotangents[i][:, None] * (corners[j] - corners[k])  # opposite to corner i
        add_at(sums, triangles[:, j], edge)
        add_at(sums, triangles[:, k], -edge)
        voronoi = (cotangents[j] * np.sum((corners[k] - corners[i]) ** 2, axis=1)
                   + cotangents[k] * np.sum((corners[j] - corners[i]) ** 2, axis=1)) / 8
        add_at(areas[:, None], triangles[:, i],
               np.where(obtuse, double_area * np.where(dots[i] < 0, 0.25, 0.125), voronoi)[:, None])
    curvature = np.linalg.norm(sums, axis=1) / np.maximum(4 * areas, 1e-30)
    curvature[border] = 0
    return curvature


def add_at(sums, rows, values):
    """np.add.at for columns, many times as fast."""
    for column in range(sums.shape[1]):
        sums[:, column] += np.bincount(rows, values[:, column], len(sums))


def colours(values, top):
    at = np.clip(values / top, 0, 1) * (len(STOPS) - 1)
    low = np.minimum(at.astype(int), len(STOPS) - 2)
    part = (at - low)[:, None]
    return np.hstack([STOPS[low] * (1 - part) + STOPS[low + 1] * part, np.ones((len(at), 1))])


def source_of(scene, kind):
    """(object, cache, its frame) that the heat map shows at this frame; None where there is nothing to show."""
    thing = scene.rumple.result if kind == "memory" else scene.rumple.elastic
    folder = WorkFolder.of(scene)
    known = folder.timeline() if folder else None
    if thing is None or known is None:
        return None
    path = folder.memory(kind) if scene.rumple.heat in MEMORY_COLUMN else folder.cache(kind)
    vertices, frames = pc2.read_counts(path)
    if frames == 0 or vertices != len(thing.data.vertices):
        return None
    timeline = known[0]
    frame = timeline.cache_frame(min(max(scene.frame_current, timeline.start), timeline.end))
    return thing, path, min(frame, frames - 1)


def values_of(scene, kind="memory"):
    """One number per vertex at this frame; None where there is nothing to show."""
    found = source_of(scene, kind)
    if found is None:
        return None
    thing, path, frame = found
    numbers = pc2.read_frame(path, frame)
    if scene.rumple.heat in MEMORY_COLUMN:
        return numbers[:, MEMORY_COLUMN[scene.rumple.heat]]
    return mean_curvature(numbers, *topology(thing.data))


def paint(scene, again=True):
    """Writes the colours of this frame; with again=False only where others are shown."""
    if scene.rumple.heat == "NONE":
        return
    for kind in ("memory", "elastic"):
        found = source_of(scene, kind)
        if found is None:
            continue
        thing, path, frame = found
        shown = (scene.rumple.heat, scene.rumple.heat_top, path, frame)
        if not again and _painted.get(thing.name) == shown:
            continue
        _painted[thing.name] = shown
        values = values_of(scene, kind)
        layers = thing.data.color_attributes
        layer = layers.get(ATTRIBUTE) or layers.new(ATTRIBUTE, "FLOAT_COLOR", "POINT")
        layer.data.foreach_set("color", colours(values, scene.rumple.heat_top).astype(np.float32).ravel())
        layers.active_color = layer
        thing.data.update()


def fit(scene):
    """The brightest colour for the 99th percentile of this frame; for the largest value where most are zero."""
    values = values_of(scene)
    if values is None or not len(values):
        return
    largest = float(values.max())
    scene.rumple.heat_found = largest > 0
    scene.rumple.heat_top = float(np.percentile(values, 99)) or largest or 1.0


def switch(scene):
    """The heat map was chosen or switched off: sets the colours of the 3D views and the scale."""
    on = scene.rumple.heat != "NONE"
    if on:
        fit(scene)
        paint(scene)
    else:
        for thing in (scene.rumple.result, scene.rumple.elastic):
            if thing and ATTRIBUTE in thing.data.color_attributes:
                thing.data.color_attributes.remove(thing.data.color_attributes[ATTRIBUTE])
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.spaces.active.shading.color_type = "VERTEX" if on else "MATERIAL"


@bpy.app.handlers.persistent
def on_frame(scene, *_):
    paint(scene, again=False)  # with a window Blender calls this twice for each frame that is set


def register():
    bpy.app.handlers.frame_change_post.append(on_frame)


def unregister():
    bpy.app.handlers.frame_change_post.remove(on_frame)
