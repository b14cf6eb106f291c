"""Two things that are taken for each other, side by side over time: memory used and GPU utilization."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..language import tr
from ._chart import Axis, Chart, Line, Mark, Spans
from .roles import Role

WINDOW = 120.0  # seconds shown


class Moment(NamedTuple):
    """What a GPU told some seconds after the first look; None is what it does not tell."""

    at: float
    memory: float | None  # share of the memory that is used
    busy: float | None  # share of the last moments in which a kernel ran


class Act(NamedTuple):
    """What a GPU was busy with, from one time to another, in seconds."""

    name: str
    start: float
    end: float


def monitor(moments: Sequence[Moment], acts: Sequence[Act] = ()) -> Chart:
    """Return both shares over the last two minutes, the present at the right.

    Parameters
    ----------
    moments
        In the order of their times.
    acts
        What ran, where that is known.
    """
    now = moments[-1].at if moments else 0.0
    places = tuple(-WINDOW * i / 4 for i in range(4, -1, -1))
    return Chart(
        title="GPU monitor",
        x=Axis("Seconds ago", "", (-WINDOW, 0.0), places=places, names=tuple(f"{-at:.0f}" for at in places)),
        y=Axis("Share", "%", (0.0, 1.16), places=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),  # with room for names above
        marks=(
            *(Spans(act.name, Role.GUIDE, act.start - now, act.end - now) for act in acts),
            *_line(moments, now, "memory", tr("memory used"), Role.MEMORY),
            *_line(moments, now, "busy", tr("GPU utilization"), Role.MEASURED),
        ),
        alt=_alt(moments),
    )


def _line(moments: Sequence[Moment], now: float, field: str, name: str, role: Role) -> Iterator[Mark]:
    told = [(m.at - now, getattr(m, field)) for m in moments if m.at >= now - WINDOW]
    known = [(at, share) for at, share in told if share is not None]
    if known:
        x, y = zip(*known, strict=True)
        yield Line(name, role, x, y)


def _alt(moments: Sequence[Moment]) -> str:
    if not moments:
        return tr("Memory used and GPU utilization over time; nothing was read yet.")
    last, none = moments[-1], tr("not told")
    memory, busy = (none if share is None else f"{share:.0%}" for share in (last.memory, last.busy))
    return tr("Over the last two minutes; now memory used {memory}, GPU utilization {busy}.",
              memory=memory, busy=busy)  # fmt: skip
