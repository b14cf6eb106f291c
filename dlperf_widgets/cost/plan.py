"""A cluster plan: over how many GPUs a training step is split, which way, and what connects them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

from .._given import cut, shown
from .._json import read
from ..gpus import Gpu
from ..layers import Attention, Composite, Layer, Repeat
from ..layers._fields import checked, choice, dim, flag
from ..links import LINKS, Link, find, of_gpu
from ..units import MIB

OWN = "the GPU's own"
VERSION = 1
_NAMES = tuple(link.name for link in LINKS)


@dataclass(frozen=True)
class Plan:
    """How a step is split. GPUs are numbered by tensor rank first, then data rank, then stage.

    Every GPU has a link of its own to its node and to other nodes. 25 MiB is the bucket of PyTorch's
    DistributedDataParallel.
    """

    data: int = dim(1, "Data-parallel ranks", most=1024)
    tensor: int = dim(1, "Tensor-parallel ranks", most=64)
    pipeline: int = dim(1, "Pipeline stages", most=128)
    microbatches: int = dim(1, "Micro-batches", most=512)
    interleave: int = dim(1, "Model chunks of a stage", most=16, log=False)
    zero: int = dim(0, "ZeRO stage", most=3, log=False, least=0, limit=3)
    node: int = dim(8, "GPUs in a node", most=72, log=False)
    inside: str = choice(OWN, "Link inside a node", (OWN, *_NAMES))
    between: str = choice("InfiniBand HDR", "Link between nodes", _NAMES)
    overlap: bool = flag(True, "Communicate while computing")
    bucket_bytes: int = dim(25 * MIB, "Gradient bucket in bytes", most=1024 * MIB, least=1024)

    def __post_init__(self) -> None:
        for name in ("inside", "between"):
            value = getattr(self, name)
            if isinstance(value, str) and value != OWN:  # "hdr" means InfiniBand HDR
                object.__setattr__(self, name, find(value).name)
        for f in fields(self):
            object.__setattr__(self, f.name, checked("Plan", f.name, f.metadata, getattr(self, f.name)))

    @property
    def ranks(self) -> int:
        """GPUs in all."""
        return self.data * self.tensor * self.pipeline

    def link(self, gpu: Gpu, extent: int) -> Link:
        """Return what connects a group of ranks that spans so many GPUs, its slowest part.

        A group that nodes do not hold whole crosses from one to another.
        """
        whole = self.ranks <= self.node or (extent <= self.node and self.node % extent == 0)
        if whole:
            return of_gpu(gpu) if self.inside == OWN else find(self.inside)
        return find(self.between)

    def check(self, layer: Layer) -> tuple[str, ...]:
        """Return a sentence for each thing that keeps a layer from being trained so."""
        return tuple(_faults(self, layer))

    def to_json(self) -> str:
        """Return the plan as JSON text with a version."""
        return json.dumps({"version": VERSION, **asdict(self)})

    @staticmethod
    def from_json(text: str) -> "Plan":
        """Return the plan that ``to_json`` wrote; ValueError says what is wrong with other text."""
        data = read("a plan", text)
        if not isinstance(data, Mapping):
            raise ValueError(f"a plan is a JSON object, not {type(data).__name__}")
        values: dict[str, Any] = dict(data)
        if (version := values.pop("version", None)) != VERSION:
            raise ValueError(f"a plan of version {shown(version)} cannot be read: this is version {VERSION}")
        if unknown := sorted(set(values) - {f.name for f in fields(Plan)}):
            raise ValueError(f"a plan has no {cut(', '.join(unknown))}")
        return Plan(**values)


def blocks(layer: Layer) -> int:
    """Return into how many parts a pipeline can cut: a repeated block's times, else parts with weights."""
    if isinstance(layer, Repeat):
        return layer.times
    if not isinstance(layer, Composite):
        return 1
    times = [part.times for _, part in layer.parts if isinstance(part, Repeat)]
    return max(times) if times else max(sum(part.params > 0 for _, part in layer.parts), 1)


@lru_cache(64)
def attentions(layer: Layer) -> tuple[tuple[Attention, int], ...]:
    """Return the attention of each transformer block, with how often it runs."""
    return tuple((leaf, count) for _, leaf, count in layer.leaves() if isinstance(leaf, Attention))


def _faults(plan: Plan, layer: Layer) -> Iterator[str]:
    chunks, present, kind = plan.pipeline * plan.interleave, blocks(layer), type(layer).__name__
    if chunks > present:
        yield f"{plan.pipeline} stages of {plan.interleave} need {chunks} blocks: {kind} has {present}"
    if plan.interleave > 1 and plan.pipeline == 1:
        yield f"{plan.interleave} chunks of a stage need more than one pipeline stage"
    elif plan.interleave > 1 and plan.microbatches % plan.pipeline:
        yield (
            f"chunks of a stage take turns in groups of {plan.pipeline} micro-batches: "
            f"{plan.microbatches} is no multiple"
        )
    if plan.ranks > plan.node and plan.ranks % plan.node:
        yield f"{plan.ranks} GPUs do not fill nodes of {plan.node}"
    if plan.zero > 1 and plan.pipeline > 1:
        # DeepSpeed refuses the same: every micro-batch of every stage would wait for the other ranks.
        yield f"ZeRO stage {plan.zero} exchanges after every micro-batch: with a pipeline, use stage 0 or 1"
    if plan.tensor > 1:
        yield from _tensor_faults(plan.tensor, layer)


def _tensor_faults(ranks: int, layer: Layer) -> Iterator[str]:
    heads = sorted({attention.heads for attention, _ in attentions(layer)})
    if not heads:
        yield f"{ranks} tensor ranks share transformer blocks: {type(layer).__name__} has none"
    for count in heads:
        if count % ranks:
            yield f"{ranks} tensor ranks cannot share {count} heads evenly"
