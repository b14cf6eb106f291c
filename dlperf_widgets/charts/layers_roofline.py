"""All layers of a network under one roof."""

from dataclasses import replace

from ..advice.network import network_verdict
from ..cost import Scenario
from ..cost.collapse import once
from ..language import tr
from ..ops import Phase
from ._chart import Chart, Points
from ._options import Options
from .layers_bars import ModelOptions
from .roofline import roofline


def layers_roofline(scenario: Scenario, options: ModelOptions) -> Chart:
    """Return the roofline with a point for each operation; equal layers share a point."""
    asked = once(scenario)
    if options.passes != "all":
        forward = options.passes == "forward"
        phases = tuple(p for p in scenario.phases if (p is Phase.FPROP) is forward)
        asked = replace(asked, phases=phases or scenario.phases)
    drawn = roofline(asked, Options(options.field, roofs=options.roofs))
    marks = tuple(replace(mark, small=True) if isinstance(mark, Points) else mark for mark in drawn.marks)
    words = tr("Roofline of {gpu} with {network}; distinct operations: {count}. {verdict}",
               gpu=scenario.gpu.name, count=len(asked.costs), network=scenario.layer.title,
               verdict=network_verdict(scenario))  # fmt: skip
    return replace(drawn, marks=marks, alt=words)
