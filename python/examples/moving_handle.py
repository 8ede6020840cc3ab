"""A loop of one's own: the top of a tube is pushed down by a fifth, held for an hour or not at all, and let go."""
import numpy

import rumple

scene = (rumple.SceneBuilder("push", gravity=(0, 0, 0), damping={"mass": 5})
         .cloth("tube", rumple.tube(radius=0.02, height=0.05, around=24, up=13), "cotton",
                imperfection={"amplitude": 2e-5})
         .handle("top", {"ring": "top"}).handle("bottom", {"ring": "bottom"})
         .phase("unused", duration=0.01).build())


def push_and_let_go(hold):
    loop = rumple.Stepper(scene)
    x = loop.positions  # a view: it follows the steps
    top, bottom = loop.handle_vertices("top"), loop.handle_vertices("bottom")
    held, target = x[bottom].copy(), x[top].copy()
    largest = 0.0
    while numpy.ptp(x[:, 2]) > 0.04:
        target -= [0, 0, 2e-4]
        loop.step(0.01, handles={"top": target, "bottom": held})
        largest = max(largest, -loop.reactions()["top"][:, 2].sum())
    for _ in range(20):  # material time passes as fast as one likes
        loop.step(0.01, material_dt=hold / 20, handles={"top": target, "bottom": held})
    for _ in range(100):
        loop.step(0.01, handles={"bottom": held})
    anchor = numpy.sqrt((loop.history["anchor"] ** 2).mean())
    return largest, 1000 * (0.05 - numpy.ptp(x[:, 2])), anchor


for hold in (0, 3600):
    largest, lost, anchor = push_and_let_go(hold)
    print(f"held {hold:4} s: pushed with {largest:.3f} N at most, {lost:5.2f} mm of its height lost, anchors {anchor:.3f} rad")
