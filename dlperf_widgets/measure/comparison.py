"""A measured time beside the predicted one, where that is a comparison, and why one is too good."""

from collections.abc import Iterable
from dataclasses import fields, replace
from math import fsum
from statistics import fmean
from typing import NamedTuple

from ..cost import Scenario
from ..dtypes import FP32
from ..gpus import Gpu
from ..language import tr
from ..ops import Conv
from ..units import MHZ, MIB, si
from .gpu import match
from .protocol import WARM
from .record import Measurement, Outcome


class Comparison(NamedTuple):
    """What was predicted, and how the measured time relates to it; None where they do not compare."""

    predicted: float | None  # seconds
    ratio: float | None  # predicted / measured
    note: str = ""  # why there is none

    @property
    def error(self) -> float | None:
        """The relative error of the prediction."""
        return None if self.ratio is None else self.ratio - 1


def compare(measurement: Measurement, gpu: Gpu | None = None) -> Comparison:
    """Return prediction and ratio, if it was measured on the scenario's own GPU.

    Parameters
    ----------
    measurement
        What was measured.
    gpu
        Whose prediction to take in place of the scenario's, such as the same GPU refitted.
    """
    m = measurement if gpu is None else asked_of(measurement, gpu)
    if m.summary is None:
        return Comparison(None, None, f"{m.outcome}: {m.reason}")
    if reason := _elsewhere(m):
        return Comparison(None, None, reason)
    predicted = m.asked.time
    return Comparison(predicted, predicted / m.seconds)


def asked_of(measurement: Measurement, gpu: Gpu) -> Measurement:
    """Return a measurement as one of the same question about another GPU."""
    asked = measurement.scenario
    return measurement if asked.gpu == gpu else replace(measurement, scenario=asked.on(gpu))


def same_question(one: Scenario, other: Scenario) -> bool:
    """Return whether two scenarios ask the same, if maybe about different GPUs."""
    names = (each.name for each in fields(Scenario) if each.name not in ("gpu", "dtype"))
    return one.format == other.format and all(getattr(one, n) == getattr(other, n) for n in names)


def mean_error(ratios: Iterable[float]) -> float:
    """Return the mean of ``|predicted / measured - 1|``."""
    return fmean(abs(ratio - 1) for ratio in ratios)


def _elsewhere(m: Measurement) -> str:
    """Return a sentence if it was not measured on the scenario's GPU, under whatever name it is kept."""
    if m.device.kind == "cpu":
        return tr("measured on {device}: nothing predicts the time of a CPU", device=str(m.device))
    asked, published = m.scenario.gpu, match(m.device)
    if published:
        same = _hardware(published) == _hardware(asked)
    else:
        about = (m.device.compute_capability, m.device.sms, m.device.memory)
        same = about == (asked.compute_capability, asked.sms, asked.memory)
    if same:
        return ""
    return tr("measured on {device}, asked about {gpu}", device=str(m.device), gpu=asked.name)


def _hardware(gpu: Gpu) -> tuple[object, ...]:
    return (gpu.compute_capability, gpu.sms, gpu.clock, gpu.bandwidth, gpu.memory)


def pairs(measurements: Iterable[Measurement]) -> tuple[tuple[Scenario, float], ...]:
    """Return question and seconds of all that were measured, rows as scenarios of their own."""
    return tuple((m.asked, m.seconds) for m in measurements if m.outcome is Outcome.MEASURED)


def above_roof(measurement: Measurement) -> str:
    """Return why a time is below what the peak rates allow, as far as the record tells; else nothing."""
    m = measurement
    if m.summary is None:
        return ""
    ideal = fsum(cost.ideal_time * cost.count for cost in m.asked.costs)
    if m.seconds >= ideal:
        return ""
    head = tr(
        "{time} is less than the {ideal} that {gpu} can reach",
        time=si(m.seconds, "s"), ideal=si(ideal, "s"), gpu=m.scenario.gpu.name,
    )  # fmt: skip
    causes = [_other(m), _cache(m), _clock(m), _format(m), _algorithm(m)]
    known = tr("; ").join(cause for cause in causes if cause)
    return f"{head}{tr(': ')}{known or tr('nothing in the record tells why, so doubt the record')}"


def _other(m: Measurement) -> str:
    return tr("{where}, whose roof is another", where=where) if (where := _elsewhere(m)) else ""


def _cache(m: Measurement) -> str:
    cache, moved = m.device.l2 or m.scenario.gpu.l2, m.asked.bytes
    if m.protocol is None or not cache or m.protocol.cache != WARM or moved > 2 * cache:
        return ""
    return tr(
        "its {moved} MiB were read again and again, and the L2 cache holds {cache} MiB",
        moved=f"{moved / MIB:,.1f}", cache=f"{cache / MIB:,.0f}",
    )  # fmt: skip


def _clock(m: Measurement) -> str:
    gpu, ran = m.scenario.gpu, m.protocol and m.protocol.clock
    tensor = gpu.tensor_clock and gpu.has_tensor_cores(m.scenario.format.math)
    stated = gpu.tensor_clock if tensor else gpu.clock
    if not ran or not stated or ran <= 1.005 * stated:
        return ""
    return tr(
        "the SMs ran at {ran} MHz, and the peak is stated for {stated}",
        ran=f"{ran / MHZ:,.0f}", stated=f"{stated / MHZ:,.0f}",
    )  # fmt: skip


def _format(m: Measurement) -> str:
    wrong = m.protocol is not None and m.protocol.tf32 and m.scenario.format.math == FP32
    return tr("FP32 products were allowed to run in TF32, whose roof is higher") if wrong else ""


def _algorithm(m: Measurement) -> str:
    convolved = any(isinstance(cost.op, Conv) for cost in m.asked.costs)
    return tr("a Winograd convolution multiplies less than is counted") if convolved else ""
