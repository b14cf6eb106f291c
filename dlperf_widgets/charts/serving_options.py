"""What is asked about serving besides the model and the GPU, and the answers that its charts share."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log2

from ..cost import Scenario
from ..cost.serving import Serving
from ..cost.sweep import anchored
from ..dtypes import FP8, INT4, INT8, DType
from ..language import remembered
from ..layers._fields import choice, dim, hidden, real
from ..units import GIB
from ._chart import Axis, Spans
from ._options import Described
from .memory_options import batch, largest
from .roles import Role

BUILT, SAME = "as built", "as activations"
SHARING = {BUILT: None, "each head": 0, "8 groups": 8, "4 groups": 4, "one for all": 1}
STORED: dict[str, DType | None] = {SAME: None, "FP8": FP8, "INT8": INT8, "INT4": INT4}
_FAR = 4096  # a largest batch beyond this need not be in view
_NARROW = 0.3  # of the picture's width: a stretch that has no room for its name


@dataclass(frozen=True)
class ServingOptions(Described):
    """How a language model is served."""

    generated: int = dim(256, "Generated tokens", most=16384)
    sharing: str = choice(BUILT, "Keys and values", tuple(SHARING))
    stored: str = choice(SAME, "Stored weights", tuple(STORED))
    reserve: float = real(0.6, "Reserve (GiB)", 0.0, 64.0)
    reach: int = hidden(512)  # the largest batch that is shown

    @property
    def reserved(self) -> float:
        """The reserve in bytes."""
        return self.reserve * GIB


def served(scenario: Scenario, options: ServingOptions) -> Serving:
    """Return the prefill and the decode step that are asked about; ValueError says why there are none."""
    return _served(scenario, options.generated, options.sharing, options.stored)


@remembered(512)
def _served(scenario: Scenario, generated: int, sharing: str, stored: str) -> Serving:
    return Serving(scenario, generated, SHARING[sharing], STORED[stored])


@remembered(512)
def any_batch(scenario: Scenario) -> Scenario:
    """Return the question at a batch that does not depend on the present one."""
    return anchored(scenario, "batch")


def most(scenario: Scenario, options: ServingOptions) -> int:
    """Return the largest batch whose cache fits beside the weights; 0 if not even one request does."""
    return largest(served(scenario, options).memory, scenario.gpu, options.reserved) or 0


def turn(scenario: Scenario, options: ServingOptions) -> int | None:
    """Return the batch from which products are math limited, asked once for all batches."""
    return served(any_batch(scenario), options).turns


def batches(reach: int) -> Iterator[int]:
    """Yield doublings up to the largest batch shown, and where tiles fill up one between two of them."""
    size = 1
    while size < reach:
        yield size
        if size >= 64 and 3 * size // 2 < reach:
            yield 3 * size // 2
        size *= 2
    yield reach


def fitting(scenario: Scenario, options: ServingOptions) -> int:
    """Return a largest batch to show, with the present one, the largest that fits and the turn in view."""
    ends = (batch(scenario.layer), most(scenario, options), turn(scenario, options) or 1)
    far = max(min(end, _FAR) for end in ends)
    return max(64, 1 << ceil(log2(1.4 * max(far, ends[0]))))


def batch_axis(reach: int) -> Axis:
    """Return the axis of batches, with a tick for each quadrupling."""
    places = tuple(4.0**i for i in range(ceil(log2(reach) / 2 + 0.5)) if 4**i <= reach)
    names = tuple(f"{place:,.0f}" for place in places)
    return Axis("Batch size", "", (1, reach), log=True, places=places, names=names)


def stretches(scenario: Scenario, options: ServingOptions, reach: int) -> Iterator[Spans]:
    """Yield where decode's products are memory limited and where math limited, as far as requests fit."""
    full = min(max(most(scenario, options), 1), reach)
    middle = min(turn(scenario, options) or full, full)
    ends = (
        ("memory limited", Role.MEMORY, 1, middle),
        ("math limited", Role.MATH, middle, full),
    )
    for name, role, low, high in ends:
        if high > low and log2(high / low) > _NARROW * log2(reach):
            yield Spans(name, role, low, high)
