"""The last exercise: a network that is slow in several ways, to be made fast enough without being changed."""

from functools import lru_cache
from typing import Any

from .._given import thing
from ..cost import Launch, Layout, Library, Scenario
from ..cost.room import has_room
from ..dtypes import FP16, FP32
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import Conv2d, Layer, Linear, Sequence
from ..models._chain import Chain
from ..ops import TRAINING
from ..units import si
from ._judge import Result, Verdict

KEY, LESSON = "capstone.budget", "16_capstone"
LEAST = {"batch": 1, "colours": 3, "channels": 60, "classes": 33_708}
_MARGIN = 1.1  # what the budget leaves over the time of a network that follows the checklists


def classifier(batch: int = 120, colours: int = 3, channels: int = 60, classes: int = 33_708) -> Sequence:
    """Return a convolutional network for pictures of 224 x 224, whose sizes nobody thought about."""
    chain = Chain(batch, colours, 224, 224)
    chain.conv("conv1", channels, 7, stride=2, padding=3, bias=False).norm("bn1").act("relu1")
    chain.pool("pool1", 3, stride=2, padding=1)
    for i in range(4):
        name = f"{i + 2}"
        chain.conv(f"conv{name}", channels << i, 3, stride=2 if i else 1, padding=1, bias=False)
        chain.norm(f"bn{name}").act(f"relu{name}")
    return chain.global_pool("pool").linear("fc", classes).done()


@lru_cache(1)
def start() -> Scenario:
    """Return the network as it was found: a training step on an A100, by habits of years ago."""
    return Scenario(
        classifier(), A100_SXM4_80GB, FP32, TRAINING, Launch.EAGER, Layout.NCHW, Library.LEGACY
    )  # fmt: skip


@lru_cache(1)
def budget() -> float:
    """Return the seconds that a picture may take: a little more than with every checklist followed."""
    done = Scenario(classifier(128, 4, 64, 33_728), A100_SXM4_80GB, FP16, TRAINING)
    return _MARGIN * a_picture(done)


def a_picture(scenario: Scenario) -> float:
    """Return the seconds of a training step for each picture of the batch."""
    scenario = thing("scenario", Scenario, scenario)
    return scenario.time / scenario.layer.output_shape[0]


def judged(given: Any) -> Result:
    """Return whether a scenario is the same task, and fast enough; if not, what costs most now."""
    if given is ... or given is None:
        return _result(Verdict.NO_ANSWER, tr("Put your scenario in place of the dots."))
    if not isinstance(given, Scenario):
        return _result(
            Verdict.NO_ANSWER, tr("{given} is no answer: give a scenario.", given=type(given).__name__)
        )
    if fault := _fault(given):
        return _result(Verdict.WRONG, fault)
    took, allowed = a_picture(given), budget()
    words = {"time": si(took, "s"), "budget": si(allowed, "s"), "factor": f"{a_picture(start()) / took:.1f}"}
    if took <= allowed:
        text = tr("A picture takes {time} of {budget}: {factor} times faster than at the start.", **words)
        return _result(Verdict.RIGHT, text)
    text = tr("A picture takes {time}, and the budget is {budget}.", **words)
    return _result(Verdict.WRONG, f"{text} {_next(given)}")


def _next(scenario: Scenario) -> str:
    """Return the finding that costs most."""
    from ..advice import advise

    failing = [finding for finding in advise(scenario) if not finding.passed]
    if not failing:
        return tr("The checklist finds nothing more: change what it cannot see, such as the batch size.")
    worst = failing[0]
    return tr("Next on the checklist: {rule}. {sentence}", rule=worst.rule.heading, sentence=worst.sentence)


def _fault(given: Scenario) -> str:
    """Return why a scenario is another task, or no possible one."""
    first = start()
    if given.gpu != first.gpu or given.phases != first.phases:
        return tr("That is another task: keep the GPU, and train in all phases.")
    if given.sparse:
        return tr("Leaving out half of the weights is another network: no sparsity here.")
    if given.format.activations.bytes < FP16.bytes or given.format.weights.bytes < FP16.bytes:
        return tr("Fewer than 16 bits would need another way of training: keep FP16, BF16, TF32 or FP32.")
    sizes = _sizes(given.layer)
    if sizes is None:
        return tr("That is another network: make it with course.classifier(...).")
    for name, least in LEAST.items():
        if sizes[name] < least:
            return tr("{size} must stay at {least} or more: a smaller network is another one.",
                      size=tr(name), least=f"{least:,}")  # fmt: skip
    if not has_room(given):
        return tr("A batch of {batch} does not fit the GPU's memory.", batch=f"{sizes['batch']:,}")
    return ""


def _sizes(layer: Layer) -> dict[str, int] | None:
    """Return the sizes of a classifier; None if the layer is none."""
    leaves = [leaf for _, leaf, _ in layer.leaves()]
    conv, last = leaves[0], leaves[-1]
    if not (isinstance(conv, Conv2d) and isinstance(last, Linear)):
        return None
    sizes = {
        "batch": conv.batch, "colours": conv.in_channels, "channels": conv.out_channels,
        "classes": last.outputs,
    }  # fmt: skip
    return sizes if layer == classifier(**sizes) else None


def _result(verdict: Verdict, message: str) -> Result:
    return Result(KEY, verdict, message)
