"""What is said of measurements: how many, how far off the prediction was, and what could not be measured."""

from collections.abc import Sequence
from math import exp, log
from statistics import fmean

from ..gpus import Gpu
from ..language import tr
from ..measure import Measurement, Outcome, above_roof, compare
from ..measure.comparison import asked_of, mean_error
from ..units import si


def summary(shown: Sequence[Measurement], others: int, gpu: Gpu) -> str:
    """Return sentences about measurements of the present question, asked about a GPU.

    Parameters
    ----------
    shown
        Those of the present question.
    others
        How many there are of other questions.
    gpu
        Whose prediction they are compared with.
    """
    timed = [m for m in shown if m.outcome is Outcome.MEASURED]
    missing = dict.fromkeys(_lacks(m) for m in shown if m.outcome is not Outcome.MEASURED)
    kept = tr("{count} of other questions are kept.", count=others) if others else ""
    return " ".join(part for part in (_timed(timed, gpu), *missing, kept) if part)


def _timed(timed: Sequence[Measurement], gpu: Gpu) -> str:
    if not timed:
        return ""
    compared = [compare(m, gpu) for m in timed]
    ratios = [each.ratio for each in compared if each.ratio]
    reason = "" if ratios else _uncompared(timed, gpu)
    if len(timed) == 1:
        return " ".join(part for part in (note(timed[0], gpu), reason) if part)
    devices = tr(", ").join(dict.fromkeys(str(m.device) for m in timed))
    head = tr("{count} measured on {devices}.", count=len(timed), devices=devices)
    if not ratios:
        return f"{head} {reason}"
    error = tr(
        "Predictions are off by {error} on average over {count}; predicted over measured {ratio}.",
        count=len(ratios), error=f"{mean_error(ratios):.0%}", ratio=f"{exp(fmean(map(log, ratios))):.2f}",
    )  # fmt: skip
    return f"{head} {error}"


def _uncompared(timed: Sequence[Measurement], gpu: Gpu) -> str:
    """Return why measurements say nothing of the predictions."""
    if all(m.device.kind == "cpu" for m in timed):
        return tr("Nothing predicts the time of a CPU.")
    return tr("No error is given: the question is about {gpu}.", gpu=gpu.name)


def _lacks(m: Measurement) -> str:
    """Return why something was skipped or failed: once for all sizes of one format."""
    outcome = {
        Outcome.SKIPPED: tr("{format} is skipped: {reason}."),
        Outcome.NO_MEMORY: tr("{format} ran out of memory: {reason}."),
        Outcome.FAILED: tr("{format} failed: {reason}."),
    }
    text = outcome[m.outcome]
    return text.format(format=m.scenario.format, reason=m.reason)


def note(m: Measurement, gpu: Gpu) -> str:
    """Return what one measured point says when it is asked."""
    assert m.summary
    words = tr(
        "Measured on {device}: {time}, half of {count} readings between {low} and {high}.",
        device=str(m.device), time=si(m.summary.median, "s"), count=m.summary.samples,
        low=si(m.summary.lower, "s"), high=si(m.summary.upper, "s"),
    )  # fmt: skip
    compared = compare(m, gpu)
    if compared.ratio is not None:
        words += " " + tr("The prediction is {ratio} of it.", ratio=f"{compared.ratio:.2f}")
    over = above_roof(asked_of(m, gpu))
    return f"{words} {over}{tr('.')}" if over else words
