"""Rumple in Blender: cloth that remembers how it was folded, and for how long.

The add-on exports the garment and the bodies of a scene, starts the program `rumple` in the background, and plays its
cache with a Mesh Cache modifier while it grows. Written for Blender 3.4 and 4.x; tested with 3.4 only.

    program.py      finds the program and its materials        scene_file.py  settings -> scene of rumple (JSON)
    properties.py   what the panel shows                       exporting.py   meshes of Blender -> OBJ, PC2
    panel.py        the panel                                  job.py         the program in the background
    operators.py    its buttons                                runner.py      export, run and show, step by step
    result.py       the object that plays the cache, bake      errors.py      messages with vertices
    timeline.py     frames of Blender <-> frames of the cache  heat_map.py    numbers at vertices as colours
    pc2.py          point caches                               models.py      Add > Mesh: mannequin and garments
    work_folder.py  where the files are                        material_fields.py  fields of the panel
"""
bl_info = {
    "name": "Rumple",
    "author": "The Rumple contributors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Rumple",
    "description": "Cloth that remembers how it was folded, and for how long",
    "doc_url": "",
    "category": "Physics",
}

from . import heat_map, models, operators, panel, program, properties, runner  # noqa: E402

PARTS = (program, properties, operators, models, panel, heat_map, runner)


def register():
    for part in PARTS:
        part.register()


def unregister():
    for part in reversed(PARTS):
        part.unregister()
