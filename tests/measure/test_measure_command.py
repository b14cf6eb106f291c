"""``dlperf measure`` measures, says what, keeps it, and refuses nonsense in a sentence."""

import pytest

from dlperf_widgets.__main__ import main

pytest.importorskip("torch")

from dlperf_widgets.measure import load, session  # noqa: E402

QUICK = ["--device", "cpu", "--seconds", "0.003"]


def test_sizes_are_combined(capsys):
    assert main(["measure", "linear", "batch=4,8", "inputs=16", "bias=False", "outputs=8", *QUICK]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("There is no record of ") and "A100 SXM4 80GB" in first
    assert [line.partition(")")[0] for line in lines] == [
        f"Linear(batch={batch}, inputs=16, outputs=8, bias=False" for batch in (4, 8)
    ]
    assert all("readings, warm)" in line and "predicted" not in line for line in lines)


def test_the_quick_suite_fills_a_file_and_is_not_measured_again(tmp_path, capsys):
    out = tmp_path / "measured.jsonl"
    command = ["measure", "--suite", "guide", "--quick", "--gpu", "t4", "--out", str(out), *QUICK]
    assert main(command) == 0
    many = len(load(out).measurements)
    text = capsys.readouterr().out
    assert f"{many} of {many} measured now" in text
    assert "INT8: skipped: torch has no INT8 Lstm" in text
    assert main(command) == 0
    assert f"0 of {many} measured now" in capsys.readouterr().out


def test_an_interruption_says_how_to_go_on(tmp_path, capsys, monkeypatch):
    def interrupt(asked, device):
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "work", interrupt)
    out = str(tmp_path / "measured.jsonl")
    assert main(["measure", "Softmax", "rows=8", "--out", out, *QUICK]) == 130
    assert "the same command goes on" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name a layer, such as"),
        (["Liner"], "unknown layer 'Liner'"),
        (["Linear", "bach=3"], "'bach=3' is not field=value: Linear has batch, inputs, outputs, bias"),
        (["Linear", "batch"], "'batch' is not field=value"),
        (["Linear", "batch=0"], "Linear batch must be between 1"),
        (["Linear", "--suite", "guide"], "leave out Linear"),
        (["Linear", "--gpu", "voodoo"], "voodoo"),
        (["Linear", "--dtype", "FP99"], "FP99"),
    ],
)
def test_nonsense(capsys, arguments, words):
    assert main(["measure", *arguments, *QUICK]) == 2
    assert words in capsys.readouterr().err
