"""Layers. To add one: a frozen dataclass in this package, and a line here."""

from ._composite import Composite as Composite
from ._layer import Layer as Layer
from ._layer import Saved as Saved
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

LAYERS: tuple[type[Layer], ...] = (
    Linear,
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    DepthwiseSeparable,
    Rnn,
    Lstm,
    Gru,
    Attention,
    MultiheadAttention,
    Matmul,
    BatchNorm2d,
    LayerNorm,
    RmsNorm,
    GroupNorm,
    InstanceNorm2d,
    Activation,
    Add,
    Multiply,
    Softmax,
    Pool2d,
    GlobalPool2d,
    Dropout,
    CrossEntropy,
    MseLoss,
    Embedding,
    ClassToken,
    Take,
    OptimizerStep,
)
# Layers whose fields are layers.
COMPOSITES: tuple[type[Layer], ...] = (Sequence, Residual, Branches, Repeat, Tied)
