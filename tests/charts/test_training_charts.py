"""Charts of training on many GPUs, against the laws of pipelines, epochs and scaling."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import (
    Area,
    Line,
    Points,
    TrainingOptions,
    epoch,
    scaling,
    step_timeline,
    svg,
    throughput,
)
from dlperf_widgets.charts.scaling import strong_scaling
from dlperf_widgets.charts.training_options import fits, iterations, memory, most, step
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.parallel import Plan, pipeline_bubble, training_step
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Linear, Sequence
from dlperf_widgets.models import Gpt2, Gpt3, ResNet50
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB
GPT = Scenario(Gpt2("medium", batch=4), A100, FP16, TRAINING)
OPTIONS = TrainingOptions()
TWO = Sequence.of(first=Linear(64, 64, 64), second=Linear(64, 64, 64))  # no field for its batch
CHARTS = (step_timeline, throughput, epoch, scaling)


def mark(chart, name, kind=object):
    return next(each for each in chart.marks if each.name == name and isinstance(each, kind))


def painted(area: Area) -> float:
    """The area under an outline of rectangles, each 0.8 high: lengths in seconds."""
    corners = list(zip(area.x + area.x[::-1], area.top + area.base[::-1], strict=True))
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2 / 0.8


@pytest.mark.parametrize("chart", CHARTS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("layer", [Gpt2(batch=2), ResNet50(batch=8), TWO], ids=lambda each: each.title)
def test_every_chart_shows_every_network(chart, layer):
    options = replace(OPTIONS, data=4, tensor=1, pipeline=2, microbatches=4)
    drawn = chart(Scenario(layer, A100, FP16, TRAINING), options)
    assert drawn.alt and svg(drawn).startswith("<svg")


def test_options_describe_a_plan_as_the_plan_does():
    options = TrainingOptions(data=2, tensor=2, pipeline=3, microbatches=6, zero=1)
    assert options.plan == Plan(2, 2, 3, 6, zero=1)
    with pytest.raises(ValueError, match="Option zero must be between 0 and 3, not 4"):
        TrainingOptions(zero=4)


def test_lanes_show_what_the_step_takes():
    options = replace(OPTIONS, data=1, tensor=1, pipeline=4, microbatches=8, node=8, overlap=True)
    one, chart = step(GPT, options), step_timeline(GPT, options)
    # four stages with eight micro-batches each, and 0.15% of the step after each to tell them apart
    gaps = 4 * 8 * 0.0015 * one.time
    assert painted(mark(chart, "forward")) == pytest.approx(4 * 8 * one.work.forward - gaps)
    assert painted(mark(chart, "backward")) == pytest.approx(4 * 8 * one.work.backward - gaps)
    assert painted(mark(chart, "bubble")) == pytest.approx(4 * one.bubble, rel=0.03)
    # (p - 1) / (m + p - 1) = 3 / 11 = 27.3% but for the sends
    assert one.bubble / one.time == pytest.approx(pipeline_bubble(4, 8), abs=0.01)
    assert list(chart.y.ticks.values()) == ["1", "2", "3", "4", "sends", "input"]


def test_every_outline_stays_in_its_lanes():
    for area in step_timeline(GPT, OPTIONS).marks:
        if isinstance(area, Area):
            assert {round(y % 1, 6) for y in area.base + area.top} == {0.1, 0.9}


def test_a_gpu_by_itself_has_one_lane_and_no_bubble():
    chart = step_timeline(GPT, replace(OPTIONS, data=1, tensor=1, pipeline=1))
    assert list(chart.y.ticks.values()) == ["GPU", "input"]
    names = {each.name for each in chart.marks}
    assert names == {"forward", "backward", "overlapped communication", "what it is"}


def test_what_is_not_allowed_to_overlap_is_exposed():
    both = [replace(OPTIONS, data=8, tensor=1, pipeline=1, overlap=overlap) for overlap in (True, False)]
    lanes = [list(step_timeline(GPT, options).y.ticks.values()) for options in both]
    assert lanes == [["GPU", "grads", "input"], ["GPU", "input"]]
    hidden, waited = (step(GPT, options) for options in both)
    assert waited.exposed == pytest.approx(hidden.exposed + hidden.overlapped)


def test_the_next_samples_are_copied_beside_the_step():
    options = replace(OPTIONS, data=1, tensor=1, pipeline=1, microbatches=2)
    chart = step_timeline(Scenario(ResNet50(batch=32), A100, FP16, TRAINING), options)
    # 2 x 32 x 3 x 224 x 224 x 2 B = 19.27 MB over PCIe 4 x16, 31.5 GB/s: 0.61 ms
    copied = mark(chart, "overlapped communication")
    assert painted(copied) == pytest.approx(19_267_584 / 31.508e9, rel=0.1)
    tokens = step_timeline(GPT, options).marks
    # 2 x 4 x 1024 tokens of 8 B = 65.5 kB: 2.1 us
    assert painted(next(m for m in tokens if m.name == copied.name)) < 3e-6


def test_of_many_stages_the_first_and_the_last_are_drawn():
    options = replace(OPTIONS, data=1, tensor=8, pipeline=32, microbatches=64)
    chart = step_timeline(Scenario(Gpt3(1), A100, FP16, TRAINING), options)
    assert list(chart.y.ticks.values())[:8] == ["1", "2", "3", "4", "5", "6", "31", "32"]


def test_notes_name_lane_kind_and_share():
    notes = mark(step_timeline(GPT, OPTIONS), "what it is").notes
    alone = mark(step_timeline(GPT, replace(OPTIONS, data=1, tensor=1, pipeline=1)), "what it is").notes
    assert alone[0].startswith("GPU: forward, ")
    assert any(note.startswith("stage 1: bubble, ") and note.endswith("% of the step.") for note in notes)


def test_throughput_is_that_of_steps_and_its_plateau_the_highest():
    chart = throughput(GPT, OPTIONS)
    curve, plateau = mark(chart, "throughput"), mark(chart, "plateau")
    at = dict(zip(curve.x, curve.y, strict=True))
    for size in (1, 8, 32):
        alone = training_step(GPT.resized("batch", size), OPTIONS.plan)
        assert at[size] == pytest.approx(alone.samples_per_second, rel=1e-9)
        assert alone.samples == size * 8 * 4  # x micro-batches x data-parallel ranks
    assert plateau.y == (max(curve.y),) * 2
    near = mark(chart, "90% of the plateau")
    assert near.y[0] == pytest.approx(0.9 * max(curve.y))
    assert all(y >= near.y[0] for x, y in at.items() if x >= near.x[0])
    now = mark(chart, "now")
    assert (now.x, now.y) == ((4,), (pytest.approx(at[4]),)) and now.drag == "batch"


def test_a_network_of_many_rows_is_drawn_through_fewer_batches():
    options = TrainingOptions(data=8, tensor=1, pipeline=1, reach=256)
    scenario = Scenario(ResNet50(batch=32), A100, FP16, TRAINING)
    curve = mark(throughput(scenario, options), "throughput")
    assert curve.x == (1, 2, 4, 8, 16, 32, 64, 128, 256)
    for size, rate in zip(curve.x, curve.y, strict=True):
        one = training_step(scenario.resized("batch", int(size)), options.plan)
        assert rate == pytest.approx(one.samples_per_second, rel=0.05)


def test_a_drag_does_not_change_the_curve():
    first, moved = throughput(GPT, OPTIONS), throughput(GPT.resized("batch", 24), OPTIONS)
    assert mark(first, "throughput") is not None
    assert mark(first, "throughput") == mark(moved, "throughput")
    assert mark(moved, "now").x == (24,)


def test_batches_that_do_not_fit_are_marked():
    options = replace(OPTIONS, reach=512)
    full = most(GPT, options)
    for chart in (throughput, epoch):
        assert mark(chart(GPT, options), "fits up to here").x == (full, full)
    assert fits(GPT.resized("batch", full), options) and not fits(GPT.resized("batch", full + 1), options)
    assert memory(GPT, options).total(full + 1) + options.reserved > A100.memory


def test_iterations_of_an_epoch():
    options = replace(OPTIONS, epoch=1_281_167)
    # 1,281,167 / (4 x 8 x 4 = 128) = 10,009.1, the last one smaller
    assert iterations(options, step(GPT, options)) == 10_010
    chart = epoch(GPT, options)
    assert mark(chart, "now").y == (10_010,)
    line = mark(chart, "iterations per epoch")
    assert dict(zip(line.x, line.y, strict=True))[16] == 2503  # 1,281,167 / 512 = 2,502.3
    assert "10,010 iterations of 128 samples" in chart.alt


def test_weak_and_strong_scaling_meet_at_the_present_plan():
    chart = scaling(GPT, OPTIONS)
    now = mark(chart, "now", Points)
    for name in ("weak: as much for each GPU", "strong: the same batch in all"):
        line = mark(chart, name, Line)
        at = dict(zip(line.x, line.y, strict=True))
        assert at[32] == pytest.approx(now.y[0], rel=1e-9)
    assert now.drag == "data" and now.x == (32,)


def test_weak_scaling_is_that_of_steps_with_more_ranks():
    line = mark(scaling(GPT, OPTIONS), "weak: as much for each GPU")
    for data in (1, 16, 256):
        one = training_step(GPT, replace(OPTIONS.plan, data=data))
        assert dict(zip(line.x, line.y, strict=True))[8 * data] == pytest.approx(one.scaling_efficiency)


def test_strong_scaling_shares_the_same_samples():
    curve = strong_scaling(GPT, OPTIONS)
    at = dict(zip(curve.gpus, curve.efficiency, strict=True))
    # 4 x 8 x 4 = 128 samples on one rank: 32 micro-batches of 4; on 64 ranks one of 2; on 128 one of 1
    assert max(at) == 8 * 128
    alone = step(GPT, OPTIONS).one_gpu
    for data, batch, many in ((1, 4, 32), (8, 4, 4), (64, 2, 1), (128, 1, 1)):
        plan = replace(OPTIONS.plan, data=data, microbatches=many)
        one = training_step(GPT.resized("batch", batch), plan)
        assert one.samples == 128
        assert at[8 * data] == pytest.approx(alone / (8 * data * one.time))


def test_strong_scaling_never_makes_a_batch_larger():
    options = replace(OPTIONS, data=1, microbatches=3)
    curve = strong_scaling(GPT, options)
    # 3 micro-batches of 4 on one rank; on two ranks 6 samples each: 2 micro-batches of 3, not one of 6
    one = training_step(GPT.resized("batch", 3), replace(options.plan, data=2, microbatches=2))
    at = dict(zip(curve.gpus, curve.efficiency, strict=True))
    assert at[16] == pytest.approx(step(GPT, options).one_gpu / (16 * one.time))


def test_mixed_precision_says_nothing_where_nothing_is_to_mix():
    single = replace(GPT, dtype=FP32)
    assert memory(single, OPTIONS) == memory(single, replace(OPTIONS, precision="off"))
