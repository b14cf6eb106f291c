"""Measure the memory that an explorer shows: of a GPU what torch allocates, of a CPU what autograd keeps."""

from collections.abc import Callable, Iterator, Sequence
from threading import Event
from time import perf_counter

from ..charts import Chart
from ..charts.measured_memory import ALLOCATED, RESERVED, SAVED, MeasuredBytes, kind_name, measured_memory
from ..charts.memory_options import batch
from ..cost import Scenario
from ..cost.activations import has_batch
from ..language import tr
from ..measure import MemoryUse, measure_memory
from ..measure.device import choose
from ..measure.need import need, predicted_saved, trains
from ..measure.statistics import seconds_left
from ..units import si
from ._measuring import Measuring

_MOST = 4  # batches
_FLOPS = 2e10  # of a forward pass, that a CPU runs in a second or a few
_GUESS = 3.0  # seconds for the first, before there is a pace


class MeasuringMemory(Measuring):
    """Runs the question once at each of some batches, and counts bytes instead of seconds."""

    kind = MemoryUse

    def taken(
        self, scenarios: tuple[Scenario, ...], progress: Callable[[int, int, float], None], cancel: Event
    ) -> Sequence[MemoryUse]:
        """Return the memory of a question at batches up to the present one."""
        (asked,) = scenarios
        sized = [asked]
        if has_batch(asked.layer):
            sized = [asked.resized(asked.layer.scale, size) for size in batches(asked)]
        found: list[MemoryUse] = []
        began = perf_counter()
        for done, each in enumerate(sized):
            progress(done, len(sized), seconds_left(done, len(sized), perf_counter() - began, _GUESS))
            if cancel.is_set():
                break
            found.append(measure_memory(each))
        return found

    def words(self) -> str:
        """Return what the largest batch took beside what was predicted, and what could not be measured."""
        shown = self.shown()
        counted = [use for use in shown if not use.reason]
        sentences = [sentence for use in counted[-1:] for sentence in said(use)]
        sentences += dict.fromkeys(_lacks(use) for use in shown if use.reason)
        if counted:
            sentences.append(tr("That is the plain question, without an optimizer and without the switches."))
        if others := len(self.measurements) - len(shown):
            sentences.append(tr("{count} of other questions are kept.", count=others))
        return " ".join(sentences)

    def can_refit(self) -> bool:
        """Return no: bytes have no constants."""
        return False

    def chart(self, scenario: Scenario) -> Chart:
        """Return measured bytes over the predicted lines."""
        points = tuple(point for use in self.shown() for point in _points(use))
        return measured_memory(points, _lines(scenario), batch(scenario.layer))


def batches(asked: Scenario) -> list[int]:
    """Return the batches to measure: powers of two up to the present one; on a CPU what runs in seconds."""
    now = batch(asked.layer)
    sizes = sorted({now, *(2**power for power in range(now.bit_length()))})
    if choose().type == "cpu":
        one = asked.layer.flops / now
        sizes = [size for size in sizes if size * one <= _FLOPS] or sizes[:1]
    return sizes[-_MOST:]


def _lacks(use: MemoryUse) -> str:
    size = batch(use.scenario.layer)
    return tr("Batch {batch} was not measured: {reason}.", batch=f"{size:,}", reason=use.reason)


def said(use: MemoryUse) -> Iterator[str]:
    """Yield a sentence for each kind of bytes that was measured."""
    for kind, measured, predicted in _kinds(use):
        values = {
            "kind": kind_name(kind), "batch": f"{batch(use.scenario.layer):,}", "device": str(use.device),
            "measured": si(measured, "B"),
        }  # fmt: skip
        if predicted is None:
            yield tr("Batch {batch} on {device}, {kind}: {measured} measured.", **values)
            continue
        off = f"{predicted / measured - 1:+.1%}" if measured else "-"
        yield tr(
            "Batch {batch} on {device}, {kind}: {measured} measured, {predicted} predicted ({off}).",
            **values, predicted=si(predicted, "B"), off=off,
        )  # fmt: skip


def _kinds(use: MemoryUse) -> Iterator[tuple[str, int, float | None]]:
    """Yield each kind of bytes that was measured, with the predicted ones."""
    kinds = (
        (ALLOCATED, use.allocated, use.predicted), (RESERVED, use.reserved, None),
        (SAVED, use.saved, use.predicted_saved),
    )  # fmt: skip
    for kind, measured, predicted in kinds:
        if measured is not None:
            yield kind, measured, predicted


def _points(use: MemoryUse) -> Iterator[MeasuredBytes]:
    for (kind, measured, _), note in zip(_kinds(use), said(use), strict=True):
        yield MeasuredBytes(kind, batch(use.scenario.layer), float(measured), note)


def _lines(scenario: Scenario) -> dict[str, tuple[float, float]]:
    """Return the bytes of each kind whatever the batch, and those that a sample adds."""
    functions = {ALLOCATED: need} | ({SAVED: predicted_saved} if trains(scenario) else {})
    if not has_batch(scenario.layer):
        return {kind: (function(scenario), 0.0) for kind, function in functions.items()}
    one, two = (scenario.resized(scenario.layer.scale, size) for size in (1, 2))
    pairs = {kind: (function(one), function(two)) for kind, function in functions.items()}
    return {kind: (2 * first - second, second - first) for kind, (first, second) in pairs.items()}
