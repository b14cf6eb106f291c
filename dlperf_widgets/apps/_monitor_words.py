"""What memory used and GPU utilization tell, what neither tells, and an example in which they move apart."""

from html import escape

from ..charts.monitor import Act, Moment
from ..language import tr

# An example, made up: from when to when, the share of the memory, and of the time in which a kernel ran.
_STORY = (
    (0, 24, 0.01, (0.0,)),
    (24, 48, 0.46, (0.0,)),
    (48, 72, 0.03, (1.0,)),
    (72, 96, 0.38, (0.98, 1.0, 0.97, 0.71, 0.99, 1.0)),
    (96, 120, 0.93, (1.0, 0.99, 0.98, 1.0, 0.8, 1.0)),
)


def example() -> tuple[Moment, ...]:
    """Return two minutes, a look each second."""
    return tuple(
        Moment(float(at), memory, busy[(at - start) % len(busy)])
        for start, end, memory, busy in _STORY
        for at in range(start, end + 1)
    )


def acts() -> tuple[Act, ...]:
    """Return what runs in the example, and when."""
    names = (
        tr("idle"), tr("loaded, it waits"), tr("one small kernel"),
        tr("batch {batch}", batch=8), tr("batch {batch}", batch=64),
    )  # fmt: skip
    return tuple(Act(name, start, end) for name, (start, end, *_) in zip(names, _STORY, strict=True))


def teaching() -> str:
    """Return HTML: what each of the two tells, how they move apart, and what neither tells."""
    told = (
        (
            tr("Memory used"),
            tr("is what all processes have allocated, whether anything reads it or not. What torch has freed "
               "and keeps for later counts, too."),
        ),
        (
            tr("GPU utilization"),
            tr("is the share of the last moments, of a sixth of a second to one, in which at least one "
               "kernel ran. A kernel on one SM counts as much as one on all of them."),
        ),
        (
            tr("They move apart:"),
            tr("a network that waits for its data fills the memory at 0%; one small kernel in a loop shows "
               "100% with the memory empty. A larger batch takes more memory at the same 100%."),
        ),
        (
            tr("Neither is speed:"),
            tr("at 100% a kernel may reach a hundredth of the peak. How near it comes is what the roofline "
               "tells: dp.LayerExplorer() for a layer, and its Measure button for the time on this GPU."),
        ),
    )  # fmt: skip
    items = "".join(f"<li><b>{escape(head)}</b> {escape(rest)}</li>" for head, rest in told)
    return f"<ul>{items}</ul>"
