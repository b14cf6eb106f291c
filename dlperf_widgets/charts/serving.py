"""Tokens a second and waiting times of a served language model, against how many requests share a batch."""

from math import ceil, floor, log10
from typing import NamedTuple

from ..cost import Scenario
from ..cost.serving import Serving
from ..language import remembered, tr
from ..units import si
from ._chart import Axis, Chart, Line, Mark, Numbers, Points
from .memory_options import batch
from .roles import Role
from .serving_options import ServingOptions, any_batch, batch_axis, batches, most, served, stretches
from .serving_options import turn as turning


class Curve(NamedTuple):
    """What both phases give and take at each batch."""

    batch: Numbers
    decode_rate: Numbers  # tokens a second
    prefill_rate: Numbers
    step: Numbers  # seconds
    first: Numbers


def serving_rate(scenario: Scenario, options: ServingOptions) -> Chart:
    """Return the tokens a second of decoding and of reading prompts, and where the cache is full."""
    now, curve, reach = served(scenario, options), _shown(scenario, options), _reach(scenario, options)
    axis = _axis("Tokens per second", "", curve.decode_rate + curve.prefill_rate)
    return Chart(
        title="Throughput",
        x=batch_axis(reach),
        y=axis,
        marks=(
            *stretches(scenario, options, reach),
            Line("reading prompts", Role.PREDICTED, curve.batch, curve.prefill_rate, dash="dashed"),
            Line("decoding", Role.PREDICTED, curve.batch, curve.decode_rate),
            *_turn(scenario, options, curve.batch, curve.decode_rate),
            *_full(scenario, options, reach, axis),
            _now("now", now, now.tokens_per_second, rate_note(now)),
        ),
        alt=f"{tr('Tokens per second against the batch.')} {rate_note(now)} {limits_note(scenario, options)}",
    )


def serving_latency(scenario: Scenario, options: ServingOptions) -> Chart:
    """Return how long a batch waits for its first tokens, and then for each of the next."""
    now, curve, reach = served(scenario, options), _shown(scenario, options), _reach(scenario, options)
    axis = _axis("Time", "s", curve.step + curve.first)
    return Chart(
        title="Latency",
        x=batch_axis(reach),
        y=axis,
        marks=(
            *stretches(scenario, options, reach),
            Line("to the first token", Role.PREDICTED, curve.batch, curve.first, dash="dashed"),
            Line("for each next token", Role.PREDICTED, curve.batch, curve.step),
            *_full(scenario, options, reach, axis),
            _now("first token now", now, now.prefill.time, latency_note(now)),
            _now("now", now, now.decode.time, latency_note(now)),
        ),
        alt=f"{tr('Waiting times against the batch.')} {latency_note(now)}",
    )


def _now(name: str, now: Serving, value: float, note: str) -> Points:
    return Points(name, Role.CURRENT, (now.prompts.batch,), (value,), notes=(note,), drag="batch")


def _full(scenario: Scenario, options: ServingOptions, reach: int, axis: Axis) -> tuple[Mark, ...]:
    """Return the line at the largest batch that fits, if it is in view."""
    full = most(scenario, options)
    return () if full >= reach else (Line("fits up to here", Role.GUIDE, (full, full), axis.domain),)


def _turn(scenario: Scenario, options: ServingOptions, x: Numbers, y: Numbers) -> tuple[Mark, ...]:
    """Return the point of the curve from which products are math limited, if it is in view."""
    turn = turning(scenario, options)
    if turn is None or not x[0] < turn < x[-1]:
        return ()
    right = next(i for i, size in enumerate(x) if size >= turn)
    share = log10(turn / x[right - 1]) / log10(x[right] / x[right - 1])
    height = y[right - 1] * (y[right] / y[right - 1]) ** share
    note = tr("From batch {batch} up the products of a decode step are math limited.", batch=f"{turn:,}")
    words = tr("from batch {batch}", batch=f"{turn:,}")
    name = "products turn math limited"
    return (Points(name, Role.MATH, (turn,), (height,), "square", (note,), labels=(words,)),)


def _reach(scenario: Scenario, options: ServingOptions) -> int:
    return max(options.reach, batch(scenario.layer))


def _axis(quantity: str, unit: str, values: Numbers) -> Axis:
    """Return a log axis of whole decades, with room above the curves for names."""
    low, high = floor(log10(min(values)) + 1e-9), ceil(log10(3 * max(values)) - 1e-9)
    return Axis(quantity, unit, (10.0**low, 10.0**high), log=True)


def _shown(scenario: Scenario, options: ServingOptions) -> Curve:
    return _curve(
        any_batch(scenario), options.generated, options.sharing, options.stored, _reach(scenario, options)
    )


@remembered(64)
def _curve(anchor: Scenario, generated: int, sharing: str, stored: str, reach: int) -> Curve:
    """Return both phases at each batch. The present one is no part of it: a drag reuses it."""
    asked, sizes = served(anchor, ServingOptions(generated, sharing, stored)), tuple(batches(reach))
    steps = tuple(asked.decode_at(size).time for size in sizes)
    firsts = tuple(asked.prefill_at(size).time for size in sizes)
    return Curve(
        tuple(map(float, sizes)),
        tuple(size / time for size, time in zip(sizes, steps, strict=True)),
        tuple(size * asked.prompts.tokens / time for size, time in zip(sizes, firsts, strict=True)),
        steps,
        firsts,
    )


def rate_note(now: Serving) -> str:
    """Return what both phases give now, in a sentence."""
    return tr(
        "Batch {batch} decodes {decode} tokens/s, {each} for each request, and reads prompts at {prefill} "
        "tokens/s.",
        batch=f"{now.prompts.batch:,}", decode=si(now.tokens_per_second),
        each=si(now.tokens_per_second / now.prompts.batch), prefill=si(now.prompt_tokens_per_second),
    )  # fmt: skip


def latency_note(now: Serving) -> str:
    """Return how long a request waits now, in a sentence."""
    return tr(
        "The first token comes after {first}, each next one after {step}, and the last of {count} after "
        "{whole} at most.",
        first=si(now.prefill.time, "s"), step=si(now.decode.time, "s"), count=f"{now.generated:,}",
        whole=si(now.request_time, "s"),
    )  # fmt: skip


def limits_note(scenario: Scenario, options: ServingOptions) -> str:
    """Return the largest batch that fits, and where products turn, in a sentence."""
    turn, full = turning(scenario, options), most(scenario, options)
    values = {"full": f"{full:,}", "turn": f"{turn or 0:,}"}
    if turn is None:
        return tr("At most {full} requests fit; products are memory limited at any batch.", **values)
    if turn > full:
        return tr(
            "At most {full} requests fit, too few to reach batch {turn}, from which products are math "
            "limited.", **values,
        )  # fmt: skip
    return tr("At most {full} requests fit; products are math limited from batch {turn} up.", **values)
