"""Number formats on a line: what each can hold, and how far apart its numbers are."""

from collections.abc import Sequence

from ..cost import Scenario
from ..cost.formats import Floating, Integer
from ..language import remembered, tr
from ._chart import Area, Axis, Chart, Line, Mark, Numbers, Points
from .precision_options import LARGEST, SMALLEST, PrecisionOptions
from .roles import Role
from .rounding import FORMATS, all_rounded, exactly, gap_at, label, note, rounding_alt, smallest

_HALF = 0.28  # of a bar's height
_TOP = len(FORMATS) + 1  # the row of the value itself
_DECADES = (-40, -20, 0, 20)
_GAPS = (1e-9, 1e6)  # the magnitudes whose gaps are drawn
_LOOKS = (  # of the formats: a role for the bytes that a number takes in memory
    (Role.PREDICTED, "solid"), (Role.PREDICTED, "dashed"),
    (Role.MEMORY, "dashed"), (Role.MEMORY, "solid"),
    (Role.MATH, "solid"), (Role.MATH, "dashed"), (Role.MATH, "dotted"),
)  # fmt: skip


def _row(index: int) -> float:
    return float(len(FORMATS) - index)


def number_line(scenario: Scenario, options: PrecisionOptions) -> Chart:
    """Return the ranges of the formats, and where the value ends up in each."""
    names = (*(label(each) for each in reversed(FORMATS)), tr("value"))
    x = Axis(
        "Magnitude", "", (SMALLEST / 10, LARGEST * 10), log=True,
        places=_tens(*_DECADES), names=_named(*_DECADES),
    )  # fmt: skip
    y = Axis("Format", "", (0.4, _TOP + 0.6), places=tuple(map(float, range(1, _TOP + 1))), names=names)
    alt = rounding_alt(scenario, options)
    return Chart("Number line", x, y, (*ranges(), *_rounded(options.value)), alt)


@remembered(1)
def ranges() -> tuple[Mark, ...]:
    """Return what the formats hold: in full precision, and below that with fewer digits."""
    full, fewer = [], []
    for index, number in enumerate(FORMATS):
        low = number.min_normal if isinstance(number, Floating) else 1.0
        full.append((low, float(number.max), _row(index)))
        fewer.append((smallest(number), low, _row(index)))
    return (
        _bars("full precision", full, 0.75),
        _bars("fewer digits (subnormal)", [bar for bar in fewer if bar[0] < bar[1]], 0.3),
    )


def _bars(name: str, bars: list[tuple[float, float, float]], shade: float) -> Area:
    """Return bars as one outline: it goes from bar to bar along a line of no width, out and back.

    An ``Area`` also draws its base; at one height all along, that is a line of no width too.
    """
    x, y = [], []
    for low, high, middle in bars:
        x += [1.0, low, low, high, high, low, low, 1.0]
        y += [middle, middle, middle + _HALF, middle + _HALF, middle - _HALF, middle - _HALF, middle, middle]
    for _, _, middle in reversed(bars):
        x.append(1.0)
        y.append(middle)
    return Area(name, Role.MEMORY, tuple(x), (y[0],) * len(x), tuple(y), shade)


def _rounded(value: float) -> tuple[Mark, ...]:
    """Return the value, and the number that each format makes of it."""
    found = list(enumerate(all_rounded(value)))
    kept = [(i, each) for i, each in found if not each.overflows and not each.lost]
    gone = [(i, each) for i, each in found if each.overflows or each.lost]
    edges = [float(e.format.max) if e.overflows else smallest(e.format) for _, e in gone]
    return (
        Line("value", Role.GUIDE, (value, value), (0.4, float(_TOP)), dash="dotted"),
        Points("rounded to", Role.PREDICTED, tuple(e.nearest for _, e in kept), _rows(kept),
               notes=tuple(note(e) for _, e in kept)),
        Points("lost or overflowing", Role.MATH, tuple(edges), _rows(gone), "square",
               notes=tuple(note(e) for _, e in gone)),
        Points("this value", Role.CURRENT, (value,), (float(_TOP),), notes=(exactly(value),), drag="value"),
    )  # fmt: skip


def _rows(found: Sequence[tuple[int, object]]) -> Numbers:
    return tuple(_row(index) for index, _ in found)


# --- Gaps ------------------------------------------------------------------------------------------------


def gaps(scenario: Scenario, options: PrecisionOptions) -> Chart:
    """Return the gap between neighbouring numbers against their magnitude, for each format."""
    low, high = _GAPS
    value = min(max(options.value, low), high)
    inside = [(value, each.gap, note(each)) for each in all_rounded(value) if value <= each.format.max]
    x = Axis(
        "Magnitude", "", (low, high), log=True, places=_tens(*range(-9, 7, 3)), names=_named(*range(-9, 7, 3))
    )
    y = Axis("Gap to the next number", "", (1e-16, 1e5), log=True, places=_tens(*range(-15, 6, 5)),
             names=_named(*range(-15, 6, 5)))  # fmt: skip
    marks: tuple[Mark, ...] = (
        *curves(),
        Line("value", Role.GUIDE, (value, value), y.domain, dash="dotted"),
        Points("gap at the value", Role.PREDICTED, (value,) * len(inside), tuple(gap for _, gap, _ in inside),
               notes=tuple(said for *_, said in inside)),
        Points("this value", Role.CURRENT, (value,), (1e-15,), notes=(exactly(value),), drag="value"),
    )  # fmt: skip
    return Chart("Gaps", x, y, marks, _gaps_alt(scenario, options))


def _gaps_alt(scenario: Scenario, options: PrecisionOptions) -> str:
    law = tr("The gap doubles with every power of two, down to the smallest normal number.")
    return f"{law} {rounding_alt(scenario, options)}"


@remembered(1)
def curves() -> tuple[Line, ...]:
    """Return a line for each format through the gap of each power of two, a step at every one."""
    return tuple(_curve(index, number) for index, number in enumerate(FORMATS))


def _curve(index: int, number: Floating | Integer) -> Line:
    low, high = _GAPS
    end = min(high, float(number.max))
    start = max(low, smallest(number))
    powers = [2.0**power for power in range(-31, 21) if start < 2.0**power < end]
    pairs = [(start, gap_at(start, number))]
    for power in powers if isinstance(number, Floating) else ():
        pairs += [(power, gap_at(power * 0.75, number)), (power, gap_at(power, number))]
    pairs.append((end, gap_at(end * 0.999, number)))
    role, dash = _LOOKS[index]
    return Line(label(number), role, tuple(x for x, _ in pairs), tuple(y for _, y in pairs), dash=dash)


def _tens(*powers: int) -> Numbers:
    return tuple(10.0**power for power in powers)


def _named(*powers: int) -> tuple[str, ...]:
    return tuple(f"1e{power}" if power else "1" for power in powers)
