#!/usr/bin/env python3
"""A sweep here and on a real Slurm: the same table, byte for byte, though jobs, a node and the controller are killed.

    test_farm.py PROGRAM FOLDER      FARM_JOBS: how many jobs (200; 0: all but the large sweep)
                                     FARM_STEPS: of a job, its beginning besides (1200: about 2 s of a core)

Slurm runs on this machine (slurm.sh) and listens on the loopback address. Without Slurm the test is skipped with a
sentence. Prints what it measured; exits with 1 when a claim does not hold.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
NODES = 3
KILLS = 5
OVERHEAD_JOBS = 30
REPEATS = 3  # the smallest time counts: others may use the machine
failures = []


def check(claim: str, holds: bool, measured: str = "") -> None:
    print(f"{'holds' if holds else 'FAILS':6} {claim}{': ' + measured if measured else ''}", flush=True)
    if not holds:
        failures.append(claim)


def scene(steps: int) -> dict:
    """A tube that is twisted, held and turned back; `steps` after the beginning that jobs share."""
    turn = {"rotate": {"axis": [0, 0, 1], "degrees": -60}, "translate": [0, 0, -0.01]}
    back = {"rotate": {"axis": [0, 0, 1], "degrees": 60}, "translate": [0, 0, 0.01]}
    h = 0.005
    return {
        "rumple": 1, "name": "farm", "gravity": [0, 0, 0], "step": {"h": h}, "output": {"rate": 10},
        "cloths": [{"name": "tube", "material": "cotton",
                    "mesh": {"generator": "tube", "radius": 0.03, "height": 0.08, "around": 48, "up": 20},
                    "imperfection": {"amplitude": 1e-4, "seed": 1, "direction": "radial"}}],
        "handles": [{"name": "bottom", "select": {"ring": "bottom"}}, {"name": "top", "select": {"ring": "top"}}],
        "phases": [{"name": "twist", "duration": max(1, steps // 3) * h, "motions": {"top": turn}},
                   {"name": "hold", "hold": 10, "steps": max(1, steps // 3)},
                   {"name": "back", "duration": max(1, steps // 3) * h, "motions": {"top": back}},
                   {"name": "settle", "duration": max(1, steps // 3) * h}],
    }


class Farm:
    def __init__(self, program: str, folder: pathlib.Path):
        self.program, self.folder = program, folder
        self.slurm = folder / "slurm"
        self.env = dict(os.environ, SLURM_CONF=str(self.slurm / "slurm.conf"))

    def control(self, *arguments: str) -> None:
        subprocess.run(["sh", str(HERE / "slurm.sh"), arguments[0], str(self.slurm), *arguments[1:]], check=True,
                       env=self.env)

    def command(self, *arguments: str) -> list[str]:
        return [self.program, "sweep", *map(str, arguments)]

    def sweep(self, *arguments: str) -> float:
        start = time.monotonic()
        subprocess.run(self.command(*arguments, "--quiet"), check=True, env=self.env, cwd=self.folder)
        return time.monotonic() - start

    def tasks(self, out: pathlib.Path) -> list[int]:
        """Processes that run jobs of a sweep."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if words[1:3] == [b"sweep", b"task"] and words[3] == str(out).encode():
                found.append(int(path.parent.name))
        return found

    def queue(self) -> list[str]:
        """Tasks that Slurm has."""
        answer = subprocess.run(["squeue", "--noheader", "--array", "--format=%i"], env=self.env, check=True,
                                capture_output=True, text=True)
        return answer.stdout.split()

    def complete(self, out: pathlib.Path) -> int:
        return sum(1 for _ in out.glob("jobs/*/summary.json"))

    def disturb(self, out: pathlib.Path, jobs: int, process: subprocess.Popen) -> tuple[int, int]:
        """Kills jobs, a node and the controller while the sweep runs; returns how many jobs it killed."""
        rng = random.Random(int(os.environ.get("FARM_SEED", "1")))
        when = sorted(rng.uniform(0.05, 0.8) for _ in range(KILLS))
        node_dies, node_returns, controller_dies = 0.3, 0.45, 0.55
        kills, nodes = 0, 0
        while process.poll() is None:
            done = self.complete(out) / jobs
            if when and done >= when[0]:
                running = self.tasks(out)
                if running:
                    os.kill(rng.choice(running), signal.SIGKILL)
                    kills += 1
                    when.pop(0)
            if nodes == 0 and done >= node_dies and self.tasks(out):
                self.control("kill-node", "2")
                nodes, node_lost = 1, time.monotonic()
            if nodes == 1 and done >= node_returns and time.monotonic() - node_lost > 15:
                self.control("start-node", "2")
                nodes = 2
            if nodes >= 1 and done >= controller_dies and controller_dies < 1:
                controller_dies = 2
                self.control("kill-controller")
                time.sleep(2)
                self.control("start-controller")
            time.sleep(0.1)
        return kills, nodes


def simulated(out: pathlib.Path) -> float:
    """Seconds that runs of a sweep spent in their steps and files. A run that continues a beginning counts its time,
    too, so that it is taken away again."""
    total = 0.0
    beginnings = {}
    lines = [json.loads(line) for line in open(out / "jobs.jsonl")]
    for job in lines:
        timing = json.loads((out / job["folder"] / "timing.json").read_text())["seconds"]["total"]
        beginnings[job["folder"]] = timing
        total += timing - (beginnings[lines[job["after"]]["folder"]] if "after" in job else 0)
    return total


def overhead(what: str, limit: float, places: int, seconds: float, out: pathlib.Path, jobs: int) -> None:
    """What the places in which jobs run spent on anything but simulating, for each job."""
    work = simulated(out)
    mean = (places * seconds - work) / jobs
    check(f"overhead of a {what} job is below {limit} s", mean < limit,
          f"({places} x {seconds:.1f} s - {work:.1f} s) / {jobs} jobs = {mean:.3f} s, of jobs of {work / jobs:.2f} s; "
          f"load average {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} of {os.cpu_count()} cores")


def overheads(farm: Farm, steps: int) -> None:
    """Jobs of about 2 s that share nothing."""
    jobs = OVERHEAD_JOBS
    (farm.folder / "single.json").write_text(json.dumps(scene(steps)))
    (farm.folder / "single_sweep.json").write_text(json.dumps(
        {"scene": "single.json", "seeds": {"key": "cloths.tube.imperfection.seed", "count": jobs}}))
    seconds = farm.sweep("single_sweep.json", "--out", "single", "--jobs", "1", "--threads", "1")
    overhead("local", 0.3, 1, seconds, farm.folder / "single", jobs)
    seconds = farm.sweep("single_sweep.json", "--out", "single-slurm", "--engine", "slurm", "--wait")
    overhead("Slurm", 1.5, NODES, seconds, farm.folder / "single-slurm", jobs)


def planning(farm: Farm) -> None:
    """5,000 jobs of the built-in scene of the documentation, and of a garment of 20,000 vertices."""
    holds = [0, 1, 2, 5, 10, 20, 50, 100, 500, 1000]
    imperfection = {"amplitude": 1e-4, "seed": 1}
    plan(farm, "twist", {"cloths.tube.material.preset": ["cotton", "denim"], "phases.hold.hold": holds},
         "cloths.tube.imperfection.seed")
    plan(farm, "trousers", {"cloths.trousers.imperfection": [imperfection], "cloths.trousers.mesh.edge": [0.0075],
                            "cloths.trousers.material.preset": ["cotton", "denim"], "phases.hold.hold": holds},
         "cloths.trousers.imperfection.seed")
    times = []
    for i in range(REPEATS):
        start = time.monotonic()
        subprocess.run(farm.command("status", "many-twist"), check=True, cwd=farm.folder, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - start)
    check("status takes less than 1 s", min(times) < 1, f"{min(times):.2f} s")


def plan(farm: Farm, name: str, grid: dict, seed: str) -> None:
    (farm.folder / "many.json").write_text(json.dumps(
        {"scene": name, "grid": grid, "seeds": {"key": seed, "count": 250}}))
    times, busy, memory = [], [], 0
    for i in range(REPEATS):
        start = time.monotonic()
        child = subprocess.Popen(
            farm.command("many.json", "--plan-only", "--quiet", "--out", f"many-{name}"), cwd=farm.folder)
        _, status, usage = os.wait4(child.pid, 0)
        times.append(time.monotonic() - start)
        busy.append(usage.ru_utime + usage.ru_stime)
        memory = max(memory, usage.ru_maxrss / 1024)
        jobs = sum(1 for line in open(farm.folder / f"many-{name}/jobs.jsonl") if '"folder":"jobs/' in line)
        check(f"5000 jobs of {name} are planned", status == 0 and jobs == 5000)
    check(f"planning {name} takes less than 2 s of a core and 200 MB", min(busy) < 2 and memory < 200,
          f"{min(busy):.2f} s, in {min(times):.2f} s; {memory:.0f} MB")


def refusals(farm: Farm) -> None:
    """Bad input: status 2, one sentence, nothing submitted or written."""
    (farm.folder / "empty.json").write_text(json.dumps(scene(1)))
    seeds = {"key": "cloths.tube.imperfection.seed", "count": 2}
    good = {"scene": "empty.json", "seeds": seeds}
    digits = list(range(10))
    keys = ["step.h", "phases.hold.hold", "phases.hold.steps", "phases.twist.duration", "phases.back.duration",
            "phases.settle.duration", "cloths.tube.imperfection.amplitude", "cloths.tube.mesh.up",
            "cloths.tube.mesh.around"]
    cases = [("a key that no scene has", dict(good, grid={"phases.hold.hodl": [1]}), [], "hodl"),
             ("a grid of 1e9 points", {"scene": "empty.json", "grid": {k: digits for k in keys}}, [], "1e+09 points"),
             ("a missing partition", good, ["--partition", "night"], "night"),
             ("an option that sweeps set", good, ["--sbatch=--array=0-9"], "--array"),
             ("no sbatch", good, [], "no sbatch")]
    for what, sweep, options, part in cases:
        (farm.folder / "bad.json").write_text(json.dumps(sweep))
        env = dict(farm.env, PATH="/nowhere") if what == "no sbatch" else farm.env
        ended = subprocess.run(farm.command("bad.json", "--out", "bad", "--engine", "slurm", *options), env=env,
                               cwd=farm.folder, capture_output=True, text=True)
        said = ended.stderr
        check(f"{what} is refused in one sentence",
              ended.returncode == 2 and said.count("\n") == 1 and part in said and not (farm.folder / "bad").exists()
              and not farm.queue(), said.strip())


def queued_sweeps(farm: Farm) -> None:
    """A sweep that grows while it is queued, and one that is cancelled; their folder has a blank in its name."""
    (farm.folder / "empty.json").write_text(json.dumps(scene(1)))
    def submit(holds: list, *options: str) -> str:
        (farm.folder / "grow.json").write_text(json.dumps(
            {"scene": "empty.json", "grid": {"phases.hold.hold": holds},
             "seeds": {"key": "cloths.tube.imperfection.seed", "count": 2}}))
        return subprocess.run(farm.command("grow.json", *options), check=True, env=farm.env, cwd=farm.folder,
                              capture_output=True, text=True).stdout
    slurm = ["--engine", "slurm", "--sbatch=--hold", "--out", "grow slurm"]
    first, second = submit([10, 20], *slurm), submit([5, 10, 20], *slurm)
    check("a sweep that grows submits what is new", "6 tasks" in first and "2 tasks" in second,
          f"{first.splitlines()[-1]}; {second.splitlines()[-1]}")
    subprocess.run(farm.command("cancel", "grow slurm"), check=True, env=farm.env, cwd=farm.folder,
                   stdout=subprocess.DEVNULL)
    time.sleep(3)
    check("cancel ends what is queued", not farm.queue())
    submit([5, 10, 20], *slurm)
    subprocess.run(["scontrol", "release", *sorted({task.split("_")[0] for task in farm.queue()})], check=True,
                   env=farm.env)
    submit([5, 10, 20], "--engine", "slurm", "--out", "grow slurm", "--wait")
    submit([5, 10, 20], "--out", "grow local")
    check("both have the same table", (farm.folder / "grow slurm/results.csv").read_bytes() ==
          (farm.folder / "grow local/results.csv").read_bytes())


def broken_nodes(farm: Farm) -> None:
    """Nodes that cannot start jobs, as with a full disk: Slurm holds the tasks that it gave them."""
    spools = [farm.slurm / f"spool.node{k + 1}" for k in range(NODES)]

    def break_nodes() -> None:
        for spool in spools:
            shutil.rmtree(spool)
            spool.touch()

    def repair() -> None:
        for spool in spools:
            spool.unlink()
            spool.mkdir()

    (farm.folder / "empty.json").write_text(json.dumps(scene(1)))
    (farm.folder / "few.json").write_text(json.dumps(
        {"scene": "empty.json", "grid": {"phases.hold.hold": [10, 20]},
         "seeds": {"key": "cloths.tube.imperfection.seed", "count": 3}}))
    farm.sweep("few.json", "--out", "few-local")
    table = (farm.folder / "few-local/results.csv").read_bytes()
    options = ["few.json", "--engine", "slurm", "--wait", "--quiet", "--out"]
    break_nodes()
    ended = subprocess.run(farm.command(*options, "few-slurm"), env=farm.env, cwd=farm.folder, capture_output=True,
                           text=True)
    check("a sweep that no node can start ends with one sentence", ended.returncode == 3 and
          ended.stderr.count("\n") == 1 and "have not ended" in ended.stderr, ended.stderr.strip())
    said = subprocess.run(farm.command("status", "few-slurm"), env=farm.env, cwd=farm.folder, check=True,
                          capture_output=True, text=True).stdout
    check("status says that Slurm holds tasks", "could not start 3 tasks" in said, said.splitlines()[-1])
    waits = subprocess.Popen(farm.command(*options, "few-waits"), env=farm.env, cwd=farm.folder)
    time.sleep(20)
    check("it waits while it releases them", waits.poll() is None)
    repair()
    check("when nodes are repaired, who waits sees the end", waits.wait() == 0)
    farm.sweep(*options, "few-slurm")
    check("the same sweep again completes what was held, with the same tables", all(
        (farm.folder / out / "results.csv").read_bytes() == table for out in ("few-waits", "few-slurm")))


def reproduces(farm: Farm) -> None:
    """An experiment whose runs are jobs on Slurm has the files of one that runs by itself."""
    for out, options in (("here", []), ("there", ["--engine", "slurm"])):
        subprocess.run([farm.program, "reproduce", "fold", "--size", "smoke", "--quiet", "--out", out, *options],
                       env=farm.env, cwd=farm.folder, stdout=subprocess.DEVNULL)
    files = sorted(f.relative_to(farm.folder / "here/fold") for f in (farm.folder / "here/fold").rglob("*")
                   if f.name in ("summary.json", "metrics.csv") or f.suffix == ".pc2")
    check("reproduce --engine slurm has the same runs", len(files) > 0 and all(
        (farm.folder / "here/fold" / f).read_bytes() == (farm.folder / "there/fold" / f).read_bytes() for f in files),
        f"{len(files)} files")
    ran = [f for f in (farm.folder / "there/fold").rglob("job.json")]
    check("its runs were jobs", len(ran) > 0, f"{len(ran)}")


def same_tables(farm: Farm, jobs: int, steps: int) -> None:
    seeds = max(1, jobs // 10)
    (farm.folder / "scene.json").write_text(json.dumps(scene(steps)))
    (farm.folder / "sweep.json").write_text(json.dumps(
        {"scene": "scene.json",
         "grid": {"phases.hold.hold": [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]},
         "seeds": {"key": "cloths.tube.imperfection.seed", "count": seeds}}))
    jobs = 10 * seeds
    places = len(os.sched_getaffinity(0))
    seconds = farm.sweep("sweep.json", "--out", "local", "--jobs", str(places), "--threads", "1")
    table = (farm.folder / "local/results.csv").read_bytes()
    check(f"{jobs} jobs and {seeds} shared beginnings run locally", table.count(b",complete,") == jobs,
          f"{seconds:.0f} s")
    overhead("local", 0.3, places, seconds, farm.folder / "local", jobs)
    out = farm.folder / "slurm-run"
    start = time.monotonic()
    process = subprocess.Popen(farm.command("sweep.json", "--out", out, "--engine", "slurm", "--wait", "--quiet"),
                               env=farm.env, cwd=farm.folder)
    kills, nodes = farm.disturb(out, jobs, process)
    check("the sweep on Slurm ends well", process.returncode == 0, f"{time.monotonic() - start:.0f} s")
    check(f"{KILLS} jobs and a node were killed on the way", kills == KILLS and nodes >= 1, f"{kills} and {min(nodes, 1)}")
    check("the tables are the same, byte for byte", (out / "results.csv").read_bytes() == table, f"{len(table)} bytes")
    log = (farm.slurm / "slurmctld.log").read_text()
    check("Slurm requeued what the node had run", "requeue" in log.lower())


def main() -> int:
    program, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    jobs = int(os.environ.get("FARM_JOBS", "200"))
    steps = int(os.environ.get("FARM_STEPS", "1200"))
    for name in ("slurmctld", "slurmd", "munged", "sbatch"):
        if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin"):
            print(f"farm test skipped: there is no {name} on this machine")
            return 0
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "slurm").mkdir(parents=True)
    farm = Farm(program, folder)
    try:
        try:
            farm.control("start", str(NODES))
        except subprocess.CalledProcessError:
            print("farm test skipped: Slurm does not start here; its logs are in", folder / "slurm")
            return 0
        for test in (refusals, planning, queued_sweeps, broken_nodes, reproduces):
            test(farm)
        overheads(farm, steps)
        if jobs > 0:
            same_tables(farm, jobs, steps)
    finally:
        subprocess.run(["sh", str(HERE / "slurm.sh"), "stop", str(farm.slurm)], env=farm.env)
    print(f"{'all claims hold' if not failures else 'claims that fail: ' + '; '.join(failures)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
