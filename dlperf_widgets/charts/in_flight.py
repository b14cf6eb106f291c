"""Bytes in flight against latency: what must be under way to keep a memory busy, by Little's law."""

from ..cost import Scenario
from ..cost.lanes import bytes_in_flight
from ..language import tr
from ..units import si
from ._chart import Axis, Chart, Line, Mark, Points, Spans
from .occupancy_options import OccupancyOptions, resident
from .roles import Role

_LOW, _HIGH = 1e-8, 1e-5  # seconds of latency in view
_SHORTEST = 5  # of a stretch that has room for its name: the ratio of its ends
_LEAST, _MOST = 1e3, 1e9  # bytes in view


def under_way(scenario: Scenario, options: OccupancyOptions) -> int:
    """Return the bytes that all blocks on the GPU have in flight."""
    blocks = resident(scenario, options).blocks * scenario.gpu.sms
    return blocks * options.threads * options.in_flight


def needed(scenario: Scenario, options: OccupancyOptions) -> float:
    """Return the bytes that the full bandwidth needs in flight at the latency asked about."""
    return bytes_in_flight(scenario.gpu.bandwidth, options.latency * 1e-9)


def hidden_latency(scenario: Scenario, options: OccupancyOptions) -> float:
    """Return the longest latency, in seconds, at which the kernel still reaches the full bandwidth."""
    return under_way(scenario, options) / scenario.gpu.bandwidth


def reached(scenario: Scenario, options: OccupancyOptions) -> float:
    """Return the bandwidth, in bytes/s, that the bytes in flight allow."""
    return min(scenario.gpu.bandwidth, under_way(scenario, options) / (options.latency * 1e-9))


def in_flight(scenario: Scenario, options: OccupancyOptions) -> Chart:
    """Return the bytes that memory needs in flight against its latency, and those that the kernel has."""
    kept, hides = under_way(scenario, options), hidden_latency(scenario, options)
    ends = (_LOW, _HIGH)
    floor = min(max(kept, _LEAST), _MOST)
    marks: list[Mark] = list(_stretches(hides))
    required = tuple(scenario.gpu.bandwidth * latency for latency in ends)
    marks.append(Line("needed for the full bandwidth", Role.MEMORY, ends, required))
    marks.append(Line("kept in flight by this kernel", Role.PREDICTED, ends, (floor, floor), dash="solid"))
    here = Points(
        "this kernel", Role.CURRENT, (options.latency * 1e-9,), (floor,),
        notes=(sentence(scenario, options),), drag="latency",
    )  # fmt: skip
    return Chart(
        "Bytes in flight", Axis("Latency", "s", ends, log=True),
        Axis("Bytes in flight", "B", (_LEAST, _MOST), log=True), (*marks, here), sentence(scenario, options),
    )  # fmt: skip


def _stretches(hides: float) -> list[Mark]:
    """Return whether bandwidth or latency decides, as far as there is room to say so."""
    edge = min(max(hides, _LOW), _HIGH)
    found: list[Mark] = []
    if edge > _LOW * _SHORTEST:
        found.append(Spans("bandwidth", Role.MEMORY, _LOW, edge))
    if edge < _HIGH / _SHORTEST:
        found.append(Spans("latency", Role.LAUNCH, edge, _HIGH))
    return found


def sentence(scenario: Scenario, options: OccupancyOptions) -> str:
    """Return what is in flight, what is needed, and the bandwidth that follows."""
    values = {
        "kept": si(under_way(scenario, options), "B"), "needed": si(needed(scenario, options), "B"),
        "latency": si(options.latency * 1e-9, "s"), "full": si(scenario.gpu.bandwidth, "B/s"),
        "reached": si(reached(scenario, options), "B/s"),
    }  # fmt: skip
    text = "{kept} in flight; {full} at {latency} of latency needs {needed}: {reached} at most."
    if under_way(scenario, options) >= needed(scenario, options):
        text = "{kept} in flight; {full} at {latency} of latency needs {needed}: in reach."
    return tr(text, **values)
