"""A scenario is an immutable question that travels as JSON and refuses nonsense in one sentence."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Layout, Library, Scenario
from dlperf_widgets.dtypes import BF16, FP16, FP32, INT8, Format
from dlperf_widgets.layers import LAYERS, Linear, Repeat, Sequence
from dlperf_widgets.ops import TRAINING, Phase

V100, A100 = gpus.V100_SXM2_16GB, gpus.A100_SXM4_80GB
PLAIN = Scenario(Linear(512, 1024, 4096), V100, FP16)


def changed(old, new):
    return Scenario.from_json(PLAIN.to_json().replace(old, new))


OWN = replace(A100, name="My GPU", sms=100)


@pytest.mark.parametrize(
    "scenario",
    [
        PLAIN,
        replace(PLAIN, phases=TRAINING, launch=Launch.EAGER, layout=Layout.NCHW, library=Library.LEGACY),
        replace(PLAIN, gpu=A100, sparse=True),
        replace(PLAIN, gpu=OWN),
        replace(PLAIN, gpu=A100, dtype=Format(INT8, FP16, FP32)),
        *(Scenario(kind(), V100, FP16) for kind in LAYERS),
        *(Scenario(Linear(), gpu, gpu.dtypes[0]) for gpu in gpus.GPUS),
    ],
)
def test_json_round_trip(scenario):
    assert Scenario.from_json(scenario.to_json()) == scenario


def test_the_defaults_are_those_documented():
    assert PLAIN.phases == (Phase.FPROP,)
    assert (PLAIN.launch, PLAIN.layout, PLAIN.library) == (Launch.GRAPH, Layout.NHWC, Library.CURRENT)


def test_equal_questions_are_equal_and_hashable():
    assert len({PLAIN, Scenario(Linear(512, 1024, 4096), V100, FP16)}) == 1


def test_another_gpu_keeps_the_format_if_it_can():
    assert PLAIN.on(A100).dtype is FP16
    assert Scenario(Linear(), A100, BF16).on(V100).dtype is FP16
    assert not Scenario(Linear(), A100, FP16, sparse=True).on(V100).sparse


def test_a_format_gives_each_role_its_bytes():
    mixed = Scenario(Linear(512, 1024, 4096), A100, Format(weights=INT8, activations=FP16, gradients=FP32))
    (row,) = mixed.costs
    # 1 byte a weight, 2 an activation
    assert row.bytes == 4096 * 1024 + 2 * (512 * 1024 + 512 * 4096)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "Linear batch must be between 1 and 2,147,483,647, not 0"),
        (-3, "Linear batch must be between 1 and 2,147,483,647, not -3"),
        (1.5, "Linear batch must be a whole number, not 1.5"),
        (float("nan"), "Linear batch must be a whole number, not nan"),
        (True, "Linear batch must be a whole number, not True"),
        ("8", "Linear batch must be a whole number, not '8'"),
        (10**30, "Linear batch must be between 1 and 2,147,483,647"),
    ],
)
def test_sizes_that_make_no_sense(size, words):
    with pytest.raises(ValueError, match=words):
        Linear(batch=size)


def test_a_whole_float_is_a_size():
    assert Linear(batch=8.0) == Linear(batch=8)
    assert isinstance(Linear(batch=8.0).batch, int)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Scenario(Linear(), V100, INT8), "V100 SXM2 16GB has no INT8"),
        (lambda: Scenario(Linear(), "v100", FP16), "gpu cannot be 'v100'"),
        (lambda: Scenario(Linear(), V100, "FP16"), "dtype cannot be 'FP16'"),
        (lambda: Scenario(Linear(), V100, FP16, launch="rocket"), "launch cannot be 'rocket'"),
        (lambda: Scenario(Linear(), V100, FP16, phases=()), "at least one phase"),
        (lambda: Scenario(Linear(), V100, FP16, phases=("sideways",)), "phases cannot be 'sideways'"),
        (lambda: Linear(bias=2), "Linear bias must be True or False, not 2"),
        (lambda: PLAIN.resized("depth", 2), "Linear has no field 'depth'"),
        (lambda: gpus.find("Voodoo 2"), "Voodoo 2"),
        (lambda: Scenario.from_json("{"), "not a scenario"),
        (lambda: Scenario.from_json("[]"), "a scenario is a JSON object, not list"),
        (lambda: Scenario.from_json("{}"), "version None cannot be read"),
        (lambda: Scenario.from_json('{"version": 2}'), "version 2 cannot be read"),
        (lambda: Scenario.from_json('{"version": 1}'), "needs dtype, gpu, layer"),
        (lambda: changed("sparse", "dense"), "has no dense"),
        (lambda: changed("Linear", "Circular"), "unknown layer 'Circular'"),
        (lambda: changed("inputs", "intakes"), "Linear has no intakes"),
        (lambda: changed("V100 SXM2 16GB", "Voodoo"), "Voodoo"),
        (lambda: changed("FP16", "FP17"), "unknown number format 'FP17'"),
        (lambda: changed("512", '"x"'), "Linear batch must be a whole number"),
        (lambda: changed('"V100 SXM2 16GB"', '{"name": "x"}'), "GPU 'x'"),
        (lambda: changed('"FP16"', "7"), "number format"),
        (lambda: changed('["fprop"]', "7"), "phases"),
        (lambda: changed('"Linear"', '["Linear"]'), "unknown layer"),
    ],
)  # fmt: skip
def test_nonsense_is_one_sentence_that_names_the_thing(build, words):
    with pytest.raises(ValueError, match=words) as caught:
        build()
    assert "\n" not in str(caught.value)


def test_rows_of_equal_layers_keep_their_own_path_and_count():
    layer = Linear(64, 64, 64)
    whole = Scenario(Sequence.of(one=layer, three=Repeat(layer, 3)), gpus.A100_SXM4_80GB, FP16)
    one, three = whole.costs
    assert (one.path, one.count, three.count) == ("one", 1, 3)
    assert three.path.startswith("three")
    assert one.time == three.time
    assert whole.time == pytest.approx(4 * one.time)
