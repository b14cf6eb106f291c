"""What each parameter takes in memory, under every convention, and how ZeRO shares it."""

from ..dtypes import FP32, Format
from ..layers.optimizer import STATES
from .footprint import MemoryTerm

# The stage from which ranks share a term (Rajbhandari et al., ZeRO, 2020).
_SHARED = {"optimizer state": 1, "master weights": 1, "gradients": 2, "weights": 3, "cast weights": 3}
_STATE_NAMES = ("none", "momentum", "momentum and variance")


def weights(params: int, form: Format, mixed: str | None, training: bool) -> tuple[MemoryTerm, ...]:
    """Return the weights in each format that they are held in."""
    if mixed == "amp":
        cast = _held("cast weights", params, form.activations.bytes, f"{form.activations}, from autocast")
        return (_held("weights", params, FP32.bytes, FP32.name), cast)
    weights = _held("weights", params, form.weights.bytes, form.weights.name)
    if mixed == "master" and training:
        return (weights, _held("master weights", params, FP32.bytes, FP32.name))
    return (weights,)


def state(params: int, form: Format, optimizer: str, mixed: str | None) -> tuple[MemoryTerm, ...]:
    """Return what training adds for each parameter."""
    gradient = FP32 if mixed == "amp" else form.gradients
    state = FP32 if mixed else form.weights
    count = STATES[optimizer]
    return (
        _held("gradients", params, gradient.bytes, gradient.name),
        _held("optimizer state", params, count * state.bytes, f"{state}, {optimizer}: {_STATE_NAMES[count]}"),
    )


def _held(name: str, params: int, size: float, what: str) -> MemoryTerm:
    return MemoryTerm(name, params * size, 0.0, f"{params:,} parameters x {size:g} B ({what})", size)


def shared(term: MemoryTerm, params: int, zero: int, ranks: int) -> MemoryTerm:
    """Return what a rank holds of a term: its part, rounded up to whole parameters, if ZeRO shares it."""
    if ranks == 1 or zero < _SHARED[term.name]:
        return term
    part = -(-params // ranks) * term.per_parameter
    return MemoryTerm(term.name, part, 0.0, f"{term.formula} / {ranks:,} ranks", term.per_parameter)
