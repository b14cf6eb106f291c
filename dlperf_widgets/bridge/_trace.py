"""Watch a module's forward pass on two levels, and note each operation under the module that ran it.

Functions come first, as their arguments still say what is meant: attention is one function, and would be
anonymous products below. What no function explains is seen as the ATen operations it becomes, the same
with gradients and without.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from ..layers import Layer
from ._aten import OPERATIONS, is_free
from ._functions import FUNCTIONS
from ._meta import tensors
from ._placed import Placed
from ._stay import staying


class Where(NamedTuple):
    """The module that is running."""

    path: str
    whole: bool  # it is one operation and no more
    recurrent: bool


class Record(NamedTuple):
    """One operation: its layers, or none if it has none."""

    path: str  # of the module
    whole: bool  # the module is this operation and no more
    name: str  # as torch has it
    layers: dict[str, Layer]
    parameters: dict[int, int]  # sizes of the distinct parameters it uses
    elements: int  # of its outputs


@dataclass
class Trace:
    """What ran so far, and where we are."""

    module: nn.Module
    records: list[Record] = field(default_factory=list)
    silent: int = 0
    modules: list[Where] = field(default_factory=lambda: [Where("", False, False)])

    def __post_init__(self) -> None:
        self.known = {id(p): p.numel() for p in self.module.parameters()}
        # counters of batches and the like, not work
        self.counters = {id(buffer) for buffer in self.module.buffers() if buffer.numel() == 1}
        for path, module in self.module.named_modules():
            plain = type(module).__module__.startswith("torch.nn.modules") and not [*module.children()]
            here = Where(path, plain and path != "", isinstance(module, nn.RNNBase | nn.RNNCellBase))
            module.register_forward_pre_hook(lambda *_, here=here: self.modules.append(here), prepend=True)
            module.register_forward_hook(lambda *_: (self.modules.pop(), None)[1])

    def note(self, name: str, placed: Placed | None, arguments: Any, result: Any) -> None:
        """Note one operation."""
        elements = sum(each.numel() for each in tensors(result))
        where = self.modules[-1]
        # a recurrent module fills its first state with zeros: part of the layer
        if elements and not (where.recurrent and name == "aten.zeros"):
            ids = [id(parameter(tensor)) for tensor in tensors(arguments)]
            used = {key: self.known[key] for key in ids if key in self.known}
            layers = placed.layers if placed else {}
            self.records.append(Record(where.path, where.whole, name, layers, used, elements))

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Note nothing: what runs inside is noted already."""
        self.silent += 1
        try:
            yield
        finally:
            self.silent -= 1


class _Functions(TorchFunctionMode):
    """Sees torch's functions and the methods of tensors, before they become operations."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self.trace = trace

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        func, args, kwargs = staying(func, args, kwargs or {})
        find = FUNCTIONS.get(func)
        # under vmap functions see a part of each tensor, operations all of it
        if find is None or torch._C._are_functorch_transforms_active():
            return func(*args, **kwargs)
        placed = _attempt(find, *args, **kwargs)
        if placed is None:
            return func(*args, **kwargs)
        with self.trace.quietly():
            result = placed.result() if placed.result else func(*args, **kwargs)
        if placed.layers:
            self.trace.note(func.__name__, placed, (args, kwargs), result)
        return result


class _Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees the ATen operations that functions become."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.trace = trace

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        counts = args and id(args[0]) in self.trace.counters and func._schema.is_mutable
        if not (self.trace.silent or counts or is_free(func)):
            find = OPERATIONS.get(str(func.overloadpacket))
            options = {name: value for name, value in kwargs.items() if name != "out"}
            placed = _attempt(find, result, *args, **options) if find else None
            self.trace.note(str(func.overloadpacket), placed, (args, kwargs), result)
        return result


def _attempt(find: Callable[..., Placed | None], *args: Any, **kwargs: Any) -> Placed | None:
    try:
        return find(*args, **kwargs)
    except (LookupError, TypeError, ValueError):
        # a size that no layer takes, or arguments of another version: it is seen a level below, or listed
        return None


def parameter(tensor: torch.Tensor) -> nn.Parameter | None:
    """Return the parameter that a tensor is, or is a view of, if any."""
    for each in (tensor, tensor._base):
        if isinstance(each, nn.Parameter):
            return each
    return None


@contextmanager
def plain() -> Iterator[None]:
    """The same state whatever the caller's. Gradients are off: they change the operations, not the work.

    So is inference mode, in which views do not know what they are a view of.
    """
    with torch.inference_mode(False), torch.no_grad():
        yield


def run(trace: Trace, module: nn.Module, args: Any, kwargs: Any) -> Any:
    """Return what the module gives, traced."""
    watching = (torch.device("meta"), _Operations(trace), _Functions(trace))
    try:
        with watching[0], watching[1], watching[2]:
            return module(*args, **kwargs)
    except Exception as error:  # whatever a forward pass may raise
        name = type(module).__name__
        raise ValueError(f"{name} fails on these inputs: {type(error).__name__}: {error}") from error
