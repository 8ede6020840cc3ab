"""Single steps: views, states, forces, threads, memory."""
import gc
import os
import threading
import unittest

import numpy

import rumple
from scenes import twist


def address(array):
    return array.__array_interface__["data"][0]


class Simulator(unittest.TestCase):
    def test_steps_are_those_of_a_run(self):
        sim = rumple.Simulator(twist().build())
        phases = set()
        while not sim.done:
            phases.add(sim.phase)
            sim.step()
        self.assertEqual(phases, {"twist", "hold", "back"})
        self.assertEqual(sim.steps, 52)
        self.assertTrue((sim.positions == rumple.run(twist()).positions["tube"]).all())
        with self.assertRaisesRegex(rumple.SimulationError, "the timeline has ended"):
            sim.step()

    def test_positions_are_a_view_that_follows_the_steps(self):
        sim = rumple.Simulator(twist().build())
        x, anchor = sim.positions, sim.history["anchor"]
        before = x.copy()
        self.assertFalse(x.flags.writeable)
        self.assertFalse(x.flags.owndata)
        for _ in range(21):
            sim.step()
        self.assertFalse((x == before).all())
        self.assertEqual(address(x), address(sim.positions))
        self.assertEqual(address(anchor), address(sim.history["anchor"]))
        self.assertTrue((x == sim.positions_of("tube")).all())
        sim.restart()
        self.assertTrue((x == before).all())
        self.assertEqual(address(x), address(sim.positions))
        del sim
        gc.collect()
        self.assertTrue((x == before).all())  # the view keeps the simulator

    def test_save_and_restore(self):
        sim = rumple.Simulator(twist().build())
        for _ in range(10):
            sim.step()
        saved = sim.save()
        for _ in range(10):
            sim.step()
        later = sim.positions.copy()
        sim.restore(saved)
        self.assertEqual(sim.steps, 10)
        for _ in range(10):
            sim.step()
        self.assertTrue((sim.positions == later).all())
        other = rumple.Simulator(twist(around=20).build())
        with self.assertRaisesRegex(rumple.InputError, "not those of this scene"):
            other.restore(saved)

    def test_what_there_is_to_look_at(self):
        sim = rumple.Simulator(twist().build())
        for _ in range(20):
            report = sim.step()
        self.assertGreater(report.solves, 0)
        self.assertGreater(report.potential_energy, 0)
        self.assertAlmostEqual(report.potential_energy, sim.potential_energy(), places=6)
        self.assertIn("solve", report.timing)
        hinges = len(sim.hinges)
        self.assertEqual(sim.history["plastic"].shape, (hinges,))
        self.assertEqual(sim.membrane_history, {})
        self.assertEqual(sim.memory().shape, sim.positions.shape)
        self.assertEqual(sim.measures()["tube"].keys(), rumple.run(twist()).measures["tube"].keys())
        force, torque = sim.reaction("top", about=(0, 0, 0))
        self.assertLess(torque[2], 0)  # it is twisted clockwise
        self.assertLess(abs(sim.forces().sum(axis=0)).max(), 1e-9)  # inner forces add up to nothing
        self.assertEqual(len(sim.contacts()["a"]), 0)
        with self.assertRaisesRegex(rumple.InputError, "top"):
            sim.reaction("tip")

    def test_contacts(self):
        floor = {"kind": "plane", "point": [0, 0, -0.01]}
        scene = (rumple.SceneBuilder("drop").cloth("sheet", rumple.grid(5, 5, 0.1, 0.1))
                 .obstacle("floor", shape=floor).phase("fall", duration=0.2).build())
        sim = rumple.Simulator(scene)
        while not sim.done:
            report = sim.step()
        self.assertGreater(report.contact.touching, 0)
        contacts = sim.contacts()
        self.assertEqual(contacts["tangential_displacement"].shape, (len(contacts["kind"]), 3))
        self.assertEqual(list(sim.obstacle_positions()), ["floor"])

    def test_forces_that_balance_gravity(self):
        scene = (rumple.SceneBuilder("float", gravity=(0, 0, -9.81)).cloth("sheet", rumple.grid(6, 5, 0.1, 0.08))
                 .phase("float", duration=0.3).build())
        carried, free = rumple.Simulator(scene), rumple.Simulator(scene)
        start = carried.positions.copy()
        lift = carried.masses[:, None] * [0, 0, 9.81]
        while not carried.done:
            carried.step(forces=lift)
            free.step()
        self.assertLess(abs(carried.positions - start).max(), 1e-12)
        self.assertLess(free.positions[:, 2].max(), start[:, 2].min() - 0.3)
        carried.restart()
        free.restart()
        carried.step(forces=numpy.zeros_like(lift))
        free.step()
        self.assertTrue((carried.positions == free.positions).all())
        with self.assertRaisesRegex(rumple.InputError, "3 rows for 30 vertices"):
            free.step(forces=lift[:3])

    def test_a_failed_step_leaves_the_state(self):
        wild = twist().to_dict()
        wild["phases"][0]["motions"] = {"top": {"translate": [0, 0, 900]}}
        sim = rumple.Simulator(rumple.load_scene(wild))
        before = sim.positions.copy()
        with self.assertRaisesRegex(rumple.SimulationError, "phase 'twist', step 1"):
            for _ in range(20):
                sim.step()
                before = sim.positions.copy()
        self.assertTrue((sim.positions == before).all())

    def test_two_threads_side_by_side(self):
        sims = [rumple.Simulator(twist(around=32, up=25).build(), threads=1) for _ in range(2)]
        running, overlapped = [0, 0], []

        def work(i):
            while not sims[i].done:
                running[i] = 1
                sims[i].step()
                overlapped.append(running[1 - i] == 1)
            running[i] = 0
        threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertGreater(sum(overlapped), 10)
        alone = rumple.Simulator(twist(around=32, up=25).build(), threads=1)
        while not alone.done:
            alone.step()
        for sim in sims:
            self.assertTrue((sim.positions == alone.positions).all())

    def test_one_simulator_serves_one_thread(self):
        sim = rumple.Simulator(twist(around=48, up=40).build(), threads=1)
        refused = threading.Event()

        def work():
            while not sim.done and not refused.is_set():
                try:
                    sim.step()
                except rumple.InputError as error:
                    self.assertIn("another thread is using it", str(error))
                    refused.set()
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(refused.is_set())

    def test_a_thousand_simulators_leak_nothing(self):
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        scene = twist(around=8, up=5).build()

        def make(count):
            for _ in range(count):
                sim = rumple.Simulator(scene, threads=1)
                sim.step()
                sim.positions, sim.history, sim.save()
            gc.collect()
        make(100)
        before = resident()
        make(1000)
        self.assertLess(resident() - before, 4 << 20)


class Stepper(unittest.TestCase):
    def test_a_moving_handle(self):
        loop = rumple.Stepper(twist().build())
        top, bottom = loop.handle_vertices("top"), loop.handle_vertices("bottom")
        x = loop.positions
        held, pulled = x[bottom].copy(), x[top].copy()
        for _ in range(20):
            pulled = pulled + [0, 0, 1e-4]
            loop.step(0.01, handles={"top": pulled, "bottom": held})
        self.assertTrue((x[top] == pulled).all())
        self.assertTrue((x[bottom] == held).all())
        self.assertEqual(address(x), address(loop.positions))
        reactions = loop.reactions()
        self.assertGreater(reactions["top"][:, 2].sum(), 0)
        self.assertAlmostEqual(loop.time, 0.2)
        loop.step(0.01, material_dt=1000, handles={"bottom": held})
        self.assertAlmostEqual(loop.material_time, 1000.2)
        self.assertNotIn("top", loop.reactions())

    def test_the_loop_takes_the_steps_of_the_simulator(self):
        scene = twist().build()
        sim, loop = rumple.Simulator(scene), rumple.Stepper(scene)
        top, bottom = loop.handle_vertices("top"), loop.handle_vertices("bottom")
        start = loop.positions.copy()
        for i in range(20):
            sim.step()
            loop.step(0.01, handles={"top": sim.positions[top], "bottom": start[bottom]})
        self.assertLess(abs(loop.positions - sim.positions).max(), 1e-12)

    def test_a_moving_obstacle(self):
        ball = rumple.grid(5, 5, 0.3, 0.3)
        ball.positions[:, 2] = -0.002
        scene = (rumple.SceneBuilder("lift", gravity=(0, 0, 0)).cloth("sheet", rumple.grid(5, 5, 0.1, 0.1))
                 .obstacle("plate", mesh=ball).phase("p", duration=0.1).build())
        loop = rumple.Stepper(scene, moving=["plate"])
        place = ball.positions.copy()
        for _ in range(20):
            place[:, 2] += 5e-4
            loop.step(0.01, obstacles={"plate": place})
        self.assertGreater(loop.positions[:, 2].min(), place[0, 2])
        with self.assertRaisesRegex(rumple.InputError, "stands still"):
            rumple.Stepper(scene).step(0.01, obstacles={"plate": place})

    def test_free_fall_under_a_force(self):
        scene = (rumple.SceneBuilder("pull", gravity=(0, 0, 0), step={"solver": "direct"})
                 .cloth("sheet", rumple.grid(6, 5, 0.1, 0.08)).phase("unused", duration=0.01).build())
        loop = rumple.Stepper(scene)
        start, h, pull = loop.positions.copy(), 0.01, numpy.array([0.5, -0.25, 2.0])  # m/s²
        for _ in range(20):
            loop.step(h, forces=loop.masses[:, None] * pull)
        self.assertLess(abs(loop.positions - start - pull * h * h * 20 * 21 / 2).max(), 1e-12)
        with self.assertRaisesRegex(rumple.SimulationError, "force on vertex 0 is not a finite number"):
            loop.step(h, forces=numpy.full_like(start, numpy.nan))

    def test_wrong_targets(self):
        loop = rumple.Stepper(twist().build())
        with self.assertRaisesRegex(rumple.InputError, "2 targets for 16 vertices"):
            loop.step(0.01, handles={"top": numpy.zeros((2, 3))})
        with self.assertRaisesRegex(rumple.InputError, "handle"):
            loop.step(0.01, handles={"tip": numpy.zeros((2, 3))})
        with self.assertRaises(rumple.SimulationError):
            loop.step(float("nan"))


if __name__ == "__main__":
    unittest.main()
