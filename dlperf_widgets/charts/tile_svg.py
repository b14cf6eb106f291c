"""The pictures of a product's tiles and waves as an SVG text, for pages without a kernel."""

from collections.abc import Iterator
from html import escape

from ..language import tr
from ..units import si
from ._chart import Axis
from .roles import Role
from .svg import _HATCH as HATCH
from .svg import _word as word
from .svg import paint
from .tile_plan import TilePlan

_WIDTH, _HEIGHT = 760, 330
_SIDE = 270  # of the output's picture at most
_LEFT, _RIGHT, _TOP, _BOTTOM = 364, 740, 24, 250  # of the timeline
_STRETCH = 3  # the most that a picture is longer than wide, and the reverse
_CELLS = 36  # a side, where there are too many tiles to draw
_MOST = 1200  # tiles to draw one by one
_WAVES = 300  # to draw one by one
_GAP = 0.8  # between two boxes


def tile_svg(plan: TilePlan) -> str:
    """Return both pictures side by side, in the page's colours or the light theme's."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dlp-svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'role="img" aria-label="{escape(plan.alt)}" style="max-width:{_WIDTH}px" font-family="sans-serif" '
        f'font-size="12">{HATCH}{_matrix(plan)}{"".join(_timeline(plan))}</svg>'
    )


def shade(wave: int, waves: int) -> float:
    """Return how much of the math colour a wave has over the ground: later waves have more."""
    even = 0.45 + 0.55 * wave / (waves - 1) if waves > 1 else 0.7
    return even - 0.1 * (wave % 2) if waves > 12 else even


def _matrix(plan: TilePlan) -> str:
    """Draw one product, tile by tile or sampled, over the hatching that shows where tiles are padding."""
    high, wide = plan.tiles_m * plan.tile_m, plan.tiles_n * plan.tile_n
    ratio = min(max(wide / high, 1 / _STRETCH), _STRETCH)
    width, height = (_SIDE, _SIDE / ratio) if ratio > 1 else (_SIDE * ratio, _SIDE)
    one_by_one = plan.tiles_m * plan.tiles_n <= _MOST
    rows, columns = (plan.tiles_m, plan.tiles_n) if one_by_one else _sampled(plan)
    cells = [
        _tile(plan, row, column, (rows, columns), (width, height))
        for column in range(columns)
        for row in range(rows)
    ]
    wanted_x, wanted_y = plan.n / wide * width, plan.m / high * height
    padding = f"M0 0H{width:.1f}V{height:.1f}H0zM0 0V{wanted_y:.1f}H{wanted_x:.1f}V0z"
    notes = "".join(word(0, height + 18 + 15 * i, note, "start") for i, note in enumerate(_notes(plan)))
    ground = f'<path d="{padding}" style="fill:var(--jp-layout-color1, white)"/>'
    hatch = f'<path d="{padding}" style="fill:url(#dlp-svg-hatch)"/>'
    parts = (*cells, ground, hatch, _frame(0, 0, width, height), notes)
    return f'<g transform="translate(10 {_TOP})">{"".join(parts)}</g>'


def _sampled(plan: TilePlan) -> tuple[int, int]:
    return min(plan.tiles_m, _CELLS), min(plan.tiles_n, _CELLS)


def _tile(plan: TilePlan, row: int, column: int, cells: tuple[int, int], size: tuple[float, float]) -> str:
    """Draw a cell in the colour of the tile at its middle."""
    (rows, columns), (width, height) = cells, size
    tile_row = (2 * row + 1) * plan.tiles_m // (2 * rows)
    tile_column = (2 * column + 1) * plan.tiles_n // (2 * columns)
    *_, (wave, _) = plan.slots(tile_column * plan.tiles_m + tile_row)
    across, down = width / columns, height / rows
    one_by_one = rows * columns == plan.tiles_m * plan.tiles_n
    gap = _GAP if one_by_one and min(across, down) > 4 else 0.0
    return _rect(column * across, row * down, across, down, shade(wave, plan.waves), gap)


def _notes(plan: TilePlan) -> Iterator[str]:
    """Yield what the picture of the output leaves out."""
    if plan.tiles_m * plan.tiles_n > _MOST:
        rows, columns = _sampled(plan)
        yield tr(
            "Too many tiles to draw: {cells} of {tiles:,} stand for all.",
            cells=rows * columns, tiles=plan.tiles_m * plan.tiles_n,
        )  # fmt: skip
    if plan.batch > 1:
        yield tr("The first of {batch:,} products.", batch=plan.batch)


def _timeline(plan: TilePlan) -> Iterator[str]:
    """Yield the waves over the SMs, and below them what memory takes."""
    end = max(plan.waves * plan.wave_time, plan.memory_time, plan.busy_time)
    scale = (_RIGHT - _LEFT) / end
    count = min(plan.waves, _WAVES)
    width, full = plan.waves * plan.wave_time * scale / count, _BOTTOM - _TOP
    for index in range(count):
        wave = plan.waves - 1 if index == count - 1 else index * plan.waves // count
        left, busy = _LEFT + index * width, plan.wave(wave).parts / plan.sms * full
        if busy < full:
            yield _rect(left, _TOP + busy, width, full - busy)
        yield _rect(left, _TOP, width, busy, shade(wave, plan.waves), _GAP if width > 4 else 0.0)
    yield _frame(_LEFT, _TOP, count * width, full)
    if count < plan.waves:
        note = tr(
            "Too many waves to draw: {shown} of {waves:,} stand for all.", shown=count, waves=plan.waves
        )
        yield word(_LEFT, _TOP - 8, note, "start")
    yield word(_LEFT - 6, _TOP + 10, tr("SM {sm}", sm=0), "end")
    yield word(_LEFT - 6, _BOTTOM, tr("SM {sm}", sm=plan.sms - 1), "end")
    yield from _times(plan, end, scale)


def _times(plan: TilePlan, end: float, scale: float) -> Iterator[str]:
    """Yield the time axis, the bar of memory and the line of the prediction."""
    axis = Axis(tr("Time"), "s", (0, end))
    for tick, label in axis.ticks.items():
        yield word(_LEFT + tick * scale, _BOTTOM + 16, label)
    yield word(_LEFT, _BOTTOM + 56, axis.label, "start")
    yield word(_LEFT - 6, _BOTTOM + 37, tr("memory"), "end")
    bar = f'width="{plan.memory_time * scale:.1f}" height="9" style="fill:{paint(Role.MEMORY)}"'
    yield f'<rect x="{_LEFT}" y="{_BOTTOM + 28}" {bar}/>'
    x = _LEFT + plan.busy_time * scale
    yield f'<path d="M{x:.1f} {_TOP}V{_BOTTOM + 42}" stroke="currentColor" stroke-width="1.5"/>'
    yield word(
        _RIGHT, _BOTTOM + 56, tr("predicted {time}, launch aside", time=si(plan.busy_time, "s")), "end"
    )


def _rect(
    x: float, y: float, width: float, height: float, share: float | None = None, gap: float = 0.0
) -> str:
    """Draw a box of a share of the math colour; of no share, a hatched one.

    A gap is left at its right and its foot; without one, its edges keep to pixels and no seams show.
    """
    look = "fill:url(#dlp-svg-hatch)" if share is None else f"fill:{paint(Role.MATH)};opacity:{share:.2f}"
    left, top = round(x, 1), round(y, 1)  # edges are rounded, not sizes: neighbours meet
    wide, high = round(x + width - gap, 1) - left, round(y + height - gap, 1) - top
    place = f'x="{left}" y="{top}" width="{max(wide, 0):.1f}" height="{max(high, 0):.1f}"'
    crisp = "" if gap else ' shape-rendering="crispEdges"'
    return f'<rect {place}{crisp} style="{look}"/>'


def _frame(x: float, y: float, width: float, height: float) -> str:
    """Draw the edge that the light shades of early waves need against the ground."""
    outline = f"M{x:.1f} {y:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}z"
    return f'<path d="{outline}" style="fill:none;stroke:{paint(Role.GUIDE)}"/>'
