"""Serving a language model: a prefill that reads prompts, then one decode step for each new token."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import ceil, fsum
from typing import Any, NamedTuple

from ..dtypes import DType, Format
from ..layers import Attention, Layer, Tied
from ..ops import Attention as Kernel
from ..ops import Gemm, Phase, Stream
from ._checks import thing, whole
from .activations import cache, pair
from .collapse import Collapsed, Leaf
from .footprint import Footprint, MemoryTerm
from .generation import Prompts, decoding, longest, prefilling, prompts
from .live import live
from .scenario import Scenario
from .time import Cost

PAGED = "https://arxiv.org/abs/2309.06180"  # Kwon et al., PagedAttention, section 3
GROUPED = "https://arxiv.org/abs/2305.13245"  # Ainslie et al., GQA


class Part(NamedTuple):
    """Seconds of a kind of rows in a step, and what they would take by math and by memory alone."""

    time: float
    math: float
    memory: float

    @classmethod
    def of(cls, rows: Iterable[Cost]) -> "Part":
        """Return the sums over rows."""
        found = tuple(rows)
        return cls(
            fsum(row.count * row.time for row in found),
            fsum(row.count * row.math_time for row in found),
            fsum(row.count * row.memory_time for row in found),
        )


class Parts(NamedTuple):
    """A forward pass by kinds: products with weights, attention to the cache, passes over activations."""

    products: Part
    attention: Part
    rest: Part

    @classmethod
    def of(cls, scenario: Scenario) -> "Parts":
        """Return the parts of a scenario's rows."""
        found: dict[type, list[Cost]] = {Gemm: [], Kernel: [], Stream: []}
        for row in scenario.costs:
            found[type(row.op)].append(row)
        return cls(*(Part.of(rows) for rows in found.values()))

    @property
    def time(self) -> float:
        """Seconds of the pass."""
        return fsum(part.time for part in self)


@dataclass(frozen=True)
class Serving:
    """One batch of requests: a prefill of their prompts, and decode steps at their last, longest token."""

    scenario: Scenario  # the model as given, forward
    generated: int = 256  # tokens for each request
    kv_heads: int | None = None  # in place of the model's; 0: as many as heads
    weights: DType | None = None  # stored so; products still run in the format of the activations

    def __post_init__(self) -> None:
        thing("scenario", Scenario, self.scenario)
        if self.kv_heads is not None:
            whole("kv_heads", self.kv_heads)
        if self.weights is not None:
            thing("weights", DType, self.weights)
        whole("generated", self.generated, 1)
        prompts(self.scenario.layer)  # says so if it generates nothing
        limit = longest(self.scenario.layer)
        if limit is not None and self.keys > limit:
            asked = self.prompts
            raise ValueError(
                f"{self.scenario.layer.title} has positions for {limit:,} tokens: a prompt of "
                f"{asked.tokens + asked.cached:,} and {self.generated:,} generated are {self.keys:,}"
            )

    @cached_property
    def prompts(self) -> Prompts:
        """The requests."""
        return prompts(self.scenario.layer)

    @property
    def keys(self) -> int:
        """Tokens that a request has at its end, in the cache."""
        asked = self.prompts
        return asked.cached + asked.tokens + self.generated

    @cached_property
    def one(self) -> Layer:
        """The model for a single request."""
        change: dict[str, Any] = {"batch": 1}
        return replace(self.scenario.layer, **change)

    @cached_property
    def format(self) -> Format:
        """The format, with the weights as they are stored."""
        form = self.scenario.format
        return form if self.weights is None else replace(form, weights=self.weights)

    @cached_property
    def attention(self) -> Attention:
        """The attention of one block in a decode step of a single request."""
        leaves = _leaves(self.one, self.keys, self.kv_heads)
        return next(leaf for _, leaf, _ in leaves if isinstance(leaf, Attention))

    @property
    def blocks(self) -> int:
        """How many blocks there are, each with a cache."""
        leaves = _leaves(self.one, self.keys, self.kv_heads)
        return sum(count for _, leaf, count in leaves if isinstance(leaf, Attention))

    @cached_property
    def prefill(self) -> Parts:
        """The pass that reads all prompts and gives each its first token."""
        return self.prefill_at(self.prompts.batch)

    @cached_property
    def decode(self) -> Parts:
        """The step that gives each request its last token."""
        return self.decode_at(self.prompts.batch)

    def prefill_at(self, batch: int) -> Parts:
        """Return the prefill of so many requests."""
        return self._pass(None, batch)

    def decode_at(self, batch: int) -> Parts:
        """Return the decode step of so many requests."""
        return self._pass(self.keys, batch)

    def _pass(self, keys: int | None, batch: int) -> Parts:
        leaves = _leaves(self.one, keys, self.kv_heads)
        layer = Collapsed(tuple((path, _times(leaf, batch), count) for path, leaf, count in leaves), self.one)
        return Parts.of(replace(self.scenario, layer=layer, dtype=self.format, phases=(Phase.FPROP,)))

    @property
    def tokens_per_second(self) -> float:
        """Tokens that decoding gives all requests of the batch."""
        return self.prompts.batch / self.decode.time

    @property
    def prompt_tokens_per_second(self) -> float:
        """Tokens of prompts that prefill reads."""
        return self.prompts.batch * self.prompts.tokens / self.prefill.time

    @property
    def request_time(self) -> float:
        """Seconds to a request's last token, at most: later steps read more cache than earlier ones."""
        return self.prefill.time + (self.generated - 1) * self.decode.time

    @property
    def memory(self) -> Footprint:
        """Weights, the cache at its longest, and activations: of a decode step and of one prompt.

        A server reads prompts in a few at a time, so that those of all need not be in memory at once.
        """
        return _memory(self.one, self.format, self.keys, self.kv_heads)

    @property
    def cache_per_token(self) -> float:
        """Bytes of keys and values for each token: 2 x kv_heads x head_dim numbers a block."""
        return self.memory.cache / self.keys

    @cached_property
    def turns(self) -> int | None:
        """The least batch at which decode's products with weights are math limited; None if at none.

        Their math grows in proportion to the batch, their memory along a line that starts at the weights.
        """
        near, far = (self.decode_at(batch).products for batch in _ALIGNED)
        steps = _ALIGNED[1] - _ALIGNED[0]
        math, memory = (far.math - near.math) / steps, (far.memory - near.memory) / steps
        if math <= memory:
            return None
        return max(ceil((near.memory - memory * _ALIGNED[0]) / (math - memory)), 1)


@lru_cache(64)
def _leaves(one: Layer, keys: int | None, kv_heads: int | None) -> tuple[Leaf, ...]:
    """Return the simple layers of a decode step to ``keys`` tokens, or of a prefill, of one request."""
    layer = prefilling(one, kv_heads) if keys is None else decoding(one, keys, kv_heads)
    return tuple(layer.leaves())


def _times(leaf: Layer, batch: int) -> Layer:
    """Return a simple layer for ``batch`` requests."""
    if isinstance(leaf, Tied):
        return Tied(_times(leaf.layer, batch))
    change: dict[str, Any] = {leaf.scale: batch * getattr(leaf, leaf.scale)}
    return replace(leaf, **change)


@lru_cache(64)
def _memory(one: Layer, form: Format, keys: int, kv_heads: int | None) -> Footprint:
    both = pair(one)
    steps = (decoding(both[0], keys, kv_heads), decoding(both[1], keys, kv_heads))
    reads = (prefilling(both[0], kv_heads), prefilling(both[1], kv_heads))
    step, read, kept = live(steps, form), live(reads, form), cache(steps, form, keys)
    size, params = form.weights.bytes, steps[0].params
    return Footprint(
        title=f"{one.title}, {form.name}, serving",
        terms=(
            MemoryTerm("weights", params * size, 0.0, f"{params:,} x {size:g} B", size),
            MemoryTerm(
                "activations", step.constant + read.constant + read.slope, step.slope,
                f"{read.slope:,.0f} B for one prompt, {step.slope:,.0f} B a request that decodes",
            ),
            MemoryTerm(
                "cache", kept.constant, kept.slope,
                f"keys and values, {kept.slope / keys:,.0f} B a token x {keys:,} tokens",
            ),
        ),
        sample="request",
    )  # fmt: skip


_ALIGNED = (64, 128)  # batches between which the ideal times are lines, whatever the library
