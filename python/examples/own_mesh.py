"""A mesh of one's own, from numpy: a round cloth with a hole falls over a ball."""
import numpy

import rumple

# Rings of vertices around a hole; triangles between neighbouring rings, counter-clockwise seen from above.
rings, around = 9, 40
radius = numpy.linspace(0.02, 0.12, rings)[:, None]
angle = numpy.linspace(0, 2 * numpy.pi, around, endpoint=False)[None, :]
positions = numpy.stack([radius * numpy.cos(angle), radius * numpy.sin(angle), 0.06 + 0 * radius * angle], axis=-1)
index = numpy.arange(rings * around).reshape(rings, around)
a, b = index[:-1], index[1:]
a_next, b_next = numpy.roll(a, -1, axis=1), numpy.roll(b, -1, axis=1)
triangles = numpy.concatenate([numpy.stack(t, axis=-1).reshape(-1, 3) for t in [(a, b, b_next), (a, b_next, a_next)]])
mesh = rumple.Mesh(positions.reshape(-1, 3), triangles, uvs=positions.reshape(-1, 3)[:, :2])
print(mesh, mesh.validate())

scene = (rumple.SceneBuilder("ring", damping={"mass": 2})
         .cloth("ring", mesh, rumple.Material("cotton", density=0.12))
         .obstacle("ball", shape={"kind": "sphere", "radius": 0.05})
         .phase("fall", duration=0.4).build())
result = rumple.run(scene, progress=lambda now: now.steps_done % 10 or print(f"{100 * now.fraction:.0f} %"))
distance = numpy.linalg.norm(result.positions["ring"], axis=1)
print(f"nearest vertex {1000 * distance.min():.1f} mm from the centre of the ball, "
      f"sharpest fold {result.measures['ring']['sharpness']:.0f} 1/m")
assert distance.min() > 0.05
