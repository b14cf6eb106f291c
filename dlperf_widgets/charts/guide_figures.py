"""The four figures of NVIDIA's guide to memory-limited layers, as questions to the model.

The guide names the GPU, the software and what varies; of the sizes it shows curves only. The sizes here
are chosen so that the shape it describes is in view: flat while the launch decides, then in proportion.
"""

from typing import NamedTuple

from ..cost import Launch, Layout, Scenario
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..layers import Activation, BatchNorm2d, Layer, Pool2d
from ..ops import Phase

GUIDE = "https://docs.nvidia.com/deeplearning/performance/dl-performance-memory-limited/"
OWN = "no figure"


class Figure(NamedTuple):
    """A figure of the guide: what it shows, and which sizes show it here."""

    name: str
    layer: Layer
    layout: Layout
    phases: tuple[Phase, ...]
    compare: str  # what the curves of the figure are
    shape: str  # what the guide says the curves do
    per_value: bool = False
    field: str = "batch"
    reach: int = 10_000

    @property
    def scenario(self) -> Scenario:
        """The question."""
        return Scenario(self.layer, A100_SXM4_80GB, FP16, self.phases, Launch.GRAPH, self.layout)


_BOTH = (Phase.FPROP, Phase.DGRAD)

FIGURES = (
    Figure(
        "figure 1: batch norm, NCHW", BatchNorm2d(32, 32, 8, 8, "two-pass"), Layout.NCHW, (Phase.FPROP,),
        "passes", "flat for small batches, and a persistent kernel is faster than one that reads again",
        reach=100_000,
    ),
    Figure(
        "figure 2: batch norm, NHWC", BatchNorm2d(32, 32, 8, 8), Layout.NHWC, _BOTH, "phases",
        "a persistent kernel alone: flat, then in proportion to the batch", reach=100_000,
    ),
    Figure(
        "figure 3: activations", Activation(32 * 64 * 32 * 32), Layout.NHWC, _BOTH, "phases",
        "time in proportion to N H W C, longer backward, and the same for every function",
        field="elements", reach=10**9,
    ),
    Figure(
        "figure 4: pooling", Pool2d(32, 64, 56, 56, 2, 2), Layout.NHWC, _BOTH, "phases",
        "the time for each value, constant once there are enough of them", per_value=True,
    ),
)  # fmt: skip
FIGURE_NAMES = (OWN, *(figure.name for figure in FIGURES))


def figure(name: str) -> Figure | None:
    """Return the figure of a name; None for the name of none."""
    return next((each for each in FIGURES if each.name == name), None)
