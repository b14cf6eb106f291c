"""What one step of a slider costs in Python, in every tab of every explorer, and what it sends to the page.

A point is moved to a size seen before, whose curve is known; a new curve is another question. An event loop
runs, as in a notebook, so that what waits until the hand rests is no part of a step.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import comm
from comm.base_comm import BaseComm

from dlperf_widgets.apps import APPS, Explorer
from dlperf_widgets.models import MODELS

from .timing import Figure, Job, Times, busy, figures, loop

MOVED, CURVE = 3.0, 10.0  # ms, at most
PART = "one step of a slider, in Python"


class Sent:
    """What was sent to the page since the count was set to zero; nothing is weighed while times are taken."""

    messages = size = 0
    weighing = False


class Counting(BaseComm):
    """A connection that weighs what would go to the page."""

    def publish_msg(self, _type: str, data: Any = None, buffers: Any = None, **_keys: Any) -> None:
        """Count a message."""
        if Sent.weighing:
            Sent.messages += 1
            Sent.size += len(json.dumps(data, default=str)) + sum(len(memoryview(b)) for b in buffers or ())


class Steps(NamedTuple):
    """Two kinds of steps of one tab: each job is another step."""

    moved: list[Job]
    new: list[Job]


def steps(shown: Explorer, rounds: int) -> Steps | None:
    """Return steps of the tab in view, of its first control and of its second; None where it has none."""
    controls = [*_sizes(shown)]
    if not controls:
        return None
    (_, control, _), (field, other, owner) = controls[0], controls[min(1, len(controls) - 1)]

    def put(value: int) -> Job:
        return lambda: setattr(control, "value", value)

    step, now = control.step or control.value, control.value
    near = now - step if now + step > control.most else now + step
    asked = list(islice(_others(shown, field, owner, other), rounds))
    if not asked:
        return None

    def ask(changed: Any) -> Job:
        return lambda: setattr(shown, owner, changed)

    return Steps([put(value) for _ in range(rounds) for value in (near, now)], [ask(each) for each in asked])


def _others(shown: Explorer, field: str, owner: str, control: Any) -> Iterator[Any]:
    """Yield questions with another size, the nearest first, that the explorer can show."""
    for distance in range(1, 200):
        for value in (control.value + 8 * distance, control.value - 8 * distance, control.value + distance):
            try:
                changed = _changed(shown, field, owner, value)
                if owner == "options":
                    shown.check(shown.scenario, changed)
                elif shown.accept(changed) != changed:
                    continue
            except ValueError:
                continue
            yield changed


def _sizes(shown: Explorer) -> Iterator[tuple[str, Any, str]]:
    """Yield the sizes that have a control in view: field, control, and whose field it is."""
    for owner, group in (("options", shown.choices), ("scenario", shown.controls.layer)):
        for field, control in group.sizes.items():
            hidden = "none" in (control.layout.display, group.box.layout.display)
            if not hidden and not (owner == "options" and shown.controls.layer.box.layout.display != "none"):
                yield field, control, owner


def _changed(shown: Explorer, field: str, owner: str, value: int) -> Any:
    if owner == "scenario":
        return shown.scenario.resized(field, value)
    return replace(shown.options, **{field: value})


def taken(shown: Explorer, rounds: int = 15) -> tuple[Times, dict[str, tuple[float, float]]]:
    """Return the times of both kinds of steps of the tab in view, and messages and bytes of each step."""
    found = steps(shown, rounds)
    times: Times = {"": []}
    weights: dict[str, tuple[float, float]] = {}
    if found is None:
        return times, weights
    before = shown.scenario, shown.options
    for name, each in (("moved point", found.moved), ("new curve", found.new)):
        for job in each[:2]:  # seen once before it counts
            job()
        Sent.messages, Sent.size, Sent.weighing = 0, 0, True
        for job in each[2:4]:
            job()
        Sent.weighing = False
        weights[name] = Sent.messages / 2, Sent.size / 2
        chosen = each if name == "moved point" else each[4:]
        times[name] = [busy(job) for job in chosen]
        times[f"loop of {name}"] = [busy(loop) for _ in chosen]
        shown.scenario, shown.options = before
    return times, weights


async def explorers() -> list[Figure]:
    """Return a line for each kind of step in each tab of each explorer."""
    comm.create_comm = lambda *args, **kwargs: Counting(*args, **kwargs)
    found: list[Figure] = []
    for app in APPS:
        shown = app()
        network = type(shown.scenario.layer) in MODELS
        for index, title in enumerate(shown.tabs.titles):
            shown.tabs.selected_index = index
            times, weights = taken(shown)
            for name, most in (("moved point", MOVED), ("new curve", CURVE)):
                if name in weights:
                    found.append(
                        _line(f"{app.slug}, {title}: {name}", times, name, most, weights[name], network)
                    )
        shown.close()
    return found


def _line(
    title: str, times: Times, name: str, most: float, weight: tuple[float, float], network: bool
) -> Figure:
    own = {"": times[f"loop of {name}"], title: times[name]}
    (line,) = figures(PART, own, "ms", targets={title: most})
    messages, size = weight
    note = f"{messages:.0f} messages, {size / 1e3:.1f} kB" + (", a network" if network else "")
    return replace(line, note=note)


def run() -> list[Figure]:
    """Return all lines."""
    return asyncio.run(explorers())
