"""What every network has in common: it is a composite built from a few sizes."""

from abc import abstractmethod
from functools import cached_property, lru_cache

from ..layers import Sequence
from ..layers._composite import Parts, Series


@lru_cache(32)
def _built(model: "Model") -> Sequence:
    """Return a network's layers: a slider goes back and forth over the same few sizes."""
    return model.build()


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
        return _built(self)

    def check(self) -> None:
        """Build, so that sizes that do not fit say so at once."""
        _ = self.body

    @property
    def parts(self) -> Parts:
        """The layers of the body under their own names."""
        return self.body.parts
