"""What a step costs beyond the step itself: Simulator.step() from Python against the time that the library takes.

The library's own time is that of the same steps inside run(), which calls no Python between them. Both take the best of
several turns. Exit status 1 where the difference is 50 us or more."""
import sys
import time

import rumple
from scenes import twist

scene = twist(around=3, up=2).build()  # as small as cloth can be: the step itself is short
STEPS = scene.steps * 40


def by_python():
    sim = rumple.Simulator(scene, threads=1)
    begin = time.perf_counter()
    for _ in range(40):
        sim.restart()
        while not sim.done:
            sim.step()
    return time.perf_counter() - begin


def timed_inside():
    """The same loop with the parts of the step that the library times itself."""
    sim = rumple.Simulator(scene, threads=1)
    inside = 0.0
    for _ in range(40):
        sim.restart()
        while not sim.done:
            timing = sim.step().timing
            inside += timing["evaluate"] + timing["assemble"] + timing["solve"] + timing["advance"]
    return inside


whole = min(by_python() for _ in range(5)) / STEPS * 1e6
inside = min(timed_inside() for _ in range(5)) / STEPS * 1e6
print(f"a step from Python takes {whole:.1f} us, of which the library's own parts are {inside:.1f} us: "
      f"{whole - inside:.1f} us are left for Python and everything else")
sys.exit(whole - inside >= 50)
