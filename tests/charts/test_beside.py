"""Words beside points: none lies on another, and one without room is left out."""

from dlperf_widgets.charts import Axis, Chart, Points
from dlperf_widgets.charts.beside import sides
from dlperf_widgets.charts.roles import Role
from dlperf_widgets.charts.shapes import Text, lower


def chart(*places, words=None, own=()):
    x, y = zip(*places, strict=True)
    labels = words or ("A100 FP16",) * len(places)
    points = Points("points", Role.PREDICTED, x, y, labels=labels, sides=own)
    return Chart("Places", Axis("Here", "", (0, 100)), Axis("There", "", (0, 100)), (points,), "Points.")


def chosen(picture):
    return sides(picture.marks[0], picture)


def test_words_far_apart_stand_where_they_want_to():
    assert chosen(chart((20, 20), (80, 80))) == ("above", "above")
    assert chosen(chart((20, 20), (80, 80), own=("left", "right"), words=("a", "b"))) == ("left", "right")


def test_words_of_points_in_one_place_go_to_its_sides():
    first, second, third = chosen(chart((50, 50), (50, 50), (50, 50)))
    assert first == "above" and len({first, second, third}) == 3 and second and third


def test_a_word_without_room_is_left_out_but_its_point_is_not():
    picture = chart(*[(50, 50)] * 9)
    assert "" in chosen(picture)
    shapes = lower(picture)
    assert len(shapes["points"].x) == 9
    assert sum(len(shape.text) for shape in shapes.values() if isinstance(shape, Text)) < 9


def test_a_word_at_the_edge_stands_inside():
    assert chosen(chart((100, 50), words=("a long name of a GPU",))) == ("left",)
