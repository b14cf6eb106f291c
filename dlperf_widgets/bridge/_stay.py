"""Keep a traced module on the meta device: moves to the device it was written for stay where they are."""

from typing import Any

import torch

_MOVES = (torch.Tensor.cuda, torch.Tensor.cpu)


def staying(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Return a function and its arguments with every device replaced by meta."""
    if func in _MOVES:
        return torch.Tensor.view_as, (args[0], args[0]), {}
    if kwargs.get("device") is not None:
        kwargs = {**kwargs, "device": "meta"}
    if any(isinstance(arg, torch.device) for arg in args) or func is torch.Tensor.to:
        args = tuple("meta" if isinstance(arg, torch.device | str) else arg for arg in args)
    return func, args, kwargs
