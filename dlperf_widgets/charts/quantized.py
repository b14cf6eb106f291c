"""A tensor in INT8 with one scale, and with one for each channel: error, size and speed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from math import fsum, isfinite, sqrt
from statistics import NormalDist
from typing import NamedTuple

from ..cost import Scenario
from ..cost.precision import quantize
from ..cost.quantization import per_channel, per_tensor, quantized_bytes
from ..dtypes import FP16, FP32, INT8, DType
from ..language import remembered, tr
from ..ops import Phase
from ..units import figures, si
from .precision_options import PrecisionOptions
from .tables import bar, row, table

EACH = 12  # values of a channel
_NAMES = ("FP32", "FP16", "INT8, a scale for the tensor", "INT8, a scale for each channel")
Channels = tuple[tuple[float, ...], ...]
Change = Callable[[int, float], float]  # from a channel's number and a value


class Kept(NamedTuple):
    """A tensor in one format."""

    name: str
    error: float  # root mean square, as a share of that of the tensor
    worst: float  # the same of the channel that suffers most
    bytes: float  # of the layer's weights
    time: float | None  # of the layer's forward pass in seconds; None where the GPU lacks the format


@remembered(64)
def tensor(channels: int, wider: int) -> Channels:
    """Return a made-up tensor: each channel a bell, from the narrowest to one that many times wider."""
    bell = [NormalDist().inv_cdf((i + 0.5) / EACH) for i in range(EACH)]
    last = max(channels - 1, 1)
    return tuple(tuple(wider ** (c / last) * x for x in bell) for c in range(channels))


@remembered(64)
def errors(channels: int, wider: int) -> tuple[tuple[float, float], ...]:
    """Return for each row of the table the error of the tensor, and of the channel that suffers most."""
    values = tensor(channels, wider)
    one, many = per_tensor(values), per_channel(values)
    kept = (
        values,
        _each(values, lambda _, x: quantize(x, FP16)),
        _each(values, lambda _, x: one.dequantize(one.quantize(x))),
        _each(values, lambda c, x: many[c].dequantize(many[c].quantize(x))),
    )
    return tuple(_error(values, changed) for changed in kept)


def _each(values: Channels, change: Change) -> Channels:
    return tuple(tuple(change(c, x) for x in channel) for c, channel in enumerate(values))


def _error(values: Channels, changed: Channels) -> tuple[float, float]:
    pairs = list(zip(values, changed, strict=True))
    channels = [(_squares(a, b), _squares(a, (0.0,) * len(a))) for a, b in pairs]
    whole = fsum(error for error, _ in channels) / fsum(size for _, size in channels)
    return sqrt(whole), sqrt(max(error / size for error, size in channels))


def _squares(one: Sequence[float], other: Sequence[float]) -> float:
    return fsum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def quantized(scenario: Scenario, options: PrecisionOptions) -> tuple[Kept, ...]:
    """Return the tensor's error in each format, and the layer's bytes and time."""
    params = scenario.layer.params
    sizes = (
        4 * params, 2 * params, quantized_bytes(params), quantized_bytes(params, scales=options.channels)
    )  # fmt: skip
    found = errors(options.channels, options.wider)
    dtypes = (FP32, FP16, INT8, INT8)
    return tuple(
        Kept(name, error, worst, size, forward_time(scenario, dtype))
        for name, (error, worst), size, dtype in zip(_NAMES, found, sizes, dtypes, strict=True)
    )


@remembered(64)
def forward_time(scenario: Scenario, dtype: DType) -> float | None:
    """Return the time of a layer's forward pass in a format; None where the GPU lacks it."""
    if dtype not in scenario.gpu.dtypes:
        return None
    return replace(scenario, dtype=dtype, phases=(Phase.FPROP,), sparse=False).time or None


# --- In words and numbers --------------------------------------------------------------------------------

_HEADS = ("Format", "Error (root mean square)", "Weights of the layer", "Forward pass")


def quantized_html(scenario: Scenario, options: PrecisionOptions) -> str:
    """Return a row for each format with bars for error, size and time."""
    rows = quantized(scenario, options)
    errors_shown = (each.error for each in rows if isfinite(each.error))
    longest = max(errors_shown), max(each.bytes for each in rows) or 1.0
    slowest = max((each.time for each in rows if each.time), default=1.0)
    return table(
        _HEADS, [_row(each, (*longest, slowest)) for each in rows], quantized_words(scenario, options)
    )


def _row(each: Kept, longest: tuple[float, float, float]) -> str:
    worst = tr("worst channel {share}", share=percent(each.worst))
    error = percent(0.0)
    if not isfinite(each.error):
        error = escape(tr("it overflows"))
    elif each.error:
        error = bar("", percent(each.error), each.error / longest[0], True) + escape(worst)
    size = bar("", si(each.bytes, "B"), each.bytes / longest[1], True)
    none = escape(tr("this GPU has no such format"))
    time = bar("", si(each.time, "s"), each.time / longest[2], True) if each.time else none
    return row(tr(each.name), error, size, time, width="22%")


def percent(share: float) -> str:
    """Return a share in percent, three significant figures."""
    return f"{figures(100 * share)}%"


def quantized_words(scenario: Scenario, options: PrecisionOptions) -> str:
    """Return what one scale and many cost in accuracy, and what INT8 saves in size and time."""
    _, half, one, many = quantized(scenario, options)
    error = tr(
        "INT8 moves the tensor by {one} with one scale, by {many} with one for each of {channels} channels; "
        "its narrowest channel by {worst} and {best}.",
        one=percent(one.error), many=percent(many.error), channels=options.channels, worst=percent(one.worst),
        best=percent(many.worst),
    )  # fmt: skip
    return f"{error}\n{_speed(scenario, half, many)}"


def _speed(scenario: Scenario, half: Kept, eighth: Kept) -> str:
    if not half.time or not eighth.time:
        lacking = "INT8" if half.time else "FP16"
        return tr("{gpu} has no {format} to compare the time in.", gpu=scenario.gpu.name, format=lacking)
    return tr(
        "{layer} takes {eighth} on {gpu}, {factor} times as fast as in FP16 ({half}).",
        layer=scenario.layer.title, eighth=si(eighth.time, "s"), gpu=scenario.gpu.name,
        factor=figures(half.time / eighth.time), half=si(half.time, "s"),
    )  # fmt: skip
