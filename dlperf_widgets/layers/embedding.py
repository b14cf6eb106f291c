"""Embeddings."""

from dataclasses import dataclass

from ..ops import Operand, Phase, Stream
from ._fields import dim, flag
from ._layer import Layer, Saved, Shape


@dataclass(frozen=True)
class Embedding(Layer):
    """A row of a table for every token: rows x width numbers, of which the forward pass reads tokens x width.

    A token is an INT64 index, 8 bytes. A sparse gradient is dy with the indices it came for; a dense
    one is a whole table, zero but for the rows that were used.
    """

    scale = "tokens"
    tokens: int = dim(8192, "Tokens", most=2**20)
    width: int = dim(1024, "Width")
    rows: int = dim(50257, "Rows of the table", most=2**20)
    sparse: bool = flag(False, "Sparse gradient")

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return the copy of rows forward, and their sums backward. Indices have no gradient."""
        moved = self.tokens * self.width
        match phase:
            case Phase.FPROP:
                return (Stream(0, moved, flops=0, weights=moved, side_bytes=8 * self.tokens),)
            case Phase.WGRAD if self.sparse:
                return (Stream(moved, 0, flops=0, role=Operand.GRADIENT),)
            case Phase.WGRAD:  # zeros everywhere; then dy, and the rows it is added to, read and written
                written = self.rows * self.width + moved
                return (Stream(2 * moved, written, flops=moved, role=Operand.GRADIENT),)
            case _:
                return ()

    @property
    def params(self) -> int:
        """The table."""
        return self.rows * self.width

    @property
    def input_shape(self) -> Shape:
        """(tokens,)."""
        return (self.tokens,)

    @property
    def output_shape(self) -> Shape:
        """(tokens, width)."""
        return (self.tokens, self.width)

    @property
    def saved(self) -> Saved:
        """The tokens."""
        return Saved(side_bytes=8 * self.tokens)
