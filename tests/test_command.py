"""The ``dlperf`` command says what the library says, and refuses nonsense in a sentence."""

import socket

import pytest

from dlperf_widgets.__main__ import main
from dlperf_widgets.gpus import GPUS


def test_gpus_lists_every_one(capsys):
    assert main(["gpus"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(GPUS)
    assert any(line.startswith("A100 SXM4 80GB") and "312 TFLOPS" in line for line in lines)


def test_one_gpu_with_its_sources(capsys):
    assert main(["gpus", "v100"]) == 0
    out = capsys.readouterr().out
    assert "V100 SXM2 16GB" in out
    assert "https://" in out


def test_estimate(capsys):
    assert main(["estimate", "512", "1024", "4096"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Math limited: 315 FLOPS/byte against 139 that V100 SXM2 16GB needs in FP16.")
    assert "64 tiles of 256 x 128" in out


def test_estimate_of_a_training_step_has_three_parts(capsys):
    assert main(["estimate", "512", "1024", "4096", "--training", "--gpu", "a100"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{phase} on A100" in out for phase in ("fprop", "dgrad", "wgrad"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["estimate", "0", "1024", "4096"], "Linear batch must be between 1"),
        (["estimate", "512", "1024", "4096", "--gpu", "voodoo"], "voodoo"),
        (["estimate", "512", "1024", "4096", "--dtype", "FP99"], "unknown number format 'FP99'"),
        (["estimate", "512", "1024", "4096", "--dtype", "int8"], "V100 SXM2 16GB has no INT8"),
        (["gpus", "a100 pcie"], "A100 PCIe 40GB"),
    ],
)
def test_nonsense(capsys, arguments, words):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("dlperf: ") and words in error


def test_a_taken_port_says_what_to_do(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["lab", "--port", str(port), "--no-browser"]) == 2
    assert f"port {port} is taken" in capsys.readouterr().err
