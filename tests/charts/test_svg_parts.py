"""SVG that is small, says what its marks mean, and stands alone with words around it."""

import re
import xml.etree.ElementTree as ET

import pytest

from dlperf_widgets.charts import Area, Axis, Chart, Line, Points, Role, Spans, svg
from dlperf_widgets.charts.poster import name, pictures, poster
from dlperf_widgets.charts.svg_path import outline

X, Y = Axis("size", "", (0, 10)), Axis("time", "s", (0, 10))
MARKS = (
    Spans("math limited", Role.MATH, 2, 8),
    Area("waste", Role.WASTE, (0, 10), (0, 0), (5, 5)),
    Line("floor", Role.GUIDE, (0, 10), (1, 1)),
    Points("none", Role.MATH, (), ()),
    Points("now", Role.CURRENT, (5,), (5,), notes=("a",)),
)
CHART = Chart("a", X, Y, MARKS, "A < B.")
SVG = "{http://www.w3.org/2000/svg}"


def walked(path):
    """Return the places that a path in steps leads to."""
    found, (x, y) = [], (0.0, 0.0)
    for step, numbers in re.findall(r"([Mhvlz])([^Mhvlz]*)", path):
        values = [float(each) for each in numbers.split()]
        match step:
            case "M":
                x, y = values
            case "h":
                x += values[0]
            case "v":
                y += values[0]
            case "l":
                x, y = x + values[0], y + values[1]
            case "z":
                continue
        found.append((round(x, 1), round(y, 1)))
    return found


@pytest.mark.parametrize(
    "places",
    [
        [(0, 0), (10.5, 0), (10.5, 3.2), (7.25, 4)],
        [(1.1, 2.2), (-3.3, -4.4), (0.1, -0.1), (0.4, 0.9)],
        [(100000.1, 0), (0, 123456.7)],
    ],
)
def test_an_outline_leads_through_the_places(places):
    for (x, y), (to_x, to_y) in zip(walked(outline(places)), places, strict=True):
        assert (x, y) == (pytest.approx(to_x, abs=0.051), pytest.approx(to_y, abs=0.051))


def test_what_lies_on_the_way_is_left_out_and_a_turn_is_not():
    assert outline([(0, 0), (1, 0), (1, 0), (4, 0), (4, 2), (4, 5)]) == "M0 0h4v5"
    assert outline([(0, 0), (4, 0), (1, 0)]) == "M0 0h4h-3"
    assert outline([(0, 0), (1, 1), (2, 2)]) == "M0 0l1 1l1 1"
    assert outline([(0.5, -0.5), (0.5, 0)], closed=True) == "M.5 -.5v.5z"
    assert outline([]) == ""


def test_a_key_names_every_mark_that_does_not_name_itself():
    plain, keyed = ET.fromstring(svg(CHART)), ET.fromstring(svg(CHART, keyed=True))
    texts = [text.text for text in keyed.iter(f"{SVG}text")]
    assert texts[-3:] == ["waste", "floor", "now"]
    assert texts[:-3] == [text.text for text in plain.iter(f"{SVG}text")]
    assert [each.get("viewBox") for each in (plain, keyed)] == ["0 0 760 475", "0 0 760 495"]


def test_a_long_key_takes_more_rows_and_leaves_none_outside():
    marks = tuple(Line(f"a line with a long name {i}", Role.MATH, (0, 1), (0, 1)) for i in range(7))
    picture = ET.fromstring(svg(Chart("a", X, Y, marks, "a"), keyed=True))
    assert picture.get("viewBox") == "0 0 760 535"  # three rows
    places = [group.get("transform") for group in picture.iter(f"{SVG}g")][-7:]
    across = [float(re.search(r"\(([\d.]+)", place)[1]) for place in places]
    assert max(across) + 34 + 6.8 * 25 < 760 - 64


def test_long_names_beside_an_axis_get_the_room_they_need():
    names = Axis("format", "", (0, 2), places=(0, 1), names=("FP8 E5M2", "a name of sixteen"))
    picture = ET.fromstring(svg(Chart("a", X, names, (), "a")))
    label = next(text for text in picture.iter(f"{SVG}text") if text.text == "a name of sixteen")
    assert float(label.get("x")) - 6.2 * 17 > 15  # the axis's title stands there


def test_a_poster_stacks_words_pictures_and_numbers():
    made = poster(["Math limited " * 12, "Second."], [svg(CHART), svg(CHART, height=200)], ["one · <two>"])
    root = ET.fromstring(made)
    inner = root.findall(f"{SVG}svg")
    tops = [float(each.get("y")) for each in inner]
    lines = root.findall(f"{SVG}text")
    assert [line.get("font-weight") for line in lines] == ["bold", "bold", "bold", None]
    assert float(lines[2].get("y")) < tops[0] and tops[0] + 475 <= tops[1]
    assert tops[1] + 200 < float(lines[3].get("y")) < float(root.get("height"))
    assert lines[3].text == "one · <two>"


def test_pictures_are_found_in_a_page_with_their_names():
    page = f'<div><svg width="0" height="0"><defs/></svg>{svg(CHART)}<p>a</p>{svg(CHART)}</div>'
    assert pictures(page) == [svg(CHART)] * 2
    assert name(svg(CHART)) == "A < B."
    assert name("<svg/>") == ""
