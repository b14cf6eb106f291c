"""Layers. To add one: a frozen dataclass in this package, and a line here."""

from ._composite import Composite as Composite
from ._layer import Layer as Layer
from ._layer import Saved as Saved
from .elementwise import Add as Add
from .elementwise import Multiply as Multiply
from .linear import Linear as Linear
from .repeat import Repeat as Repeat
from .repeat import Tied as Tied
from .residual import Branches as Branches
from .residual import Residual as Residual
from .sequence import Sequence as Sequence

LAYERS: tuple[type[Layer], ...] = (Linear, Add, Multiply)
COMPOSITES: tuple[type[Composite], ...] = (Sequence, Residual, Branches, Repeat, Tied)
