"""Links: bytes against bits, one way against both, and a source for every number."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus, links
from dlperf_widgets.links import LINKS, Link
from dlperf_widgets.units import GB_S


@pytest.mark.parametrize(
    ("generation", "rate"),
    [
        (1, 4.0),  # 2.5 GT/s x 8/10 x 16 / 8
        (2, 8.0),  # 5 x 8/10 x 16 / 8
        (3, 15.75),  # 8 x 128/130 x 16 / 8
        (4, 31.5),
        (5, 63.0),
    ],
)
def test_pcie_of_sixteen_lanes(generation, rate):
    assert links.pcie(generation).bandwidth / GB_S == pytest.approx(rate, rel=5e-4)


@pytest.mark.parametrize(("generation", "rate"), [(1, 0.25), (2, 0.5), (3, 0.985), (4, 1.969), (5, 3.938)])
def test_one_lane_of_pcie(generation, rate):
    assert links.pcie(generation, 1).bandwidth / GB_S == pytest.approx(rate, abs=5e-4)
    assert links.pcie(generation, 16).bandwidth == pytest.approx(16 * links.pcie(generation, 1).bandwidth)


def test_a_gibibyte_over_pcie_3():
    assert links.PCIE_3.seconds(2**30, steps=0) == pytest.approx(68.2e-3, abs=5e-5)


@pytest.mark.parametrize(
    ("link", "rate"),
    [
        (links.NVLINK_2, 150),  # half of 300
        (links.NVLINK_3, 300),
        (links.NVLINK_4, 450),
        (links.NVLINK_5, 900),
        (links.ETHERNET_1, 0.125),  # 1 Gbit/s
        (links.ETHERNET_10, 1.25),
        (links.ETHERNET_25, 3.125),
        (links.ETHERNET_100, 12.5),
        (links.ETHERNET_200, 25),
        (links.ETHERNET_400, 50),
        (links.INFINIBAND_EDR, 12.5),
        (links.INFINIBAND_HDR, 25),
        (links.INFINIBAND_NDR, 50),
    ],
    ids=str,
)
def test_bytes_a_second_one_way(link, rate):
    assert link.bandwidth == rate * GB_S


def test_bits_are_an_eighth_of_bytes_and_one_way_is_half_of_both():
    assert links.bytes_per_second(100e9) == 12.5e9
    assert links.one_way(900e9) == 450e9


def test_nvlink_agrees_with_the_gpu_records():
    pairs = {
        links.NVLINK_2: gpus.V100_SXM2_16GB,
        links.NVLINK_3: gpus.A100_SXM4_80GB,
        links.NVLINK_4: gpus.H100_SXM5_80GB,
        links.NVLINK_5: gpus.B200_SXM_180GB,
    }
    for link, gpu in pairs.items():
        assert links.of_gpu(gpu).bandwidth == link.bandwidth == gpu.nvlink / 2


@pytest.mark.parametrize("gpu", gpus.GPUS, ids=str)
def test_every_gpu_has_a_link(gpu):
    link = links.of_gpu(gpu)
    assert link.kind == ("NVLink" if gpu.nvlink else "PCIe")
    assert link.title.startswith("derived: ")
    if gpu.nvlink is None:
        assert link == links.pcie(gpu.pcie)


def test_a_gpu_without_any_link_says_so():
    alone = replace(gpus.T4, pcie=None)
    with pytest.raises(ValueError, match="T4 states neither NVLink nor PCIe"):
        links.of_gpu(alone)


@pytest.mark.parametrize("link", LINKS, ids=str)
def test_every_number_has_a_source(link):
    assert link.title.startswith("derived: ")
    assert link.address.startswith("https://")
    assert link.latency_source.startswith("https://")  # NCCL's model of one step of a ring


def test_names_differ():
    assert len({link.name for link in LINKS}) == len(LINKS)


def test_a_latency_that_nobody_states_counts_as_nothing():
    bare = Link("wire", 1e9)
    assert bare.latency is None
    assert bare.latency_source == ""
    assert bare.seconds(1e9, steps=100) == 1.0
    assert Link("wire", 1e9, 1e-3).seconds(1e9, steps=100) == pytest.approx(1.1)


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("NVLink 3 (A100)", links.NVLINK_3),
        ("nvlink 4", links.NVLINK_4),
        ("b200", links.NVLINK_5),
        ("pcie 4", links.PCIE_4),
        ("hdr", links.INFINIBAND_HDR),
        ("ethernet 1", links.ETHERNET_1),  # not 10 or 100
        ("100 ethernet", links.ETHERNET_100),
    ],
)
def test_find(name, link):
    assert links.find(name) is link


def test_find_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="'infiniband' could mean InfiniBand EDR, InfiniBand HDR"):
        links.find("infiniband")
    with pytest.raises(ValueError, match="unknown link 'infiniband xdr': did you mean InfiniBand"):
        links.find("infiniband xdr")
    for name in ("", "???", "zzzz"):
        with pytest.raises(ValueError, match="links.LINKS lists those that are known"):
            links.find(name)


def test_impossible_links_are_refused():
    with pytest.raises(ValueError, match="PCIe generation must be one of 1, 2, 3, 4, 5, not 6"):
        links.pcie(6)
    with pytest.raises(ValueError, match="PCIe lanes must be one of .*, not 3"):
        links.pcie(3, 3)
    with pytest.raises(ValueError, match="wire: bandwidth must be positive, not 0"):
        Link("wire", 0)
    with pytest.raises(ValueError, match="wire: latency must be at least 0, not -1"):
        Link("wire", 1, -1)
