"""GPUs, models and measurements whose every name is a given text, and each explorer's question with them."""

from dataclasses import fields, replace

from dlperf_widgets import gpus, layers
from dlperf_widgets.bridge.model import TorchModel, Unplaced
from dlperf_widgets.measure import Device, Measurement, Outcome, Protocol, Summary


def named(text: str) -> gpus.Gpu:
    """Return a GPU whose every text is a given one."""
    source = gpus.Source(fields=tuple(f.name for f in fields(gpus.Gpu)), title=text, address=text)
    price = gpus.Price(1.0, text, "hour", text, text, text)
    return replace(
        gpus.A100_SXM4_80GB,
        name=text,
        architecture="Ampere",
        memory_type=text,
        prices=(price,),
        sources=(source,),
    )


def model(text: str) -> TorchModel:
    """Return a traced module whose every name is a given text."""
    parts = ((text, layers.Linear(32, 64, 64)), (f"{text}.{text}", layers.Activation(2048)))
    return TorchModel(parts, 4160, (32, 64), (32, 64), (Unplaced(text, text, 1, 5, 0.1),), text)


def hostile(app, text):
    """Return the first question of an explorer, with every name that it can have replaced."""
    explorer = app()
    asked = explorer.scenario
    explorer.close()
    layer = asked.layer
    if app.slug in ("layer", "model", "memory", "compare", "gemm"):
        layer = model(text) if app.slug in ("model", "memory", "compare") else layers.Linear()
    return replace(asked, layer=layer, gpu=named(text))


def measured(scenario, text):
    """Return a measurement on a device whose every text is a given one."""
    device = Device(text, "cuda", text, compute_capability="8.0", sms=108, memory=80 * 2**30)
    protocol = Protocol(text, "graph", "cold", 1, 1, 80, 0.3, True)
    summary = Summary(2e-5, 1e-5, 3e-5, 40)
    return Measurement(device, scenario, Outcome.MEASURED, text, summary=summary, protocol=protocol)
