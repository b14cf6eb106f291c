"""``dlperf measure``: campaigns from a terminal."""

import argparse
from collections.abc import Iterator
from dataclasses import fields
from itertools import product

from ..cost import Launch, Scenario
from ..dtypes import find as find_dtype
from ..gpus import A100_SXM4_80GB, Gpu
from ..gpus import find as find_gpu
from ..layers import LAYERS, Layer
from ..ops import TRAINING, Phase
from ..units import figures, si
from .campaigns import campaign
from .comparison import above_roof, compare
from .device import choose, describe
from .gpu import match
from .record import Measurement
from .store import load
from .suite import guide

NOTHING = "name a layer, such as 'dlperf measure Linear batch=64,128 inputs=1024', or --suite guide"


def main(options: argparse.Namespace) -> int:
    """Measure, and print a line for each scenario."""
    about = describe(choose(options.device))
    gpu = find_gpu(options.gpu) if options.gpu else match(about) or A100_SXM4_80GB
    wanted = tuple(dict.fromkeys(_wanted(options, gpu)))
    if not options.gpu and not match(about):
        print(f"There is no record of {about.name}: the questions are about {gpu.name} (see --gpu).")
    if not options.out:
        from . import measure

        for scenario in wanted:
            for each in measure(scenario, device=options.device, seconds=options.seconds, warm=options.warm):
                print(line(each))
        return 0
    return _campaign(options, wanted)


def _campaign(options: argparse.Namespace, wanted: tuple[Scenario, ...]) -> int:
    try:
        new = campaign(
            wanted, out=options.out, device=options.device, seconds=options.seconds, warm=options.warm,
            progress=_told,
        )  # fmt: skip
    except KeyboardInterrupt:
        print(f"\ninterrupted: {options.out} keeps what was measured, and the same command goes on")
        return 130
    for each in new:
        print(line(each))
    print(f"{len(new)} of {len(wanted)} measured now, the others before: {options.out}")
    for problem in load(options.out).problems:
        print(problem)
    return 0


def _wanted(options: argparse.Namespace, gpu: Gpu) -> Iterator[Scenario]:
    if options.suite:
        if options.layer:
            raise ValueError(f"a suite has its own layers: leave out {options.layer}")
        yield from guide(gpu, options.quick)
        return
    if not options.layer:
        raise ValueError(NOTHING)
    phases = TRAINING if options.training else (Phase.FPROP,)
    for layer in _layers(options.layer, options.sizes):
        yield Scenario(layer, gpu, find_dtype(options.dtype), phases, launch=Launch(options.launch))


def _layers(name: str, sizes: list[str]) -> Iterator[Layer]:
    """Yield the layer in all combinations of the sizes given."""
    from ..models import MODELS

    kinds = {kind.__name__.lower(): kind for kind in (*LAYERS, *MODELS)}
    if name.lower() not in kinds:
        raise ValueError(
            f"unknown layer {name!r}: choose one of {', '.join(k.__name__ for k in kinds.values())}"
        )
    kind = kinds[name.lower()]
    given = [_size(kind, each) for each in sizes]
    for values in product(*(values for _, values in given)):
        yield kind(**dict(zip((field for field, _ in given), values, strict=True)))


def _size(kind: type[Layer], text: str) -> tuple[str, list[object]]:
    field, equals, values = text.partition("=")
    known = [f.name for f in fields(kind) if f.metadata["kind"] != "parts"]
    if not equals or field not in known:
        raise ValueError(f"{text!r} is not field=value: {kind.__name__} has {', '.join(known)}")
    return field, [_value(each) for each in values.split(",")]


def _value(text: str) -> object:
    if text in ("True", "False"):
        return text == "True"
    return int(text) if text.lstrip("-").isdigit() else text


def _told(done: int, total: int, left: float) -> None:
    print(f"\r{done} of {total}, {left:.0f} s left ", end="\n" if done == total else "", flush=True)


def line(m: Measurement) -> str:
    """Return a measurement in one line."""
    layer = m.scenario.layer
    sizes = ", ".join(f"{f.name}={getattr(layer, f.name)}" for f in fields(layer))
    head = f"{layer.title}({sizes}) {'+'.join(m.scenario.phases)} {m.scenario.format}"
    if m.summary is None or m.protocol is None:
        return f"{head}: {m.outcome}: {m.reason}"
    s = m.summary
    about = f"{si(s.lower, 's')} to {si(s.upper, 's')}, {s.samples} readings, {m.protocol.cache}"
    found = f"{si(s.median, 's')} ({about})"
    beside = compare(m)
    if beside.predicted is None or beside.ratio is None:
        return f"{head}: {found}"
    ratio = f"predicted {si(beside.predicted, 's')}, {figures(beside.ratio)} x"
    return "; ".join(part for part in (f"{head}: {found}", ratio, above_roof(m)) if part)
