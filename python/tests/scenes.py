"""Small scenes for tests."""
import rumple


def twist(hold=600.0, around=16, up=9, **scene):
    """A short tube that is twisted, held and turned back: 52 steps."""
    return (rumple.SceneBuilder("small-twist", gravity=(0, 0, 0), output={"rate": 30}, **scene)
            .cloth("tube", rumple.tube(radius=0.02, height=0.04, around=around, up=up), "cotton",
                   imperfection={"amplitude": 2e-5})
            .handle("top", {"ring": "top"})
            .handle("bottom", {"ring": "bottom"})
            .phase("twist", duration=0.2, motions={"top": {"rotate": {"degrees": -40}}})
            .phase("hold", hold=hold, steps=12)
            .phase("back", duration=0.2, motions={"top": {"rotate": {"degrees": 40}}}))
