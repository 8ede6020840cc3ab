"""A sweep of hold times: wrinkles that stay over the logarithm of the time. Plotted if matplotlib is there."""
import sys

import rumple

HOLDS = [0.1, 1, 10, 100, 1000]


def scene(hold):
    return (rumple.SceneBuilder("twist", gravity=(0, 0, 0))
            .cloth("tube", rumple.tube(radius=0.02, height=0.05, around=24, up=13), "cotton",
                   imperfection={"amplitude": 2e-5})
            .handle("top", {"ring": "top"}).handle("bottom", {"ring": "bottom"})
            .phase("twist", duration=0.4, motions={"top": {"rotate": {"degrees": -60}}})
            .phase("hold", hold=hold, steps=15)
            .phase("back", duration=0.4, motions={"top": {"rotate": {"degrees": 60}}})
            .set(variants=[{"name": f"hold-{hold:g}-s".replace(".", "_")}]))


scenes = [rumple.load_scene(scene(hold)) for hold in HOLDS]
results = rumple.run_variants(scenes)  # the twist, which they share, is simulated once
contents = [result.measures["tube"]["bending_content"] for result in results]
for hold, content in zip(HOLDS, contents):
    print(f"{hold:8g} s {content:10.1f} 1/m2")

try:
    import matplotlib
except ImportError:
    print("matplotlib is not installed: no plot")
else:
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    out = sys.argv[1] if len(sys.argv) > 1 else "hold_times.png"
    plt.semilogx(HOLDS, contents, "o-")
    plt.xlabel("hold time [s]")
    plt.ylabel("bending content [1/m²]")
    plt.savefig(out, dpi=120)
    print(out)
