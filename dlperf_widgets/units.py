"""SI units. The model computes in flops, bytes and seconds; only text and axes convert."""

from ._given import shown

TFLOPS = 1e12
TB_S = 1e12
GB_S = 1e9
MHZ = 1e6
KIB = 2**10
MIB = 2**20
GIB = 2**30

_PREFIXES = (
    (1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"),
    (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p"),
)  # fmt: skip
# From where on each is taken: below, three figures would round to 1000 of the one before.
_LEAST = tuple((0.9995 * scale, scale, letter) for scale, letter in _PREFIXES)


def prefix(value: float) -> tuple[float, str]:
    """Return the SI prefix that shows a value with one to three digits before the point."""
    _check(value)
    if value == 0:
        return 1.0, ""
    size = abs(value)
    for least, scale, letter in _LEAST:
        if size >= least:
            return scale, letter
    return _PREFIXES[-1]


def si(value: float, unit: str = "") -> str:
    """Return three significant figures with a prefix: ``si(3.12e14, "FLOPS") == "312 TFLOPS"``."""
    scale, letter = prefix(value)
    return f"{figures(value / scale)} {letter}{unit}".rstrip()


def figures(value: float) -> str:
    """Return three significant figures without an exponent, nor digits that say nothing."""
    _check(value)
    rounded = float(f"{value:.3g}")
    return f"{rounded:.0f}" if abs(value) >= 1000 else f"{rounded:g}"


def short(value: float) -> str:
    """Return a tick label: ``1, 10, 100, 1k, 10k``; fractions have a prefix where they would be long."""
    _check(value)
    scale, letter = prefix(value) if abs(value) >= 1 or abs(value) < 1e-4 else (1.0, "")
    return f"{value / scale:.3g}{letter}"


def _check(value: object) -> None:
    if not isinstance(value, int | float):
        raise ValueError(f"value must be a number, not {shown(value)}")
