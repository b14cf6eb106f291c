"""What is said about a served language model: which phase is limited by what, and why."""

from typing import NamedTuple

from ..cost.footprint import Footprint
from ..cost.serving import GROUPED, PAGED, Serving
from ..language import tr
from ..units import figures, si
from .readouts import Readout, Why

_PARTS = ("products with weights", "attention to the cache", "rest")


class Limits(NamedTuple):
    """What no batch changes."""

    largest: int  # batch that fits
    room: float  # bytes of the GPU without the reserve
    turn: int | None  # the batch from which products are math limited
    cache: float  # bytes of a token
    memory: Footprint


def serving_verdict(now: Serving) -> str:
    """Return what limits a decode step, and the two numbers that decide it."""
    products, attention, _ = now.decode
    values = {
        "batch": f"{now.prompts.batch:,}", "time": si(now.decode.time, "s"),
        "math": si(products.math, "s"), "memory": si(products.memory, "s"),
        "cache": si(attention.time, "s"), "products": si(products.time, "s"),
    }  # fmt: skip
    if attention.time > products.time and attention.memory > attention.math:
        return tr(
            "Decoding is memory limited: of {time} a step, attention to the cache takes {cache} and products "
            "with weights {products}.", **values,
        )  # fmt: skip
    if products.math >= products.memory:
        return tr(
            "Decoding is math limited at batch {batch}: its products need {math} of math and {memory} of "
            "memory.", **values,
        )  # fmt: skip
    return tr(
        "Decoding is memory limited at batch {batch}: its products need {memory} of memory and {math} of "
        "math.", **values,
    )  # fmt: skip


def serving_numbers(now: Serving, limits: Limits) -> tuple[Readout, ...]:
    """Return rates, waiting times, and what limits the batch."""
    turn = limits.turn
    return (
        Readout("decode", tr("decoding"), f"{si(now.tokens_per_second)} {tr('tokens/s')}"),
        Readout("each", tr("for each token"), si(now.decode.time, "s")),
        Readout("prefill", tr("reading prompts"), f"{si(now.prompt_tokens_per_second)} {tr('tokens/s')}"),
        Readout("first", tr("to the first token"), si(now.prefill.time, "s")),
        Readout("request", tr("to the last token"), si(now.request_time, "s")),
        Readout("turn", tr("math limited from batch"), tr("none") if turn is None else f"{turn:,}"),
        Readout("largest", tr("largest batch"), f"{limits.largest:,}"),
        Readout("cache", tr("cache of a token"), si(limits.cache, "B")),
        Readout("weights", tr("weights"), si(limits.memory.weights, "B")),
    )


def serving_why(now: Serving, limits: Limits, key: str) -> Why:
    """Return where one of the numbers comes from."""
    readout = next((each for each in serving_numbers(now, limits) if each.key == key), None)
    if readout is None:
        raise ValueError(f"there is no number {key!r} to ask about")
    title = f"{readout.label}{tr(': ')}{readout.text}"
    if key in ("largest", "weights"):
        memory = limits.memory
        left = f"({si(limits.room, 'B')} - {si(memory.constant, 'B')}) / {si(memory.per_sample, 'B')}"
        lines = (
            f"{left} = {limits.largest:,}",
            *memory.explain(now.prompts.batch).split("\n"),
        )
        return Why(title, lines, ((tr("where the memory of a server goes"), PAGED),))
    if key == "cache":
        return Why(title, (_cache(now, limits.cache),), ((tr("grouped-query attention"), GROUPED),))
    return Why(title, _LINES[key](now))


def _cache(now: Serving, size: float) -> str:
    """Return the bytes of a token's keys and values, as a product."""
    attention = now.attention
    count = f"{now.blocks} x 2 x {attention.kv_heads} x {attention.head_dim} x "
    each = now.format.activations.bytes
    said = tr("blocks x keys and values x key-value heads x head dimension x bytes")
    return f"{count}{each:g} B = {size:,.0f} B ({said})"


def _decode(now: Serving) -> tuple[str, ...]:
    batch, step = now.prompts.batch, now.decode.time
    return (f"{batch:,} / {si(step, 's')} = {si(now.tokens_per_second)} {tr('tokens/s')}", *_each(now))


def _each(now: Serving) -> tuple[str, ...]:
    return tuple(
        tr("{part}: {time}; at peak rates {math} of math, {memory} of memory", part=tr(name),
           time=si(part.time, "s"), math=si(part.math, "s"), memory=si(part.memory, "s"))
        for name, part in zip(_PARTS, now.decode, strict=True)
    )  # fmt: skip


def _prefill(now: Serving) -> tuple[str, ...]:
    asked = now.prompts
    rate = f"{asked.batch:,} x {asked.tokens:,} / {si(now.prefill.time, 's')}"
    return (f"{rate} = {si(now.prompt_tokens_per_second)} {tr('tokens/s')}", *_first(now))


def _first(now: Serving) -> tuple[str, ...]:
    return tuple(
        f"{tr(name)}{tr(': ')}{si(part.time, 's')}" for name, part in zip(_PARTS, now.prefill, strict=True)
    )


def _request(now: Serving) -> tuple[str, ...]:
    rest = f"{now.generated - 1:,} x {si(now.decode.time, 's')}"
    return (
        f"{si(now.prefill.time, 's')} + {rest} = {si(now.request_time, 's')}",
        tr("every step as long as the last, which reads the most cache"),
    )


def _turn(now: Serving) -> tuple[str, ...]:
    gpu, form = now.scenario.gpu, now.format
    ratio = gpu.peak(form.math, now.scenario.sparse) / gpu.bandwidth
    return (
        tr("a weight of {bytes} bytes serves a multiply-add, 2 FLOP, for each request of the batch",
           bytes=f"{form.weights.bytes:g}"),
        f"{tr('batch')} x 2 / {form.weights.bytes:g} = {figures(ratio)} FLOPS/byte: "
        f"{figures(ratio * form.weights.bytes / 2)}",
        tr("reading and writing activations asks for a little more"),
    )  # fmt: skip


_LINES = {
    "decode": _decode, "each": _each, "prefill": _prefill, "first": _first, "request": _request,
    "turn": _turn,
}  # fmt: skip
