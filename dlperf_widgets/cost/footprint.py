"""A memory footprint: named terms that add up, each a constant and a part that grows with the batch."""

from dataclasses import dataclass

from ..gpus import Gpu
from ..units import GIB, KIB, MIB

# What a process holds before its first tensor: the CUDA context with its kernels, and library workspaces.
# An estimate: 0.3 to 0.8 GiB are seen.
RESERVE = round(0.6 * GIB)


@dataclass(frozen=True)
class MemoryTerm:
    """One part of a footprint, in bytes: a constant, and what each sample adds."""

    name: str
    constant: float
    per_sample: float
    formula: str
    per_parameter: float = 0.0  # before it is divided over ranks


@dataclass(frozen=True)
class Footprint:
    """The bytes that one GPU holds: ``constant`` + batch x ``per_sample``, never proportional to the batch.

    For training it is an upper bound of the peak: it adds the live gradients to all saved activations and
    all weight gradients, which autograd frees and fills as it goes. Rounding and fragmentation by the
    allocator, workspaces of libraries and communication buffers are not counted.
    """

    title: str
    terms: tuple[MemoryTerm, ...]
    sample: str = "sample"  # what the batch counts
    recomputed: float = 0.0  # share of the forward pass that checkpointing runs a second time

    @property
    def weights(self) -> float:
        """Bytes of the weights that layers use."""
        return self._term("weights").constant

    @property
    def gradients(self) -> float:
        """Bytes of the weights' gradients."""
        return self._term("gradients").constant

    @property
    def optimizer_state(self) -> float:
        """Bytes of the optimizer's momentum and variance."""
        return self._term("optimizer state").constant

    @property
    def master_weights(self) -> float:
        """Bytes of the FP32 copy that the optimizer updates."""
        return self._term("master weights").constant

    @property
    def cast_cache(self) -> float:
        """Bytes of the 16-bit copies of weights that autocast keeps from forward to backward."""
        return self._term("cast weights").constant

    @property
    def activations_constant(self) -> float:
        """Bytes saved for backward whatever the batch: the statistics of batch normalizations."""
        return self._term("activations").constant

    @property
    def activations_per_sample(self) -> float:
        """Bytes a sample: saved for backward, or without training alive at once."""
        return self._term("activations").per_sample

    @property
    def output_per_sample(self) -> float:
        """Bytes a sample of the output, which a loss reads, unless it is saved anyway."""
        return self._term("output").per_sample

    @property
    def live_gradients_per_sample(self) -> float:
        """Bytes a sample of the activations' gradients that backward holds at once."""
        return self._term("live gradients").per_sample

    @property
    def cache(self) -> float:
        """Bytes a sample of cached keys and values."""
        return self._term("cache").per_sample

    @property
    def constant(self) -> float:
        """Bytes whatever the batch."""
        return sum(term.constant for term in self.terms)

    @property
    def per_sample(self) -> float:
        """Bytes that each sample adds."""
        return sum(term.per_sample for term in self.terms)

    @property
    def per_parameter(self) -> float:
        """Bytes for each parameter, before they are divided over ranks."""
        return sum(term.per_parameter for term in self.terms)

    def total(self, batch: int = 1) -> float:
        """Return the bytes for a batch."""
        if batch < 0:
            raise ValueError(f"a batch cannot be {batch:,}")
        return self.constant + batch * self.per_sample

    def fits(self, gpu: Gpu, batch: int = 1, reserve: float = RESERVE) -> bool:
        """Return whether a batch fits the memory of a GPU, of which ``reserve`` bytes are not ours."""
        return self.total(batch) <= gpu.memory - reserve

    def explain(self, batch: int = 1) -> str:
        """Return the terms for a batch as lines, each with the numbers put in."""
        rows = [(term.name, _for(term, batch), term.formula) for term in self.terms]
        total = f"{both(self.constant)} + {batch:,} x {both(self.per_sample)}"
        lines = [
            f"{name:<16} {both(size):<27} {formula}"
            for name, size, formula in rows
            if size or name == "weights"
        ]
        each = " + ".join(f"{t.per_parameter:g} {t.name}" for t in self.terms if t.per_parameter)
        lines.append(f"{'total':<16} {both(self.total(batch)):<27} {total}")
        lines.append(f"a parameter takes {each} = {self.per_parameter:g} bytes, before ranks share them")
        if self.recomputed:
            lines.append(f"checkpointing runs {self.recomputed:.0%} of the forward pass a second time")
        return "\n".join([f"{self.title}, batch {batch:,}", *lines])

    def _term(self, name: str) -> MemoryTerm:
        return next((term for term in self.terms if term.name == name), _NOTHING)


_NOTHING = MemoryTerm("", 0.0, 0.0, "")
_UNITS = ((1e9, "GB", GIB, "GiB"), (1e6, "MB", MIB, "MiB"), (1e3, "kB", KIB, "KiB"))


def _for(term: MemoryTerm, batch: int) -> float:
    return term.constant + batch * term.per_sample


def both(size: float) -> str:
    """Return bytes in decimal and in binary units: ``both(4e6) == "4 MB = 3.815 MiB"``."""
    for decimal, name, binary, other in _UNITS:
        if size >= decimal:
            return f"{_figures(size / decimal)} {name} = {_figures(size / binary)} {other}"
    return f"{_figures(size)} B"


def _figures(value: float) -> str:
    """Return four significant figures, without an exponent."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
