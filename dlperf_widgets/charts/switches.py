"""What each switch saves: the same question with one thing changed."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from ..cost import Scenario
from ..cost.footprint import both
from ..dtypes import FP16, FP32, as_format
from ..language import tr
from ..units import si
from .memory_options import (
    OFF,
    STAGES,
    MemoryOptions,
    Need,
    batch,
    largest,
    need,
    needed,
    shown_gpus,
    training,
)
from .tables import bar, row, table


class Switch(NamedTuple):
    """One way to save memory, without and with it, everything else as it is asked."""

    name: str
    on: bool | None  # as the question stands; None where it is neither
    labels: tuple[str, str]
    sizes: tuple[float, float]  # bytes for the present batch
    batches: tuple[int | None, int | None]  # the largest that fit
    price: str  # what it costs, or why it saves what it does

    @property
    def saved(self) -> float:
        """Bytes for the present batch."""
        return self.sizes[0] - self.sizes[1]


class _Turn(NamedTuple):
    """A switch before it is worked out."""

    name: str
    on: bool | None
    off: Need
    turned: Need
    price: str
    labels: tuple[str, str] = ("without", "with")


def switches(scenario: Scenario, options: MemoryOptions) -> tuple[Switch, ...]:
    """Return what each switch saves at the present batch."""
    now = need(scenario, options)
    found = _training(now) if training(scenario) else _inference(now)
    return tuple(_worked_out(scenario, options, turn) for turn in found)


def _worked_out(scenario: Scenario, options: MemoryOptions, turn: _Turn) -> Switch:
    samples, gpu = batch(scenario.layer), scenario.gpu
    off, on = needed(turn.off), needed(turn.turned)
    return Switch(
        turn.name, turn.on, turn.labels,
        (off.total(samples), on.total(samples)),
        (largest(off, gpu, options.reserved), largest(on, gpu, options.reserved)),
        turn.price,
    )  # fmt: skip


def _training(now: Need) -> Iterator[_Turn]:
    yield _in_place(now)
    yield _checkpoint(now)
    yield _mixed(now)
    yield _zero(now)
    yield _optimizer(now)


def _inference(now: Need) -> Iterator[_Turn]:
    yield _in_place(now)
    yield _zero(now)
    if now.context:
        price = tr("Without it every token would be computed again for the next one.")
        name = tr("Cache of {tokens} tokens", tokens=f"{now.context:,}")
        yield _Turn(name, True, now._replace(context=0), now, price)


def _in_place(now: Need) -> _Turn:
    price = "An input that nobody needs later is overwritten, where one tensor stood beside another."
    if now.training:
        price = "Backward keeps the output, and the input is freed at once: in place or not, as much is kept."
    everywhere, nowhere = (now._replace(in_place=how) for how in ("everywhere", "nowhere"))
    alike = needed(now).total(1) == needed(everywhere).total(1)
    on = now.in_place == "everywhere" or (now.in_place == "as built" and alike)
    return _Turn("Activations in place", on, nowhere, everywhere, tr(price))


def _checkpoint(now: Need) -> _Turn:
    off, turned = now._replace(checkpoint=False), now._replace(checkpoint=True)
    share = needed(turned).recomputed
    price = tr("There is no block here of which the input alone could be kept.")
    if share:
        price = tr(
            "Each block keeps its input alone; {share} of the forward pass runs again.", share=f"{share:.0%}"
        )
    return _Turn("Checkpointing", now.checkpoint, off, turned, price)


def _mixed(now: Need) -> _Turn:
    """Compare mixed precision with FP32 throughout; a question in 16 bits throughout is neither."""
    narrow = now.format.activations.bytes < FP32.bytes
    chosen = now._replace(
        format=now.format if narrow else as_format(FP16),
        precision="master" if now.precision == OFF else now.precision,
    )
    wide = now._replace(format=as_format(FP32), precision=OFF)
    on = None if narrow and now.precision == OFF else now.precision != OFF
    price = tr("Activations take half; FP32 master weights and state stay FP32.")
    if chosen.precision == "amp":
        price = tr(
            "Activations take half; weights, gradients and state stay FP32, with a cast copy of the weights."
        )
    if on is None:
        price += " " + tr("Now all is {format}, and there are no master weights.", format=now.format.name)
    return _Turn("Mixed precision", on, wide, chosen, price, (tr("FP32 throughout"), tr("mixed")))


def _zero(now: Need) -> _Turn:
    stage = STAGES[3] if now.zero == OFF else now.zero
    parts = ("optimizer state", "optimizer state and gradients", "optimizer state, gradients and weights")
    price = tr(
        "{ranks} GPUs share {parts}, and exchange them in every step.",
        ranks=f"{now.ranks:,}", parts=tr(parts[STAGES.index(stage) - 1]),
    )  # fmt: skip
    return _Turn("ZeRO", now.zero != OFF, now._replace(zero=OFF), now._replace(zero=stage), price)


def _optimizer(now: Need) -> _Turn:
    simple = now.optimizer == "sgd"
    other = "adam" if simple else now.optimizer
    price = tr("No momentum or variance is kept for each parameter.")
    plain = now._replace(optimizer="sgd")
    return _Turn("Plain SGD", simple, now._replace(optimizer=other), plain, price, (other, "sgd"))


def sentence(switch: Switch) -> str:
    """Return what a switch saves or would save, in words and numbers."""
    if not switch.saved:
        return f"{tr('Saves nothing here.')} {switch.price}"
    parts = {"size": both(abs(switch.saved))}
    if switch.saved < 0:
        text = "Would take {size} more." if switch.on is False else "Takes {size} more."
    else:
        text = "Would save {size}." if switch.on is False else "Saves {size}."
    before, after = (tr("any") if n is None else f"{n:,}" for n in switch.batches)
    grown = tr("Largest batch {after} in place of {before}.", after=after, before=before)
    return " ".join([tr(text, **parts), *([grown] if before != after else []), switch.price])


def _count(size: int | None) -> str:
    return tr("any") if size is None else f"{size:,}"


def switches_html(scenario: Scenario, options: MemoryOptions) -> str:
    """Return a table of the switches, and one of the GPUs shown with the largest batch of each."""
    found = switches(scenario, options)
    longest = max(size for each in found for size in each.sizes) or 1.0
    saved = table(("Switch", "Memory for the present batch"), [_row(each, longest) for each in found])
    return saved + _gpus(scenario, options)


def _row(switch: Switch, longest: float) -> str:
    """A full bar is what the question asks now."""
    state = tr("neither") if switch.on is None else tr("on") if switch.on else tr("off")
    bars = "".join(
        bar(tr(label), si(size, "B"), size / longest, switch.on is now)
        for label, size, now in zip(switch.labels, switch.sizes, (False, True), strict=True)
    )
    return row(tr(switch.name), bars + escape(sentence(switch)), more=(state,))


def _gpus(scenario: Scenario, options: MemoryOptions) -> str:
    asked, samples = needed(need(scenario, options)), batch(scenario.layer)
    rows = []
    for gpu in shown_gpus(scenario, options):
        fits = tr("yes") if asked.fits(gpu, samples, options.reserved) else tr("no")
        rows.append(row(gpu.name, both(gpu.memory), _count(largest(asked, gpu, options.reserved)), fits))
    asks = tr("Batch {batch} fits", batch=f"{samples:,}")
    return table(("GPU", "Memory", "Largest batch", asks), rows)


def switches_alt(scenario: Scenario, options: MemoryOptions) -> str:
    """Return every switch in words."""
    return " ".join(f"{tr(each.name)}{tr(': ')}{sentence(each)}" for each in switches(scenario, options))
