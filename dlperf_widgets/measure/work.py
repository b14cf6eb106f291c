"""A scenario as something to run: its phases, on tensors that are there before the clock starts."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from ..cost import Layout, Library, Scenario
from ..layers import Activation, Composite, Layer, OptimizerStep
from ..layers.rnn import Recurrent
from ..ops import Phase
from .formats import Held, UnsupportedError, held
from .modules import How, Leaf, inputs, module
from .quantized import product

_FPROP, _DGRAD, _WGRAD, _UPDATE = Phase


class Work(NamedTuple):
    """What is timed, and the bytes of its tensors."""

    run: Callable[[], object]
    bytes: int
    held: Held


def work(asked: Scenario, device: torch.device) -> Work:
    """Return a scenario's phases as one call; UnsupportedError says what cannot be run."""
    form = held(asked.format, device.type, capability(device))
    phases = present(asked)
    _check(asked, phases)
    if form.quantized:
        return Work(*product(asked.layer, phases, form.quantized, device), form)
    if phases == (_UPDATE,):
        return Work(*_update(asked.layer, device), form)
    last = asked.layout is Layout.NHWC
    how = How(device, getattr(torch, form.weights), getattr(torch, form.activations), last)
    net, given = module(asked.layer, how), inputs(asked.layer, how)
    forward = _forward(net, given, form, device)
    run, output = _phases(asked.layer, phases, net, given, forward)
    tensors = {*net.parameters(), *operands(net), *given, output}
    return Work(run, sum(tensor.nbytes for tensor in tensors), form)


def capability(device: torch.device) -> tuple[int, int] | None:
    """Return the compute capability of a GPU."""
    return torch.cuda.get_device_capability(device) if device.type == "cuda" else None


def present(asked: Scenario) -> tuple[Phase, ...]:
    """Return the phases in which the layer does anything."""
    leaves = [leaf for _, leaf, _ in asked.layer.leaves()]
    return tuple(phase for phase in asked.phases if any(leaf.ops(phase) for leaf in leaves))


def operands(net: nn.Module) -> list[Tensor]:
    """Return the inputs that modules hold themselves."""
    return [tensor for leaf in net.modules() if isinstance(leaf, Leaf) for tensor in leaf.operands]


def _check(asked: Scenario, phases: tuple[Phase, ...]) -> None:
    """Raise UnsupportedError for what torch cannot run by itself, or at all."""
    layer, several = asked.layer, isinstance(asked.layer, Composite)
    if not phases:
        raise UnsupportedError(f"{layer.title} moves and computes nothing in {', '.join(asked.phases)}")
    if asked.sparse:
        raise UnsupportedError("2:4 sparsity is not measured: torch runs it through modules of its own")
    if asked.library is Library.LEGACY:
        raise UnsupportedError("the libraries of this torch are current ones: older ones cannot be measured")
    if _UPDATE in phases and not isinstance(layer, OptimizerStep):
        raise UnsupportedError("an optimizer's step is measured by itself, as the layer OptimizerStep")
    backward = set(phases) & {_DGRAD, _WGRAD}
    if backward == {_WGRAD} and (several or isinstance(layer, Recurrent)):
        raise UnsupportedError(f"torch cannot run wgrad of {layer.title} without dgrad: ask for both")
    if backward == {_DGRAD} and several and not layer.needs_input_gradient:
        raise UnsupportedError(f"torch cannot run dgrad of {layer.title} without wgrad: ask for both")
    if isinstance(layer, Activation) and layer.inplace and _FPROP in phases and backward:
        raise UnsupportedError("in place, forward and backward cannot run again on the same input")


def _forward(
    net: nn.Module, given: tuple[Tensor, ...], form: Held, device: torch.device
) -> Callable[[], Tensor]:
    if not form.autocast:
        return lambda: net(*given)

    def cast() -> Tensor:
        # without its cache every forward pass casts the weights, as every training step does
        with torch.autocast(device.type, getattr(torch, form.activations), cache_enabled=False):
            return net(*given)

    return cast


def _phases(
    layer: Layer,
    phases: tuple[Phase, ...],
    net: nn.Module,
    given: tuple[Tensor, ...],
    forward: Callable[[], Tensor],
) -> tuple[Callable[[], object], Tensor]:
    """Return a call that runs the phases, and the output."""
    if phases == (_FPROP,):
        alone = torch.no_grad()(forward)
        return alone, alone()
    wanted = _wanted(layer, phases, net, given)
    if isinstance(layer, Activation) and layer.inplace:  # torch lets nothing overwrite what a user made
        start = given[0].clone()
        output = net(start)
    else:
        output = forward()
    gradient = torch.ones_like(output) if output.dim() == 0 else torch.randn_like(output)
    if _FPROP in phases:
        return lambda: torch.autograd.grad(forward(), wanted, gradient), output
    return lambda: torch.autograd.grad(output, wanted, gradient, retain_graph=True), output


def _wanted(
    layer: Layer, phases: tuple[Phase, ...], net: nn.Module, given: tuple[Tensor, ...]
) -> list[Tensor]:
    """Return what the phases take the gradients of.

    A layer's parameters belong to wgrad, or to dgrad where one pass computes both, as in normalizations.
    """
    found: dict[Tensor, None] = {}
    if _DGRAD in phases:
        others = [*operands(net), *(given if layer.needs_input_gradient else ())]
        found.update(dict.fromkeys(tensor for tensor in others if tensor.is_floating_point()))
    for leaf in net.modules():
        if isinstance(leaf, Leaf):
            phase = _WGRAD if leaf.layer.ops(_WGRAD) else _DGRAD
            found.update(dict.fromkeys(leaf.parameters() if phase in phases else ()))
    for parameter in net.parameters():
        parameter.requires_grad_(parameter in found)
    for tensor in found:
        tensor.requires_grad_()
    return list(found)


_OPTIMIZERS: dict[str, Callable[[list[Tensor], dict[str, Any]], torch.optim.Optimizer]] = {
    "sgd": lambda weights, how: torch.optim.SGD(weights, lr=1e-6, fused=True),
    "momentum": lambda weights, how: torch.optim.SGD(weights, lr=1e-6, momentum=0.9, fused=True),
    "adam": lambda weights, how: torch.optim.Adam(weights, lr=1e-6, fused=True, **how),
    "adamw": lambda weights, how: torch.optim.AdamW(weights, lr=1e-6, fused=True, **how),
}


def _update(layer: Layer, device: torch.device) -> tuple[Callable[[], object], int]:
    """Return a fused optimizer's step over one FP32 tensor, and the bytes it touches."""
    assert isinstance(layer, OptimizerStep)
    if layer.mixed:
        raise UnsupportedError("torch has no fused step from 16-bit gradients to FP32 master weights")
    weight = torch.randn(layer.parameters, device=device)
    weight.grad = torch.randn_like(weight)
    how = {"capturable": True} if device.type == "cuda" else {}  # so that a CUDA graph can hold it
    return _OPTIMIZERS[layer.kind]([weight], how).step, layer.moved_bytes * layer.parameters
