"""What stays behind: after a cell is run again and again, and after a slider was moved ten thousand times."""

import json
import subprocess
import sys
from pathlib import Path

from .timing import Figure, Skipped, counted

PART = "what stays"
RERUNS, STEPS = 100, 10_000
MIB = 2**20

BEGIN = """
import asyncio, gc, json
from ipywidgets.widgets import widget
from resource import getpagesize
import dlperf_widgets as dp
from dlperf_widgets.apps import _lifetime

def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * getpagesize()

def models():
    return len(widget._instances)
"""
# A cell that displays an explorer closes what its last run displayed: each run here is one of the same cell.
RERUN = """
from IPython.core.events import EventManager

class Shell:
    runs = 0
    events = EventManager(None, {{"post_run_cell": lambda result: None}})

    def get_parent(self):
        return {{"header": {{"msg_id": str(self.runs)}}, "metadata": {{"cellId": "a cell"}}}}

shell = Shell()
_lifetime._shell = lambda: shell

def run():
    shell.runs += 1
    explorer = dp.{name}()
    explorer._repr_mimebundle_()
    shell.events.trigger("post_run_cell", None)
    return explorer

kept = run()
first = models()
for _ in range(10):  # what is loaded and remembered once is no leak
    kept = run()
before = resident()
for _ in range({many}):
    kept = run()
print(json.dumps([first, models(), resident() - before]))
"""
MOVES = """
async def move():
    explorer = dp.{name}()
    control = next(iter(explorer.controls.sizes.values()))
    def steps(many):
        for i in range(many):
            control.value = 8 + 8 * (i % 1000)
    steps(2000)  # every size was seen, and what is remembered of them is
    first, before = models(), resident()
    steps({many})
    print(json.dumps([first, models(), resident() - before]))

asyncio.run(move())
"""


def _told(code: str, name: str, many: int) -> list[float]:
    command = [sys.executable, "-c", BEGIN + code.format(name=name, many=many)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    told: list[float] = json.loads(done.stdout.splitlines()[-1])
    return told


def leaks(names: tuple[str, ...] = ("LayerExplorer",)) -> list[Figure]:
    """Return models alive and memory kept, after one run and after many."""
    if not Path("/proc/self/statm").exists():
        raise Skipped("this system does not tell the memory of a process as Linux does")
    found = []
    for name in names:
        first, last, kept = _told(RERUN, name, RERUNS)
        found += [
            counted(PART, f"{name}: models alive after 1 run", "", first),
            counted(PART, f"{name}: more after {RERUNS} re-runs", "", last - first, 0),
            counted(PART, f"{name}: memory left by a re-run", "MiB", max(kept, 0) / RERUNS / MIB, 1),
        ]
    first, last, kept = _told(MOVES, "LayerExplorer", STEPS)
    return [
        *found,
        counted(PART, f"LayerExplorer: more models after {STEPS:,} steps", "", last - first, 0),
        counted(PART, f"LayerExplorer: memory after {STEPS:,} steps", "MiB", max(kept, 0) / MIB),
    ]
