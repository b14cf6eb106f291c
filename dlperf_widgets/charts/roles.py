"""What a mark means, and how every picture shows that meaning.

A chart chooses a role, never a colour. Colours are CSS custom properties with the light theme's value
to fall back on, so that a change of theme repaints without a word from Python.
"""

from enum import StrEnum


class Role(StrEnum):
    """What a mark means."""

    MATH = "math"
    MEMORY = "memory"
    LAUNCH = "launch"
    WASTE = "waste"
    MEASURED = "measured"
    PREDICTED = "predicted"
    CURRENT = "current"  # the point now shown
    GUIDE = "guide"  # helps to read the picture, no quantity of its own


COLOURS = {  # light, dark: the Okabe-Ito palette, at least 3:1 against the ground
    Role.MATH: ("#d55e00", "#ff8c42"),
    Role.MEMORY: ("#0072b2", "#56b4e9"),
    Role.LAUNCH: ("#767676", "#aaaaaa"),
    Role.WASTE: ("#d55e00", "#ff8c42"),
    Role.MEASURED: ("#009e73", "#2fd6a3"),
    Role.PREDICTED: ("#111111", "#ffffff"),
    Role.CURRENT: ("#111111", "#ffffff"),
    Role.GUIDE: ("#5f5f5f", "#b0b0b0"),
}
WORDS = {Role.MATH: "#b85000", Role.WASTE: "#b85000", Role.MEASURED: "#007857"}  # light: 4.5:1 for words
DASHES = {Role.MEMORY: "dashed", Role.LAUNCH: "dotted", Role.GUIDE: "dotted"}
HATCHED = {Role.WASTE}
RING = {Role.CURRENT}  # drawn larger and hollow
GROUND = "var(--jp-layout-color1, white)"  # outlines one mark against the next


def colour(role: Role) -> str:
    """Return the CSS colour of a role."""
    return f"var(--dlp-{role})"


def words_colour(role: Role, fallback: bool = False) -> str:
    """Return the CSS colour of words about a role, where asked with the light theme's to fall back on."""
    return f"var(--dlp-{role}-words, {_words(role, 0)})" if fallback else f"var(--dlp-{role}-words)"


def _words(role: Role, theme: int) -> str:
    return COLOURS[role][theme] if theme else WORDS.get(role, COLOURS[role][0])


def variables(theme: int) -> str:
    """Return the custom properties of one theme: 0 light, 1 dark. Hatched roles name a pattern."""
    paints: dict[str, str] = {
        role: "url(#dlp-hatch)" if role in HATCHED else pair[theme] for role, pair in COLOURS.items()
    }
    paints |= {f"{role}-words": _words(role, theme) for role in COLOURS}
    return "".join(f"--dlp-{role}:{paint};" for role, paint in paints.items())
