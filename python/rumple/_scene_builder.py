"""SceneBuilder: a scene in the making. It fills the dict that a scene file would be; the library checks it."""
import copy

from ._run import load_scene


class SceneBuilder:
    """Builds a scene call by call. Arguments are the keys of scene files (docs/scene.md).

    Every call returns the builder; build() checks everything and returns a Scene. `to_dict()` is the scene so far; a
    mesh may stand in it as a rumple.Mesh, a material as a rumple.Material.
    """

    def __init__(self, name, **scene):
        """scene: keys of the whole scene, e.g. gravity=(0, 0, 0), step={"h": 0.005}, contact={"self": True}."""
        self._scene = {"rumple": 1, "name": name, **scene}

    def _add(self, kind, **part):
        self._scene.setdefault(kind, []).append({key: value for key, value in part.items() if value is not None})
        return self

    def set(self, **scene):
        """Sets keys of the whole scene: gravity, step, damping, output, contact, recovery_from, cameras, variants."""
        self._scene.update(scene)
        return self

    def cloth(self, name, mesh, material="cotton", **options):
        """Adds a cloth. mesh: a Mesh, or a dict as in scene files ({"generator": "tube", ...}, {"file": "a.obj"}).

        material: a preset's name, a Material, or a dict. options: rest, warp, place, imperfection.
        """
        return self._add("cloths", name=name, mesh=mesh, material=material, **options)

    def handle(self, name, select, **options):
        """Adds a handle, which holds vertices: {"ring": "top"}, {"vertices": [0, 1]}, {"box": ...}, ...

        options: cloth, stiffness, active, attach.
        """
        return self._add("handles", name=name, select=select, **options)

    def obstacle(self, name, *, shape=None, mesh=None, cache=None, body=None, **options):
        """Adds something that cloth touches, given by one of shape, mesh (a Mesh or a dict), cache and body.

        options: place, friction, thickness, present, rigid_body.
        """
        return self._add("obstacles", name=name, shape=shape, mesh=mesh, cache=cache, body=body, **options)

    def phase(self, name, **options):
        """Adds a phase: duration [s], or hold [s of material time] with steps; motions, grab, release, obstacles,
        activate, deactivate, h."""
        return self._add("phases", name=name, **options)

    def copy(self):
        """A builder of its own with the same scene so far: a copy with other phases is another scene."""
        other = SceneBuilder.__new__(SceneBuilder)
        other._scene = {key: copy.copy(value) for key, value in self._scene.items()}
        return other

    def to_dict(self):
        """The scene as a dict, in the words of scene files."""
        return self._scene

    def build(self, variant=""):
        """Checks everything. InputError names the place: 'twist: phases[1].duration: ...'."""
        return load_scene(self._scene, variant=variant)
