"""Rumple: cloth that remembers how it was folded, and for how long.

Start here:

    import rumple

    scene = (rumple.SceneBuilder("twist", gravity=(0, 0, 0))
             .cloth("tube", rumple.tube(radius=0.02, height=0.05, around=32, up=17), "cotton")
             .handle("top", {"ring": "top"})
             .handle("bottom", {"ring": "bottom"})
             .phase("twist", duration=0.6, motions={"top": {"rotate": {"degrees": -70}}})
             .phase("hold", hold=600, steps=20)
             .phase("back", duration=0.6, motions={"top": {"rotate": {"degrees": 70}}})
             .build())
    result = rumple.run(scene)
    print(result.measures["tube"]["bending_content"], result.positions["tube"].shape)

Scenes      SceneBuilder; load_scene() and load_scenes() of a file, a dict or a built-in scene's name
Meshes      Mesh from numpy arrays or files; tube(), grid(), disc(); measure()
Materials   Material, materials(), material_fields()
Running     run(), run_variants(); Simulator takes the scene's steps one by one, Stepper is a loop of your own
Results     Result; Run reads the folder of a run; convert() writes glTF, USD and caches; render(); reproduce()
Errors      Error, with InputError (bad input, nothing was run) and SimulationError

Units are SI: metres, kilograms, seconds, newtons. The world is right-handed, Z points up. Words and rules of scenes
are those of scene files (docs/scene.md). Functions that compute release the interpreter's lock.
"""
from ._rumple import (ContactReport, Error, InputError, Material, Mesh, Progress, Result, Scene, SimulationError,
                      Simulator, State, StepReport, Stepper, __version__, disc, grid, material_fields, materials,
                      measure, source_hash, tube)
from ._run import Run, convert, has_render, load_scene, load_scenes, render, run, run_variants
from ._scene_builder import SceneBuilder

try:
    from ._rumple import builtin_scene, builtin_scenes, reproduce
except ImportError:  # a build without the experiments
    pass

__all__ = [
    "ContactReport", "Error", "InputError", "Material", "Mesh", "Progress", "Result", "Run", "Scene", "SceneBuilder",
    "SimulationError", "Simulator", "State", "StepReport", "Stepper", "builtin_scene", "builtin_scenes", "convert",
    "disc", "grid", "has_render", "load_scene", "load_scenes", "material_fields", "materials", "measure", "render",
    "reproduce", "run", "run_variants", "source_hash", "tube",
]
__all__ = [name for name in __all__ if name in globals()]
