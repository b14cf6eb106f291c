"""What a picture says, without how it is drawn: axes, and marks with a role.

Every value is in SI units. Equality is change detection, so a mark holds tuples only:
what a drag does is the name of a layer field, not a function.
"""

from dataclasses import dataclass
from math import ceil, floor, log10

from ..language import tr
from ..units import prefix, short
from .roles import Role

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Axis:
    """A quantity, its unit, and the stretch of it that is shown."""

    quantity: str
    unit: str
    domain: tuple[float, float]
    log: bool = False
    places: Numbers = ()  # of ticks, where round numbers are not the natural ones

    @property
    def label(self) -> str:
        """The title: quantity and unit."""
        letter = self._prefix[1]
        quantity = tr(self.quantity)
        return f"{quantity} ({letter}{self.unit})" if self.unit else quantity

    @property
    def ticks(self) -> dict[float, str]:
        """Few enough places to never overlap, with their labels."""
        places = self.places or self._round()
        scale = self._prefix[0]
        if self.log or self.unit:
            return {place: short(place / scale) for place in places}
        return dict(zip(places, _counts(places), strict=True))

    @property
    def _prefix(self) -> tuple[float, str]:
        """Return the prefix of the unit; on a log axis ``1k`` says the rest."""
        if self.unit == "%":
            return 0.01, ""
        top = self.domain[1] / (1e3 if self.log else 1)
        return prefix(top) if self.unit in ("s", "FLOPS") else (1.0, "")

    def _round(self) -> Numbers:
        low, high = self.domain
        if self.log:
            decades = range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)
            return tuple(10.0**decade for decade in decades)
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


@dataclass(frozen=True)
class Area:
    """What lies between two lines; a stack is several, each on the last one's top."""

    name: str
    role: Role
    x: Numbers
    base: Numbers
    top: Numbers


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


def nice(value: float, steps: Numbers = (1, 2, 5, 10)) -> float:
    """Return the next round number: by default 1, 2 or 5 times a power of ten."""
    decade = 10.0 ** floor(log10(value))
    return next(s * decade for s in steps if s * decade >= value * (1 - 1e-9))
