"""Costs: what a scenario takes in time, flops and bytes."""

from .scenario import Layout as Layout
from .scenario import Scenario as Scenario
from .sweep import sweep as sweep
from .tiles import TILES as TILES
from .tiles import Tiling as Tiling
from .time import Cost as Cost
from .time import Launch as Launch
from .time import Library as Library
from .time import Limiter as Limiter
