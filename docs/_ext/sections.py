"""Which names stand on the pages of the package, of ``cost`` and of what explorers are made of."""

import inspect
import pkgutil
from collections.abc import Callable, Iterable
from importlib import import_module

import api

import dlperf_widgets

# Where names that the package offers are documented, by the module they come from; those of ``cost`` there.
_HOMES = {
    "advice": "advice.md", "apps": "explorers.md", "bridge": "bridge.md", "dtypes": "formats.md",
    "gpus": "gpus.md", "language": "formats.md", "measure": "measure.md", "ops": "operations.md",
}  # fmt: skip


def package() -> str:
    """Return the documentation of the names that the package itself offers."""
    elsewhere = {name: home for name in dlperf_widgets.__all__ if (home := _home(name))}
    own = [name for name in dlperf_widgets._NAMES if name not in elsewhere]
    kinds = {
        "Functions": [name for name in own if not inspect.isclass(getattr(dlperf_widgets, name))],
        "Classes": [name for name in own if inspect.isclass(getattr(dlperf_widgets, name))],
    }
    body = "\n\n".join(
        f"## {kind}\n\n```{{members}} dlperf_widgets\n{_lines(names)}\n```" for kind, names in kinds.items()
    )
    others = ", ".join(f"[`{name}`]({_HOMES[home]})" for name, home in elsewhere.items())
    return f"{body}\n\n## Documented on other pages\n\n{others}.\n"


def _home(name: str) -> str:
    """Return the module on whose page a name is documented; empty: on the package's own."""
    home = "measure" if name == "measure" else dlperf_widgets._NAMES.get(name, "").split(".")[0]
    if home not in _HOMES:
        return ""
    return home if name in (*api.public(f"dlperf_widgets.{home}"), "RULES", "TRAINING") else ""


def _lines(names: Iterable[str]) -> str:
    return "\n".join(names)


def _modules(package: str, without: Iterable[str] = ()) -> str:
    """Return a section for every public module of a package: what it is for, and its names."""
    parts = []
    for found in pkgutil.iter_modules(import_module(package).__path__):
        name = f"{package}.{found.name}"
        if found.name.startswith("_") or not (names := [n for n in api.public(name) if n not in without]):
            continue
        about = inspect.getdoc(import_module(name)) or ""
        parts.append(
            f"## {found.name}\n\n```{{eval-rst}}\n{about}\n```\n\n"
            f"```{{members}} {name}\n{_lines(names)}\n```\n"
        )
    return "\n".join(parts)


def cost() -> str:
    """Return the public modules of ``cost``, without what the package offers itself."""
    return _modules("dlperf_widgets.cost", dlperf_widgets.__all__)


def views() -> str:
    """Return the public modules of ``views``."""
    return _modules("dlperf_widgets.views")


def widgets() -> str:
    """Return the public modules of ``widgets``."""
    return _modules("dlperf_widgets.widgets")


PAGES: dict[str, Callable[[], str]] = {"cost": cost, "package": package, "views": views, "widgets": widgets}
