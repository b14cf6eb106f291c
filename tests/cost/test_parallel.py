"""Splitting a training step over GPUs: published volumes and bubbles, and laws that any split obeys."""

import dataclasses
import json
from itertools import pairwise
from math import fsum

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dlperf_widgets as dp
from dlperf_widgets import gpus, links, models
from dlperf_widgets.cost import parallel
from dlperf_widgets.cost.exchange import exposed
from dlperf_widgets.cost.plan import blocks
from dlperf_widgets.cost.timeline import Activity
from dlperf_widgets.dtypes import BF16, FP16, FP32
from dlperf_widgets.layers import Activation, Linear, OptimizerStep, Repeat
from dlperf_widgets.ops import TRAINING

TEN = links.Link("10 GB/s", 10e9)
A100, H100 = gpus.A100_SXM4_80GB, gpus.H100_SXM5_80GB
GPT2 = dp.Scenario(models.Gpt2("small", batch=2), A100, FP16)
RESNET = dp.Scenario(models.ResNet50(32), A100, FP32)
NODES = st.sampled_from([1, 2, 4, 8])


class TestCollectives:
    def test_gradients_of_resnet50_on_eight_ranks(self):
        size = models.ResNet50().params * 4
        assert size == 102_228_128
        assert dp.all_reduce_bytes(size, 8) == 178_899_224  # 2 x 7/8
        assert parallel.all_reduce_time(size, 8, TEN) == pytest.approx(17.89e-3, abs=5e-6)

    def test_each_latency_is_one_step_of_the_ring(self):
        slow = links.Link("slow", 1e9, 1e-3)
        assert parallel.all_reduce_time(8e6, 8, slow) == pytest.approx(14e-3 + 14e-3)  # 2 x 7 of each
        assert parallel.reduce_scatter_time(8e6, 8, slow) == pytest.approx(7e-3 + 7e-3)
        assert parallel.all_gather_time(8e6, 8, slow) == parallel.reduce_scatter_time(8e6, 8, slow)
        assert parallel.all_to_all_time(8e6, 8, slow) == parallel.reduce_scatter_time(8e6, 8, slow)
        assert parallel.broadcast_time(8e6, 8, slow) == pytest.approx(8e-3 + 7e-3)

    @given(st.integers(0, 2**40))
    def test_a_rank_alone_sends_nothing(self, size):
        names = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast")
        assert [getattr(parallel, f"{name}_bytes")(size, 1) for name in names] == [0] * 5
        assert [getattr(parallel, f"{name}_time")(size, 1, links.NVLINK_3) for name in names] == [0] * 5

    @given(st.integers(1, 2**40), st.integers(2, 4096))
    def test_an_all_reduce_scatters_and_gathers(self, size, ranks):
        halves = parallel.reduce_scatter_bytes(size, ranks) + parallel.all_gather_bytes(size, ranks)
        assert dp.all_reduce_bytes(size, ranks) == halves < 2 * size

    def test_zero_moves_as_much_until_stage_3(self):
        one = parallel.reduce_scatter_bytes(1e9, 64)
        assert [parallel.zero_bytes(1e9, 64, stage) / one for stage in range(4)] == [2, 2, 2, 3]
        assert [parallel.zero_bytes(1e9, 64, stage, 4) / one for stage in range(4)] == [2, 2, 5, 12]

    def test_nonsense_is_refused(self):
        with pytest.raises(ValueError, match="ranks must be between 1 and .*, not 0"):
            dp.all_reduce_bytes(1, 0)
        with pytest.raises(ValueError, match="size must be at least 0, not -1"):
            dp.all_reduce_bytes(-1, 2)
        with pytest.raises(ValueError, match="ZeRO stage must be between 0 and 3, not 4"):
            parallel.zero_bytes(1, 2, 4)


class TestScaling:
    @pytest.mark.parametrize(
        ("stages", "microbatches", "ideal", "total"),
        [
            (4, 4, 0.75, 0.4286),  # 3/4, 3/7
            (4, 8, 0.375, 0.2727),  # 3/8, 3/11
            (8, 64, 0.1094, 0.0986),  # 7/64, 7/71
        ],
    )
    def test_bubbles(self, stages, microbatches, ideal, total):
        assert parallel.pipeline_overhead(stages, microbatches) == pytest.approx(ideal, abs=5e-5)
        assert dp.pipeline_bubble(stages, microbatches) == pytest.approx(total, abs=5e-5)

    def test_chunks_divide_the_bubble(self):
        assert parallel.pipeline_overhead(8, 64, 7) == pytest.approx(7 / (7 * 64))
        assert dp.pipeline_bubble(8, 64, 7) == pytest.approx(7 / (7 * 64 + 7))

    @given(st.integers(1, 64), st.integers(1, 512), st.integers(1, 16))
    def test_bubble_speedup_and_work_agree(self, p, m, v):
        bubble, overhead = dp.pipeline_bubble(p, m, v), parallel.pipeline_overhead(p, m, v)
        assert bubble == pytest.approx(overhead / (1 + overhead))
        assert parallel.pipeline_speedup(p, m, v) == pytest.approx(p * m * v / (v * m + p - 1))
        assert dp.pipeline_bubble(p, m + 1, v) <= bubble

    def test_activations_in_flight(self):
        assert parallel.in_flight(4, 32, "gpipe") == 32
        assert parallel.in_flight(4, 32) == 4
        assert parallel.in_flight(4, 2) == 2
        with pytest.raises(ValueError, match="schedule must be one of gpipe, 1f1b, not 'zero'"):
            parallel.in_flight(4, 2, "zero")

    def test_amdahl(self):
        assert parallel.amdahl(0, 8) == 8
        assert parallel.amdahl(1, 8) == 1
        assert parallel.amdahl(0.05, 10**6) == pytest.approx(20, rel=1e-3)  # 1 / 0.05
        assert parallel.scaling_efficiency(80, 8, 12.5) == 0.8


class TestPlan:
    def test_json_round_trip(self):
        plan = dp.Plan(data=4, tensor=2, pipeline=2, microbatches=8, zero=1, between="ndr", overlap=False)
        assert plan.ranks == 16
        assert dp.Plan.from_json(plan.to_json()) == plan
        assert json.loads(plan.to_json())["between"] == "InfiniBand NDR"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "not a plan"),
            ("[]", "a plan is a JSON object, not list"),
            ("{}", "a plan of version None cannot be read"),
            ('{"version": 1, "speed": 3}', "a plan has no speed"),
            ('{"version": 1, "data": "two"}', "Plan data must be a whole number, not 'two'"),
            ('{"version": 1, "inside": 3}', "Plan inside must be one of the GPU's own, NVLink"),
        ],
    )
    def test_other_text_is_refused(self, text, message):
        with pytest.raises(ValueError, match=message):
            dp.Plan.from_json(text)

    def test_values_are_checked(self):
        for change, message in [
            ({"microbatches": 0}, "Plan microbatches must be between 1"),
            ({"zero": 4}, "Plan zero must be between 0 and 3, not 4"),
            ({"overlap": 1}, "Plan overlap must be True or False"),
            ({"between": "infiniband sdr"}, "unknown link 'infiniband sdr': did you mean InfiniBand"),
        ]:
            with pytest.raises(ValueError, match=message):
                dp.Plan(**change)

    def test_every_field_describes_its_control(self):
        for field in dataclasses.fields(dp.Plan):
            assert field.metadata["kind"] in ("dim", "choice", "flag")
            assert field.metadata["label"]

    def test_blocks(self):
        assert blocks(models.Gpt3()) == 96
        assert blocks(models.ResNet50()) == 19  # stem and its norm, 16 blocks, classifier
        assert blocks(Repeat(Linear(8, 8, 8), 5)) == 5
        assert blocks(Linear()) == blocks(Activation()) == 1

    @pytest.mark.parametrize(
        ("plan", "message"),
        [
            (dp.Plan(pipeline=16), "16 stages of 1 need 16 blocks: Gpt2 has 12"),
            (dp.Plan(pipeline=4, interleave=4, microbatches=4), "4 stages of 4 need 16 blocks"),
            (dp.Plan(interleave=2), "2 chunks of a stage need more than one pipeline stage"),
            (
                dp.Plan(pipeline=4, interleave=2, microbatches=6),
                "groups of 4 micro-batches: 6 is no multiple",
            ),
            (dp.Plan(data=12), "12 GPUs do not fill nodes of 8"),
            (dp.Plan(tensor=8), "8 tensor ranks cannot share 12 heads evenly"),
            (dp.Plan(pipeline=2, zero=3), "ZeRO stage 3 exchanges after every micro-batch"),
        ],
    )
    def test_what_does_not_fit_says_so(self, plan, message):
        assert any(message in sentence for sentence in plan.check(GPT2.layer))
        with pytest.raises(ValueError, match=message):
            dp.training_step(GPT2, plan)

    def test_all_faults_are_named_and_tensor_ranks_need_blocks(self):
        faults = dp.Plan(data=9, tensor=2).check(RESNET.layer)
        assert faults == (
            "18 GPUs do not fill nodes of 8",
            "2 tensor ranks share transformer blocks: ResNet has none",
        )

    def test_a_group_that_nodes_do_not_hold_crosses_them(self):
        plan = dp.Plan(data=8, tensor=2, inside="pcie 4", between="ethernet 100")
        assert plan.link(A100, 2) is links.PCIE_4
        assert plan.link(A100, 16) is links.ETHERNET_100
        assert plan.link(A100, 3) is links.ETHERNET_100  # 8 is no multiple: some group straddles
        assert dp.Plan(data=8).link(A100, 8) == links.of_gpu(A100)


@st.composite
def plans(draw):
    """Draw plans that GPT-2 can be trained by."""
    pipeline = draw(st.sampled_from([1, 2, 3, 4]))
    plan = dp.Plan(
        data=draw(st.sampled_from([1, 2, 8, 64])),
        tensor=draw(st.sampled_from([1, 2, 4])),
        pipeline=pipeline,
        microbatches=draw(st.integers(1, 6)) * pipeline,
        interleave=draw(st.sampled_from([1, 2, 3])) if pipeline > 1 else 1,
        zero=draw(st.integers(0, 1 if pipeline > 1 else 3)),
        node=draw(NODES),
        inside=draw(st.sampled_from(["the GPU's own", "PCIe 3 x16"])),
        between=draw(st.sampled_from(["InfiniBand NDR", "Ethernet 1 Gbit/s"])),
        overlap=draw(st.booleans()),
        bucket_bytes=draw(st.sampled_from([2**20, 25 * 2**20, 2**30])),
    )
    assume(not plan.check(GPT2.layer))
    return plan


class TestStep:
    def test_one_gpu_takes_the_scenarios_time_and_sends_nothing(self):
        for scenario in (GPT2, RESNET):
            step = dp.training_step(scenario)
            assert step.time == pytest.approx(dataclasses.replace(scenario, phases=TRAINING).time)
            assert step.exchanges == ()
            assert step.communication == step.exposed == step.bubble == 0
            assert step.scaling_efficiency == pytest.approx(1)

    def test_an_all_reduce_of_gpt3_block(self):
        scenario = dp.Scenario(models.Gpt3(1), A100, FP16)
        step = dp.training_step(scenario, dp.Plan(tensor=8))
        forward, backward = step.exchanges
        one = 50_331_648  # 1 x 2048 x 12288 x 2 bytes
        assert forward.bytes == backward.bytes == pytest.approx(2 * 96 * dp.all_reduce_bytes(one, 8))
        expected = 2 * 96 * parallel.all_reduce_time(one, 8, links.of_gpu(A100))
        assert forward.exposed == forward.seconds == pytest.approx(expected)

    def test_gradients_of_resnet50(self):
        step = dp.training_step(RESNET, dp.Plan(data=8, overlap=False))
        (gradients,) = step.exchanges
        assert gradients.bytes == 178_899_224
        latency = 4 * 14 * 3.4e-6  # in 4 buckets of at most 25 MiB
        assert gradients.exposed == pytest.approx(178_899_224 / 300e9 + latency)
        assert step.samples == 32 * 8
        assert step.samples_per_second == pytest.approx(256 / step.time)

    def test_overlap_leaves_the_last_bucket(self):
        (gradients,) = dp.training_step(RESNET, dp.Plan(data=8)).exchanges
        assert gradients.exposed == pytest.approx(gradients.seconds / 4)
        slow = dp.Plan(data=8, inside="ethernet 1")
        step = dp.training_step(RESNET, slow)
        (gradients,) = step.exchanges
        beside = step.work.backward * 3 / 4  # what is left of backward when the first bucket is full
        assert gradients.exposed == pytest.approx(gradients.seconds - beside)

    @given(st.floats(0, 10), st.floats(0, 10), st.integers(1, 50))
    def test_buckets_as_a_queue(self, seconds, work, buckets):
        link_free = 0.0
        for i in range(buckets):  # bucket i is full when its share of the work is done
            link_free = max(link_free, (i + 1) * work / buckets) + seconds / buckets
        assert exposed(seconds, work, buckets) == pytest.approx(link_free - work, abs=1e-9)

    def test_a_bubble_without_sends_is_the_law(self):
        plan = dp.Plan(pipeline=4, microbatches=8, interleave=3)
        step = dataclasses.replace(dp.training_step(GPT2, plan), exchanges=(), hops=(0.0, 0.0))
        assert step.bubble / step.compute == pytest.approx(parallel.pipeline_overhead(4, 8, 3))
        assert step.bubble / step.time == pytest.approx(dp.pipeline_bubble(4, 8, 3))

    def test_more_microbatches_leave_less_bubble(self):
        steps = [dp.training_step(GPT2, dp.Plan(pipeline=4, microbatches=m)) for m in (1, 2, 4, 8, 64)]
        shares = [step.bubble / step.time for step in steps]
        assert shares == sorted(shares, reverse=True)
        assert len(set(shares)) == 5

    def test_zero_exchanges(self):
        sizes = {}
        for stage in range(4):
            step = dp.training_step(GPT2, dp.Plan(data=8, microbatches=2, zero=stage))
            sizes[stage] = sum(e.bytes for e in step.exchanges)
            expected = parallel.zero_bytes(2 * GPT2.layer.params, 8, stage, 2)
            assert sizes[stage] == pytest.approx(expected)
        assert sizes[0] == sizes[1] < sizes[2] < sizes[3]

    def test_an_optimizer_is_updated_by_parts_under_zero(self):
        scenario = dp.Scenario(OptimizerStep(2**26), H100, BF16)
        whole, parts = (dp.training_step(scenario, dp.Plan(data=8, zero=zero)) for zero in (0, 1))
        assert parts.work.update == pytest.approx(whole.work.update / 8)

    def test_explanation_names_every_term(self):
        llama = dp.Scenario(models.Llama("3-8B", sequence=2048), H100, BF16)
        step = dp.training_step(llama, dp.Plan(data=2, tensor=4, pipeline=2, microbatches=4))
        text = step.explain()
        assert text.startswith("Llama on 16 x H100 SXM5 80GB")
        assert all(term.name in text and term.formula and term.source for term in step.terms)
        assert "a model not validated by measurement" in text

    @settings(deadline=None)
    @given(plans())
    def test_laws(self, plan):
        step = dp.training_step(GPT2, plan)
        assert all(term.seconds >= 0 for term in step.terms)
        assert step.time == fsum(term.seconds for term in step.terms)
        assert step.exposed + step.overlapped == pytest.approx(step.communication)
        assert all(0 <= e.exposed <= e.seconds * (1 + 1e-12) for e in step.exchanges)
        longest = max(step.compute, step.bubble, *(e.seconds for e in step.exchanges), 0.0)
        assert step.time >= longest * (1 - 1e-12)
        assert step.time <= (step.compute + step.communication + step.bubble) * (1 + 1e-12)
        assert 0 < step.scaling_efficiency <= 1 + 1e-12
        if plan.ranks == 1:
            assert step.communication == 0
        assert dp.Plan.from_json(plan.to_json()) == plan


class TestTimeline:
    @settings(deadline=None)
    @given(plans())
    def test_lanes_agree_with_the_terms(self, plan):
        step = dp.training_step(GPT2, plan)
        lanes: dict[str, list] = {}
        for span in step.timeline:
            lanes.setdefault(span.lane, []).append(span)
        assert max(span.end for span in step.timeline) == step.time
        for spans in lanes.values():
            assert all(-1e-12 <= s.start < s.end <= step.time * (1 + 1e-12) for s in spans)
            assert all(b.start - a.end >= -1e-9 * step.time for a, b in pairwise(spans))
        stages = [s for lane, s in lanes.items() if lane == "GPU" or lane.startswith("stage ")]
        assert len(stages) == plan.pipeline
        m, work = plan.microbatches, step.work
        for spans in stages:
            spent = {role: fsum(s.end - s.start for s in spans if s.role is role) for role in Activity}
            assert spent[Activity.FORWARD] == pytest.approx(m * work.forward)
            assert spent[Activity.BACKWARD] == pytest.approx(m * work.backward)
            assert spent[Activity.EXPOSED] == pytest.approx(step.exposed, abs=1e-9 * step.time)
            assert spent[Activity.BUBBLE] == pytest.approx(step.bubble, abs=1e-8 * step.time)
        hidden = fsum(s.end - s.start for s in step.timeline if s.role is Activity.OVERLAPPED)
        assert hidden == pytest.approx(step.overlapped, abs=1e-9 * step.time)

    def test_chunks_take_turns(self):
        plan = dp.Plan(pipeline=2, microbatches=4, interleave=2)
        names = [
            span.name
            for span in dp.training_step(GPT2, plan).timeline
            if span.lane == "stage 1" and span.role is Activity.FORWARD
        ]
        assert names == [
            *("forward 1, chunk 1", "forward 2, chunk 1", "forward 1, chunk 2", "forward 2, chunk 2"),
            *("forward 3, chunk 1", "forward 4, chunk 1", "forward 3, chunk 2", "forward 4, chunk 2"),
        ]

    def test_many_microbatches_are_drawn_together(self):
        step = dp.training_step(GPT2, dp.Plan(pipeline=4, microbatches=512))
        forward = [span for span in step.timeline if span.role is Activity.FORWARD]
        assert len(forward) == 4 * 64
        assert forward[0].name == "forward x 8"
