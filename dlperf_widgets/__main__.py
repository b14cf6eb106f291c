"""The ``dlperf`` command: GPUs, estimates, measurements, lessons, and explorers in JupyterLab."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .measure.arguments import add_arguments


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 2 for input that makes no sense."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options) or 0)
    except ValueError as error:
        print(f"dlperf: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dlperf", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    gpus = commands.add_parser("gpus", help="list the known GPUs, or show one with its sources")
    gpus.add_argument("name", nargs="?", help="such as a100, or 'RTX 4090'")
    gpus.set_defaults(run=_gpus)

    estimate = commands.add_parser("estimate", help="estimate a linear layer")
    for size in ("batch", "inputs", "outputs"):
        estimate.add_argument(size, type=int)
    estimate.add_argument("--gpu", default="v100")
    estimate.add_argument("--dtype", default="FP16")
    estimate.add_argument("--training", action="store_true", help="forward and backward")
    estimate.add_argument("--launch", default="graph", choices=("graph", "eager", "kernel"))
    estimate.set_defaults(run=_estimate)

    measure = commands.add_parser("measure", help="time layers with torch on this machine's GPU or CPU")
    add_arguments(measure)
    measure.set_defaults(run=_measure)

    lab = commands.add_parser("lab", help="start JupyterLab on a notebook, and run it")
    lab.add_argument("notebook", nargs="?", type=Path, help="by default the start notebook, in a checkout")
    lab.add_argument("--port", type=int, default=8888)
    lab.add_argument("--no-browser", action="store_true")
    lab.set_defaults(run=_lab)

    lessons = commands.add_parser("lessons", help="copy the course's notebooks into a folder")
    lessons.add_argument("folder", type=Path, help="is made if it is not there")
    lessons.add_argument("--language", default="en", help="en or zh_CN")
    lessons.add_argument("--force", action="store_true", help="overwrite changed files without asking")
    lessons.set_defaults(run=_lessons)

    export = commands.add_parser("export", help="write what the front end takes from Python, in a checkout")
    export.set_defaults(run=_export)
    return parser


def _gpus(options: argparse.Namespace) -> None:
    from .gpus import GPUS, find
    from .units import GIB, si

    for gpu in [find(options.name)] if options.name else GPUS:
        rates = gpu.tensor_peak or gpu.cuda_peak
        peaks = ", ".join(f"{dtype.name} {si(rate, 'FLOPS')}" for dtype, rate in rates)
        print(f"{gpu.name:<36}{gpu.memory / GIB:>4.0f} GB  {si(gpu.bandwidth, 'B/s'):>9}  {peaks}")
        if options.name:
            for source in gpu.sources:
                print(f"  {', '.join(source.fields)}\n    {source.title} {source.address}".rstrip())


def _estimate(options: argparse.Namespace) -> None:
    from .advice import times, verdict
    from .cost import Launch, Scenario
    from .dtypes import find as find_dtype
    from .gpus import find
    from .layers import Linear
    from .ops import TRAINING, Phase

    scenario = Scenario(
        Linear(options.batch, options.inputs, options.outputs),
        find(options.gpu),
        find_dtype(options.dtype),
        phases=TRAINING if options.training else (Phase.FPROP,),
        launch=Launch(options.launch),
    )
    print(verdict(scenario))
    print(times(scenario))
    for cost in scenario.costs:
        print(f"\n{cost.explain()}")


def _measure(options: argparse.Namespace) -> int:
    from .measure.command import main as measure

    return measure(options)


def _lab(options: argparse.Namespace) -> int:
    try:
        import jupyterlab  # noqa: F401
    except ImportError:
        raise ValueError("JupyterLab is missing: pip install 'dlperf_widgets[lab]'") from None
    from .lab import start

    return start(options.port, not options.no_browser, options.notebook)


def _lessons(options: argparse.Namespace) -> None:
    from .lessons import copy

    copied = copy(options.folder, options.language, lambda path: options.force or _asked(path))
    for path in copied.written:
        print(f"wrote {path}")
    for path, why in copied.skipped:
        print(f"skipped {path}: {why}")
    if any("changed" in why for _, why in copied.skipped):
        print("--force overwrites changed files")
    print(f"Open the first: dlperf lab {options.folder / '00_start.ipynb'}")


def _asked(path: Path) -> bool:
    """Return whether the user says that a file may be overwritten; no if there is nobody to ask."""
    if not sys.stdin.isatty():
        return False
    try:
        return input(f"{path} has changed: overwrite it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _export(_: argparse.Namespace) -> None:
    from .export import write

    for path in write():
        print(f"wrote {path}")


if __name__ == "__main__":
    sys.exit(main())
