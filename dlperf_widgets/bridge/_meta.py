"""A copy of a module whose tensors have shapes and no memory."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy


def meta_module(module: Any) -> nn.Module:
    """Return a copy on the meta device. The module is not touched, and no weight is copied on the way."""
    module = getattr(module, "_orig_mod", module)  # what torch.compile wraps
    if not isinstance(module, nn.Module):
        raise ValueError(f"from_torch takes a torch.nn.Module, not {type(module).__name__}")
    if any(isinstance(each, torch.jit.ScriptModule) for each in module.modules()):
        raise ValueError("from_torch cannot look into a scripted module: give the one it was made from")
    if any(is_lazy(p) for p in module.parameters()):
        raise ValueError("from_torch needs every shape: run the module once, so that lazy layers have theirs")
    # deepcopy takes what the memo has as the copies. One meta tensor for each tensor keeps ties, which
    # Module.to("meta") would cut.
    memo: dict[int, Any] = {id(tensor): _meta(tensor) for tensor in _held(module)}
    try:
        copy: nn.Module = deepcopy(module, memo)
    except Exception as error:  # whatever a module may hold
        name = type(module).__name__
        raise ValueError(f"{name} cannot be copied: {type(error).__name__}: {error}") from error
    _drop_hooks(copy)
    return copy


def meta_inputs(value: Any) -> Any:
    """Return tensors, however deep in tuples, lists and dicts, on the meta device; all else as it is.

    A tensor given twice stays one: attention of a tensor to itself needs one projection, not three.
    """
    copies = {id(tensor): _meta(tensor) for tensor in tensors(value)}

    def copied(value: Any) -> Any:
        match value:
            case torch.Tensor():
                return copies[id(value)]
            case tuple() if hasattr(value, "_fields"):  # a named tuple
                return type(value)(*map(copied, value))
            case tuple() | list():
                return type(value)(map(copied, value))
            case dict():
                return {key: copied(each) for key, each in value.items()}
            case _:
                return value

    return copied(value)


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors in a value, however deep in tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from tensors(each)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))


def _held(module: nn.Module) -> Iterator[torch.Tensor]:
    yield from module.parameters()
    yield from module.buffers()
    for each in module.modules():  # tensors that are plain attributes
        yield from tensors([value for key, value in vars(each).items() if key != "_modules"])


def _meta(tensor: torch.Tensor) -> torch.Tensor:
    shaped = torch.empty_like(tensor.detach(), device="meta")
    if isinstance(tensor, nn.Parameter):
        return nn.Parameter(shaped, requires_grad=tensor.requires_grad)
    return shaped


def _drop_hooks(module: nn.Module) -> None:
    """Drop hooks that are the user's, which watch the original; torch's own compute (weight norm)."""
    for each in module.modules():
        for hooks in (each._forward_pre_hooks, each._forward_hooks):
            for key, hook in list(hooks.items()):
                if not (getattr(hook, "__module__", None) or "").startswith("torch."):
                    del hooks[key]
