"""The same three questions, asked of this package, of plain formulas and of other tools."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear
from dlperf_widgets.models import Gpt3, ResNet50
from dlperf_widgets.ops import TRAINING

from . import plain
from .timing import Figure, Job, Skipped, figures, interleaved

PART = "one estimate, each of a new batch"
LINEAR = "a training step of a linear layer"
RESNET = "a training step of ResNet-50"
GPT3 = "a training step of GPT-3"
OURS = "this package"
SCENARIO = Scenario(Linear(512, 1024, 4096), gpus.A100_SXM4_80GB, FP16, TRAINING)
_fresh = count(1)


def batches(most: int) -> int:
    """Return another batch each time."""
    return next(_fresh) % most + 1


def jobs() -> dict[str, dict[str, Job]]:
    """Return for each question who answers it."""
    ours = {
        LINEAR: lambda: SCENARIO.resized("batch", 8 * batches(1000)).time,
        RESNET: lambda: replace(SCENARIO, layer=ResNet50(batches(1000))).time,
        GPT3: lambda: replace(SCENARIO, layer=Gpt3(batches(1000))).time,
    }
    formulas = {
        LINEAR: lambda: plain.linear(8 * batches(1000), 1024, 4096),
        RESNET: lambda: plain.resnet50(batches(1000)),
        GPT3: lambda: plain.gpt3(batches(1000)),
    }
    return {question: {OURS: ours[question], "plain formulas": formulas[question]} for question in ours}


def mlsysim() -> Iterator[tuple[str, str, Job]]:
    """Its roofline of a whole model: it has no single layers."""
    try:
        from mlsysim import Engine, Hardware, Models
    except ImportError:
        raise Skipped("mlsysim is not installed (extra bench)") from None
    for question, model in ((RESNET, Models.Vision.ResNet50), (GPT3, Models.Language.GPT3)):

        def ask(model: object = model) -> object:
            return Engine.solve(model, Hardware.Cloud.A100, batch_size=batches(1000), is_training=True)

        yield question, "mlsysim (roofline of the whole)", ask


def torch_modules() -> dict[str, tuple[object, Callable[[int], object]]]:
    """Return a module on the meta device for each question, with its input for a batch."""
    try:
        import torch
    except ImportError:
        raise Skipped("torch is not installed") from None
    from tests.bridge.networks import GptBlock
    from tests.bridge.networks import ResNet50 as TorchResNet50

    def images(batch: int) -> object:
        return torch.empty(batch, 3, 224, 224, device="meta")

    def vectors(batch: int) -> object:
        return torch.empty(batch, 1024, device="meta")

    def states(batch: int) -> object:
        return torch.empty(batch, 2048, 12288, device="meta")

    with torch.device("meta"):
        blocks = torch.nn.Sequential(*[GptBlock(12288, 96) for _ in range(96)])
        return {
            LINEAR: (torch.nn.Linear(1024, 4096), vectors),
            RESNET: (TorchResNet50(), images),
            GPT3: (blocks, states),  # without its embedding
        }


def flop_counter() -> Iterator[tuple[str, str, Job]]:
    """Torch's own count of flops, forward and backward: it tells no time."""
    modules = torch_modules()
    from torch.utils.flop_counter import FlopCounterMode

    for question, (module, given) in modules.items():

        def ask(module: object = module, given: Callable[[int], object] = given) -> object:
            with FlopCounterMode(display=False) as counter:
                module(given(batches(64))).sum().backward()
            return counter.get_total_flops()

        yield question, "torch's FlopCounterMode (flops alone)", ask


def torchinfo() -> Iterator[tuple[str, str, Job]]:
    """A table of parameters and multiply-adds, forward alone."""
    modules = torch_modules()
    try:
        from torchinfo import summary
    except ImportError:
        raise Skipped("torchinfo is not installed (extra bench)") from None
    for question, (module, given) in modules.items():

        def ask(module: object = module, given: Callable[[int], object] = given) -> object:
            return summary(module, input_data=given(batches(64)), device="meta", verbose=0)

        yield question, "torchinfo (multiply-adds, forward)", ask


def estimates() -> tuple[list[Figure], list[str]]:
    """Return the time of each answer, and why some were not asked."""
    asked, skipped = jobs(), []
    for other in (mlsysim, flop_counter, torchinfo):
        try:
            for question, name, job in other():
                asked[question][name] = job
        except Skipped as reason:
            skipped.append(str(reason))
    found = []
    targets = {LINEAR: 90, GPT3: 2000}  # µs
    for question, answers in asked.items():
        for job in answers.values():
            job()
        runs = 1 if question is not LINEAR else 20  # one alone is too short to be timed
        several = {name: _several(job, runs) for name, job in answers.items()}
        slow = len(answers) > 2 and question is not LINEAR
        times = interleaved(several, 9 if slow else 60)
        named = {f"{question}: {name}" if name else "": values for name, values in times.items()}
        target = {f"{question}: {OURS}": targets[question]} if question in targets else None
        found += figures(PART, named, "µs", f"{question}: {OURS}", runs, target)
    return found, skipped


def _several(job: Job, runs: int) -> Job:
    return lambda: [job() for _ in range(runs)]


def rows() -> list[Figure]:
    """Return what one row costs that nothing is known of, and what its time adds."""
    base = replace(SCENARIO, phases=("fprop",))

    answers = {
        "one cold row of a product": _several(lambda: base.resized("batch", 8 * batches(1000)).costs, 50),
        "and its time": _several(lambda: base.resized("batch", 8 * batches(1000)).time, 50),
        "all phases of a linear layer, with the time": _several(
            lambda: SCENARIO.resized("batch", 8 * batches(1000)).time, 50
        ),
    }
    targets = {"one cold row of a product": 30, "all phases of a linear layer, with the time": 90}
    return figures("rows", interleaved(answers, 100), "µs", runs=50, targets=targets)
