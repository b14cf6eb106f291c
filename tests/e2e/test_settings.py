"""What a person chooses in the settings holds at once, and a page in Chinese speaks Chinese."""

import json
import urllib.request
from pathlib import Path

import pytest
from conftest import JUPYTERLAB
from steps import DRAWN, RECORDS, ask, card, open_panel, tab, until

pytestmark = pytest.mark.e2e

CATALOGUE = Path(__file__).parents[2] / "dlperf_widgets/locale/zh_CN/LC_MESSAGES/dlperf_widgets.json"


@pytest.fixture(scope="module")
def settings_lab(tmp_path_factory, serve):
    """Return the address of a JupyterLab whose settings may be changed."""
    return serve(tmp_path_factory.mktemp("settings"), *JUPYTERLAB)


def setting(page, name):
    """Return the field of a setting, in the settings editor."""
    if tab(page, "Settings").count() == 0:
        page.keyboard.press("Control+,")
        page.locator(".jp-PluginList input[type=search]").fill("GPU performance")
    else:
        tab(page, "Settings").click()
    return page.locator(f'[id="jp-SettingsEditor-dlperf-widgets:settings_{name}"]')


def saved(address):
    """Return the settings that the server keeps, as text."""
    with urllib.request.urlopen(f"{address}/lab/api/settings/dlperf-widgets:settings") as reply:
        return json.load(reply)["raw"]


def says(page, text):
    page.wait_for_function(
        "text => [...document.querySelectorAll('.dlp-verdict')].some(v => v.textContent.includes(text))",
        arg=text,
    )


def test_choices_hold_at_once_for_what_nobody_has_touched(page, settings_lab, shot):
    open_panel(page, settings_lab)
    says(page, "V100 SXM2 16GB needs in FP16")
    setting(page, "gpu").select_option("A100 SXM4 80GB")
    setting(page, "dtype").select_option("BF16")
    shot(page, "settings")
    tab(page, "Layer explorer").click()
    says(page, "A100 SXM4 80GB needs in BF16")
    ask(page, 904)
    setting(page, "gpu").select_option("T4")
    setting(page, "dtype").select_option("")
    page.get_by_role("button", name="New Launcher", exact=True).click()
    card(page, "Layer explorer").click()
    says(page, "T4 needs in FP16")
    says(page, "A100 SXM4 80GB needs in BF16")  # what was touched stays
    assert page.errors == []


def test_teaching_mode_and_units_change_live(page, settings_lab, shot):
    open_panel(page, settings_lab)
    page.locator('.lm-TabBar-tab[data-id="dlperf-sidebar"]').click()
    page.get_by_role("heading", name="GPUs", exact=True).click()
    row = page.locator(".dlp-Sidebar tbody tr", has_text="T4").first
    assert "16 GiB" in row.inner_text()
    setting(page, "units").select_option("GB")
    until(lambda: "17.2 GB" in row.inner_text(), "the unit stays")  # 16 x 1.073741824
    setting(page, "teaching").check()
    tab(page, "Layer explorer").click()
    note = page.get_by_role("note", name="About this explorer")
    assert RECORDS["explorers"][0]["caption"] in note.inner_text()
    shot(page, "teaching")
    note.get_by_role("button", name="ridge point").click()
    page.wait_for_function("document.activeElement.textContent.includes('The corner of a roofline')")
    setting(page, "teaching").uncheck()
    note.wait_for(state="detached")
    assert page.errors == []


def test_a_kernel_that_is_not_there_says_so_and_another_can_be_chosen(page, settings_lab, shot):
    page.goto(f"{settings_lab}/lab?reset")
    card(page, "Layer explorer").wait_for()
    setting(page, "kernel").fill("fortran")
    until(lambda: "fortran" in saved(settings_lab), "the setting is not saved")
    page.get_by_role("button", name="New Launcher", exact=True).click()
    card(page, "Layer explorer").locator("visible=true").click()
    error = page.locator(".dlp-Status.dlp-mod-error", has_text='The kernel "fortran" could not be started.')
    error.wait_for()
    shot(page, "no_kernel")
    error.get_by_role("combobox").select_option("python3")
    page.wait_for_selector(DRAWN)
    setting(page, "kernel").fill("")
    assert page.errors == []


@pytest.fixture(scope="module")
def chinese_lab(tmp_path_factory, serve):
    """Return the address of a JupyterLab that is set to Chinese."""
    folder = tmp_path_factory.mktemp("chinese")
    locale = folder / "settings" / "@jupyterlab" / "translation-extension" / "plugin.jupyterlab-settings"
    locale.parent.mkdir(parents=True)
    locale.write_text(json.dumps({"locale": "zh_CN"}))
    return serve(folder, *JUPYTERLAB)


def test_a_page_in_chinese_speaks_chinese(page, chinese_lab, shot):
    # The server merges the catalogue into the language pack; without a pack, this stands for both.
    pack = {"data": {"dlperf_widgets": json.loads(CATALOGUE.read_text(encoding="utf-8"))}, "message": ""}
    page.route("**/lab/api/translations/zh_CN*", lambda route: route.fulfill(json=pack))
    page.goto(f"{chinese_lab}/lab?reset")
    section = page.locator(".jp-Launcher-section", has_text="GPU 性能")
    section.locator(".jp-LauncherCard", has_text="层探索器").click()
    page.wait_for_selector(DRAWN)
    assert page.get_by_role("button", name="复制为 Python").is_visible()
    page.locator('.lm-TabBar-tab[data-id="dlperf-sidebar"]').click()
    page.get_by_role("heading", name="术语表").click()
    term = page.get_by_role("listitem").filter(has_text="波量化").first
    assert "wave quantization" in term.inner_text() and "不是 GPU 并行数的整数倍" in term.inner_text()
    shot(page, "chinese")
    assert page.errors == []
