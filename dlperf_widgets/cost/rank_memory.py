"""What one GPU of a cluster plan holds in memory."""

from math import prod

from ..dtypes import DType, Format, as_format
from ..layers import Layer, LayerNorm, RmsNorm
from ._checks import thing
from .activations import pair
from .footprint import Footprint, MemoryTerm
from .memory import footprint
from .plan import Plan
from .scaling import in_flight

# How tensor ranks and stages share activations: Korthikanti et al., https://arxiv.org/abs/2205.05198


def rank_footprint(
    layer: Layer,
    dtype: DType | Format,
    plan: Plan,
    optimizer: str = "adam",
    mixed_precision: str | None = None,
) -> Footprint:
    """Return the memory of a GPU of the first stage, where a sample is one of a micro-batch.

    Tensor ranks and stages share weights and what belongs to them evenly. Tensor ranks share activations
    but for the norms' inputs and outputs, which each holds whole. A stage holds the activations of its
    blocks for as many micro-batches as 1F1B has in flight there, a few more if it has several chunks.

    Parameters
    ----------
    layer, dtype, optimizer, mixed_precision
        As for ``footprint``.
    plan
        Of it count the ranks, the ZeRO stage, the micro-batches and the chunks of a stage.
    """
    plan = thing("plan", Plan, plan)
    whole = footprint(layer, dtype, optimizer, mixed_precision, zero=plan.zero, ranks=plan.data)
    kept = _normalized(layer, as_format(dtype))
    terms = (_share(term, plan, kept) for term in whole.terms)
    return Footprint(f"{whole.title}, {plan.ranks} ranks", tuple(terms), whole.sample)


def held(plan: Plan) -> float:
    """Return how many micro-batches' activations, each of all blocks, the first stage holds at once."""
    depth = plan.pipeline
    chunks = 1 + (depth - 1) / (depth * plan.interleave) if plan.interleave > 1 else 1.0
    return in_flight(depth, plan.microbatches) / depth * chunks


def _share(term: MemoryTerm, plan: Plan, kept: float) -> MemoryTerm:
    """Return a rank's share of a term; ``kept`` bytes a sample are on every tensor rank."""
    if term.name == "activations":
        many = held(plan)
        each = min(kept, term.per_sample)
        slope = many * (each + (term.per_sample - each) / plan.tensor)
        formula = f"{term.formula}; {many:.3g} x that"
        if plan.tensor > 1:
            formula += f", of which {plan.tensor} tensor ranks share all but {each:,.0f} B"
        return MemoryTerm(term.name, many * term.constant, slope, formula)
    shares = plan.tensor * plan.pipeline
    part = shares if term.constant else plan.tensor
    formula = f"{term.formula}, 1/{part} of it" if part > 1 else term.formula
    return MemoryTerm(
        term.name, term.constant / shares, term.per_sample / plan.tensor, formula, term.per_parameter
    )


def _normalized(layer: Layer, form: Format) -> float:
    """Return the bytes a sample of what goes into norms along rows, and of what comes out."""
    one, _ = pair(layer)
    norms = (
        count * prod(leaf.input_shape)
        for _, leaf, count in one.leaves()
        if isinstance(leaf, LayerNorm | RmsNorm)
    )
    return 2 * form.activations.bytes * sum(norms)
