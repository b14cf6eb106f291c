"""Words that the sentences of several rules share."""

from dataclasses import fields

from ..cost import Scenario
from ..language import tr
from ..layers import Layer
from ..layers.repeat import Tied
from ..units import figures, si
from ._case import Sizes
from ._rule import Note


def named(layer: Layer, names: Sizes) -> str:
    """Return the present sizes by their labels: ``inputs 1,025 and outputs 4,097``."""
    return _joined([f"{_label(layer, name)} {getattr(layer, name):,}" for name in names])


def instead(layer: Layer, sizes: Sizes) -> str:
    """Return what to change: ``batch size 528 instead of 512``."""
    changes = [(name, new, old) for name, new in sizes.items() if (old := getattr(layer, name)) != new]
    return _joined([swapped(f"{_label(layer, n)} {_value(new)}", _value(old)) for n, new, old in changes])


def differences(old: Layer, new: Layer) -> str:
    """Return the same for all fields in which two layers of a kind differ."""
    if isinstance(old, Tied) and isinstance(new, Tied):
        return differences(old.layer, new.layer)
    names = [f.name for f in fields(old) if getattr(old, f.name) != getattr(new, f.name)]
    return instead(old, {name: getattr(new, name) for name in names})


def swapped(new: str, old: str) -> str:
    """Return what takes the place of what."""
    return tr("{new} instead of {old}", new=new, old=old)


def passed(sentence: str) -> Note:
    """Return a pass."""
    return Note(True, capital(sentence))


def useless(what: str, path: str = "") -> Note:
    """Return a pass where a rule is broken at no cost: ``what`` says how it is broken."""
    return Note(True, capital(tr("{what}, but that costs little or nothing here.", what=what)), path)


def failed(
    what: str, how: str, path: str, lost: float, change: Scenario | None = None, words: str = ""
) -> Note:
    """Return a fault: ``what`` is wrong, ``how`` says against what time is lost, ``words`` what to change."""
    sentence = tr("{what}; {time} lost {how}.", what=what, time=time(lost), how=how)
    return Note(False, capital(sentence), path, lost, change, words)


def capital(sentence: str) -> str:
    """Return a sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]


def percent(share: float) -> str:
    """Return a share in percent, with a digit after the point where it is small."""
    return f"{figures(round(100 * share, 1))}%" if share < 0.1 else f"{100 * share:.0f}%"


def time(seconds: float) -> str:
    """Return a time with a prefix."""
    return si(seconds, "s")


def _label(layer: Layer, name: str) -> str:
    label = tr(layer.__dataclass_fields__[name].metadata["label"])
    return label.lower() if len(label) > 1 else label  # M, N and K stay


def _value(value: object) -> str:
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    return f"{value:,}" if isinstance(value, int) else tr(str(value))


def _joined(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return tr("{first} and {last}", first=tr(", ").join(parts[:-1]), last=parts[-1])
