"""Checks that refuse a number with a sentence that names it."""

from .. import _given
from .._given import choice as choice
from .._given import flag as flag
from .._given import many as many
from .._given import positive as positive
from .._given import real as real
from .._given import shown as shown
from .._given import thing as thing
from ..layers._fields import LARGEST


def whole(name: str, value: object, least: int = 0, most: int = LARGEST) -> int:
    """Return a whole number, or raise ValueError where it is none or out of bounds."""
    return _given.whole(name, value, least, most)
