"""A slider for the power of two of a value: its digits stay, its magnitude moves."""

from collections.abc import Callable
from math import frexp

from ..layers._fields import dim, whole
from ..widgets.size import SizeControl, number

_FIELD = dim(0, "Power of two of the value", most=129, log=False, least=-152, limit=129)


class PowerControl:
    """``widget`` shows the power of two of a value; ``move(value)`` hears of a value with another one."""

    def __init__(self, move: Callable[[float], bool], refuse: Callable[[str], None]) -> None:
        self._move, self._refuse = move, refuse
        self._value = 1.0
        self.widget = SizeControl(_FIELD, self._typed)
        self.widget.observe(lambda change: self._to(change.new), "value")

    def show(self, value: float) -> None:
        """Show the power of two of a value above zero."""
        self._value = value
        self.widget.show(_power(value))

    def _to(self, power: int) -> bool:
        now = _power(self._value)
        return power == now or self._move(self._value * 2.0 ** (power - now))

    def _typed(self, text: str) -> bool:
        try:
            return self._to(whole("Power of two", _FIELD.metadata, number(text)))
        except ValueError as error:
            self._refuse(str(error))
            return False


def _power(value: float) -> int:
    return frexp(value)[1] - 1
