"""A cotton tube is twisted, held for ten minutes or not at all, and turned back: how much of the wrinkles stays?"""
import rumple


def twist_and_measure(hold):
    scene = (rumple.SceneBuilder("twist", gravity=(0, 0, 0))
             .cloth("tube", rumple.tube(radius=0.02, height=0.05, around=32, up=17), "cotton",
                    imperfection={"amplitude": 2e-5})
             .handle("top", {"ring": "top"}).handle("bottom", {"ring": "bottom"})
             .phase("twist", duration=0.6, motions={"top": {"rotate": {"degrees": -70}}})
             .phase("rest", duration=0.3).phase("hold", hold=hold, steps=20)
             .phase("back", duration=0.6, motions={"top": {"rotate": {"degrees": 70}}}).phase("settle", duration=0.3))
    return rumple.run(scene).measures["tube"]["bending_content"]


print(f"not held    {twist_and_measure(0):8.1f} 1/m2\nheld 10 min {twist_and_measure(600):8.1f} 1/m2")
