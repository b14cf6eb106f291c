"""What a GPU is asked to do: products, convolutions, attention, and passes over memory.

Every layer lowers to these. A multiply-add counts as two flops, as NVIDIA and torch count it.
Sizes are in elements; only ``traffic`` returns bytes, each operand moved once. Products of any kind
show the matrix products they consist of as ``gemms``, and as ``tiled`` the one whose output is dealt
to the SMs.
"""

from ._attention import Attention as Attention
from ._conv import Conv as Conv
from ._gemm import Gemm as Gemm
from ._role import TRAINING as TRAINING
from ._role import Operand as Operand
from ._role import Phase as Phase
from ._stream import Pass as Pass
from ._stream import Stream as Stream

Product = Gemm | Conv | Attention
Op = Product | Stream
