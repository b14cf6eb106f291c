"""Find a GPU record by the name people type."""

import re
from collections.abc import Mapping

from .._given import shown, text
from ._gpu import Gpu

_BRANDS = {"nvidia", "tesla", "geforce", "quadro"}


def find_in(gpus: tuple[Gpu, ...], aliases: Mapping[str, Gpu], name: str) -> Gpu:
    """Return the record a name means: by its whole name, an alias, or the words in it."""
    words = [word for word in _words(text("the name of a GPU", name)) if word not in _BRANDS]
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
    raise ValueError(f"unknown GPU {shown(name)}{_hint(gpus, aliases, key)}")


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


def _hint(gpus: tuple[Gpu, ...], aliases: Mapping[str, Gpu], key: str) -> str:
    """Return the GPUs whose whole name, model alone or alias is spelled like the key, or much like it."""
    import difflib  # slow to import, and only for an error

    spelled = {_key(gpu): [gpu.name] for gpu in gpus}
    for gpu in gpus:
        spelled.setdefault(_model(gpu), []).append(gpu.name)
    spelled |= {alias: [gpu.name] for alias, gpu in aliases.items()}  # of several cards the one meant
    if re.search(r"\d", key):
        key = key.replace("o", "0")  # A1OO
    close = [key] if key in spelled else difflib.get_close_matches(key, spelled, cutoff=0.6)
    names = ", ".join(dict.fromkeys(name for match in close for name in spelled[match]))
    return f": did you mean {names}?" if names else ": gpus.GPUS lists those that are known"


def _model(gpu: Gpu) -> str:
    """Return the key of a name without the form and the size of memory: ``h100`` of H100 PCIe 80GB."""
    words = _words(re.sub(r"\(.*\)", "", gpu.name))
    return "".join(word for word in words if not re.fullmatch(r"\d+gb|pcie|sxm\d?|nvl", word))
