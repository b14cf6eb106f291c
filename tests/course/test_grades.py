"""Tries are counted, grades are plain data, and files bring them back."""

import json

import pytest

from dlperf_widgets import course


@pytest.fixture(autouse=True)
def fresh():
    course.reset()
    yield
    course.reset()


def row(key):
    return next(each for each in course.grades() if each["exercise"] == key)


def test_a_new_session_has_every_exercise_untried():
    grades = course.grades()
    assert len(grades) == sum(len(lesson.exercises) for lesson in course.LESSONS) + 1  # the capstone's budget
    assert all(each["tries"] == 0 and not each["right"] for each in grades)
    assert grades[-1]["exercise"] == "capstone.budget"


def test_tries_count_until_it_is_right_and_no_answer_is_none():
    course.check("intensity.relu", ...)
    course.check("intensity.relu", "what?")
    assert row("intensity.relu")["tries"] == 0
    assert not course.check("intensity.relu", 3).right
    assert course.check("intensity.relu", 0.25).right
    course.check("intensity.relu", 7)  # playing on changes nothing
    assert row("intensity.relu") == {
        "lesson": "02_intensity_by_hand", "exercise": "intensity.relu", "tries": 2, "right": True,
    }  # fmt: skip


def test_the_answer_is_there_after_three_tries_only():
    for _ in range(2):
        assert "reveal" not in course.check("waves.count", 77).message
    with pytest.raises(ValueError, match="try 3 times first"):
        course.reveal("waves.count")
    assert "course.reveal('waves.count')" in course.check("waves.count", 77).message
    assert course.reveal("waves.count") == "2"
    assert not row("waves.count")["right"]


def test_a_revealed_answer_has_its_unit():
    for _ in range(3):
        course.check("limits.ratio", 1)
    assert course.reveal("limits.ratio") == "153.016 FLOPS/byte"


def test_saved_and_loaded(tmp_path):
    course.check("intensity.relu", 0.25)
    course.check("waves.count", 1)
    path = course.save(tmp_path / "ada.json", "Ada")
    before = list(course.grades())
    course.reset()
    course.check("limits.one", "memory")  # of somebody else, at the same machine
    assert list(course.load(path)) == before
    assert json.loads(path.read_text())["name"] == "Ada"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 9, "grades": []}', '{"version": 1, "grades": [3]}']
)
def test_other_files_are_refused_and_change_nothing(tmp_path, text):
    course.check("intensity.relu", 0.25)
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(ValueError, match="no grades can be read"):
        course.load(tmp_path / "bad.json")
    assert row("intensity.relu")["right"]


def test_an_exercise_that_is_no_more_is_left_out(tmp_path):
    rows = [{"lesson": "x", "exercise": "gone", "tries": 1, "right": True}]
    (tmp_path / "old.json").write_text(json.dumps({"version": 1, "name": "", "grades": rows}))
    assert course.load(tmp_path / "old.json").right == 0


def test_a_class_is_collected_into_one_table(tmp_path):
    course.check("intensity.relu", 0.25)
    files = [course.save(tmp_path / "a.json", "Ada"), course.save(tmp_path / "b.json")]
    rows = course.collect(files)
    assert {each["name"] for each in rows} == {"Ada", "b"}
    assert sum(each["right"] for each in rows) == 2


def test_a_file_that_is_no_ones_grades_is_refused_in_a_class_too(tmp_path):
    (tmp_path / "bad.json").write_text('{"version": 1, "grades": [{"exercise": "intensity.relu"}]}')
    with pytest.raises(ValueError, match="no grades can be read"):
        course.collect([tmp_path / "bad.json"])


def test_a_table_for_the_eye_and_one_for_pandas():
    course.check("intensity.relu", 0.25)
    grades = course.grades()
    page = grades._repr_html_()
    assert f"1 of {len(grades)} right" in page and page.count("✓") == 1
    assert "<td>02_intensity_by_hand</td><td>1</td><td>1 / 5</td>" in page
    assert page.count("<td>16_capstone</td>") == 1 + 3  # the lesson, and each of its exercises
    assert repr(grades).startswith("Grades(1 right of")
    pandas = pytest.importorskip("pandas")
    frame = grades.to_dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["lesson", "exercise", "tries", "right"] and frame["right"].sum() == 1
    assert len(grades[:3]) == 3 and grades[:3].right == 0
