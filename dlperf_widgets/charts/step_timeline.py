"""One training step as lanes: what each stage and each busy link does when."""

from collections.abc import Iterator
from dataclasses import replace

from ..cost import Scenario
from ..cost.feeding import samples_copy
from ..cost.parallel import Step
from ..cost.timeline import Activity, Span
from ..language import remembered, tr
from ..units import si
from ._chart import Area, Axis, Chart, Numbers, Points, nice
from .roles import Role
from .training_options import TrainingOptions, step

ROLES = {
    Activity.FORWARD: (Role.MATH, 1.0),
    Activity.BACKWARD: (Role.MATH, 0.55),
    Activity.UPDATE: (Role.LAUNCH, 1.0),
    Activity.EXPOSED: (Role.MEMORY, 1.0),
    Activity.OVERLAPPED: (Role.MEMORY, 0.6),
    Activity.BUBBLE: (Role.WASTE, 1.0),
}
NAMES = {
    Activity.EXPOSED: "exposed communication",
    Activity.OVERLAPPED: "overlapped communication",
}
_LINKS = (("pipeline", "sends"), ("gradient", "grads"), ("weight", "fetch"))
_STAGES = 8  # drawn at most: of more, the first and the last ones
_GAP = 0.0015  # of the step, between spans of a lane, so that micro-batches can be told apart
_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


def step_timeline(scenario: Scenario, options: TrainingOptions) -> Chart:
    """Return the lanes of a step: stages from the top, then the links that are busy beside them."""
    return _chart(step(scenario, options))


@remembered(64)
def _chart(one: Step) -> Chart:
    time = one.time
    spans = [*(replace(span, lane=_lane_name(span.lane)) for span in one.timeline), *_copied(one, time)]
    lanes = _lanes(spans)
    height = {lane: float(len(lanes) - place) for place, lane in enumerate(lanes)}  # of its top
    shown = [span for span in spans if span.lane in height]
    return Chart(
        title="Timeline",
        x=Axis("Time", "s", (0, nice(time, _ROUND))),
        y=Axis(
            "Stage", "", (0, max(len(lanes), 2)),
            places=tuple(top - 0.5 for top in height.values()), names=tuple(map(tr, lanes)),
        ),
        marks=(
            *(area for kind in ROLES if (area := _area(kind, shown, height, time))),
            _points(shown, height, time),
        ),
        alt=tr("What stages and links do in one step. {note}", note=step_note(one)),
    )  # fmt: skip


def _lane_name(lane: str) -> str:
    """Return a short name: a stage's number, or what links carry, in both directions alike."""
    if lane.startswith("stage "):
        return lane.removeprefix("stage ")
    return next((short for begins, short in _LINKS if lane.startswith(begins)), lane)


def _copied(one: Step, time: float) -> Iterator[Span]:
    """Yield the copy of the next step's samples from the host, as far as it lasts while this one runs."""
    copy = samples_copy(one)
    if copy and copy.time > 0:
        yield Span("input", "input", 0.0, min(copy.time, time), Activity.OVERLAPPED)


def _lanes(spans: list[Span]) -> list[str]:
    """Return the lanes to draw, in order: of many stages, the first and the last ones."""
    lanes = list(dict.fromkeys(span.lane for span in spans))
    stages = [lane for lane in lanes if lane.isdigit()]
    others = [lane for lane in lanes if not lane.isdigit()]
    if len(stages) > _STAGES:
        stages = [*stages[: _STAGES - 2], *stages[-2:]]
    return [*stages, *others]


def _area(kind: Activity, spans: list[Span], tops: dict[str, float], time: float) -> Area | None:
    """Return one outline around all spans of a kind: what joins two of them has no height."""
    x: list[float] = []
    low: list[float] = []
    high: list[float] = []
    for span in spans:
        if span.role is not kind:
            continue
        top = tops[span.lane] - 0.1
        base = top - 0.8
        end = span.end - min(_GAP * time, 0.2 * (span.end - span.start))
        if low and low[-1] != base:  # to another lane along the edges, where nothing shows
            x += [0.0, 0.0]
            low += [low[-1], base]
            high += [low[-2], base]
        x += [span.start, span.start, end, end]
        low += [base, base, base, base]
        high += [base, top, top, base]
    if not x:
        return None
    role, shade = ROLES[kind]
    return Area(NAMES.get(kind, str(kind)), role, tuple(x), tuple(low), tuple(high), shade)


def _points(spans: list[Span], tops: dict[str, float], time: float) -> Points:
    """Return a point in the longest span of each kind on each lane, with what it is."""
    longest: dict[tuple[str, Activity], Span] = {}
    for span in spans:
        kept = longest.get((span.lane, span.role))
        if kept is None or span.end - span.start > kept.end - kept.start:
            longest[span.lane, span.role] = span
    chosen = [each for each in longest.values() if each.end - each.start > 0.02 * time]
    x: Numbers = tuple((each.start + each.end) / 2 for each in chosen)
    y: Numbers = tuple(tops[each.lane] - 0.5 for each in chosen)
    notes = tuple(_span_note(each, spans, time) for each in chosen)
    return Points("what it is", Role.GUIDE, x, y, notes=notes, small=True)


def _span_note(span: Span, spans: list[Span], time: float) -> str:
    every = sum(s.end - s.start for s in spans if (s.lane, s.role) == (span.lane, span.role))
    kind = tr(NAMES.get(span.role, str(span.role)))
    lane = tr("GPU") if span.lane == "GPU" else tr(span.name)
    if span.lane.isdigit():
        lane = tr("stage {number}", number=span.lane)
    return tr(
        "{lane}: {kind}, {time} in all, {share} of the step.",
        lane=lane, kind=kind, time=si(every, "s"), share=f"{every / time:.0%}",
    )  # fmt: skip


def shares(one: Step) -> Iterator[tuple[str, float]]:
    """Yield what the first stage does in a step, with the seconds of it, exposed waits in one."""
    m = one.plan.microbatches
    yield "forward", m * one.work.forward
    yield "backward", m * one.work.backward
    yield "update", one.work.update
    yield NAMES[Activity.EXPOSED], one.exposed
    yield "bubble", one.bubble


def step_note(one: Step) -> str:
    """Return what the present step consists of, in a sentence."""
    time = one.time
    parts = ", ".join(
        f"{tr(name)} {si(seconds, 's')} ({seconds / time:.0%})" for name, seconds in shares(one) if seconds
    )
    return tr("A step takes {time}: {parts}.", time=si(time, "s"), parts=parts)
