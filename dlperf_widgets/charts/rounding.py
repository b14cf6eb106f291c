"""A value in every format: its neighbours, the one it is rounded to, and the error."""

from html import escape
from math import floor, frexp, inf
from typing import NamedTuple

from ..cost import Scenario
from ..cost.formats import E4M3, E5M2, FLOATINGS, INTEGERS, Floating, Integer
from ..cost.precision import quantize
from ..dtypes import BF16, FP16, FP32, INT8, TF32
from ..language import tr
from .precision_options import PrecisionOptions
from .roles import Role
from .svg import paint
from .tables import row, table

FORMATS: tuple[Floating | Integer, ...] = (
    FLOATINGS[FP32], FLOATINGS[TF32], FLOATINGS[BF16], FLOATINGS[FP16], E5M2, E4M3, INTEGERS[INT8],
)  # fmt: skip


class Rounded(NamedTuple):
    """What becomes of a value above zero in one format."""

    format: Floating | Integer
    below: float  # the neighbours; the value itself is the lower one where the format has it
    above: float  # infinite beyond the largest number
    nearest: float  # infinite where it overflows
    gap: float  # between the neighbours
    error: float  # share of the value; infinite where it overflows

    @property
    def overflows(self) -> bool:
        """Whether the value is beyond the largest number."""
        return self.nearest == inf

    @property
    def lost(self) -> bool:
        """Whether the value becomes zero."""
        return self.nearest == 0


def smallest(number: Floating | Integer) -> float:
    """Return the smallest number above zero."""
    return number.min_subnormal if isinstance(number, Floating) else 1.0


def gap_at(value: float, number: Floating | Integer) -> float:
    """Return the gap between the numbers around a value."""
    if isinstance(number, Integer):
        return 1.0
    exponent = max(frexp(value)[1] - 1, number.smallest_exponent)
    return 2.0 ** (exponent - number.mantissa)


def rounded(value: float, number: Floating | Integer) -> Rounded:
    """Return a value above zero in a format; a whole number's scale is 1."""
    gap = gap_at(value, number)
    if isinstance(number, Integer):
        whole = round(value) if value <= number.max + 0.5 else inf
        nearest: float = whole if whole <= number.max else inf
    else:
        nearest = quantize(value, number)
        nearest = nearest if nearest <= number.max else inf  # NaN, where there is no infinity
    below = floor(value / gap) * gap if value < number.max else float(number.max)
    above = below + gap if below + gap <= number.max else inf
    return Rounded(number, below, above, nearest, gap, abs(nearest - value) / value)


def all_rounded(value: float) -> tuple[Rounded, ...]:
    """Return a value in every format, from the widest to the narrowest."""
    return tuple(rounded(value, number) for number in FORMATS)


# --- In words and numbers --------------------------------------------------------------------------------


def exactly(value: float, digits: int = 6) -> str:
    """Return a number with some digits, as far as they say something."""
    return "∞" if value == inf else f"{value:.{digits}g}"


def digits(found: Rounded) -> int:
    """Return how many digits tell the neighbours apart."""
    return 6 if found.gap * 1e5 > found.below else 9


def label(number: Floating | Integer) -> str:
    """Return what users call a format."""
    return f"FP8 {number.name}" if number in (E4M3, E5M2) else number.name


def error_words(found: Rounded) -> str:
    """Return what rounding does to the value."""
    if found.overflows:
        return tr("overflows: the largest number is {largest}", largest=exactly(float(found.format.max)))
    if found.lost:
        least = exactly(smallest(found.format))
        return tr("becomes zero: the smallest number is {smallest}", smallest=least)
    if not found.error:
        return tr("exact")
    return tr("off by {share}", share=f"{100 * found.error:.2g}%")


def note(found: Rounded) -> str:
    """Return neighbours, gap and error of a value in one format."""
    parts = (found.below, found.above, found.nearest)
    below, above, nearest = (exactly(each, digits(found)) for each in parts)
    return tr(
        "{format}: {nearest}, {error}. Neighbours {below} and {above}, a gap of {gap}.",
        format=label(found.format), nearest=nearest, error=error_words(found), below=below, above=above,
        gap=exactly(found.gap),
    )  # fmt: skip


_HEADS = ("Format", "Around the value", "Rounded to")


def rounding_html(_scenario: Scenario, options: PrecisionOptions) -> str:
    """Return a row for each format: its range, the neighbours of the value, and the error."""
    return table(_HEADS, [_row(found, options.value) for found in all_rounded(options.value)], _about())


def _about() -> str:
    return tr("Bits: sign + exponent + mantissa. INT8 is whole numbers times a scale, which is 1 here.")


def rounding_alt(_scenario: Scenario, options: PrecisionOptions) -> str:
    """Return what becomes of the value in each format."""
    return " ".join(note(found) for found in all_rounded(options.value))


def _row(found: Rounded, value: float) -> str:
    number = found.format
    span = tr("{low} to {high}", low=exactly(smallest(number), 3), high=exactly(float(number.max), 5))
    bits = tr("{bits} bits", bits=number.bits)
    if isinstance(number, Floating):
        bits = f"{bits}: 1 + {number.exponent} + {number.mantissa}"
    gap = tr("gap {gap}", gap=exactly(found.gap))
    middle = f"{_between(found, value)}<div>{escape(gap)}</div>"
    said = f"<b>{escape(exactly(found.nearest, digits(found)))}</b><div>{escape(error_words(found))}</div>"
    return row(label(number), middle, said, more=(bits, span), width="28%")


def _between(found: Rounded, value: float) -> str:
    """Return the two neighbours with the value between them, on a line."""
    share = min(max((value - found.below) / found.gap, 0.0), 1.0)
    dot = (
        f"position:absolute;left:{100 * share:.1f}%;top:-3px;width:8px;height:8px;margin-left:-4px;"
        f"border-radius:50%;background:{paint(Role.CURRENT)}"
    )
    line = f"position:relative;height:2px;background:{paint(Role.GUIDE)};margin:8px 6px 8px 6px"
    texts = (exactly(end, digits(found)) for end in (found.below, found.above))
    ends = [f"<span>{escape(text)}</span>" for text in texts]
    apart = "display:flex;justify-content:space-between;flex-wrap:wrap;gap:0 8px"
    names = f'<div style="{apart}">{"".join(ends)}</div>'
    return f'{names}<div style="{line}"><div style="{dot}"></div></div>'
