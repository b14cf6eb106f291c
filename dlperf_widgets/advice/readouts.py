"""The numbers beside a picture, and the answer when one of them is asked why."""

from typing import NamedTuple

from .._given import text, thing
from ..cost import Scenario
from ..gpus import Gpu
from ..language import tr
from ..ops import Gemm, Phase
from ..units import figures, si


class Readout(NamedTuple):
    """A number on screen. ``key`` asks ``why`` about it."""

    key: str
    label: str
    text: str


class Why(NamedTuple):
    """Where a number comes from: its formula with the numbers put in, and the sources of those."""

    title: str
    lines: tuple[str, ...]
    sources: tuple[tuple[str, str], ...] = ()  # title, address


def readouts(scenario: Scenario) -> tuple[Readout, ...]:
    """Return the time of each phase and of all, the work, and what the GPU allows."""
    scenario = thing("scenario", Scenario, scenario)
    gpu, form = scenario.gpu, scenario.format
    peak = gpu.peak(form.math, scenario.sparse)
    phases = [phase for phase in Phase if any(c.phase is phase for c in scenario.costs)]
    times = [Readout(str(phase), tr(str(phase)), si(_time(scenario, phase), "s")) for phase in phases]
    if len(times) > 1:
        times.append(Readout("step", tr("step"), si(scenario.time, "s")))
    return (
        *times,
        Readout("flops", tr("work"), si(scenario.flops, "FLOP")),
        Readout("bytes", tr("traffic"), si(scenario.bytes, "B")),
        Readout("intensity", tr("intensity"), f"{figures(scenario.arithmetic_intensity)} FLOPS/B"),
        Readout("peak", tr("peak"), si(peak, "FLOPS")),
        Readout("bandwidth", tr("bandwidth"), si(gpu.bandwidth, "B/s")),
    )


def _time(scenario: Scenario, phase: Phase) -> float:
    return sum(c.time * c.count for c in scenario.costs if c.phase is phase)


def why(scenario: Scenario, key: str) -> Why:
    """Return where the number of a readout comes from; ValueError if there is no such readout."""
    key = text("key", key)
    known = {readout.key: readout for readout in readouts(scenario)}
    if key not in known:
        raise ValueError(f"there is no number {key!r} to ask about: choose from {', '.join(known)}")
    readout = known[key]
    title = f"{readout.label}{tr(': ')}{readout.text}"
    if key in list(Phase):
        return Why(title, _times(scenario, Phase(key)))
    answers = {"step": _step, "flops": _flops, "bytes": _bytes, "intensity": _intensity}
    if key in answers:
        return Why(title, answers[key](scenario))
    return _datasheet(scenario, key, title)


_ROWS = 6  # explained in full; of a whole network the longest


def _times(scenario: Scenario, phase: Phase) -> tuple[str, ...]:
    costs = sorted((c for c in scenario.costs if c.phase is phase), key=lambda c: -c.time * c.count)
    lines = [line for cost in costs[:_ROWS] for line in cost.explain().split("\n")]
    if rest := costs[_ROWS:]:
        time = si(sum(c.time * c.count for c in rest), "s")
        lines.append(tr("and {count} shorter rows: {time}", count=len(rest), time=time))
    return tuple(lines)


def _step(scenario: Scenario) -> tuple[str, ...]:
    parts = [(phase, _time(scenario, phase)) for phase in Phase]
    return (" + ".join(f"{phase} {si(time, 's')}" for phase, time in parts if time),)


def _flops(scenario: Scenario) -> tuple[str, ...]:
    """A product's flops are twice its multiply-adds."""
    lines = [tr("a multiply-add is two FLOP")]
    for cost in scenario.costs[:_ROWS]:
        own = (cost.op,) if isinstance(cost.op, Gemm) else ()
        gemms: tuple[Gemm, ...] = getattr(cost.op, "gemms", own)
        for gemm in gemms:
            several = "".join(f" x {n}" for n in (gemm.batch, gemm.repeat, cost.count) if n > 1)
            shape = f"2 x {gemm.m:,} x {gemm.n:,} x {gemm.k:,}{several}"
            lines.append(f"{cost.path} {cost.phase}: {shape} = {si(gemm.flops * cost.count, 'FLOP')}".strip())
        if not gemms:
            lines.append(f"{cost.path} {cost.phase}: {si(cost.flops * cost.count, 'FLOP')}".strip())
    return (*lines, *_more(scenario))


def _bytes(scenario: Scenario) -> tuple[str, ...]:
    lines = [f"{c.path} {c.phase}: {si(c.bytes * c.count, 'B')}".strip() for c in scenario.costs[:_ROWS]]
    return (tr("every operand read once, every result written once"), *lines, *_more(scenario))


def _intensity(scenario: Scenario) -> tuple[str, ...]:
    ratio = figures(scenario.arithmetic_intensity)
    return (f"{si(scenario.flops, 'FLOP')} / {si(scenario.bytes, 'B')} = {ratio} FLOPS/byte",)


def _more(scenario: Scenario) -> tuple[str, ...]:
    rest = len(scenario.costs) - _ROWS
    return (tr("and {count} more rows", count=rest),) if rest > 0 else ()


def _datasheet(scenario: Scenario, key: str, title: str) -> Why:
    gpu, dtype = scenario.gpu, scenario.format.math
    if key == "bandwidth":
        return Why(title, (tr("{gpu}, memory {type}", gpu=gpu.name, type=gpu.memory_type or "?"),),
                   _sources(gpu, "bandwidth"))  # fmt: skip
    tensor = gpu.has_tensor_cores(dtype)
    unit = tr("Tensor Cores") if tensor else tr("CUDA cores")
    clock = (gpu.tensor_clock if tensor else None) or gpu.clock
    rate = gpu.peak(dtype, scenario.sparse)
    lines = [
        tr("{gpu}, {format} on {unit}, {kind}", gpu=gpu.name, format=dtype.name, unit=unit,
           kind=tr("2:4 sparse: twice the dense rate") if scenario.sparse else tr("dense")),
        tr("{sms} SMs x {clock} MHz x {rate} FLOP a clock and SM", sms=gpu.sms, clock=f"{clock / 1e6:,.0f}",
           rate=figures(rate / gpu.sms / clock)),
        tr("over {bandwidth}: math and memory take equally long at {ratio} FLOPS/byte",
           bandwidth=si(gpu.bandwidth, "B/s"), ratio=figures(rate / gpu.bandwidth)),
    ]  # fmt: skip
    return Why(title, tuple(lines), _sources(gpu, "tensor_peak" if tensor else "cuda_peak"))


def _sources(gpu: Gpu, field: str) -> tuple[tuple[str, str], ...]:
    return tuple((source.title, source.address) for source in gpu.source(field))
