"""A loop of one's own: the top of a tube is pulled until its handle needs 0.5 N, held for an hour, and let go."""
import numpy

import rumple

scene = (rumple.SceneBuilder("pull", gravity=(0, 0, 0))
         .cloth("tube", rumple.tube(radius=0.02, height=0.05, around=24, up=13), "cotton")
         .handle("top", {"ring": "top"}).handle("bottom", {"ring": "bottom"})
         .phase("unused", duration=0.01).build())
loop = rumple.Stepper(scene)
x = loop.positions  # a view: it follows the steps
top, bottom = loop.handle_vertices("top"), loop.handle_vertices("bottom")
held, target = x[bottom].copy(), x[top].copy()

force = 0.0
while force < 0.5:
    target += [0, 0, 2e-5]
    loop.step(0.01, handles={"top": target, "bottom": held})
    force = loop.reactions()["top"][:, 2].sum()
print(f"pulled by {1000 * (target - x[bottom].mean(axis=0))[:, 2].mean() - 50:.2f} mm at {force:.2f} N")

for _ in range(20):  # an hour of material time in 20 steps
    loop.step(0.01, material_dt=180, handles={"top": target, "bottom": held})
for _ in range(100):
    loop.step(0.01, handles={"bottom": held})
print(f"longer by {1000 * (numpy.ptp(x[:, 2]) - 0.05):.3f} mm after {loop.material_time:.0f} s; "
      f"largest anchor {abs(loop.history['anchor']).max():.3f} rad")
