"""Measured memory over the predicted one, against the batch."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..language import tr
from ..units import GIB, MIB
from ._chart import Axis, Chart, Line, Mark, Points, nice
from .roles import Role

SAVED, ALLOCATED, RESERVED = "saved", "allocated", "reserved"
_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_REACHES = (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10)  # whose quarters are round
_SYMBOLS = {SAVED: "circle", ALLOCATED: "square", RESERVED: "triangle-up"}


def kind_name(kind: str) -> str:
    """Return what a kind of bytes is called."""
    names = {SAVED: tr("kept for backward"), ALLOCATED: tr("allocated"), RESERVED: tr("reserved")}
    return names[kind]


@dataclass(frozen=True)
class MeasuredBytes:
    """What one measurement shows: the most bytes of a kind at one batch."""

    kind: str
    batch: int
    bytes: float
    note: str


def measured_memory(
    points: tuple[MeasuredBytes, ...], predicted: dict[str, tuple[float, float]], now: int
) -> Chart:
    """Return measured bytes against the batch, each kind with its predicted line.

    Parameters
    ----------
    points
        What was measured.
    predicted
        For each kind, the bytes whatever the batch, and those that a sample adds.
    now
        The batch asked about.
    """
    shown = max([point.batch for point in points], default=now)
    reach = float(nice(1.15 * shown, _REACHES))
    kinds = [kind for kind in _SYMBOLS if any(point.kind == kind for point in points)] or [SAVED]
    ends = [start + reach * slope for kind in kinds for start, slope in _known(predicted, kind)]
    high = max([*ends, *(point.bytes for point in points), 1.0])
    unit, name = (GIB, "GiB") if high >= GIB else (MIB, "MiB")
    return Chart(
        title="Measured",
        x=Axis("Batch size", "", (0, reach), places=tuple(reach * i / 4 for i in range(5))),
        y=Axis("Memory", name, (0, nice(1.1 * high / unit, _ROUND))),
        marks=(*_lines(predicted, kinds, reach, unit), *_points(points, kinds, unit)),
        alt=_alt(points),
    )


def _known(predicted: dict[str, tuple[float, float]], kind: str) -> list[tuple[float, float]]:
    """Return the line of a kind; what torch reserves has none of its own."""
    return [predicted[kind]] if kind in predicted else []


def _lines(
    predicted: dict[str, tuple[float, float]], kinds: list[str], reach: float, unit: float
) -> Iterator[Mark]:
    for kind in kinds:
        for start, slope in _known(predicted, kind):
            name = tr("predicted: {kind}", kind=kind_name(kind))
            dash = "dashed" if kind == SAVED and len(kinds) > 1 else ""
            yield Line(
                name, Role.PREDICTED, (0.0, reach), (start / unit, (start + reach * slope) / unit), dash=dash
            )


def _points(points: tuple[MeasuredBytes, ...], kinds: list[str], unit: float) -> Iterator[Mark]:
    for kind in kinds:
        own = [point for point in points if point.kind == kind]
        if not own:
            continue
        yield Points(
            tr("measured: {kind}", kind=kind_name(kind)), Role.MEASURED,
            tuple(float(p.batch) for p in own), tuple(p.bytes / unit for p in own),
            _SYMBOLS[kind], tuple(p.note for p in own),
        )  # fmt: skip


def _alt(points: tuple[MeasuredBytes, ...]) -> str:
    if not points:
        return tr("Predicted memory against the batch; nothing was measured yet.")
    said = " ".join(point.note for point in points)
    return tr("Memory against the batch. {points}", points=said)
