"""The arithmetic behind the numbers of number formats."""

from ..advice import Readout, Why
from ..charts.gradients import FIRST_SCALE, STEPS, published
from ..charts.precision_options import PrecisionOptions
from ..charts.quantized import EACH, percent, quantized
from ..charts.rounding import Rounded, all_rounded, exactly, note
from ..cost import Scenario
from ..cost.formats import Floating
from ..cost.precision import MULTIBOX_SSD
from ..language import tr
from ..units import si

_GUIDE = ((MULTIBOX_SSD.source, MULTIBOX_SSD.address),)


def precision_why(readout: Readout, scenario: Scenario, options: PrecisionOptions) -> Why:
    """Return the formula of one number with the values put in."""
    title = f"{readout.label}{tr(': ')}{readout.text}"
    for found in all_rounded(options.value):
        if found.format.name == readout.key:
            return Why(title, _rounded(found))
    if readout.key in ("kept", "lost", "overflow"):
        return Why(title, _scaled(options), _GUIDE)
    if readout.key in ("skipped", "last"):
        return Why(title, _dynamic(options), _GUIDE)
    return Why(title, _quantized(readout.key, scenario, options))


def _rounded(found: Rounded) -> tuple[str, ...]:
    number = found.format
    lines = [note(found)]
    if isinstance(number, Floating):
        lines.append(tr(
            "gap = 2^(exponent of the value, at least {least}) / 2^{mantissa} = {gap}",
            least=number.smallest_exponent, mantissa=number.mantissa, gap=exactly(found.gap),
        ))  # fmt: skip
        lines.append(tr("halfway between two neighbours the one with an even last bit is taken"))
    else:
        lines.append(tr("whole numbers from {least} to {most}", least=number.min, most=number.max))
    return tuple(lines)


def _scaled(options: PrecisionOptions) -> tuple[str, ...]:
    return (
        tr("made up: powers of two around 2^-{median} in a bell of {spread} powers of two; times {scale}",
           median=options.median, spread=options.spread, scale=f"{options.scale:,}"),
        tr("FP16 holds 2^-24 = 5.96e-08 to 65,504; up to half of the smallest becomes zero"),
        published(),
    )  # fmt: skip


def _dynamic(options: PrecisionOptions) -> tuple[str, ...]:
    return (
        tr("made up: {steps} steps whose largest gradient falls, wobbles and jumps now and then",
           steps=f"{STEPS:,}"),
        tr("scale {first} at first; x 2 after {interval} good steps in a row; x 0.5 after an overflow, "
           "whose step is skipped", first=f"{FIRST_SCALE:,}", interval=f"{options.interval:,}"),
    )  # fmt: skip


def _quantized(key: str, scenario: Scenario, options: PrecisionOptions) -> tuple[str, ...]:
    _, half, one, many = quantized(scenario, options)
    made = tr("made up: {channels} channels of {each} values, the widest {wider} times the narrowest",
              channels=options.channels, each=EACH, wider=f"{options.wider:,}")  # fmt: skip
    params, scales = scenario.layer.params, options.channels
    times = [si(each.time, "s") if each.time else tr("unknown") for each in (half, many)]
    return {
        "tensor": (made, tr("scale = largest magnitude / 127; no value moves by more than half of it"),
                   tr("the channel that suffers most moves by {share}", share=percent(one.worst))),
        "channel": (made, tr("scale of a channel = its largest magnitude / 127"),
                    tr("the channel that suffers most moves by {share}", share=percent(many.worst))),
        "size": (tr("{params} weights x 1 B + {scales} scales x 4 B = {size}", params=f"{params:,}",
                    scales=scales, size=f"{many.bytes:,.0f} B"),),
        "speed": (tr("predicted forward pass: {half} in FP16 / {eighth} in INT8", half=times[0],
                     eighth=times[1]),),
    }[key]  # fmt: skip
