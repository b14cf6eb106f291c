"""Constants fitted to measurements."""

from dataclasses import replace
from itertools import product

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.cost.calibration import of
from dlperf_widgets.cost.fit import PULL, Unknown, fit, refit
from dlperf_widgets.cost.search import least, solve
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Activation, Linear, Softmax

A100 = gpus.A100_SXM4_80GB
SIZES = (16, 200, 1024, 4096)


def altered(gpu, **factors):
    """Return a GPU some of whose constants are so many times the shipped ones."""
    shipped = of(gpu)
    changed = tuple((name, factor * getattr(shipped, name)) for name, factor in factors.items())
    return replace(gpu, name="altered", calibration=changed)


def products(gpu, launch=Launch.GRAPH, dtype=FP16):
    layers = [Linear(m, k, n) for m, n, k in product(SIZES, (512, 4096, 11008), (512, 4096))]
    return [Scenario(layer, gpu, dtype, launch=launch) for layer in layers]


def passes(gpu, launch=Launch.GRAPH):
    layers = [Activation(2**n) for n in range(12, 28, 2)] + [Softmax(2**n, 512) for n in range(4, 16, 2)]
    return [Scenario(layer, gpu, FP32, launch=launch) for layer in layers]


def measured(scenarios, gpu):
    """Return what a GPU would take for questions about another."""
    return [(scenario, replace(scenario, gpu=gpu).time) for scenario in scenarios]


def worst(scenarios, found, true):
    return max(abs(replace(s, gpu=found).time / replace(s, gpu=true).time - 1) for s in scenarios)


def test_a_refit_recovers_the_times_of_a_gpu_with_other_constants():
    true = altered(A100, tensor_rate=0.85, tensor_launch=1.4, tensor_energy=1.2, bandwidth_share=0.9)
    asked = products(A100) + passes(A100)
    found = refit(A100, measured(asked, true))
    assert worst(asked, A100, true) > 0.1
    assert worst(asked, found, true) < 0.02
    assert found.name == "A100 SXM4 80GB, refitted"
    assert hash(found) != hash(A100) and found != A100


def test_a_slower_host_is_found_from_eager_measurements():
    true = altered(gpus.V100_PCIE_32GB, host=1.3)
    asked = passes(gpus.V100_PCIE_32GB, Launch.EAGER)
    found = refit(gpus.V100_PCIE_32GB, measured(asked, true))
    assert of(found).host == pytest.approx(1.3, rel=0.01)


def test_families_that_were_not_measured_keep_their_constants():
    found = of(refit(A100, measured(passes(A100), altered(A100, bandwidth_share=0.8))))
    shipped = of(A100)
    changed = {name for name in shipped._fields if getattr(found, name) != getattr(shipped, name)}
    assert "bandwidth_share" in changed
    assert not any(name.startswith(("tensor", "cuda", "attention", "eager")) for name in changed)


def test_one_measurement_moves_a_constant_by_no_more_than_a_tenth():
    # the sum of PULL x^2 and |x - 1| is least at x = 1 / (2 PULL)
    assert PULL == 5
    scenario = Scenario(Linear(8192, 8192, 8192), A100, FP16)
    found, shipped = of(refit(A100, [(scenario, 2 * scenario.time)])), of(A100)
    for name in shipped._fields:
        assert 0.9 < getattr(found, name) / getattr(shipped, name) < 1.11, name
    assert found != shipped


def test_shares_stay_below_one():
    asked = passes(A100)
    found = refit(A100, [(scenario, scenario.time / 3) for scenario in asked])
    assert of(found).bandwidth_share <= 1


def test_a_constant_of_one_kind_of_gpu_leaves_the_others_alone():
    unknown = Unknown("tensor_energy", "9.0")
    hot = altered(gpus.H100_SXM5_80GB, tensor_energy=1.5)
    large = [
        Scenario(Linear(8192, 8192, n), gpu, FP16)
        for n in (4096, 8192)
        for gpu in (A100, gpus.H100_SXM5_80GB)
    ]
    told = [(s, replace(s, gpu=hot).time if s.gpu != A100 else s.time) for s in large]
    found = fit(told, [unknown], pull=0)
    assert found.values[unknown] == pytest.approx(1.5 * unknown.shipped, rel=0.01)
    assert found.error < 0.01 < found.before


def test_the_same_measurements_give_the_same_gpu():
    told = measured(passes(A100), altered(A100, bandwidth_share=0.8))
    assert refit(A100, told) == refit(A100, told)


def test_a_refitted_gpu_can_be_refitted():
    true = altered(A100, bandwidth_share=0.8)
    once = refit(A100, measured(passes(A100)[:3], true))
    twice = refit(once, measured(passes(A100), true))
    assert twice.name == once.name
    assert abs(of(twice).bandwidth_share / of(true).bandwidth_share - 1) < 0.02


def test_the_search_finds_the_least_sum_of_absolute_values_within_bounds():
    # both are 0 at (0.3, -0.2): a narrow valley aslant, in which no coordinate alone leads downhill
    def valley(point):
        return [point[0] + point[1] - 0.1, 0.2 * (point[0] - point[1] - 0.5)]

    assert least(valley, (0.0, 0.0), [(-1, 1), (-1, 1)]) == pytest.approx([0.3, -0.2], abs=0.001)
    assert least(valley, (0.0, 0.0), [(-1, 0.1), (-1, 1)])[0] <= 0.1


def test_one_outlier_in_three_does_not_move_the_search():
    # |x - 1| + |x - 1| + |x - 9| is least at 1, where squares would be least at 11 / 3
    def residuals(point):
        return [point[0] - 1, point[0] - 1, point[0] - 9]

    assert least(residuals, (0.0,), [(-20, 20)]) == pytest.approx([1], abs=0.01)


def test_linear_equations():
    # 2x + y = 5, x + 3y = 10 at x = 1, y = 3
    assert solve([[2, 1], [1, 3]], [5, 10]) == pytest.approx([1, 3])


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([], "at least one measurement"),
        ([0.0], "positive number of seconds, not 0.0"),
        ([-1e-3], "positive number of seconds"),
        ([float("nan")], "positive number of seconds, not nan"),
        ([float("inf")], "positive number of seconds, not inf"),
    ],
)
def test_nonsense_is_refused(told, said):
    scenario = Scenario(Linear(512, 512, 512), A100, FP16)
    with pytest.raises(ValueError, match=said):
        refit(A100, [(scenario, seconds) for seconds in told])


def test_a_gpu_with_an_unknown_constant_is_refused():
    odd = replace(A100, name="odd", calibration=(("warp_speed", 9.0),))
    with pytest.raises(ValueError, match="odd: 'warp_speed' is no constant of the time model"):
        Scenario(Linear(512, 512, 512), odd, FP16).time  # noqa: B018
