"""A torch module as layers, without its weights in memory and without running it on data."""

from importlib.util import find_spec
from typing import Any

from .model import TorchModel


def from_torch(module: Any, *inputs: Any, **named_inputs: Any) -> TorchModel:
    """Return any ``torch.nn.Module`` as a composite of layers, for inputs of the given shapes.

    A copy without memory runs on PyTorch's meta device, where only shapes are computed. The module itself
    is left as it is, and traced in the mode it is in: training or evaluation. Operations that no layer
    stands for are listed in ``unplaced``.

    Conventions: a smaller operand of a sum or a product counts as large as the result. A mask given as a
    tensor hides nothing, as its values are unknown (``is_causal`` does). Dropout inside attention moves
    nothing more. Weights that were used before, or are computed from others, are ``Tied``.

    A module whose path depends on the values of its data cannot be traced.

    Parameters
    ----------
    module
        The module.
    *inputs, **named_inputs
        What its ``forward`` takes. Of tensors only shape and dtype are used.
    """
    if find_spec("torch") is None:
        raise ValueError("from_torch needs torch: pip install torch")
    # loaded here: everything else in the package works without torch
    from . import _assemble, _trace
    from ._meta import meta_inputs, meta_module

    with _trace.plain():
        copy = meta_module(module)
        taken = meta_inputs((inputs, named_inputs))
        trace = _trace.Trace(copy)
        result = _trace.run(trace, copy, *taken)
        return _assemble.model(trace, taken, result)
