"""The 32 lanes of a warp as a picture in HTML: which have a thread, which sectors and banks they touch."""

from collections.abc import Iterator
from html import escape
from itertools import groupby

from ..cost import Scenario
from ..cost.lanes import BANKS, SECTOR, bank_conflicts, sector_efficiency, sectors
from ..cost.occupancy import lane_efficiency
from ..cost.sm_limits import WARP
from ..language import tr
from .occupancy_options import OccupancyOptions, percent
from .roles import Role
from .svg import _HATCH as HATCH
from .svg import paint

_WIDE, _CELL, _HIGH = 640, 640 / WARP, 14
_DROP = 60  # from the lanes to what they touch
_HATCHED = "fill:url(#dlp-svg-hatch)"
_STACK, _ROUND = 98, 14  # pixels of all rounds of a bank, and of one at most


def lanes_html(_scenario: Scenario, options: OccupancyOptions) -> str:
    """Return three rows: the block's last warp, one access to memory, and one to shared memory."""
    parts = (
        (tr("Lanes of the last warp"), _block(options), _last_warp(options), _HIGH),
        (tr("Lanes and the sectors they touch"), _coalescing(options), _sectors(options), _DROP + 36),
        (tr("Lanes and the banks they touch"), _conflicts(options), _banks(options), _HIGH + _DROP + _STACK),
    )
    hatch = f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{HATCH}</svg>'
    return hatch + "".join(_part(*part) for part in parts)


def lanes_alt(_scenario: Scenario, options: OccupancyOptions) -> str:
    """Return the three rows in words."""
    return f"{_block(options)} {coalescing(options)} {conflicts(options)}"


def _part(title: str, words: str, shapes: Iterator[str], height: int) -> str:
    style = f"width:100%;max-width:{_WIDE * 1.3:.0f}px;display:block;margin:4px 0 14px"
    return (
        f"<div><b>{escape(title)}</b><div>{escape(words)}</div>"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {height}" role="img" '
        f'aria-label="{escape(words)}" style="{style}">{"".join(shapes)}</svg></div>'
    )


# --- Threads ---------------------------------------------------------------------------------------------


def lane_use(options: OccupancyOptions) -> str:
    """Return how many lanes of a block have a thread."""
    return tr(
        "A block of {threads} threads uses {share} of the lanes of its warps.",
        threads=options.threads, share=percent(lane_efficiency(options.threads)),
    )  # fmt: skip


def _block(options: OccupancyOptions) -> str:
    working = (options.threads - 1) % WARP + 1
    last = tr("The last warp has {working} of {lanes} lanes at work.", working=working, lanes=WARP)
    return f"{lane_use(options)} {last}"


def _last_warp(options: OccupancyOptions) -> Iterator[str]:
    working = (options.threads - 1) % WARP + 1
    return (_lane(lane, lane < working) for lane in range(WARP))


# --- Memory ----------------------------------------------------------------------------------------------


def touched(options: OccupancyOptions) -> int:
    """Return the sectors that one access of a warp touches."""
    return sectors(options.stride * options.bytes, options.bytes, options.offset)


def asked_for(options: OccupancyOptions) -> float:
    """Return the share of the moved bytes that the lanes asked for."""
    return sector_efficiency(options.stride * options.bytes, options.bytes, options.offset)


def coalescing(options: OccupancyOptions) -> str:
    """Return how many sectors are touched, and what of them is used."""
    return tr(
        "32 lanes read {size} B each, {step} B apart: {sectors} sectors of 32 B, {share} of them used.",
        size=options.bytes, step=options.stride * options.bytes, sectors=touched(options),
        share=percent(asked_for(options)),
    )  # fmt: skip


def _coalescing(options: OccupancyOptions) -> str:
    return f"{coalescing(options)} {tr('Hatched bytes are moved, and nobody asked for them.')}"


def _sectors(options: OccupancyOptions) -> Iterator[str]:
    """Yield the lanes, a line from each to its element, and the sectors with the bytes that are wanted."""
    starts = [options.offset + lane * options.stride * options.bytes for lane in range(WARP)]
    wanted = sorted({start + i for start in starts for i in range(options.bytes)})
    places = {sector: i for i, sector in enumerate(sorted({byte // SECTOR for byte in wanted}))}
    wide = _WIDE / len(places)
    byte = (wide - 2) / SECTOR
    top = _HIGH + _DROP

    def across(address: int) -> float:
        return places[address // SECTOR] * wide + address % SECTOR * byte

    for lane, start in enumerate(starts):
        yield _link((lane + 0.5) * _CELL, _HIGH, across(start) + byte * options.bytes / 2, top)
        yield _lane(lane, True)
    for sector, place in places.items():
        if not set(range(sector * SECTOR, (sector + 1) * SECTOR)) <= set(wanted):
            yield _box(place * wide, top, wide - 2, 20, _HATCHED)
    for left, length in _runs(wanted):
        yield _box(across(left), top, length * byte, 20, f"fill:{paint(Role.MEMORY)}")
    for place in places.values():
        yield _box(place * wide, top, wide - 2, 20, f"fill:none;stroke:{paint(Role.GUIDE)}")


def _runs(wanted: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the start and the length of each run of bytes inside a sector."""
    for _, group in groupby(enumerate(wanted), lambda pair: (pair[1] - pair[0], pair[1] // SECTOR)):
        run = [byte for _, byte in group]
        yield run[0], len(run)


# --- Shared memory ---------------------------------------------------------------------------------------


def conflicts(options: OccupancyOptions) -> str:
    """Return how many rounds shared memory takes."""
    rounds = bank_conflicts(options.bank_stride)
    text = "Lanes {step} B apart in shared memory: {rounds} rounds, a bank gives one word in each."
    if not options.bank_stride:
        text = "All lanes read one word of shared memory: it is broadcast in one round."
    elif rounds == 1:
        text = "Lanes {step} B apart in shared memory: one round, no bank gives two words."
    return tr(text, step=4 * options.bank_stride, rounds=rounds)


def _conflicts(options: OccupancyOptions) -> str:
    return f"{conflicts(options)} {tr('Each box under a bank is a round; hatched ones are conflicts.')}"


def _banks(options: OccupancyOptions) -> Iterator[str]:
    """Yield the lanes, a line from each to its bank, and under each bank a box for every word it gives."""
    words = [lane * options.bank_stride for lane in range(WARP)]
    top = _HIGH + _DROP
    for lane, word in enumerate(words):
        yield _link((lane + 0.5) * _CELL, _HIGH, (word % BANKS + 0.5) * _CELL, top)
        yield _lane(lane, True)
    high = min(_ROUND, (_STACK - 2) / bank_conflicts(options.bank_stride))
    for bank in range(BANKS):
        rounds = len({word for word in words if word % BANKS == bank})
        left, wide = bank * _CELL + 1, _CELL - 2
        for turn in range(max(rounds, 1)):
            look = f"fill:{paint(Role.MEMORY)}" if rounds else "fill:none"
            look = _HATCHED if turn else look
            yield _box(left, top + turn * high, wide, high, f"{look};stroke:{paint(Role.GUIDE)}")


# --- Shapes ----------------------------------------------------------------------------------------------


def _lane(lane: int, works: bool) -> str:
    look = f"fill:{paint(Role.PREDICTED)}" if works else _HATCHED
    return _box(lane * _CELL + 1, 0, _CELL - 2, _HIGH, look, tr("lane {lane}", lane=lane))


def _box(x: float, y: float, width: float, height: float, style: str, title: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    said = f"<title>{escape(title)}</title>" if title else ""
    return f'<rect {place} style="{style}">{said}</rect>'


def _link(x1: float, y1: float, x2: float, y2: float) -> str:
    style = f"fill:none;stroke:{paint(Role.GUIDE)}"
    return f'<path d="M{x1:.1f} {y1}L{x2:.1f} {y2}" style="{style}"/>'
