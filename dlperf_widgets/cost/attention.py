"""The time of fused attention on Tensor Cores: blocks of queries walk along the keys they may see.

Fitted to causal prefill. Decoding, backward passes and attention without a mask follow the same formula
without data.
"""

from functools import lru_cache
from typing import NamedTuple

from ..dtypes import DType, Format
from ..gpus import Gpu
from ..ops import Attention, Phase
from .bandwidth import cached, transfer
from .calibration import of
from .tiles import Tiling

BLOCK = 128  # queries of one head that are worked on together


class Walk(NamedTuple):
    """What fused attention meets on one GPU in one format. Rates are in flops and bytes a second."""

    sms: int
    peak: float
    rate: float  # of one SM
    exponential: float  # head dimensions whose products take as long as the exponential of one element
    dram: float
    l2: float
    room: float  # bytes of L2 that count
    step: float  # least seconds for one key
    reread: float  # how often other blocks of queries read K and V


@lru_cache(256)
def walk(gpu: Gpu, dtype: DType, sparse: bool) -> Walk:
    """Return the rates of a GPU."""
    peak, clock = gpu.peak(dtype, sparse), gpu.tensor_clock or gpu.clock
    c = of(gpu)
    dram = gpu.bandwidth * c.attention_bandwidth
    return Walk(
        sms=gpu.sms,
        peak=peak,
        rate=peak / gpu.sms * c.attention_rate,
        exponential=c.attention_exponential * peak / (gpu.sms * clock) / 64,
        dram=dram,
        l2=max(gpu.sms * clock * c.tensor_l2_rate, dram),
        room=c.attention_l2_part * (gpu.l2 or 0),
        step=c.attention_step,
        reread=c.attention_reread,
    )


def tiling(op: Attention, gpu: Gpu) -> Tiling:
    """Return the output cut into blocks of queries."""
    return Tiling(op.tiled, BLOCK, -(-op.head_dim // 64) * 64, gpu.sms)


def steps(op: Attention, way: Walk, form: Format, memory: float, aligned: float) -> tuple[float, ...]:
    """Return the time as the terms but the launch are switched on one after another.

    ``memory`` is the ideal seconds, ``aligned`` the share of the math rate that alignment leaves.
    """
    math = op.flops / way.peak
    tiled = tiled_time(op, way)
    clear = tiled / aligned
    grown = clear * (1 + way.exponential / op.head_dim)
    waved = max(grown, longest_time(op, way, grown))
    whole = waved + moved_time(op, way, form)
    return (*(max(each, memory) for each in (math, tiled, clear, grown, waved)), whole)


def tiled_time(op: Attention, way: Walk) -> float:
    """Return the seconds of the products of whole blocks of queries, evenly spread over the SMs."""
    products = 5 if op.phase is Phase.DGRAD else 2
    one = 2 * products * BLOCK * op.head_dim  # flops of a block for one key
    return op.batch * op.heads * key_steps(op) * one / (way.rate * way.sms)


def key_steps(op: Attention) -> float:
    """Return how many keys the blocks of one head's queries go through, all together.

    A block goes as far as its last query may see. Few queries of the heads that share keys make one block.
    """
    if op.queries < BLOCK:
        group = op.heads / op.kv_heads
        blocks = max(-(-op.queries * group // BLOCK) / group, 1 / 16)
        return blocks * max(op.keys, 16)
    blocks = -(-op.queries // BLOCK)
    if not op.causal:
        return blocks * op.keys
    before = max(op.keys - op.queries, 0)
    return blocks * before + BLOCK * blocks * (blocks + 1) / 2


def longest_time(op: Attention, way: Walk, math: float) -> float:
    """Return the seconds of the block that sees all keys; few queries have their keys dealt out instead."""
    if op.queries < BLOCK:
        return 0.0
    one = math / (op.batch * op.heads * key_steps(op)) * way.sms
    return op.keys * max(one, way.step)


def moved_time(op: Attention, way: Walk, form: Format) -> float:
    """Return the seconds for Q, K, V and O, K and V twice: other blocks of queries read them again."""
    again = 2 * op.batch * op.kv_heads * op.keys * op.head_dim * form.activations.bytes
    moved = op.traffic(form) + (way.reread * again if op.queries > BLOCK else 0.0)
    return transfer(moved, cached(moved, way.room), way.dram, way.l2)
