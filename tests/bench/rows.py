"""What the readers of published latencies share: the folder, the GPUs, one measurement."""

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.dtypes import DType, Format
from dlperf_widgets.layers import Layer
from dlperf_widgets.layers._composite import Composite, Parts
from dlperf_widgets.layers._fields import parts
from dlperf_widgets.layers._layer import Shape
from dlperf_widgets.ops import Op, Phase

FOLDER = Path(__file__).parents[3] / "shared" / "measured"

# DeepBench names boards loosely: its P100 reaches the rates of the PCIe card, its V100 those of the SXM2 one.
_DEEPBENCH = {
    "NV_M40": "M40", "NV_TitanX": "GTX Titan X (Maxwell)", "NV_P100": "P100-PCIe-16GB",
    "NV_1080Ti": "GTX 1080 Ti", "NV_TitanX_Pascal": "Titan X (Pascal)", "NV_TitanXp": "Titan Xp",
    "NV_V100": "V100-SXM2-16GB",
}  # fmt: skip
_PLAIN = (
    "A100-SXM4-80GB", "A100-SXM4-40GB", "A100-PCIe-40GB", "H100-SXM5-80GB", "L40S", "RTX-3090", "RTX-A6000",
    "RTX-4090", "RTX-5090", "V100-PCIe-32GB", "T4", "P100-PCIe-16GB", "P4",
)  # fmt: skip
GPUS = {label: gpus.find(name) for label, name in (*_DEEPBENCH.items(), *((name, name) for name in _PLAIN))}


class Measured(NamedTuple):
    """One published latency."""

    family: str
    scenario: Scenario  # with the launch of the file's protocol
    seconds: float


def every_row(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a file."""
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt", newline="") as file:
        yield from csv.DictReader(file)


def rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a file that were measured on a GPU with a record."""
    return (row for row in every_row(name) if row["gpu"] in GPUS)


def skipped() -> Counter[str]:
    """Return how many rows of all files were measured on each GPU without a record."""
    names = (path.name.removesuffix(".csv.gz") for path in sorted(FOLDER.glob("*.csv.gz")))
    return Counter(row["gpu"] for name in names for row in every_row(name) if row["gpu"] not in GPUS)


def sizes(row: dict[str, str], *names: str) -> list[int]:
    """Return some columns of a row as whole numbers."""
    return [int(row[name]) for name in names]


def measured(
    row: dict[str, str],
    family: str,
    layer: Layer,
    dtype: DType | Format,
    launch: Launch,
    phases: tuple[Phase, ...] = (Phase.FPROP,),
    column: str = "measured_ms",
) -> Measured:
    """Return a row's measurement of some phases of a layer; the ``column`` holds milliseconds."""
    scenario = Scenario(layer, GPUS[row["gpu"]], dtype, phases, launch)
    return Measured(family, scenario, float(row[column]) / 1e3)


@dataclass(frozen=True)
class Listed(Composite):
    """Layers one after another whose shapes nobody checks: what a program ran, as it ran it."""

    layers: Parts = parts("Layers", default=())

    @property
    def parts(self) -> Parts:
        """The layers."""
        return self.layers

    @property
    def input_shape(self) -> Shape:
        """Nobody asks."""
        return (1,)

    output_shape = input_shape


@dataclass(frozen=True)
class Bare(Layer):
    """One operation of the forward pass, and those of backward, as they are."""

    op: Op = parts("Operation")
    backward: tuple[Op, ...] = parts("Backward", default=())

    def ops(self, phase: Phase) -> tuple[Op, ...]:
        """Return the operations."""
        return {Phase.FPROP: (self.op,), Phase.DGRAD: self.backward}.get(phase, ())

    @property
    def input_shape(self) -> Shape:
        """Nobody asks."""
        return (1,)

    output_shape = input_shape
