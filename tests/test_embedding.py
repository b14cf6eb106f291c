"""What explorers ask of a place that shows them: of Colab, VS Code and others that load widgets from afar."""

import pytest
from ipywidgets import Widget
from ipywidgets.embed import embed_data

import dlperf_widgets as dp
from dlperf_widgets.apps import APPS

# ipywidgets' own, which every place that shows widgets has, and anywidget, whose code comes from Python.
EVERYWHERE = {"@jupyter-widgets/base", "@jupyter-widgets/controls", "anywidget"}


@pytest.fixture
def drawn_as_svg():
    Widget.close_all()  # what is embedded is every widget that there is
    dp.set_renderer("svg")
    yield
    dp.set_renderer("auto")


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_with_svg_charts_no_place_needs_a_package_of_its_own(drawn_as_svg, app):
    explorer = app()
    models = embed_data(views=[explorer])["manager_state"]["state"].values()
    assert {model["model_module"] for model in models} == EVERYWHERE
    explorer.close()
