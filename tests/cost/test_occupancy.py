"""What an SM holds: the limits with their sources, and every allocation rule on a row of its own."""

import csv
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dlperf_widgets as dp
from dlperf_widgets import gpus
from dlperf_widgets.cost.occupancy import OccupancyLimiter, divergence, lane_efficiency, occupancy
from dlperf_widgets.cost.sm_limits import SM_LIMITS, SmLimits, sm_limits
from dlperf_widgets.units import KIB

CSV = Path(__file__).parents[3] / "shared" / "cc_limits.csv"
WARPS, REGISTERS, SHARED_MEMORY, BLOCKS = OccupancyLimiter
every_capability = pytest.mark.parametrize("limits", SM_LIMITS, ids=lambda limits: limits.compute_capability)


@pytest.mark.parametrize(
    ("capability", "threads", "registers", "shared", "blocks", "share", "limiters"),
    [
        ("8.0", 256, 32, 0, 8, 1.0, (WARPS, REGISTERS)),  # 64 / 8 warps; 65536 / 1024 = 64 warps
        ("8.0", 256, 33, 0, 6, 0.75, (REGISTERS,)),  # 33 x 32 -> 1280: 51 -> 48 warps
        ("8.0", 256, 40, 0, 6, 0.75, (REGISTERS,)),  # the same 1280 as 33
        ("8.0", 96, 40, 0, 16, 0.75, (REGISTERS,)),  # 48 / 3: 51 warps would hold a 17th
        ("8.0", 256, 64, 0, 4, 0.5, (REGISTERS,)),  # 2048: 32 warps
        ("8.0", 32, 32, 0, 32, 0.5, (BLOCKS,)),
        ("8.0", 96, 20, 0, 21, 63 / 64, (WARPS,)),  # 64 / 3 = 21; 768: 85 -> 84 warps, 28 blocks
        ("8.0", 128, 32, 48 * KIB, 3, 0.1875, (SHARED_MEMORY,)),  # 164 / (48 + 1) = 3
        ("8.6", 1024, 32, 0, 1, 2 / 3, (WARPS,)),  # 48 / 32
        ("8.6", 32, 32, 0, 16, 1 / 3, (BLOCKS,)),
        ("8.6", 192, 40, 0, 8, 1.0, (WARPS, REGISTERS)),  # 48 / 6; 51 -> 48 warps
        ("7.5", 128, 40, 0, 8, 1.0, (WARPS,)),  # 32 / 4; 48 / 4 = 12
        ("7.0", 1024, 64, 0, 1, 0.5, (REGISTERS,)),
        ("7.0", 1024, 65, 0, 0, 0.0, (REGISTERS,)),
        ("8.9", 64, 32, 0, 24, 1.0, (WARPS, BLOCKS)),
        ("9.0", 384, 168, 227 * KIB, 1, 0.1875, (REGISTERS, SHARED_MEMORY)),  # 5376: 12 warps; 228 / 228
        ("9.0", 128, 255, 0, 2, 0.125, (REGISTERS,)),  # 8160 -> 8192: 8 warps
        ("7.0", 32, 32, 1, 32, 0.5, (BLOCKS,)),  # 1 byte takes 256, and nothing is reserved
        ("7.0", 32, 32, 3 * KIB + 1, 29, 29 / 64, (SHARED_MEMORY,)),  # 98304 / 3328 = 29
        ("8.0", 32, 32, 4 * KIB + 1, 32, 0.5, (SHARED_MEMORY, BLOCKS)),  # 167936 / 5248: the unit is 128
        ("3.7", 1024, 64, 0, 2, 1.0, (WARPS, REGISTERS)),  # two blocks' registers an SM
        ("3.7", 1024, 65, 0, 0, 0.0, (REGISTERS,)),  # but one block cannot have them all
    ],
)
def test_the_rules_row_by_row(capability, threads, registers, shared, blocks, share, limiters):
    found = occupancy(capability, threads, registers, shared)
    assert (found.blocks, found.limiters, found.limiter) == (blocks, limiters, limiters[0])
    assert found.warps == blocks * -(-threads // 32)
    assert found.occupancy == pytest.approx(share)
    assert bool(found.fails) == (blocks == 0)


def test_a_launch_that_fails_says_why():
    # 65 x 32 = 2080 -> 2304 registers a warp, times 32 warps
    assert occupancy("7.0", 1024, 65).fails == (
        "a block of 1,024 threads at 65 registers takes 73,728 registers, and can have 65,536"
    )
    assert occupancy("7.0", 1024, 64).fails == ""


def test_a_gpu_stands_for_its_compute_capability():
    assert dp.occupancy(gpus.A100_SXM4_80GB, 256, 33) == dp.occupancy("8.0", 256, 33)
    assert dp.occupancy(gpus.T4, 128).limits is sm_limits("7.5")
    assert repr(dp.occupancy("8.0", 256, 33)) == (
        "Occupancy(blocks=6, warps=48, occupancy=0.75, limiter='registers')"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("8.0", 1025), "compute capability 8.0: threads must be between 1 and 1,024, not 1,025"),
        (("8.0", 0), "threads must be between 1 and 1,024, not 0"),
        (("8.0", 32.5), "threads must be a whole number, not 32.5"),
        (("8.0", 256, 256), "compute capability 8.0: registers must be between 1 and 255, not 256"),
        (
            ("7.5", 256, 32, 64 * KIB + 1),
            "compute capability 7.5: shared_memory must be between 0 and 65,536, not 65,537",
        ),
        (("8.0", 256, 32, -1), "shared_memory must be between 0 and 166,912, not -1"),
        (("8.1", 256), "no limits are known for compute capability '8.1': choose one of 3.7, 5.2, "),
        ((8.0, 256), "a GPU or its compute capability must be a text, not 8.0"),
    ],
)
def test_what_no_launch_can_have_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        occupancy(*arguments)


launches = st.tuples(
    st.sampled_from(SM_LIMITS), st.integers(1, 1024), st.integers(1, 255), st.integers(0, 48 * KIB)
)


@given(launches)
def test_occupancy_is_a_share_and_no_resource_is_overdrawn(launch):
    limits, threads, registers, shared = launch
    found = occupancy(limits.compute_capability, threads, registers, shared)
    assert 0 <= found.occupancy <= 1
    assert (found.occupancy > 0) == (not found.fails)
    assert found.warps <= limits.warps_per_sm
    assert found.blocks <= limits.blocks_per_sm
    assert found.warps * 32 * registers <= limits.registers_per_sm
    assert found.blocks * (shared + (limits.reserved_shared_memory or 0)) <= limits.shared_memory_per_sm


@given(launches)
def test_asking_for_more_never_fits_more_blocks(launch):
    limits, threads, registers, shared = launch
    blocks = occupancy(limits.compute_capability, threads, registers, shared).blocks
    more = (min(threads + 32, 1024), registers, shared), (threads, min(registers + 1, 255), shared)
    for asked in (*more, (threads, registers, min(shared + 1, 48 * KIB))):
        assert occupancy(limits.compute_capability, *asked).blocks <= blocks


def test_lanes_without_a_thread():
    assert lane_efficiency(33) == pytest.approx(0.516, abs=5e-4)  # 33 / 64
    assert [lane_efficiency(threads) for threads in (1, 32, 96, 100)] == [1 / 32, 1, 1, 100 / 128]
    with pytest.raises(ValueError, match="threads must be between 1 and 1,024, not 2,000"):
        lane_efficiency(2000)


def test_a_divergent_warp_runs_the_paths_one_after_another():
    assert divergence(((16, 10), (16, 10))) == (20, 0.5)
    assert divergence(((1, 30), (31, 10))) == (40, (30 + 310) / (32 * 40))
    assert divergence(((32, 10), (0, 99))) == (10, 1.0)  # nobody takes the second path
    assert divergence(((32, 0),)) == (0, 1.0)
    with pytest.raises(ValueError, match="must have between 1 and 32 lanes together, not 40"):
        divergence(((20, 1), (20, 1)))
    with pytest.raises(ValueError, match="length of a path must be at least 0, not -1"):
        divergence(((20, -1),))


@every_capability
def test_every_limit_has_a_source(limits: SmLimits):
    for field in fields(limits):
        if field.name != "sources" and getattr(limits, field.name) is not None:
            assert limits.source(field.name), f"{limits.compute_capability}: nothing covers {field.name}"
    for source in limits.sources:
        assert source.address.startswith("https://") != source.title.startswith("derived: ")


@every_capability
def test_limits_agree_with_each_other(limits: SmLimits):
    assert limits.threads_per_sm == 32 * limits.warps_per_sm
    assert limits.shared_memory_per_block <= limits.shared_memory_per_sm
    if limits.reserved_shared_memory:  # what is left of an SM for its only block
        assert limits.shared_memory_per_block == limits.shared_memory_per_sm - limits.reserved_shared_memory
    if limits.l1 is not None:
        assert max(limits.carveouts) == limits.shared_memory_per_sm < limits.l1
    assert hash(limits) == hash(replace(limits))


@pytest.mark.parametrize("gpu", gpus.GPUS, ids=str)
def test_limits_agree_with_the_gpu_records(gpu: gpus.Gpu):
    limits = sm_limits(gpu)
    for name in ("shared_memory_per_sm", "registers_per_sm", "threads_per_sm"):
        assert getattr(gpu, name) in (None, getattr(limits, name)), name


def test_the_memory_hierarchy_of_an_a100():
    a100, limits = gpus.A100_SXM4_80GB, sm_limits("8.0")
    assert limits.registers_per_sm * 4 == 256 * KIB  # more than the shared memory
    assert limits.shared_memory_per_sm == 164 * KIB
    assert (a100.l2, a100.memory, a100.bandwidth) == (40 * KIB**2, 80 * KIB**3, 2039e9)


@pytest.mark.skipif(not CSV.exists(), reason="the table the limits were written from is not here")
@every_capability
def test_limits_agree_with_the_table(limits: SmLimits):
    with CSV.open(newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["cc"] == limits.compute_capability)
    assert row["arch"].startswith(limits.architecture)
    for column, value, unit in [
        ("max_threads_per_block", limits.threads_per_block, 1),
        ("max_threads_per_sm", limits.threads_per_sm, 1),
        ("max_warps_per_sm", limits.warps_per_sm, 1),
        ("max_blocks_per_sm", limits.blocks_per_sm, 1),
        ("regs_per_sm", limits.registers_per_sm, 1),
        ("max_regs_per_block", limits.registers_per_block, 1),
        ("max_regs_per_thread", limits.registers_per_thread, 1),
        ("smem_per_sm_kb", limits.shared_memory_per_sm, KIB),
        ("smem_per_block_max_kb", limits.shared_memory_per_block, KIB),
        ("smem_per_block_static_kb", limits.static_shared_memory, KIB),
        ("smem_reserved_per_block_kb", limits.reserved_shared_memory, KIB),
        ("unified_l1_smem_kb", limits.l1, KIB),
        ("max_resident_grids", limits.grids, 1),
    ]:
        assert value == (int(row[column]) * unit if row[column] else None), column
    assert limits.carveouts == tuple(int(size) * KIB for size in row["smem_carveouts_kb"].split())


@pytest.mark.skipif(not CSV.exists(), reason="the table the limits were written from is not here")
def test_no_compute_capability_of_the_table_is_left_out():
    with CSV.open(newline="") as file:
        assert [row["cc"] for row in csv.DictReader(file)] == [each.compute_capability for each in SM_LIMITS]
