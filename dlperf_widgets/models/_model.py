"""What every network has in common: it is a composite built from a few sizes."""

from abc import abstractmethod
from functools import cached_property

from ..layers import Sequence
from ..layers._composite import Parts, Series


class Model(Series):
    """A network: a frozen dataclass of a few sizes whose ``body`` is made of layers alone.

    Its first layer has no gradient of the input: nobody asks for it.
    """

    needs_input_gradient = False

    @abstractmethod
    def build(self) -> Sequence:
        """Return the layers for the present sizes."""

    @cached_property
    def body(self) -> Sequence:
        """The layers, built once."""
        return self.build()

    def check(self) -> None:
        """Build, so that sizes that do not fit say so at once."""
        _ = self.body

    @property
    def parts(self) -> Parts:
        """The layers of the body under their own names."""
        return self.body.parts
