"""How a product is cut up and dealt out, as a few numbers: tiles of the output, and waves over the SMs.

Parts are dealt in order, down the columns of one product after another, and slice after slice where k is
split. Libraries number their blocks in ways of their own, so which tile is where is an example; how many
tiles, waves and idle SMs there are is not.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import NamedTuple

from ..cost import Cost, product
from ..cost.candidates import worked
from ..language import tr
from ..units import si


class Part(NamedTuple):
    """One tile's work, or a slice of it along k."""

    product: int  # which of the batch
    rows: range
    columns: range
    wave: int
    sm: int


class Wave(NamedTuple):
    """A round of at most one part an SM. Times in seconds from the first wave's start."""

    first: int  # part
    parts: int
    start: float
    end: float


@dataclass(frozen=True)
class TilePlan:
    """One run of a product in its tiles. Times are in seconds."""

    m: int
    n: int
    k: int
    batch: int
    tile_m: int
    tile_n: int
    split: int
    sms: int
    wave_time: float  # of the math of one wave
    memory_time: float  # what the operands take meanwhile
    busy_time: float  # both together, and what a split adds; without the launch

    @property
    def tiles_m(self) -> int:
        """Tiles in a column."""
        return -(-self.m // self.tile_m)

    @property
    def tiles_n(self) -> int:
        """Tiles in a row."""
        return -(-self.n // self.tile_n)

    @property
    def tiles(self) -> int:
        """Tiles of all products of the batch."""
        return self.batch * self.tiles_m * self.tiles_n

    @property
    def parts(self) -> int:
        """Tiles, each as often as it is split."""
        return self.tiles * self.split

    @property
    def waves(self) -> int:
        """Rounds of at most one part an SM."""
        return -(-self.parts // self.sms)

    @property
    def tail(self) -> int:
        """Parts in the last wave."""
        return self.parts - (self.waves - 1) * self.sms

    @property
    def padding(self) -> float:
        """Share of the tiles' area that lies outside the output."""
        return 1 - self.batch * self.m * self.n / (self.tiles * self.tile_m * self.tile_n)

    def wave(self, index: int) -> Wave:
        """Return one of the waves."""
        first = index * self.sms
        parts = min(self.sms, self.parts - first)
        return Wave(first, parts, index * self.wave_time, (index + 1) * self.wave_time)

    def part(self, index: int) -> Part:
        """Return where a part lies in the output, and when and where it runs."""
        which, tile = divmod(index % self.tiles, self.tiles_m * self.tiles_n)
        column, row = divmod(tile, self.tiles_m)
        rows = range(row * self.tile_m, min((row + 1) * self.tile_m, self.m))
        columns = range(column * self.tile_n, min((column + 1) * self.tile_n, self.n))
        return Part(which, rows, columns, *divmod(index, self.sms))

    def is_partial(self, index: int) -> bool:
        """Return whether some of a part's tile is padding."""
        part = self.part(index)
        return len(part.rows) < self.tile_m or len(part.columns) < self.tile_n

    def slots(self, tile: int) -> Iterator[tuple[int, int]]:
        """Yield the wave and the SM of each part of a tile."""
        return (divmod(part, self.sms) for part in range(tile, self.parts, self.tiles))

    def numbers(self) -> dict[str, float]:
        """Return everything that a picture is drawn from."""
        derived = ("tiles_m", "tiles_n", "tiles", "parts", "waves", "tail", "padding")
        return asdict(self) | {name: getattr(self, name) for name in derived}

    @property
    def matrix_alt(self) -> str:
        """What the picture of the output shows, in a sentence."""
        values = {
            "batch": self.batch,
            "size": _by(self.m, self.n),
            "cut": _by(self.tiles_m, self.tiles_n),
            "tile": _by(self.tile_m, self.tile_n),
        }
        if self.batch > 1:
            text = tr("Each of {batch:,} outputs of {size} is cut into {cut} tiles of {tile}.", **values)
        else:
            text = tr("The output of {size} is cut into {cut} tiles of {tile}.", **values)
        if not self.padding:
            return text
        return f"{text} {tr('{share} of their area, hatched, is padding.', share=_percent(self.padding))}"

    @property
    def waves_alt(self) -> str:
        """What the timeline shows, in a sentence or two."""
        values = {"dealt": self._dealt, "sms": self.sms, "waves": self.waves}
        values |= {"time": si(self.wave_time, "s"), "tail": _percent(self.tail / self.sms)}
        if self.waves == 1:
            sentences = [tr("{dealt} run in 1 wave of {time} on {sms} SMs.", **values)]
            tail = tr("It fills {tail} of them; the hatched ones idle.", **values)
        else:
            sentences = [tr("{dealt} run in {waves:,} waves of {time} each on {sms} SMs.", **values)]
            tail = tr("The last fills {tail} of them; the hatched ones idle.", **values)
        if self.tail < self.sms:
            sentences.append(tail)
        sentences.append(tr("Memory takes {memory} meanwhile.", memory=si(self.memory_time, "s")))
        return " ".join(sentences)

    @property
    def _dealt(self) -> str:
        if self.split > 1:
            return tr("{tiles:,} tiles, each split in {split} along k,", tiles=self.tiles, split=self.split)
        return tr("{tiles:,} tiles", tiles=self.tiles)

    @property
    def alt(self) -> str:
        """What a reader who sees neither picture needs to know."""
        return f"{self.matrix_alt} {self.waves_alt}"


def tile_plan(cost: Cost) -> TilePlan:
    """Return the tiles and waves of a product; ValueError where there are none."""
    work, tiling, tile = worked(cost), cost.tiling, cost.tile
    assert tiling and tile, "work comes with both"
    gemm, waves = tiling.gemm, tiling.waves
    # Without memory, what comes before the last step, which a split adds, is the math of all waves.
    math = product.steps(work._replace(memory=0.0, moved=0.0), tile, tiling)[-2] / work.runs
    return TilePlan(
        *(gemm.m, gemm.n, gemm.k, gemm.batch),
        *(tiling.tile_m, tiling.tile_n, tiling.split, tiling.sms),
        wave_time=math / waves,
        memory_time=product.moved_time(work),
        busy_time=cost.busy_time / work.runs,
    )


def _by(rows: int, columns: int) -> str:
    """Return a size that no line break tears apart."""
    return f"{rows}\u00a0×\u00a0{columns}"


def _percent(share: float) -> str:
    """Return a whole percentage, but never call some none or most all."""
    if 0 < share < 0.01:
        return "<1%"
    return ">99%" if 0.99 < share < 1 else f"{share:.0%}"
