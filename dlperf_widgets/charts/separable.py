"""A depthwise separable convolution against a standard one: what is left of work, traffic and time."""

from dataclasses import replace

from ..cost import Scenario
from ..language import remembered, tr
from ..layers import Conv2d, DepthwiseSeparable
from ..ops import Phase
from ..units import figures, si
from ._chart import Axis, Chart, Line, Points
from ._options import Described
from .roles import Role

_KERNEL, _SIDE = 3, 28
_CHANNELS = (16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048)
_TICKS = (16, 64, 256, 1024)
_TOLD = {
    64: "corner",
    256: "corner",
    1024: "above",
}  # with a point that explains itself: where its words stand


def separable(scenario: Scenario, _options: Described) -> Chart:
    """Return the share of a standard convolution that a separable one takes, against its channels.

    Both have as many output channels as input channels, 3 x 3 taps and 28 x 28 pixels, and run as the
    scenario says.
    """
    batch = getattr(scenario.layer, "batch", 32)
    phases = tuple(phase for phase in scenario.phases if phase is not Phase.UPDATE) or (Phase.FPROP,)
    how = replace(scenario, layer=Conv2d(), phases=phases)
    return _chart(how, batch if isinstance(batch, int) else 32)


@remembered(16)
def _chart(how: Scenario, batch: int) -> Chart:
    pairs = {channels: _pair(how, batch, channels) for channels in _CHANNELS}
    x = tuple(float(channels) for channels in _CHANNELS)
    time = tuple(light.time / full.time for light, full in pairs.values())
    moved = tuple(light.bytes / full.bytes for light, full in pairs.values())
    work = tuple(share(channels) for channels in _CHANNELS)
    highest = max(1.0, *time, *moved)
    return Chart(
        title="Depthwise separable",
        x=Axis(
            "Channels", "", (16, 2048), log=True, places=_TICKS, names=tuple(f"{tick:.0f}" for tick in _TICKS)
        ),
        y=Axis("Share of the standard convolution", "%", (0, 0.25 * (highest * 4 // 1 + 1))),
        marks=(
            Line("as much as standard", Role.GUIDE, (16, 2048), (1, 1)),
            Line("multiply-adds and parameters", Role.MATH, x, work),
            Line("traffic", Role.MEMORY, x, moved),
            Line("time", Role.PREDICTED, x, time),
            _told(pairs),
        ),
        alt=_alt(how, pairs[512], batch),
    )


def share(channels: int, taps: int = _KERNEL * _KERNEL) -> float:
    """Return what is left of a standard convolution's multiply-adds: 1/K + 1/(R S)."""
    return 1 / channels + 1 / taps


def _pair(how: Scenario, batch: int, channels: int) -> tuple[Scenario, Scenario]:
    """Return the question for a separable and for a standard convolution."""
    light = DepthwiseSeparable(batch, channels, channels, _SIDE, _SIDE, _KERNEL)
    full = Conv2d(
        batch, channels, channels, _SIDE, _SIDE, _KERNEL, _KERNEL, padding=1, bias=False
    )  # fmt: skip
    return replace(how, layer=light), replace(how, layer=full)


def _told(pairs: dict[int, tuple[Scenario, Scenario]]) -> Points:
    told = {channels: pairs[channels] for channels in _TOLD}
    return Points(
        "time at one width",
        Role.PREDICTED,
        x=tuple(float(channels) for channels in told),
        y=tuple(light.time / full.time for light, full in told.values()),
        notes=tuple(_note(channels, *pair) for channels, pair in told.items()),
        labels=tuple(tr("{ratio}× less", ratio=figures(f.time / t.time)) for t, f in told.values()),
        sides=tuple(_TOLD.values()),
    )


def _note(channels: int, light: Scenario, full: Scenario) -> str:
    return tr(
        "{channels} channels: 1/{channels} + 1/9 = {work} of the multiply-adds, {fewer} times fewer, but "
        "{light} instead of {full}, {ratio} times less: {intensity} FLOPS/byte instead of {before}.",
        channels=channels, work=f"{share(channels):.4f}", fewer=f"{1 / share(channels):.2f}",
        light=si(light.time, "s"), full=si(full.time, "s"), ratio=figures(full.time / light.time),
        intensity=figures(light.arithmetic_intensity), before=figures(full.arithmetic_intensity),
    )  # fmt: skip


def _alt(how: Scenario, pair: tuple[Scenario, Scenario], batch: int) -> str:
    return tr(
        "What a depthwise separable convolution of 3 x 3 takes of a standard one, {batch} x {side} x {side} "
        "pixels on {gpu} in {format}. {note}",
        batch=batch, side=_SIDE, gpu=how.gpu.name, format=how.format.name, note=_note(512, *pair),
    )  # fmt: skip
