"""How much memory training or running a network takes, and the largest batch that a GPU has room for."""

from functools import lru_cache
from typing import Any

from ..dtypes import FP32, DType, Format, as_format
from ..gpus import Gpu
from ..layers import Layer, OptimizerStep
from ..layers.optimizer import STATES
from ._checks import choice, flag, real, shown, thing, whole
from .activations import Line, cache, checkpointed, has_batch, output, pair, recomputed_share, saved
from .footprint import RESERVE, MemoryTerm, both
from .footprint import Footprint as Footprint
from .live import live, live_gradients
from .parameters import shared, state, weights

MIXED = ("amp", "master")
_UNITS = {"rows": "row", "tokens": "token", "elements": "element"}  # where a batch counts no samples


def footprint(
    layer: Layer,
    dtype: DType | Format,
    optimizer: str = "adam",
    mixed_precision: str | None = None,
    checkpoint: bool = False,
    zero: int = 0,
    ranks: int = 1,
    training: bool = True,
    context: int = 0,
) -> Footprint:
    """Return the memory that a layer or a network takes on one GPU, in bytes.

    Parameters
    ----------
    layer
        Its own batch does not matter: a footprint is for any. Where it has no field for it, as a
        ``Sequence``, a sample is all it is given.
    dtype
        The format of every tensor, or of weights, activations and weight gradients each.
    optimizer
        "sgd" keeps nothing, "momentum" one number a parameter, "adam" and "adamw" two.
    mixed_precision
        None: everything in ``dtype``, the optimizer's state too, as torch.optim has it. "amp": FP32
        weights, gradients and state, and weights cast to ``dtype`` from forward to backward, as
        torch.autocast has it; what autocast leaves in FP32, such as normalizations, is not told apart.
        "master": weights and gradients in ``dtype``, FP32 master weights and state (Micikevicius et al.,
        Mixed Precision Training, 2018); FP32 gradients where the format says so.
    checkpoint
        Keep the input alone of each block (a composite layer in a network, each of a repeated one), and
        run its forward pass again before its backward. A network without blocks stays as it is.
    zero, ranks
        ZeRO's stage (Rajbhandari et al., 2020), and the GPUs that share state (1), gradients too (2),
        weights too (3). The batch is that of one rank; what stage 3 gathers for a layer is not counted.
    training
        False: no gradients nor state, and activations only while they are needed.
    context
        Tokens in the cache of keys and values of every attention, without training.
    """
    layer, form = thing("layer", Layer, layer), as_format(dtype)
    for name, value in (("checkpoint", checkpoint), ("training", training)):
        flag(name, value)
    zero, ranks, context = whole("zero", zero, most=3), whole("ranks", ranks, 1), whole("context", context)
    _check(layer, optimizer, mixed_precision, training, context)
    _check_format(form, mixed_precision)
    divided, params = ranks if zero else 1, layer.params
    terms = weights(params, form, mixed_precision, training)
    if training:
        terms += state(params, form, optimizer, mixed_precision)
    held = tuple(shared(term, params, zero, divided) for term in terms)
    moving = _training(layer, form, checkpoint) if training else _inference(layer, form, context)
    what = f"training with {optimizer}" if training else "inference"
    return Footprint(
        title=f"{layer.title}, {form.name}, {what}" + (f", {mixed_precision}" if mixed_precision else ""),
        terms=held + moving,
        sample=_sample(layer),
        recomputed=recomputed_share(layer) if checkpoint and training else 0.0,
    )


def largest_batch(
    layer: Layer, gpu: Gpu, dtype: DType | Format, *, reserve: float = RESERVE, **how: Any
) -> int:
    """Return the largest batch that fits a GPU, of which ``reserve`` bytes are not ours; 0 if not one sample.

    For a layer without a field for its batch, how many times what it is given.

    Parameters
    ----------
    layer, dtype, **how
        As for ``footprint``.
    gpu
        Its nominal memory is what there is.
    reserve
        Bytes that the CUDA context and others take: 0.6 GiB unless given.

    Raises
    ------
    ValueError
        What does not depend on the batch has no room by itself, or nothing depends on it.
    """
    gpu, reserve = thing("gpu", Gpu, gpu), real("reserve", reserve)
    needs = footprint(layer, dtype, **how)
    room = gpu.memory - reserve
    if needs.constant > room:
        raise ValueError(
            f"{needs.title}: {both(needs.constant)} without any batch do not fit {gpu.name}, "
            f"which has {both(gpu.memory)}, {both(reserve)} of it reserved"
        )
    if not needs.per_sample:
        raise ValueError(f"{needs.title}: any batch fits, as nothing grows with it")
    batch = int((room - needs.constant) // needs.per_sample)
    while batch and not needs.fits(gpu, batch, reserve):  # where the quotient was rounded
        batch -= 1
    while needs.fits(gpu, batch + 1, reserve):
        batch += 1
    return batch


def _check(layer: Layer, optimizer: str, mixed: str | None, training: bool, context: int) -> None:
    if isinstance(layer, OptimizerStep):
        raise ValueError("OptimizerStep has no footprint of its own: ask for the layer that it updates")
    choice("optimizer", optimizer, STATES)
    if mixed is not None and (not isinstance(mixed, str) or mixed not in MIXED):
        raise ValueError(f"mixed_precision must be None, amp or master, not {shown(mixed)}")
    if training and context:
        raise ValueError(f"training keeps no cache: a context of {context:,} tokens needs training=False")


def _check_format(form: Format, mixed: str | None) -> None:
    if mixed and form.activations.bytes >= FP32.bytes:
        raise ValueError(f"mixed precision computes in 16 bits or fewer, not in {form.activations}")


@lru_cache(64)
def _training(layer: Layer, form: Format, checkpoint: bool) -> tuple[MemoryTerm, ...]:
    lines = pair(layer)
    kept = checkpointed(lines, form) if checkpoint else saved(lines, form)
    about = (
        "block inputs, and the largest block while it is recomputed" if checkpoint else "saved for backward"
    )
    sample = _sample(layer)
    return (
        _grows("activations", kept, f"{about}, every tensor once", sample),
        _grows("output", output(lines, form), "the output, for a loss", sample),
        _grows("live gradients", live_gradients(lines, form), "the most that backward holds at once", sample),
    )


@lru_cache(64)
def _inference(layer: Layer, form: Format, context: int) -> tuple[MemoryTerm, ...]:
    lines = pair(layer)
    sample = _sample(layer)
    held = _grows("activations", live(lines, form), "the most that one layer holds at once", sample)
    if not context:
        return (held,)
    kept = cache(lines, form, context)
    a_token = f"{kept.slope / context:,.0f} B a token x {context:,} tokens"
    return (held, _grows("cache", kept, f"keys and values, {a_token}", sample))


def _sample(layer: Layer) -> str:
    """Return what a batch counts."""
    return _UNITS.get(layer.scale, "sample") if has_batch(layer) else "batch as given"


def _grows(name: str, line: Line, about: str, sample: str) -> MemoryTerm:
    constant = f", {line.constant:,.0f} B once" if line.constant else ""
    formula = f"{about}: {line.slope:,.0f} B a {sample}{constant}"
    return MemoryTerm(name, line.constant, line.slope, formula)
