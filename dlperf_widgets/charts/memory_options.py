"""What is asked about memory besides the layer and the GPU: the switches that save some of it."""

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, NamedTuple

from ..cost import Scenario
from ..cost.activations import has_batch
from ..cost.memory import Footprint, footprint
from ..dtypes import Format
from ..gpus import GPUS, Gpu
from ..language import remembered
from ..layers import Activation, Composite, Layer, Sequence
from ..layers._fields import choice, dim, flag, hidden, real, several
from ..ops import Phase
from ..units import GIB
from ._options import FARTHEST, Described

OFF = "off"
STAGES = (OFF, "1: state", "2: and gradients", "3: and weights")
PRECISIONS = (OFF, "amp", "master")
IN_PLACE = ("as built", "everywhere", "nowhere")
_NAMES = tuple(gpu.name for gpu in GPUS)


@dataclass(frozen=True)
class MemoryOptions(Described):
    """How a network is trained or run, as far as memory depends on it."""

    optimizer: str = choice("adam", "Optimizer", ("sgd", "momentum", "adam", "adamw"))
    precision: str = choice(OFF, "Mixed precision", PRECISIONS)
    checkpoint: bool = flag(False, "Checkpointing")
    in_place: str = choice("as built", "Activations in place", IN_PLACE)
    zero: str = choice(OFF, "ZeRO stage", STAGES)
    ranks: int = dim(8, "ZeRO ranks", most=1024)
    context: int = dim(0, "Tokens in the cache", most=131_072, least=0)
    reserve: float = real(0.6, "Reserve (GiB)", 0.0, 256.0)
    others: tuple[str, ...] = several(
        ("V100 SXM2 16GB", "A100 SXM4 40GB", "H200 SXM 141GB"), "Other GPUs", _NAMES
    )
    reach: int = hidden(64, FARTHEST)  # the largest batch that is shown

    @property
    def reserved(self) -> float:
        """The reserve in bytes."""
        return self.reserve * GIB


class Need(NamedTuple):
    """All that a footprint depends on."""

    layer: Layer  # for one sample, if it has a field for its batch
    format: Format
    training: bool
    optimizer: str
    precision: str
    checkpoint: bool
    in_place: str
    zero: str
    ranks: int
    context: int


def training(scenario: Scenario) -> bool:
    """Return whether the phases asked about are more than the forward pass."""
    return scenario.phases != (Phase.FPROP,)


def need(scenario: Scenario, options: MemoryOptions) -> Need:
    """Return what is asked; a cache is kept without training, and checkpoints are with it."""
    train = training(scenario)
    return Need(
        one_sample(scenario.layer), scenario.format, train, options.optimizer, options.precision,
        options.checkpoint and train, options.in_place, options.zero, options.ranks,
        0 if train else options.context,
    )  # fmt: skip


def one_sample(layer: Layer) -> Layer:
    """Return the layer for a batch of one; one without a field for its batch as it is."""
    if not has_batch(layer):
        return layer
    others = ((f.name, getattr(layer, f.name)) for f in fields(layer) if f.name != layer.scale)
    return _made(type(layer), tuple(others))


@lru_cache(64)
def _made(kind: type[Layer], others: tuple[tuple[str, Any], ...]) -> Layer:
    """Return a layer for one sample: a network is built once for all its batches."""
    values: dict[str, Any] = dict(others)
    return kind(**values, **{kind.scale: 1})


def batch(layer: Layer) -> int:
    """Return the batch asked about: times the layer as given where it has no field for it."""
    return int(getattr(layer, layer.scale)) if has_batch(layer) else 1


@remembered(256)
def needed(asked: Need) -> Footprint:
    """Return the memory that is needed; ValueError says why nothing can be told."""
    if asked.in_place == "as built":
        return footprint(
            asked.layer, asked.format, asked.optimizer, None if asked.precision == OFF else asked.precision,
            asked.checkpoint, STAGES.index(asked.zero), asked.ranks, asked.training, asked.context,
        )  # fmt: skip
    changed = in_place(asked.layer, asked.in_place == "everywhere")
    return needed(asked._replace(layer=changed, in_place="as built"))


def in_place(layer: Layer, yes: bool) -> Layer:
    """Return the layer with every activation that can in place, or none; a network becomes a sequence."""
    if isinstance(layer, Activation):
        try:
            return replace(layer, inplace=yes)
        except ValueError:  # its backward pass needs the input
            return layer
    if not isinstance(layer, Composite):
        return layer
    named = {name: value for name, value in vars(layer).items() if _is_parts(layer, name)}
    if named:
        change: dict[str, Any] = {name: _inside(value, yes) for name, value in named.items()}
        return replace(layer, **change) if change != named else layer
    parts = tuple((name, in_place(part, yes)) for name, part in layer.parts)  # built from sizes
    return Sequence(parts) if parts != layer.parts else layer


def _is_parts(layer: Layer, name: str) -> bool:
    field = layer.__dataclass_fields__.get(name)
    return field is not None and field.metadata.get("kind") == "parts"


def _inside(value: Any, yes: bool) -> Any:
    if isinstance(value, Layer):
        return in_place(value, yes)
    return tuple(_inside(each, yes) for each in value) if isinstance(value, tuple) else value


def shown_gpus(scenario: Scenario, options: MemoryOptions) -> tuple[Gpu, ...]:
    """Return the scenario's GPU and the others chosen, each once."""
    others = tuple(gpu for gpu in GPUS if gpu.name in options.others and gpu != scenario.gpu)
    return (scenario.gpu, *others)


def largest(asked: Footprint, gpu: Gpu, reserve: float) -> int | None:
    """Return the largest batch that fits, 0 if not even one sample, None if any fits."""
    room = gpu.memory - reserve
    if asked.constant > room:
        return 0
    if not asked.per_sample:
        return None
    found = int((room - asked.constant) // asked.per_sample)
    while found and not asked.fits(gpu, found, reserve):
        found -= 1
    while asked.fits(gpu, found + 1, reserve):
        found += 1
    return found
