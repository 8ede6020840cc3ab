"""Meshes, materials and errors."""
import gc
import tempfile
import pathlib
import unittest

import numpy

import rumple


class Mesh(unittest.TestCase):
    def test_arrays_are_views(self):
        mesh = rumple.grid(4, 3, 1.0, 0.5)
        self.assertEqual(mesh.positions.shape, (12, 3))
        self.assertEqual(mesh.triangles.dtype, numpy.int32)
        address = mesh.positions.__array_interface__["data"]
        mesh.positions[:, 2] += 1
        self.assertEqual(mesh.positions.__array_interface__["data"], address)
        self.assertTrue((mesh.positions[:, 2] == 1).all())
        with self.assertRaises(ValueError):
            mesh.triangles[0, 0] = 1

    def test_view_keeps_its_mesh(self):
        positions = rumple.disc(1.0, 0.2).positions
        gc.collect()
        self.assertAlmostEqual((positions ** 2).sum(axis=1).max(), 1.0)

    def test_from_arrays_and_back(self):
        positions = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
        mesh = rumple.Mesh(positions, numpy.array([[0, 1, 2], [2, 1, 3]], dtype=numpy.uint16),
                           uvs=numpy.array(positions)[:, :2])
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.obj", "a.ply"):
                mesh.write(pathlib.Path(folder) / name)
                again = rumple.Mesh.read(pathlib.Path(folder) / name)
                self.assertTrue((again.positions == positions).all())
                self.assertTrue((again.triangles == mesh.triangles).all())

    def test_bad_arrays_are_refused_with_a_sentence(self):
        square = numpy.zeros((4, 3))
        for arguments, sentence in [
            ((numpy.zeros((4, 2)), [[0, 1, 2]]), "Mesh: positions: the array has the shape (4, 2)"),
            ((square, [[0, 1, 4]]), "Mesh: triangles: triangle 0 refers to number 4 of 4"),
            ((square, [[0, 1, -1]]), "refers to number -1"),
            ((square, [[0.5, 1, 2]]), "three whole numbers"),
            ((square, [0, 1, 2]), "three whole numbers"),
            ((square, [[0, 1, 2]], numpy.zeros((2, 2))), "Mesh: uvs: triangle 0 refers to number 2 of 2"),
        ]:
            with self.assertRaisesRegex(rumple.InputError, sentence.replace("(", r"\(").replace(")", r"\)")):
                rumple.Mesh(*arguments)
        with self.assertRaisesRegex(rumple.InputError, "area"):
            rumple.Mesh(square, [[0, 1, 2]]).validate()

    def test_measures(self):
        flat = rumple.grid(9, 9, 1.0, 1.0)
        self.assertEqual(rumple.measure(flat)["angle_change_max"], 0)
        folded = flat.copy()
        folded.positions[:, 2] = abs(folded.positions[:, 0])
        self.assertAlmostEqual(rumple.measure(folded, flat)["angle_change_max"], numpy.pi / 2, places=9)


class Material(unittest.TestCase):
    def test_presets_and_fields(self):
        self.assertIn("denim", rumple.materials())
        self.assertIn("friction.tau", [field["key"] for field in rumple.material_fields()])
        stiff = rumple.Material("cotton", bending=8e-6, friction={"tau": 60})
        self.assertEqual(stiff.to_dict()["bending"], 8e-6)
        self.assertEqual(stiff.replace(bending=1e-6).to_dict()["friction"]["tau"], 60)

    def test_bad_fields_are_refused(self):
        with self.assertRaisesRegex(rumple.InputError, "bendin"):
            rumple.Material("cotton", bendin=1)
        with self.assertRaisesRegex(rumple.InputError, "cotton"):
            rumple.Material("coton")


class Errors(unittest.TestCase):
    def test_types(self):
        for error, bases in [(rumple.InputError, (rumple.Error, ValueError)),
                             (rumple.SimulationError, (rumple.Error, RuntimeError))]:
            self.assertTrue(all(issubclass(error, base) for base in bases))
        with self.assertRaises(rumple.Error) as caught:
            rumple.Mesh.read("missing.obj")
        self.assertIn("missing.obj", str(caught.exception))
        self.assertEqual(caught.exception.vertices, [])

    def test_an_error_of_a_scene_names_the_place(self):
        builder = rumple.SceneBuilder("s").cloth("a", rumple.grid(3, 3, 1, 1)).phase("p", duration=0.404)
        with self.assertRaisesRegex(rumple.InputError, r"s: phases\[0\].duration: 0.404 s is 40.4 steps"):
            builder.build()
        bad = rumple.grid(3, 3, 1.0, 1.0)
        bad.positions[4] = bad.positions[1]
        with self.assertRaises(rumple.InputError) as caught:
            rumple.SceneBuilder("s").cloth("a", bad).phase("p", duration=0.4).build()
        self.assertEqual(caught.exception.cloth, "a")


if __name__ == "__main__":
    unittest.main()
