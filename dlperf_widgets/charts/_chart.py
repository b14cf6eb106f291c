"""What a picture says, without how it is drawn: axes, and marks with a role.

Every value is in SI units. Equality is change detection, so a mark holds tuples only:
what a drag does is the name of a layer field, not a function.
"""

from dataclasses import dataclass, replace
from math import ceil, floor, log10

from ..language import tr
from ..units import prefix, short
from .roles import Role

Numbers = tuple[float, ...]
_DECADES = 9  # at most, that a log axis labels


@dataclass(frozen=True)
class Axis:
    """A quantity, its unit, and the stretch of it that is shown."""

    quantity: str
    unit: str
    domain: tuple[float, float]
    log: bool = False
    places: Numbers = ()  # of ticks, where round numbers are not the natural ones
    names: tuple[str, ...] = ()  # of the places, where they are things and no numbers

    def __post_init__(self) -> None:
        low, high = self.domain
        if self.log and low <= 0:
            raise ValueError(f"{self.quantity}: a logarithmic axis cannot start at {low:g}")
        if low == high:  # one value alone: it stands in the middle
            object.__setattr__(self, "domain", (low / 10, high * 10) if self.log else (low - 1, high + 1))

    @property
    def label(self) -> str:
        """The title: quantity and unit."""
        letter = self._prefix[1]
        quantity = tr(self.quantity) if self.quantity else ""  # gettext has other plans for no text
        return f"{quantity} ({letter}{self.unit})" if self.unit else quantity

    @property
    def ticks(self) -> dict[float, str]:
        """Few enough places to never overlap, with their labels."""
        places = self.places or self._round()
        if self.names:
            return dict(zip(places, self.names, strict=True))
        scale = self._prefix[0]
        if self.log or self.unit:
            return {place: short(place / scale) for place in places}
        return dict(zip(places, _counts(places), strict=True))

    @property
    def _prefix(self) -> tuple[float, str]:
        """Return the prefix of the unit; on a log axis ``1k`` says the rest, on a wide one all of it."""
        if self.unit == "%":
            return 0.01, ""
        found = prefix(self.domain[1] / (1e3 if self.log else 1))
        suits = self.unit in ("s", "FLOPS") and not (self.log and self.domain[0] < 1e-4 * found[0])
        return found if suits else (1.0, "")

    def _round(self) -> Numbers:
        low, high = self.domain
        if self.log:
            first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
            every = ceil((last - first + 1) / _DECADES)
            return tuple(10.0**decade for decade in range(first, last + 1, every))
        step = nice((high - low) / 6)
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        return tuple(i * step for i in range(first, last + 1))


def _counts(places: Numbers) -> list[str]:
    """Label counts: in full while they are short, else with a prefix unless that makes them alike."""
    if max(places) < 1e5:
        return [f"{place:g}" for place in places]
    prefixed = [short(place) for place in places]
    return prefixed if len(set(prefixed)) == len(places) else [f"{place:,.0f}" for place in places]


@dataclass(frozen=True)
class Line:
    """A line, with words at its last point, or at its first."""

    name: str
    role: Role
    x: Numbers
    y: Numbers
    label: str = ""
    dash: str = ""  # solid, dashed or dotted, where several lines share a role
    first: bool = False  # where the words stand
    listed: bool = True  # in the legend


@dataclass(frozen=True)
class Points:
    """Points, each with a note that explains it."""

    name: str
    role: Role
    x: Numbers
    y: Numbers
    symbol: str = "circle"  # or square, triangle-up
    notes: tuple[str, ...] = ()
    drag: str = ""  # the layer field that follows when the point is moved along x
    small: bool = False  # many points side by side
    solve: bool = False  # x is no size: the size is looked for that puts the point there
    labels: tuple[str, ...] = ()  # a word beside each
    sides: tuple[str, ...] = ()  # where it stands: above, or right, left, below, corner (above right)
    sizes: Numbers = ()  # of bubbles: shares of the largest one's area


@dataclass(frozen=True)
class Area:
    """What lies between two lines; a stack is several, each on the last one's top."""

    name: str
    role: Role
    x: Numbers
    base: Numbers
    top: Numbers
    shade: float = 1.0  # of the role's colour, where several areas share a role


@dataclass(frozen=True)
class Spans:
    """A named stretch of the x axis."""

    name: str
    role: Role
    low: float
    high: float


Mark = Line | Points | Area | Spans


@dataclass(frozen=True)
class Chart:
    """A picture as plain data."""

    title: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    alt: str  # what a reader who cannot see the picture needs to know
    remark: str = ""  # what every reader needs to know of values that could not be drawn


def holding(axis: Axis, *values: float) -> Axis:
    """Return a log axis, grown by whole decades where that is needed to hold some values."""
    low, high = axis.domain
    below, above = (10.0 ** each(log10(value)) for each, value in ((floor, min(values)), (ceil, max(values))))
    return replace(axis, domain=(min(low, below), max(high, above)))


def nice(value: float, steps: Numbers = (1, 2, 5, 10)) -> float:
    """Return the next round number: by default 1, 2 or 5 times a power of ten."""
    decade = 10.0 ** floor(log10(value))
    return next(s * decade for s in steps if s * decade >= value * (1 - 1e-9))
