"""Blocks of a kernel on an SM, against the threads of a block and against the registers of a thread."""

from collections.abc import Sequence
from typing import NamedTuple

from ..cost import Scenario
from ..cost.occupancy import Occupancy, OccupancyLimiter, occupancy
from ..cost.sm_limits import WARP
from ..language import remembered, tr
from ._chart import Axis, Chart, Line, Mark, Numbers, Points
from .occupancy_options import BLOCKS, LIMITERS, OccupancyOptions, percent, resident
from .roles import Role

_LOOKS = {  # of the room that each resource leaves
    OccupancyLimiter.WARPS: (Role.GUIDE, "dashed"),
    OccupancyLimiter.REGISTERS: (Role.MATH, "dashed"),
    OccupancyLimiter.SHARED_MEMORY: (Role.MEMORY, "dashed"),
    OccupancyLimiter.BLOCKS: (Role.GUIDE, "dotted"),
}
_GRANULE = 8  # registers of a thread: a warp of 32 gets 256 at a time
_NAMES = {BLOCKS: "blocks that fit", "": "warps that fit"}


class Step(NamedTuple):
    """A stretch of the x axis along which nothing changes."""

    low: int
    high: int
    found: Occupancy


def blocks_by_threads(scenario: Scenario, options: OccupancyOptions) -> Chart:
    """Return the blocks that fit an SM, and the room in each resource, against the threads of a block."""
    steps = by_threads(scenario.gpu.compute_capability, options.registers, options.shared_memory)
    x = Axis("Threads per block", "", (0, 1056), places=tuple(range(128, 1025, 128)))
    return _chart("threads", x, steps, scenario, options)


def blocks_by_registers(scenario: Scenario, options: OccupancyOptions) -> Chart:
    """Return the blocks that fit an SM, and the room in each resource, against the registers of a thread."""
    steps = by_registers(scenario.gpu.compute_capability, options.threads, options.shared_memory)
    x = Axis("Registers per thread", "", (0, 264), places=tuple(range(32, 257, 32)))
    return _chart("registers", x, steps, scenario, options)


@remembered(64)
def by_threads(capability: str, registers: int, shared_memory: int) -> tuple[Step, ...]:
    """Return a step for each number of warps that a block can have."""
    return tuple(
        Step(high - WARP + 1, high, occupancy(capability, high, registers, shared_memory))
        for high in range(WARP, 1025, WARP)
    )


@remembered(64)
def by_registers(capability: str, threads: int, shared_memory: int) -> tuple[Step, ...]:
    """Return a step for each number of registers that a thread can be given."""
    return tuple(
        Step(low, min(low + _GRANULE - 1, 255), occupancy(capability, threads, low, shared_memory))
        for low in range(1, 256, _GRANULE)
    )


def _chart(
    field: str, x: Axis, steps: Sequence[Step], scenario: Scenario, options: OccupancyOptions
) -> Chart:
    now = resident(scenario, options)
    in_blocks = options.show == BLOCKS
    most = now.limits.blocks_per_sm if in_blocks else now.limits.warps_per_sm
    y = Axis("Blocks per SM" if in_blocks else "Warps per SM", "", (0, 1.15 * most), places=_quarters(most))
    height = now.blocks if in_blocks else now.warps
    here = Points(
        "this kernel", Role.CURRENT, (float(getattr(options, field)),), (float(height),),
        notes=(_note(now),), drag=field,
    )  # fmt: skip
    marks: tuple[Mark, ...] = (*_rooms(steps, options, y.domain[1]), _fitting(steps, options), here)
    return Chart(x.label, x, y, marks, _alt(field, steps, now, scenario))


def _quarters(most: int) -> Numbers:
    return tuple(most * i / 4 for i in range(5))


def _rooms(steps: Sequence[Step], options: OccupancyOptions, top: float) -> list[Mark]:
    """Return a line for each resource that may run out, cut off where it leaves the picture."""
    lines: list[Mark] = []
    for limiter, _ in steps[0].found.room:
        role, dash = _LOOKS[limiter]
        heights = [min(_height(dict(s.found.room)[limiter], s, options), top) for s in steps]
        if min(heights) < top:
            name = f"room: {LIMITERS[limiter]}"
            lines.append(Line(name, role, _ends(steps), _twice(heights), dash=dash))
    return lines


def _fitting(steps: Sequence[Step], options: OccupancyOptions) -> Line:
    heights = [_height(step.found.blocks, step, options) for step in steps]
    name = _NAMES[BLOCKS if options.show == BLOCKS else ""]
    return Line(name, Role.PREDICTED, _ends(steps), _twice(heights), dash="solid")


def _height(blocks: int, step: Step, options: OccupancyOptions) -> float:
    return float(blocks if options.show == BLOCKS else blocks * step.found.warps_per_block)


def _ends(steps: Sequence[Step]) -> Numbers:
    return tuple(float(end) for step in steps for end in (step.low, step.high))


def _twice(heights: Sequence[float]) -> Numbers:
    return tuple(height for height in heights for _ in range(2))


def limited_by(now: Occupancy) -> str:
    """Return the names of all resources that leave room for no more blocks."""
    return ", ".join(tr(LIMITERS[limiter]) for limiter in now.limiters)


def rooms(now: Occupancy) -> str:
    """Return how many blocks each resource has room for."""
    return ", ".join(f"{tr(LIMITERS[limiter])} {blocks}" for limiter, blocks in now.room)


def _note(now: Occupancy) -> str:
    if now.fails:
        return tr("The launch fails: {why}.", why=now.fails)
    return tr(
        "Blocks per SM: {blocks}, {warps} of {most} warps ({share}). Room for blocks: {rooms}.",
        blocks=now.blocks, warps=now.warps, most=now.limits.warps_per_sm, share=percent(now.occupancy),
        rooms=rooms(now),
    )  # fmt: skip


def _alt(field: str, steps: Sequence[Step], now: Occupancy, scenario: Scenario) -> str:
    text = "Blocks per SM of {gpu} against threads per block: {first} at {low}, {last} at {high}."
    if field == "registers":
        text = "Blocks per SM of {gpu} against registers per thread: {first} at {low}, {last} at {high}."
    begin, end = steps[0], steps[-1]
    ends = tr(
        text, gpu=scenario.gpu.name, first=begin.found.blocks, low=begin.high, last=end.found.blocks,
        high=end.high,
    )  # fmt: skip
    return f"{ends} {_note(now)}"
