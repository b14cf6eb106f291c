"""Layers along rows, and the normalizations among them."""

from dataclasses import dataclass
from typing import ClassVar

from ..ops import Operand, Pass, Phase, Stream
from ._fields import dim
from ._layer import Layer, Saved, Shape


class Rowwise(Layer):
    """A layer that treats every row of a matrix alike: ``rows`` is all leading dimensions, multiplied.

    A row is taken to fit on the chip, so that it is read once however often its numbers are used.
    """

    scale = "rows"
    rows: int
    columns: int

    @property
    def elements(self) -> int:
        """Rows x columns."""
        return self.rows * self.columns

    @property
    def input_shape(self) -> Shape:
        """(rows, columns)."""
        return (self.rows, self.columns)

    @property
    def output_shape(self) -> Shape:
        """(rows, columns)."""
        return (self.rows, self.columns)


class _RowNorm(Rowwise):
    """A normalization with as many vectors of parameters as FP32 statistics a row."""

    vectors: ClassVar[int]
    work: ClassVar[tuple[int, int]]  # flops for each element forward and backward: a convention

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return one pass forward, and one backward that gives the gradients of the parameters too."""
        e, parameters, statistics = self.elements, self.params, 4 * self.vectors * self.rows
        forward, backward = self.work
        match phase:
            case Phase.FPROP:
                return (
                    Stream(
                        e, e, forward * e,
                        weights=parameters, side_bytes=statistics, kind=Pass.NORM, rows=self.rows,
                    ),
                )  # fmt: skip
            # Reads x, dy and the scale; writes dx and a gradient for each parameter: PyTorch has a kernel
            # for dx and one for the parameters.
            case Phase.DGRAD:
                return (
                    Stream(
                        e, e + parameters, backward * e,
                        kept=e, weights=self.columns, side_bytes=statistics, role=Operand.GRADIENT,
                        kernels=2,
                    ),
                )  # fmt: skip
            case _:
                return ()

    @property
    def params(self) -> int:
        """A scale a column, and where there is one a shift."""
        return self.vectors * self.columns

    @property
    def saved(self) -> Saved:
        """The input and the statistics of its rows."""
        return Saved(input=self.elements, side_bytes=4 * self.vectors * self.rows)


@dataclass(frozen=True)
class LayerNorm(_RowNorm):
    """y = (x - mean) / deviation * scale + shift, with the mean and deviation of every row."""

    vectors = 2
    # forward: sum 1, deviation squared and summed 3, normalize 2, scale and shift 2
    # backward: normalize 2, scale 1, two sums 3, dx 4, sums for scale and shift 3
    work = (8, 13)

    rows: int = dim(8192, "Rows", most=2**20)
    columns: int = dim(1024, "Columns")


@dataclass(frozen=True)
class RmsNorm(_RowNorm):
    """y = x / root mean square * scale, with the root mean square of every row."""

    vectors = 1
    # forward: square and sum 2, normalize 1, scale 1
    # backward: normalize 1, scale 1, sum 2, dx 3, sum for scale 2
    work = (4, 9)

    rows: int = dim(8192, "Rows", most=2**20)
    columns: int = dim(4096, "Columns")
