"""Whatever the GPU: large layers without products are limited by memory."""

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Limiter, Scenario
from dlperf_widgets.cost.bandwidth import sustained
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import (
    Activation,
    Add,
    BatchNorm2d,
    CrossEntropy,
    Dropout,
    Embedding,
    GroupNorm,
    InstanceNorm2d,
    LayerNorm,
    MseLoss,
    Multiply,
    OptimizerStep,
    Passes,
    RmsNorm,
    Softmax,
)
from dlperf_widgets.ops import TRAINING, Pass

KINDS = ("relu", "relu6", "leaky_relu", "sigmoid", "tanh", "gelu", "silu", "hardswish")
LARGE = (
    *(Activation(2**26, kind) for kind in (*KINDS, "glu", "geglu", "swiglu")),
    *(BatchNorm2d(256, 256, 56, 56, passes=passes) for passes in Passes if passes != Passes.FOLDED),
    Add(2**26),
    Multiply(2**26),
    Dropout(2**26),
    GroupNorm(256, 256, 56, 56),
    InstanceNorm2d(256, 256, 56, 56),
    LayerNorm(2**16, 1024),
    RmsNorm(2**16, 1024),
    Softmax(2**16, 2048),
    CrossEntropy(4096, 50257),
    MseLoss(2**26),
    Embedding(2**16, 1024, 50257),
    Embedding(2**16, 1024, 50257, sparse=True),
    OptimizerStep(2**26, "sgd"),
    OptimizerStep(2**26, "adamw", mixed=True),
)


@pytest.mark.parametrize("gpu", gpus.GPUS, ids=str)
def test_every_phase_is_memory_limited(gpu):
    dtype = FP16 if FP16 in gpu.dtypes else FP32
    for layer in LARGE:
        rows = Scenario(layer, gpu, dtype, TRAINING, Launch.KERNEL).costs
        assert rows
        for row in rows:
            assert row.limiter is Limiter.MEMORY, (layer, row.phase)
            assert row.memory_time == pytest.approx(row.bytes / gpu.bandwidth)
            flow = row.op.kernels * row.bytes / sustained(gpu)
            # Some of it may still lie in a large L2 cache; rows may be read again or wait for instructions.
            assert row.time > 0.7 * flow
            assert row.time <= flow * (1 + 1e-9) or row.op.kind is not Pass.ELEMENTWISE
            assert row.arithmetic_intensity < 10
