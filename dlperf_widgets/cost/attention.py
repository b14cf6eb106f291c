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

FEW = 16  # with fewer queries, those of all heads that share keys are worked on together, keys in parts
NARROW = 16  # and are as many at least: the rows of a Tensor Core instruction
PARTS = 256  # keys from which on they are worked on in parts


class Walk(NamedTuple):
    """What fused attention meets on one GPU in one format. Rates are in flops and bytes a second."""

    sms: int
    peak: float
    rate: float  # of one SM
    exponential: float  # head dimensions whose products take as long as the exponential of one element
    dram: float
    l2: float
    room: float  # bytes of L2 that count
    prologue: float  # keys that filling and draining a block's pipeline takes
    alone: float  # time of a block that has an SM to itself
    reread: float  # how often other blocks of queries read K and V
    block: float  # seconds that one KV head of one sequence takes an SM at least


@lru_cache(256)
def walk(gpu: Gpu, dtype: DType, sparse: bool) -> Walk:
    """Return the rates of a GPU."""
    peak, clock = gpu.peak(dtype, sparse), gpu.tensor_clock or gpu.clock
    c = of(gpu)
    dram = gpu.bandwidth * c.tensor_bandwidth
    return Walk(
        sms=gpu.sms,
        peak=peak,
        rate=peak / gpu.sms * c.attention_rate,
        exponential=c.attention_exponential * peak / (gpu.sms * clock) / 64,
        dram=dram,
        l2=max(gpu.sms * clock * c.attention_l2_rate, dram),
        room=c.attention_l2_part * (gpu.l2 or 0),
        prologue=c.attention_prologue,
        alone=c.attention_alone,
        reread=c.attention_reread,
        block=c.attention_block,
    )


def tiling(op: Attention, gpu: Gpu) -> Tiling:
    """Return the output cut into blocks of queries."""
    return Tiling(op.tiled, block(op), -(-op.head_dim // 64) * 64, gpu.sms)


def steps(op: Attention, way: Walk, form: Format, memory: float, aligned: float) -> tuple[float, ...]:
    """Return the time as the terms but the launch are switched on one after another.

    ``memory`` is the ideal seconds, ``aligned`` the share of the math rate that alignment leaves.
    """
    math = op.flops / way.peak
    tiled = tiled_time(op, way)
    clear = tiled / aligned
    grown = clear * (1 + way.exponential / op.head_dim) * (1 + way.prologue * _blocks(op) / key_steps(op))
    waved = max(grown, longest_time(op, way, grown))
    moved = moved_time(op, way, form)
    whole = max(waved, moved) if op.queries < FEW else waved + moved
    return (*(max(each, memory) for each in (math, tiled, clear, grown, waved)), whole)


def tiled_time(op: Attention, way: Walk) -> float:
    """Return the seconds of the products of whole blocks of queries, evenly spread over the SMs."""
    products = 5 if op.phase is Phase.DGRAD else 2
    one = 2 * products * block(op) * op.head_dim  # flops of a block for one key
    return op.batch * op.heads * key_steps(op) * one / (way.rate * way.sms)


def key_steps(op: Attention) -> float:
    """Return how many keys the blocks of one head's queries go through, all together.

    A block goes as far as its last query may see. Few queries of the heads that share keys make one block.
    """
    if op.queries < FEW:
        group = op.heads / op.kv_heads
        return -(-op.queries * group // NARROW) * NARROW / block(op) / group * max(op.keys, NARROW)
    blocks = -(-op.queries // block(op))
    if not op.causal:
        return blocks * op.keys
    before = max(op.keys - op.queries, 0)
    return blocks * before + block(op) * blocks * (blocks + 1) / 2


def block(op: Attention) -> int:
    """Return the queries of one head that are worked on together: registers hold fewer of long ones."""
    return 128 if op.head_dim <= 64 else 64


def _blocks(op: Attention) -> int:
    """Return the blocks of one head; of few queries none is filled and drained."""
    return 0 if op.queries < FEW else -(-op.queries // block(op))


def longest_time(op: Attention, way: Walk, math: float) -> float:
    """Return the seconds of the block that sees all keys; of few queries, of starting all their blocks."""
    if op.queries < FEW:
        return op.batch * op.kv_heads * way.block / way.sms
    one = math / (op.batch * op.heads * key_steps(op)) * way.sms
    return op.keys * one * way.alone


def moved_time(op: Attention, way: Walk, form: Format) -> float:
    """Return the seconds for Q, K, V and O, K and V twice: other blocks of queries read them again."""
    again = 2 * op.batch * op.kv_heads * op.keys * op.head_dim * form.activations.bytes
    moved = op.traffic(form) + (way.reread * again if op.queries >= FEW else 0.0)
    return transfer(moved, cached(moved, way.room), way.dram, way.l2)


def kernels(op: Attention) -> int:
    """Return how many kernels run: a second combines the parts of the keys."""
    parted = op.keys >= PARTS or (op.batch > 1 and op.kv_heads > 1)
    return 2 if op.queries < FEW and op.phase is Phase.FPROP and parted else 1
