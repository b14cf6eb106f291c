"""What every network has in common: it is a composite built from a few sizes."""

from abc import abstractmethod
from functools import cached_property

from ..layers import Composite, Layer, Saved
from ..layers._composite import Parts
from ..layers._layer import Shape


class Model(Composite):
    """A network: a frozen dataclass of a few sizes whose ``body`` is made of layers alone.

    Its first layer has no gradient of the input: nobody asks for it.
    """

    needs_input_gradient = False

    @abstractmethod
    def build(self) -> Layer:
        """Return the layers for the present sizes."""

    @cached_property
    def body(self) -> Layer:
        """The layers, built once."""
        return self.build()

    def check(self) -> None:
        """Build, so that sizes that do not fit say so at once."""
        _ = self.body

    @property
    def parts(self) -> Parts:
        """The layers of the body under their own names."""
        return self.body.parts if isinstance(self.body, Composite) else (("", self.body),)

    @property
    def input_shape(self) -> Shape:
        """Of the body."""
        return self.body.input_shape

    @property
    def output_shape(self) -> Shape:
        """Of the body."""
        return self.body.output_shape

    @property
    def saved(self) -> Saved:
        """Of the body."""
        return self.body.saved
