"""The tiles that a product may be cut into, and what it would cost in each."""

from dataclasses import replace
from typing import NamedTuple

from . import product
from .engine import Tile
from .product import Work
from .tiles import Tiling
from .time import Cost


class Candidate(NamedTuple):
    """A product's cost in one tile, at the split along k that suits the tile best."""

    cost: Cost
    chosen: bool  # by the model, as it expects a library to


def candidates(cost: Cost) -> tuple[Candidate, ...]:
    """Return what a product costs in every tile of its engine's table, the fastest first."""
    work = worked(cost)
    tile, _ = product.choose(work)
    found = [Candidate(timed(cost, each, best_split(work, each)), each == tile) for each in menu(work)]
    return tuple(sorted(found, key=lambda each: (each.cost.time, not each.chosen)))


def in_tile(cost: Cost, tile_m: int, tile_n: int, split: int | None = None) -> Cost:
    """Return the cost of the same product in a tile of one's own choice.

    Parameters
    ----------
    cost
        The cost of a product, in whichever tile.
    tile_m, tile_n
        The tile, one of the engine's table.
    split
        Into how many parts k is cut; None for the split that takes the least time.
    """
    work = worked(cost)
    tiles = {(tile.m, tile.n): tile for tile in menu(work)}
    if (tile_m, tile_n) not in tiles:
        names = ", ".join(f"{m} x {n}" for m, n in tiles)
        raise ValueError(f"there is no tile of {tile_m} x {tile_n} here: choose from {names}")
    if split is not None and not 1 <= split <= work.gemm.k:
        raise ValueError(f"k of {work.gemm.k} cannot be split into {split} parts")
    tile = tiles[tile_m, tile_n]
    return timed(cost, tile, split or best_split(work, tile))


def worked(cost: Cost) -> Work:
    """Return what is asked of the engine; ValueError for what is not cut into tiles of its choice."""
    if cost.work is None:
        why = "fused attention walks along its keys" if cost.walk else "a pass over memory has no output"
        raise ValueError(f"{cost.path or 'this operation'} in {cost.phase} has no tiles to choose: {why}")
    return cost.work


def menu(work: Work) -> tuple[Tile, ...]:
    """Return the tiles that the model chooses from."""
    core = work.engine
    batched = work.gemm.batch > 1 and core.batched and not core.tensor
    return (core.batched if batched else core.tiles)[work.turned]


def best_split(work: Work, tile: Tile) -> int:
    """Return the split that the model would choose if there were no other tile."""
    only = ((tile,), (tile,))
    alone = work.engine._replace(tiles=only, batched=only if work.engine.batched else ())
    return product.choose(work._replace(engine=alone))[1]


def timed(cost: Cost, tile: Tile, split: int) -> Cost:
    """Return the cost in a given tile and split."""
    work = worked(cost)
    tiling = Tiling(work.gemm, tile.m, tile.n, work.engine.sms, split)
    way = cost.way and cost.way._replace(tile=tile, tiling=tiling)
    return replace(cost, tile=tile, tiling=tiling, way=way)
