"""The arithmetic behind the numbers of a kernel's shape."""

from math import gcd

from ..advice import Readout, Why
from ..charts.in_flight import needed, under_way
from ..charts.lanes import asked_for, touched
from ..charts.occupancy_options import LIMITERS, OccupancyOptions, percent, resident
from ..cost import Scenario
from ..cost.lanes import BANKS, SECTOR
from ..cost.occupancy import Occupancy, OccupancyLimiter
from ..cost.sm_limits import WARP
from ..language import tr
from ..units import si

_FIELDS = {  # of the limits, that each number rests on
    "blocks": (
        "blocks_per_sm",
        "threads_per_sm",
        "registers_per_sm",
        "shared_memory_per_sm",
        "register_unit",
    ),
    "warps": ("warps_per_sm",),
    "occupancy": ("warps_per_sm",),
}


def kernel_why(readout: Readout, scenario: Scenario, options: OccupancyOptions) -> Why:
    """Return the formula of one number with the values put in, and where the limits in it are published."""
    limits = resident(scenario, options).limits
    fields = _FIELDS.get(readout.key, ())
    found = {(s.title, s.address): None for field in fields for s in limits.source(field)}
    if readout.key in ("needed", "reached"):
        found = {(s.title, s.address): None for s in scenario.gpu.source("bandwidth")}
    return Why(
        f"{readout.label}{tr(': ')}{readout.text}", _lines(readout.key, scenario, options), tuple(found)
    )


def _lines(key: str, scenario: Scenario, options: OccupancyOptions) -> tuple[str, ...]:
    now = resident(scenario, options)
    if key == "blocks":
        return tuple(_room(limiter, blocks, now, options) for limiter, blocks in now.room)
    lines = _of_the_sm(now, options) | _of_the_lanes(options) | _of_the_memory(scenario, options)
    return (lines[key],)


def _room(limiter: OccupancyLimiter, blocks: int, now: Occupancy, options: OccupancyOptions) -> str:
    limits, warps = now.limits, now.warps_per_block
    per_warp = -(-WARP * options.registers // limits.register_unit) * limits.register_unit
    reserved = limits.reserved_shared_memory or 0
    sums = {
        OccupancyLimiter.WARPS: f"floor({limits.warps_per_sm} / {warps})",
        OccupancyLimiter.REGISTERS: tr(
            "floor({all:,} / {each:,} per warp), a multiple of {unit}, / {warps}",
            all=limits.registers_per_sm, each=per_warp, unit=limits.warp_unit, warps=warps,
        ),
        OccupancyLimiter.SHARED_MEMORY: tr(
            "floor({all:,} B / ({asked:,} + {reserved:,} B, a multiple of {unit}))",
            all=limits.shared_memory_per_sm, asked=options.shared_memory, reserved=reserved,
            unit=limits.shared_memory_unit,
        ),
        OccupancyLimiter.BLOCKS: tr("compute capability {capability}", capability=limits.compute_capability),
    }  # fmt: skip
    return f"{tr(LIMITERS[limiter])}{tr(': ')}{sums[limiter]} = {blocks}"


def _of_the_sm(now: Occupancy, options: OccupancyOptions) -> dict[str, str]:
    warps, most = now.warps_per_block, now.limits.warps_per_sm
    return {
        "warps": f"{now.blocks} x ceil({options.threads} / {WARP}) = {now.warps}",
        "occupancy": f"{now.warps} / {most} = {percent(now.occupancy)}",
        "lanes": f"{options.threads} / ({WARP} x {warps}) = {percent(options.threads / (WARP * warps))}",
    }


def _of_the_lanes(options: OccupancyOptions) -> dict[str, str]:
    size, words = options.bytes, options.bank_stride
    step, count = options.stride * size, touched(options)
    return {
        "sectors": tr(
            "distinct floor(byte / {sector}) over the bytes {first} + {step} x lane, {size} of each lane",
            sector=SECTOR, first=options.offset, step=step, size=size,
        ),
        "used": tr(
            "the distinct bytes asked for / ({count} x {sector} B moved) = {share}",
            count=count, sector=SECTOR, share=percent(asked_for(options)),
        ),
        "rounds": f"gcd({words}, {BANKS}) = {gcd(words, BANKS)}" if words else tr("one word for all: 1"),
    }  # fmt: skip


def _of_the_memory(scenario: Scenario, options: OccupancyOptions) -> dict[str, str]:
    blocks, sms = resident(scenario, options).blocks, scenario.gpu.sms
    kept, delay = si(under_way(scenario, options), "B"), si(options.latency * 1e-9, "s")
    full = si(scenario.gpu.bandwidth, "B/s")
    return {
        "in_flight": f"{blocks} x {sms} SMs x {options.threads} x {options.in_flight} B = {kept}",
        "needed": tr("Little's law: {full} x {delay} = {needed}", full=full, delay=delay,
                     needed=si(needed(scenario, options), "B")),
        "reached": f"min({full}, {kept} / {delay})",
    }  # fmt: skip
