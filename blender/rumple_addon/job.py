"""The program in the background: a thread reads its events (docs/events.md) into a queue. Needs no Blender."""
import json
import os
import queue
import subprocess
import threading

NICENESS = 10
PATIENCE = 5  # s


class Job:
    def __init__(self, command, folder=None):
        self._events = queue.Queue()
        self._stderr = []
        self._process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
        self._yield_to_blender()
        self._threads = [threading.Thread(target=self._read_events, daemon=True),
                         threading.Thread(target=self._read_stderr, daemon=True)]
        for thread in self._threads:
            thread.start()

    def _yield_to_blender(self):
        """A lower priority: where cores are scarce the interface comes first."""
        try:
            os.setpriority(os.PRIO_PROCESS, self._process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        except (AttributeError, OSError):
            pass  # not on this system

    def _read_events(self):
        with self._process.stdout as lines:
            for line in lines:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue  # not an event
                if isinstance(event, dict):
                    self._events.put(event)

    def _read_stderr(self):
        with self._process.stderr as lines:
            for line in lines:
                self._stderr = (self._stderr + [line.rstrip()])[-20:]

    def events(self):
        """What arrived since the last call. Never waits."""
        arrived = []
        while True:
            try:
                arrived.append(self._events.get_nowait())
            except queue.Empty:
                return arrived

    @property
    def finished(self):
        """The program has ended and all that it said has been read."""
        return self._process.poll() is not None and not any(thread.is_alive() for thread in self._threads) \
            and self._events.empty()

    @property
    def status(self):
        return self._process.returncode

    @property
    def last_words(self):
        return "\n".join(self._stderr)

    def stop(self):
        """Asks the program to end, and waits for nothing: `finished` says when it has. Its folder stays fit to resume
        from the last checkpoint."""
        if self._process.poll() is None:
            self._process.terminate()
            threading.Thread(target=self.wait, daemon=True).start()

    def wait(self):
        """For a program that was asked to end: it may take PATIENCE, not more."""
        try:
            self._process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
