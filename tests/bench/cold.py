"""From nothing: what a new process pays for the package, and for an explorer up to its first picture."""

from .timing import Figure, child, child_busy, counted, figures, interleaved

CORE = "import dlperf_widgets as dp; dp.layers.Linear, dp.Scenario, dp.gpus.GPUS"
IMPORTS = {
    "the interpreter alone": "pass",
    "import of the package, with Linear, Scenario and GPUS": CORE,
    "the same, with all layers and models": f"{CORE}; dp.layers.LAYERS, dp.models.MODELS",
    "import of ipywidgets": "import ipywidgets",
}
SHOW = "import dlperf_widgets as dp; dp.{}()._repr_mimebundle_()"


def imports(rounds: int = 15) -> list[Figure]:
    """Return the import of the package beside that of ipywidgets, and what is its own."""
    times = interleaved({name: child(code) for name, code in IMPORTS.items()}, rounds, child_busy)
    found = figures("import, in a new process", times, "ms", "import of ipywidgets")
    alone, core = found[0], found[1]
    own = core.middle - alone.middle
    return [
        *found,
        counted("import, in a new process", "of its own, with Linear, Scenario and GPUS", "ms", own, 60),
    ]


def displays(rounds: int = 5) -> list[Figure]:
    """Return what an explorer takes from a cold start to its first display, without a browser."""
    names = ("LayerExplorer", "GemmExplorer", "ModelExplorer", "TrainingExplorer")
    jobs = {f"{name}, imported and displayed": child(SHOW.format(name)) for name in names}
    jobs["import of ipywidgets and bqplot"] = child("import ipywidgets, bqplot")
    times = interleaved(jobs, rounds, child_busy)
    return figures("cold start of an explorer", times, "ms", "import of ipywidgets and bqplot")
