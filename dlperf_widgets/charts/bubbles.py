"""Networks for ImageNet side by side: work, accuracy, and parameters as the area of a bubble."""

from functools import lru_cache
from typing import NamedTuple

from ..cost import Scenario
from ..cost.room import AnyBatch
from ..language import tr
from ..layers import Layer
from ..units import si
from ._chart import Axis, Chart, Points
from ._options import Described
from .roles import Role

_TORCHVISION = "https://docs.pytorch.org/vision/stable/models/generated/torchvision.models.{}.html"
_KERAS = "https://www.tensorflow.org/versions/r2.4/api_docs/python/tf/compat/v1/keras/applications/mobilenet"


class Published(NamedTuple):
    """A network and its published top-1 accuracy on ImageNet's 1000 classes, in percent."""

    name: str
    network: Layer
    top1: float
    source: str
    side: str = "above"  # of the bubble, where its name stands clear of others


def _torchvision(name: str, network: Layer, top1: float, side: str = "above") -> Published:
    """Return what torchvision says of its first weights (IMAGENET1K_V1), trained by a simple recipe."""
    source = _TORCHVISION.format(name.lower().replace("-", ""))
    return Published(name, network, top1, source, side)


@lru_cache(1)
def published() -> tuple[Published, ...]:
    """Return the networks whose accuracy has a public source; those of text have none of this kind."""
    from .. import models  # all of them, which other charts do not need

    return (
        _torchvision("AlexNet", models.AlexNet(), 56.522),
        _torchvision("VGG16", models.Vgg16(), 71.592),
        _torchvision("ResNet-18", models.ResNet18(), 69.758, "right"),
        _torchvision("ResNet-34", models.ResNet34(), 73.314, "below"),
        _torchvision("ResNet-50", models.ResNet50(), 76.130, "left"),
        _torchvision("ResNet-101", models.ResNet101(), 77.374, "below"),
        _torchvision("ResNet-152", models.ResNet152(), 78.312),
        Published("MobileNetV1", models.MobileNetV1(), 70.6, _KERAS, "below"),
        Published("MobileNetV2", models.MobileNetV2(), 71.878, _TORCHVISION.format("mobilenet_v2")),
        Published("ViT-B/16", models.VitB16(), 81.072, _TORCHVISION.format("vit_b_16")),
    )


@lru_cache(1)
def _counts() -> tuple[tuple[int, int], ...]:
    return tuple((each.network.macs, each.network.params) for each in published())


def bubbles(scenario: Scenario, _options: Described) -> Chart:
    """Return the networks by multiply-adds for one picture and top-1 accuracy, the present one ringed."""
    shown = published()
    largest = max(params for _, params in _counts())
    all_points = Points(
        "a network; the area is its parameters",
        Role.MEMORY,
        x=tuple(float(macs) for macs, _ in _counts()),
        y=tuple(each.top1 / 100 for each in shown),
        notes=tuple(_note(index) for index in range(len(shown))),
        labels=tuple(each.name for each in shown),
        sides=tuple(each.side for each in shown),
        sizes=tuple(params / largest for _, params in _counts()),
    )
    return Chart(
        title="Accuracy",
        x=Axis("Multiply-adds for one picture", "", (1e8, 1e11), log=True),
        y=Axis("Top-1 accuracy on ImageNet", "%", (0.5, 0.85)),
        marks=(all_points, *_now(scenario.layer)),
        alt=_alt(),
    )


def _now(layer: Layer) -> tuple[Points, ...]:
    """Return a ring around the present network, where it is one of those published."""
    for index, each in enumerate(published()):
        if AnyBatch(layer) == AnyBatch(each.network):
            (macs, _), note = _counts()[index], _note(index)
            return (Points("now", Role.CURRENT, (float(macs),), (each.top1 / 100,), notes=(note,)),)
    return ()


def _note(index: int) -> str:
    each, (macs, params) = published()[index], _counts()[index]
    return tr(
        "{name}: {macs} multiply-adds for one picture, {params} parameters, top-1 accuracy {top1}%. {source}",
        name=each.name, macs=si(macs), params=si(params), top1=each.top1, source=each.source,
    )  # fmt: skip


def _alt() -> str:
    told = tr("; ").join(
        tr("{name} {macs} multiply-adds, {params} parameters, {top1}%", name=each.name, macs=si(macs),
           params=si(params), top1=each.top1)
        for each, (macs, params) in zip(published(), _counts(), strict=True)
    )  # fmt: skip
    return tr(
        "Networks for ImageNet by work and top-1 accuracy: {told}. Others are left out: no public figure of "
        "their accuracy is recorded here.",
        told=told,
    )
