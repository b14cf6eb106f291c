"""Layers. To add one: a frozen dataclass in this package, and two lines here.

They are loaded when they are first used: a question about one should not wait for all.
"""

from typing import TYPE_CHECKING, Any

from .._lazy import attach
from ._layer import Layer as Layer
from ._layer import Saved as Saved

if TYPE_CHECKING:
    from ._composite import Composite as Composite
    from .activation import Activation as Activation
    from .attention import Attention as Attention
    from .batch_norm import BatchNorm2d as BatchNorm2d
    from .batch_norm import GroupNorm as GroupNorm
    from .batch_norm import InstanceNorm2d as InstanceNorm2d
    from .batch_norm import Passes as Passes
    from .conv import Conv1d as Conv1d
    from .conv import Conv2d as Conv2d
    from .conv import Conv3d as Conv3d
    from .conv_transpose import ConvTranspose1d as ConvTranspose1d
    from .conv_transpose import ConvTranspose2d as ConvTranspose2d
    from .conv_transpose import ConvTranspose3d as ConvTranspose3d
    from .depthwise import DepthwiseSeparable as DepthwiseSeparable
    from .dropout import Dropout as Dropout
    from .elementwise import Add as Add
    from .elementwise import Multiply as Multiply
    from .embedding import Embedding as Embedding
    from .linear import Linear as Linear
    from .loss import CrossEntropy as CrossEntropy
    from .loss import MseLoss as MseLoss
    from .matmul import Matmul as Matmul
    from .multihead import MultiheadAttention as MultiheadAttention
    from .norm import LayerNorm as LayerNorm
    from .norm import RmsNorm as RmsNorm
    from .optimizer import OptimizerStep as OptimizerStep
    from .pool import GlobalPool2d as GlobalPool2d
    from .pool import Pool2d as Pool2d
    from .repeat import Repeat as Repeat
    from .repeat import Tied as Tied
    from .residual import Branches as Branches
    from .residual import Residual as Residual
    from .rnn import Gru as Gru
    from .rnn import Lstm as Lstm
    from .rnn import Rnn as Rnn
    from .sequence import Sequence as Sequence
    from .softmax import Softmax as Softmax
    from .tokens import ClassToken as ClassToken
    from .tokens import Take as Take

    LAYERS: tuple[type[Layer], ...]
    COMPOSITES: tuple[type[Layer], ...]

# In the order that pickers show them, with the modules they are in.
_LAYERS = {
    "Linear": "linear",
    "Conv1d": "conv",
    "Conv2d": "conv",
    "Conv3d": "conv",
    "ConvTranspose1d": "conv_transpose",
    "ConvTranspose2d": "conv_transpose",
    "ConvTranspose3d": "conv_transpose",
    "DepthwiseSeparable": "depthwise",
    "Rnn": "rnn",
    "Lstm": "rnn",
    "Gru": "rnn",
    "Attention": "attention",
    "MultiheadAttention": "multihead",
    "Matmul": "matmul",
    "BatchNorm2d": "batch_norm",
    "LayerNorm": "norm",
    "RmsNorm": "norm",
    "GroupNorm": "batch_norm",
    "InstanceNorm2d": "batch_norm",
    "Activation": "activation",
    "Add": "elementwise",
    "Multiply": "elementwise",
    "Softmax": "softmax",
    "Pool2d": "pool",
    "GlobalPool2d": "pool",
    "Dropout": "dropout",
    "CrossEntropy": "loss",
    "MseLoss": "loss",
    "Embedding": "embedding",
    "ClassToken": "tokens",
    "Take": "tokens",
    "OptimizerStep": "optimizer",
}
# Layers whose fields are layers.
_COMPOSITES = {
    "Sequence": "sequence",
    "Residual": "residual",
    "Branches": "residual",
    "Repeat": "repeat",
    "Tied": "repeat",
}
_OTHERS = {"Composite": "_composite", "Passes": "batch_norm"}
_load = attach(__name__, _LAYERS | _COMPOSITES | _OTHERS)


def __getattr__(name: str) -> Any:
    match name:
        case "LAYERS":
            return tuple(_load(each) for each in _LAYERS)
        case "COMPOSITES":
            return tuple(_load(each) for each in _COMPOSITES)
        case _:
            return _load(name)


def __dir__() -> list[str]:
    return [*_LAYERS, *_COMPOSITES, *_OTHERS, "COMPOSITES", "LAYERS", "Layer", "Saved"]
