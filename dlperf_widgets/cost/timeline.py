"""When each stage and each link of a training step is busy: plain data for a picture.

Micro-batches are drawn as GPipe runs them, all forward and then all backward. 1F1B takes the same time with
the same bubble, and holds fewer activations.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import TYPE_CHECKING

from .exchange import Exchange, When

if TYPE_CHECKING:
    from .parallel import Step

NOTHING = 1e-9  # share of a step that rounding leaves
MOST = 256  # spans of one direction in all lanes of stages: more micro-batches are drawn together


class Activity(StrEnum):
    """What a span of a timeline shows."""

    FORWARD = "forward"
    BACKWARD = "backward"
    UPDATE = "update"
    EXPOSED = "exposed"  # communication that a stage waits for
    OVERLAPPED = "overlapped"  # communication while the stage computes
    BUBBLE = "bubble"  # a stage waits for the others


@dataclass(frozen=True)
class Span:
    """One piece of a lane. Times are in seconds from the beginning of the step."""

    lane: str
    name: str
    start: float
    end: float
    role: Activity


class _Lane:
    """Spans one after another; what lies between two is a bubble."""

    def __init__(self, name: str) -> None:
        self.name, self.at = name, 0.0
        self.spans: list[Span] = []

    def add(self, name: str, seconds: float, role: Activity) -> None:
        if seconds > 0:
            self.spans.append(Span(self.name, name, self.at, self.at + seconds, role))
            self.at += seconds

    def until(self, time: float) -> None:
        if time - self.at > NOTHING * time:
            self.spans.append(Span(self.name, "bubble", self.at, time, Activity.BUBBLE))
            self.at = time


def timeline(step: "Step") -> tuple[Span, ...]:
    """Return the spans of all stages, each from the start of the step to its end, then of busy links.

    Links are those of the first stage. A lane's spans follow one another in time and never overlap.
    """
    stages = [span for stage in range(step.plan.pipeline) for span in _stage(step, stage)]
    hidden = [e for e in step.exchanges if e.overlapped > NOTHING * step.time]
    return (*stages, *(span for exchange in hidden for span in _link(step, exchange)))


def _stage(step: "Step", stage: int) -> list[Span]:
    stages, chunks = step.plan.pipeline, step.plan.interleave
    lane = _Lane(f"stage {stage + 1}" if stages > 1 else "GPU")
    ahead, back = (slot / chunks + hop for slot, hop in zip(step.slots, step.hops, strict=True))
    lane.until(stage * ahead)
    _run(lane, step, When.FORWARD)
    lane.until(_turn(step) + (stages - 1) * ahead + (stages - 1 - stage) * back)
    _run(lane, step, When.BACKWARD)
    lane.add("gradients", _exposed(step, When.GRADIENTS), Activity.EXPOSED)
    lane.add("update", step.work.update, Activity.UPDATE)
    lane.add("weights", _exposed(step, When.WEIGHTS), Activity.EXPOSED)
    lane.until(step.time)
    last = lane.spans[-1]
    return [*lane.spans[:-1], Span(last.lane, last.name, last.start, step.time, last.role)]


def _run(lane: _Lane, step: "Step", when: When) -> None:
    """Add all micro-batches of one direction: computing, then what it waits for."""
    drawn = _drawn(step)
    waits = _exposed(step, when) / drawn
    for i in range(drawn):
        lane.add(_named(step, when, i), _computing(step, when) / drawn, Activity(when))
        lane.add("communication", waits, Activity.EXPOSED)


def _computing(step: "Step", when: When) -> float:
    one = step.work.forward if when is When.FORWARD else step.work.backward
    return step.plan.microbatches * one


def _exposed(step: "Step", when: When) -> float:
    return fsum(e.exposed for e in step.exchanges if e.when is when)


def _turn(step: "Step") -> float:
    """Return when the first stage has run all micro-batches forward."""
    return _computing(step, When.FORWARD) + _exposed(step, When.FORWARD)


def _drawn(step: "Step") -> int:
    """Return how many spans stand for a stage's chunks of micro-batches: all, or an equal part of them."""
    slots = step.plan.microbatches * step.plan.interleave
    most = max(MOST // step.plan.pipeline, 1)
    return next(n for n in range(min(slots, most), 0, -1) if slots % n == 0)


def _named(step: "Step", when: When, i: int) -> str:
    """Return a span's name, counting from 1. Chunks take turns in groups of as many as there are stages."""
    plan, drawn = step.plan, _drawn(step)
    together = plan.microbatches * plan.interleave // drawn
    if together > 1:
        return f"{when} x {together}"
    if plan.interleave == 1:
        return f"{when} {i + 1}"
    group, rest = divmod(i, plan.pipeline * plan.interleave)
    chunk, place = divmod(rest, plan.pipeline)
    return f"{when} {group * plan.pipeline + place + 1}, chunk {chunk + 1}"


def _link(step: "Step", exchange: Exchange) -> list[Span]:
    """Return when a link carries what is hidden behind computing on the first stage."""
    turn = _turn(step)
    back = turn + step.bubble  # the first stage waits for its own gradients in between
    end = back + _computing(step, When.BACKWARD) + _exposed(step, When.BACKWARD)
    if exchange.when not in (When.FORWARD, When.BACKWARD):
        return [Span(exchange.name, exchange.name, end - exchange.overlapped, end, Activity.OVERLAPPED)]
    drawn = _drawn(step)
    start, stop = (0.0, turn) if exchange.when is When.FORWARD else (back, end)
    slot, each = (stop - start) / drawn, exchange.overlapped / drawn
    return [
        Span(exchange.name, exchange.name, at, at + each, Activity.OVERLAPPED)
        for at in (start + i * slot for i in range(drawn))
    ]
