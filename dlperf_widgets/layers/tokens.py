"""What transformers do to a row of tokens besides attention and products."""

from dataclasses import dataclass

from ..ops import Operand, Phase, Stream
from ._fields import dim
from ._layer import Layer, Saved, Shape


@dataclass(frozen=True)
class ClassToken(Layer):
    """Put a learned token before each row of tokens and add learned positions, as ViT does."""

    batch: int = dim(32, "Batch size", most=1024)
    tokens: int = dim(196, "Tokens", most=4096)
    width: int = dim(768, "Width")

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return one pass: tokens and positions are read, one more token a row is written."""
        before = self.batch * self.tokens * self.width
        after = self.batch * (self.tokens + 1) * self.width
        match phase:
            case Phase.FPROP:
                return (Stream(before, after, flops=after, weights=self.params),)
            case Phase.WGRAD:  # the gradient summed over the batch
                return (Stream(after, self.params, flops=after, role=Operand.GRADIENT),)
            case _:  # the gradient of the tokens is a part of the gradient given
                return ()

    @property
    def params(self) -> int:
        """The class token, and a position for every token and for it."""
        return (self.tokens + 2) * self.width

    @property
    def input_shape(self) -> Shape:
        """(batch, tokens, width)."""
        return (self.batch, self.tokens, self.width)

    @property
    def output_shape(self) -> Shape:
        """(batch, tokens + 1, width)."""
        return (self.batch, self.tokens + 1, self.width)


@dataclass(frozen=True)
class Take(Layer):
    """The first token of each row, for a classifier. A view: nothing moves."""

    batch: int = dim(32, "Batch size", most=1024)
    tokens: int = dim(197, "Tokens", most=4096)
    width: int = dim(768, "Width")

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return nothing forward; backward writes a gradient that is zero but for one token a row."""
        if phase is not Phase.DGRAD:
            return ()
        one, all_of_them = self.batch * self.width, self.batch * self.tokens * self.width
        return (Stream(one, all_of_them, flops=0, role=Operand.GRADIENT),)

    @property
    def input_shape(self) -> Shape:
        """(batch, tokens, width)."""
        return (self.batch, self.tokens, self.width)

    @property
    def output_shape(self) -> Shape:
        """(batch, width)."""
        return (self.batch, self.width)

    @property
    def saved(self) -> Saved:
        """The other tokens: a next layer that keeps the first, a view, keeps their memory too."""
        return Saved(input=self.batch * (self.tokens - 1) * self.width)
