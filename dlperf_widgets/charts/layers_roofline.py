"""All layers of a network under one roof."""

from dataclasses import replace

from ..advice.network import network_verdict
from ..cost import Scenario
from ..cost.collapse import once
from ..language import remembered, tr
from ..ops import Phase
from ._chart import Chart
from ._options import Options
from .layers_bars import ModelOptions
from .roofline import drawn


def layers_roofline(scenario: Scenario, options: ModelOptions) -> Chart:
    """Return the roofline with a point for each operation; equal layers share a point."""
    return _drawn(scenario, options.passes, Options(options.field, roofs=options.roofs))


@remembered(16)
def _drawn(scenario: Scenario, passes: str, options: Options) -> Chart:
    asked = once(scenario)
    if passes != "all":
        forward = passes == "forward"
        phases = tuple(p for p in scenario.phases if (p is Phase.FPROP) is forward)
        asked = replace(asked, phases=phases or scenario.phases)
    words = tr("Roofline of {gpu} with {network}; distinct operations: {count}. {verdict}",
               gpu=scenario.gpu.name, count=len(asked.costs), network=scenario.layer.title,
               verdict=network_verdict(scenario))  # fmt: skip
    return drawn(asked, options, words, small=True)
