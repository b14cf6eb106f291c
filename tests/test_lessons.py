"""``dlperf lessons`` copies the course, and never writes over a learner's work without being told to."""

from pathlib import Path

import pytest

from dlperf_widgets import lessons
from dlperf_widgets.__main__ import main

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
NAMES = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))


@pytest.fixture
def nobody(monkeypatch):
    """Nobody is there to be asked, and asking would hang."""
    monkeypatch.setattr("builtins.input", lambda _: pytest.fail("asked"))


@pytest.fixture
def somebody(monkeypatch):
    """Return a list of answers that somebody at a terminal gives, in turn."""
    answers = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: answers.pop(0))
    return answers


def changed(folder, name="03_linear_layers.ipynb"):
    main(["lessons", str(folder)])
    (folder / name).write_text("my answers")
    return folder / name


def test_all_lessons_are_copied_into_a_new_folder(tmp_path, nobody, capsys):
    assert main(["lessons", str(tmp_path / "a" / "course")]) == 0
    out = capsys.readouterr().out
    assert out.count("wrote ") == len(NAMES) == 17
    assert out.endswith("course/00_start.ipynb\n")
    for name in NAMES:
        assert (tmp_path / "a" / "course" / name).read_bytes() == (NOTEBOOKS / name).read_bytes()


def test_what_is_there_already_is_said_to_be(tmp_path, nobody, capsys):
    main(["lessons", str(tmp_path)])
    capsys.readouterr()
    assert main(["lessons", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.count("it is there already") == 17 and "wrote" not in out and "--force" not in out


def test_a_learners_work_is_left_alone_where_nobody_can_be_asked(tmp_path, nobody, capsys):
    mine = changed(tmp_path)
    capsys.readouterr()
    assert main(["lessons", str(tmp_path)]) == 0
    assert mine.read_text() == "my answers"
    out = capsys.readouterr().out
    assert f"skipped {mine}: a changed file of that name is there" in out and "--force overwrites" in out


@pytest.mark.parametrize(("answer", "kept"), [("", True), ("n", True), ("yes", False), ("Y", False)])
def test_somebody_is_asked(tmp_path, somebody, answer, kept):
    mine = changed(tmp_path)
    somebody.append(answer)
    main(["lessons", str(tmp_path)])
    assert (mine.read_text() == "my answers") is kept and somebody == []


def test_force_does_not_ask(tmp_path, nobody, capsys):
    mine = changed(tmp_path)
    capsys.readouterr()
    main(["lessons", str(tmp_path), "--force"])
    assert mine.read_bytes() == (NOTEBOOKS / mine.name).read_bytes()
    assert capsys.readouterr().out.count("wrote ") == 1


def test_by_itself_a_copy_overwrites_nothing(tmp_path):
    (tmp_path / NAMES[0]).write_text("my answers")
    copied = lessons.copy(tmp_path)
    assert [path.name for path, _ in copied.skipped] == NAMES[:1] and len(copied.written) == 16
    assert (tmp_path / NAMES[0]).read_text() == "my answers"


def test_a_folder_in_the_way_is_no_file(tmp_path, nobody, capsys):
    (tmp_path / NAMES[4]).mkdir()
    assert main(["lessons", str(tmp_path), "--force"]) == 0
    assert "a folder of that name is there" in capsys.readouterr().out


def test_a_file_is_no_folder(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["lessons", str(tmp_path / "file")]) == 2
    assert "is no folder" in capsys.readouterr().err


def test_an_unknown_language(tmp_path, capsys):
    assert main(["lessons", str(tmp_path / "x"), "--language", "fr"]) == 2
    assert "choose from en, zh_CN" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_another_language_has_the_same_names_or_says_that_it_is_not_there(tmp_path, capsys):
    if (NOTEBOOKS / "zh").exists():
        assert main(["lessons", str(tmp_path), "--language", "zh_CN"]) == 0
        assert sorted(path.name for path in tmp_path.iterdir()) == NAMES
    else:
        assert main(["lessons", str(tmp_path), "--language", "zh_CN"]) == 2
        assert "no lessons in 'zh_CN'" in capsys.readouterr().err


def test_a_wheel_has_them_beside_the_module(tmp_path, monkeypatch):
    (tmp_path / "00_start.ipynb").write_text("{}")
    (tmp_path / "zh").mkdir()
    (tmp_path / "zh" / "00_start.ipynb").write_text("{}")
    monkeypatch.setattr(lessons, "_HERE", tmp_path)
    assert lessons.files() == (tmp_path / "00_start.ipynb",)
    assert lessons.files("zh_CN") == (tmp_path / "zh" / "00_start.ipynb",)
