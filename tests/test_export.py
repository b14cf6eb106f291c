"""What the front end takes from Python is what Python says now."""

import json

import pytest

from dlperf_widgets import export, gpus
from dlperf_widgets.__main__ import main
from dlperf_widgets.apps import APPS
from dlperf_widgets.cost import Scenario
from dlperf_widgets.glossary import TERMS

WRITTEN = export.files()


@pytest.mark.parametrize("path", WRITTEN, ids=str)
def test_the_files_are_up_to_date(path):
    assert (export.ROOT / path).read_text(encoding="utf-8") == WRITTEN[path], (
        "run: python -m dlperf_widgets export"
    )


def test_every_explorer_gpu_and_term_is_there():
    records = json.loads(WRITTEN[export.RECORDS])
    assert [explorer["slug"] for explorer in records["explorers"]] == [app.slug for app in APPS]
    assert [gpu["name"] for gpu in records["gpus"]] == [gpu.name for gpu in gpus.GPUS]
    assert [term["name"] for term in records["terms"]] == [term.name for term in TERMS]


def test_a_gpu_has_its_dense_peaks_and_ratios():
    records = json.loads(WRITTEN[export.RECORDS])
    (a100,) = [gpu for gpu in records["gpus"] if gpu["name"] == "A100 SXM4 80GB"]
    assert a100["peaks"]["FP16"] == 312e12  # not the sparse 624
    assert a100["ratios"]["FP16"] == 153.0  # 312e12 / 2039e9 = 153.02
    assert "FP32" not in a100["tensor"] and a100["peaks"]["FP32"] == 19.5e12
    assert all(source["title"] for source in a100["sources"])


def test_the_settings_offer_what_there_is_and_nothing_else():
    schema = json.loads(WRITTEN[export.SETTINGS])
    assert schema["additionalProperties"] is False
    assert schema["properties"]["gpu"]["enum"] == ["", *(gpu.name for gpu in gpus.GPUS)]
    for setting in schema["properties"].values():
        assert setting["title"] and setting["description"].endswith(".")
        assert setting["default"] in setting.get("enum", [setting["default"]])


def test_every_explorers_state_keeps_to_the_schema_of_scenario_files():
    jsonschema = pytest.importorskip("jsonschema", reason="comes with JupyterLab")
    schema = json.loads(WRITTEN[export.FILE_SCHEMA])
    jsonschema.Draft202012Validator.check_schema(schema)
    for app in APPS:
        state = json.loads(app().state)
        jsonschema.validate(state, schema)
        with pytest.raises(jsonschema.ValidationError, match="also"):
            jsonschema.validate({**state, "also": 1}, schema)
        with pytest.raises(jsonschema.ValidationError, match="gpu"):
            jsonschema.validate({**state, "scenario": {"version": 1, "layer": {"type": "Linear"}}}, schema)
    assert set(schema["properties"]["scenario"]["properties"]) >= {f for f in Scenario.__dataclass_fields__}


def test_the_command_writes_only_what_has_changed(tmp_path, monkeypatch, capsys):
    (tmp_path / "js" / "src").mkdir(parents=True)
    for path in (export.SETTINGS, "js/package.json"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text((export.ROOT / path).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "dlperf_widgets").mkdir()
    monkeypatch.setattr(export, "ROOT", tmp_path)
    assert main(["export"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "wrote js/src/generated.json",
        "wrote dlperf_widgets/scenario.schema.json",
    ]
    assert main(["export"]) == 0
    assert capsys.readouterr().out == ""


def test_outside_a_checkout_the_command_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(export, "ROOT", tmp_path)
    assert main(["export"]) == 2
    assert "is no checkout" in capsys.readouterr().err
