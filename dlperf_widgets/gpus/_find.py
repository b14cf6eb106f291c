"""Find a GPU record by the name people type."""

import re
from collections.abc import Mapping

from ._gpu import Gpu

_BRANDS = {"nvidia", "tesla", "geforce", "quadro"}


def find_in(gpus: tuple[Gpu, ...], aliases: Mapping[str, Gpu], name: str) -> Gpu:
    """Return the record a name means: by its whole name, an alias, or the words in it."""
    words = [word for word in _words(name) if word not in _BRANDS]
    key = "".join(words)
    for gpu in gpus:
        if _key(gpu) == key:
            return gpu
    if key in aliases:
        return aliases[key]
    found = _candidates(gpus, words)
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{name!r} could mean {', '.join(gpu.name for gpu in found)}")
    raise ValueError(f"unknown GPU {name!r}{_hint(gpus, key)}")


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.lower())


def _key(gpu: Gpu) -> str:
    return "".join(_words(gpu.name))


def _candidates(gpus: tuple[Gpu, ...], words: list[str]) -> list[Gpu]:
    """Return the GPUs whose names have all the words; else those whose names have them as parts."""
    if not words:
        return []
    whole = [gpu for gpu in gpus if set(words) <= set(_words(gpu.name))]
    return whole or [gpu for gpu in gpus if all(word in _key(gpu) for word in words)]


def _hint(gpus: tuple[Gpu, ...], key: str) -> str:
    import difflib  # slow to import, and only for an error

    names = {_key(gpu): gpu.name for gpu in gpus}
    close = [names[match] for match in difflib.get_close_matches(key, names, cutoff=0.5)]
    return f": did you mean {', '.join(close)}?" if close else ": gpus.GPUS lists those that are known"
