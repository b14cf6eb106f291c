"""SI units. The model computes in flops, bytes and seconds; only text and axes convert."""

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


def prefix(value: float) -> tuple[float, str]:
    """Return the SI prefix that shows a value with one to three digits before the point."""
    if value == 0:
        return 1.0, ""
    fits = (pair for pair in _PREFIXES if abs(value) >= 0.9995 * pair[0])
    return next(fits, _PREFIXES[-1])


def si(value: float, unit: str = "") -> str:
    """Return three significant figures with a prefix: ``si(3.12e14, "FLOPS") == "312 TFLOPS"``."""
    scale, letter = prefix(value)
    return f"{figures(value / scale)} {letter}{unit}".rstrip()


def figures(value: float) -> str:
    """Return three significant figures without an exponent, nor digits that say nothing."""
    if abs(value) >= 1000:
        return f"{float(f'{value:.3g}'):.0f}"
    return f"{float(f'{value:.3g}'):g}"


def short(value: float) -> str:
    """Return a tick label: ``1, 10, 100, 1k, 10k``; fractions have a prefix where they would be long."""
    scale, letter = prefix(value) if abs(value) >= 1 or abs(value) < 1e-4 else (1.0, "")
    return f"{value / scale:.3g}{letter}"
