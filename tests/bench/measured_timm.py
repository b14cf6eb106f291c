"""timm's inference benchmark: convolutional networks and ViT under automatic mixed precision.

Protocol: PyTorch from Python, torch.cuda.amp.autocast around a model with FP32 weights, a synthetic batch,
the mean of 40 steps after warming up, host's clock with a synchronization a step. Batch normalization, ReLU
and additions are kernels of their own. Autocast copies every weight to FP16 once a step, and runs layer
norm in FP32, so that the residual stream of a ViT is FP32 and a copy to FP16 precedes each product.
``channels_last`` files are NHWC; NCHW ones run convolutions that put the images into NHWC and back, 1 x 1
ones only back. With PyTorch 1.13 attention is unfused, its softmax in FP32 between two copies.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import prod

from dlperf_widgets.cost import Launch
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import (
    Add,
    Attention,
    BatchNorm2d,
    Conv2d,
    Dropout,
    Layer,
    LayerNorm,
)
from dlperf_widgets.layers._composite import Composite, Parts
from dlperf_widgets.layers._fields import flag, parts
from dlperf_widgets.layers._layer import Shape
from dlperf_widgets.layers.batch_norm import Passes
from dlperf_widgets.models import MobileNetV2, ResNet, Vgg16, VitB16
from dlperf_widgets.ops import Pass, Phase, Stream
from tests.bench.rows import Bare, Measured, measured, rows

Build = Callable[[int, int], Layer]  # of a batch and a picture size

_NETWORKS: dict[str, Build] = {
    "resnet18": lambda batch, size: ResNet("18", batch=batch, size=size),
    "resnet34": lambda batch, size: ResNet("34", batch=batch, size=size),
    "resnet50": lambda batch, size: ResNet("50", batch=batch, size=size),
    "resnet101": lambda batch, size: ResNet("101", batch=batch, size=size),
    "resnet152": lambda batch, size: ResNet("152", batch=batch, size=size),
    "vgg16": lambda batch, size: Vgg16(batch=batch),
    "mobilenetv2_100": lambda batch, size: MobileNetV2(batch=batch),
    "vit_base_patch16_224": lambda batch, size: VitB16(batch=batch, size=size),
    "deit_base_patch16_224": lambda batch, size: VitB16(batch=batch, size=size),
}


def _networks() -> Iterator[Measured]:
    """One step of each network that models/ has, in both layouts."""
    for row in rows("timm_infer_e2e"):
        build = _NETWORKS.get(row["model"])
        if build and row["batch"]:
            nchw = row["layout"] == "nchw"
            model = Mixed(build(int(row["batch"]), int(row["img"])), nchw, unfused="pt113" in row["file"])
            name = row["model"].split("_patch")[0].removesuffix("_100")
            family = f"whole model, AMP {'NCHW' if nchw else 'NHWC'}: {name}"
            yield measured(row, family, model, FP16, Launch.EAGER, column="step_ms")


@dataclass(frozen=True)
class Mixed(Composite):
    """A network as autocast runs it for inference."""

    model: Layer = parts("Network")
    nchw: bool = flag(False, "NCHW")
    unfused: bool = flag(False, "Attention unfused")

    def leaves(self) -> Iterator[tuple[str, Layer, int]]:
        """Yield what runs for every layer of the network, under its path."""
        for path, layer, count in self.model.leaves():
            for part in self._run(path, layer):
                yield path, part, count

    def _run(self, path: str, layer: Layer) -> Iterator[Layer]:
        match layer:
            case Dropout():
                return
            case BatchNorm2d():
                yield replace(layer, passes=Passes.INFERENCE)
            case LayerNorm():  # FP32 in and out, and the copy to FP16
                yield Bare(_norm(layer))
                yield copied(layer.elements, 3)
            case Add() if path.startswith("blocks"):  # FP32 and FP16 to FP32
                yield Bare(Stream(3 * layer.elements, 2 * layer.elements, flops=layer.elements))
            case Conv2d() if self.nchw and layer.groups == 1:
                if layer.kernel != (1, 1):
                    yield copied(prod(layer.input_shape), 2)
                yield layer
                yield copied(prod(layer.output_shape), 2)
            case Attention() if self.unfused:
                yield from _unfused(layer)
            case _:
                yield layer
        if not isinstance(layer, BatchNorm2d | LayerNorm) and layer.params:
            yield copied(layer.params, 3)  # a weight, FP32 to FP16

    @property
    def parts(self) -> Parts:
        """The network."""
        return (("", self.model),)

    @property
    def input_shape(self) -> Shape:
        """Of the network."""
        return self.model.input_shape

    @property
    def output_shape(self) -> Shape:
        """Of the network."""
        return self.model.output_shape


def copied(elements: int, halves: int) -> Bare:
    """Return a copy that moves so many times the elements in FP16."""
    return Bare(Stream((halves - 1) * elements, elements, flops=0))


def _unfused(layer: Attention) -> Iterator[Layer]:
    """Return two products around a softmax of FP32 numbers, which are copied from and to FP16."""
    products = replace(layer, fused=False).ops(Phase.FPROP)
    scores = layer.batch * layer.heads * layer.queries * layer.keys
    yield Bare(products[0])
    yield copied(scores, 3)
    rows_ = layer.batch * layer.heads * layer.queries
    yield Bare(Stream(2 * scores, 2 * scores, flops=5 * scores, kind=Pass.SOFTMAX, rows=rows_))
    yield copied(scores, 3)
    yield Bare(products[-1])


def _norm(layer: LayerNorm) -> Stream:
    """Return a layer norm of FP32 numbers, twice as large as the format of the network has them."""
    e = 2 * layer.elements
    return Stream(e, e, 8 * layer.elements, weights=2 * layer.params, kind=Pass.NORM, rows=layer.rows)


READERS = (_networks,)
