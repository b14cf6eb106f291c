"""A person opens explorers from the launcher, works in them, and comes out of every trouble."""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from conftest import JUPYTERLAB
from steps import (
    DRAWN,
    RECORDS,
    ask,
    card,
    choose_theme,
    close,
    end,
    kernels,
    kill,
    open_panel,
    tab,
    until,
    violations,
    wait_for_batch,
    workspace,
)

pytestmark = pytest.mark.e2e

STATUS = ".dlp-ExplorerPanel .dlp-Status"
ERROR = f"{STATUS}.dlp-mod-error"


def test_open_drag_and_close(page, lab, shot):
    said = []
    page.on("console", lambda message: said.append((message.type, message.text, message.location["url"])))
    before = kernels(lab)
    open_panel(page, lab)
    (own,) = kernels(lab) - before

    verdict = page.locator(".dlp-ExplorerPanel .dlp-verdict")
    assert "Math limited" in verdict.text_content()
    shot(page, "panel")
    slider = page.get_by_label("Batch size", exact=True)
    width, middle = slider.bounding_box()["width"], slider.bounding_box()["height"] / 2
    slider.drag_to(
        slider,
        source_position={"x": 0.5 * width, "y": middle},
        target_position={"x": 0.2 * width, "y": middle},
    )
    page.wait_for_function("document.querySelector('.dlp-verdict').textContent.includes('Memory limited')")

    close(page, "Layer explorer")
    until(lambda: own not in kernels(lab), "the kernel of a closed panel still runs")
    assert page.errors == []
    # JupyterLab itself warns of what takes long, and says what it connects to.
    assert [each for each in said if each[0] == "error" or "dlperf-widgets" in each[2]] == []


def test_every_explorer_has_a_card_a_command_and_a_place_in_the_menu(page, lab):
    page.goto(f"{lab}/lab?reset")
    titles = [explorer["title"] for explorer in RECORDS["explorers"]]
    for explorer in RECORDS["explorers"]:
        assert explorer["caption"] in card(page, explorer["title"]).get_attribute("title")
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.locator(".lm-Menu-item", has_text="New").first.hover()
    page.locator(".lm-Menu-item", has_text="GPU performance").hover()
    listed = page.locator(".lm-Menu").last.locator(".lm-Menu-itemLabel")
    listed.first.wait_for()
    until(lambda: listed.all_inner_texts() == titles, f"the menu lists {listed.all_inner_texts()}")


def test_keys_alone_open_an_explorer_and_move_in_it(page, lab):
    page.goto(f"{lab}/lab?reset")
    card(page, "Layer explorer").wait_for()
    page.keyboard.press("Control+Shift+c")
    page.keyboard.type("Layer explorer")
    page.locator(".lm-CommandPalette-item", has_text="Layer explorer").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_selector(DRAWN)
    slider = page.get_by_label("Batch size", exact=True)
    for _ in range(60):
        page.keyboard.press("Tab")
        if slider.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("ArrowRight")
    wait_for_batch(page, 520)


def test_two_panels_have_two_kernels_and_each_ends_with_its_own(page, lab):
    before = kernels(lab)
    open_panel(page, lab)
    (first,) = kernels(lab) - before
    page.get_by_role("button", name="New Launcher", exact=True).click()
    card(page, "Layer explorer").click()
    until(lambda: len(kernels(lab) - before) == 2, "the second panel has no kernel of its own")
    page.locator(DRAWN).locator("visible=true").first.wait_for()
    tab(page, "Layer explorer").first.locator(".lm-TabBar-tabCloseIcon").click()
    until(lambda: first not in kernels(lab), "the kernel of a closed panel still runs")
    ask(page, 904)
    assert len(kernels(lab) - before) == 1


def test_a_killed_kernel_is_restarted_with_the_scenario(page, lab, shot):
    before = kernels(lab)
    open_panel(page, lab)
    ask(page, 904)
    (own,) = kernels(lab) - before
    kill(own)
    page.locator(ERROR, has_text="The kernel has stopped.").wait_for()
    shot(page, "panel_dead")
    page.get_by_role("button", name="Restart the kernel").click()
    page.wait_for_selector(DRAWN)
    wait_for_batch(page, 904)
    assert page.locator(ERROR).count() == 0
    until(lambda: own not in kernels(lab), "the old kernel is still listed")
    # JupyterLab itself cancels what it had asked of the kernel that is gone.
    assert [error for error in page.errors if "Canceled future" not in error] == []


def test_a_page_that_is_loaded_again_shows_the_same(page, lab):
    before = kernels(lab)
    open_panel(page, lab)
    ask(page, 904)
    until(lambda: "904" in workspace(lab), "the layout forgets the state")
    page.goto(f"{lab}/lab")
    page.wait_for_selector(DRAWN)
    wait_for_batch(page, 904)
    assert len(kernels(lab) - before) == 1, "the page before has left a kernel behind"

    # Without the kernel, as after a restart of the server, the layout alone brings the state back.
    (own,) = kernels(lab) - before
    end(page, own)
    until(lambda: own not in kernels(lab), "the kernel has not ended")
    page.goto(f"{lab}/lab")
    page.wait_for_selector(DRAWN)
    wait_for_batch(page, 904)
    assert page.errors == []


def test_without_a_widget_manager_it_says_so(page, lab, shot):
    page.route("**/@jupyter-widgets/jupyterlab-manager/**", lambda route: route.abort())
    page.goto(f"{lab}/lab?reset")
    card(page, "Layer explorer").click()
    error = page.locator(ERROR, has_text="widget manager does not answer")
    error.wait_for()
    assert "pip install --upgrade jupyterlab_widgets" in error.text_content()
    shot(page, "panel_without_widgets")


def test_it_is_accessible_in_both_themes(page, lab, shot):
    open_panel(page, lab)
    assert violations(page, ".dlp-ExplorerPanel") == []
    choose_theme(page, "JupyterLab Dark")
    shot(page, "panel_dark")
    assert violations(page, ".dlp-ExplorerPanel") == []
    choose_theme(page, "JupyterLab Light")


def kernelspec(folder, name, argv, **more):
    """Add a kernel to the ones that a server in a folder knows."""
    spec = folder / "data" / "kernels" / name / "kernel.json"
    spec.parent.mkdir(parents=True)
    launch = {"argv": [*argv, "-f", "{connection_file}"], "display_name": name, "language": "python"}
    spec.write_text(json.dumps({**launch, **more}))


@pytest.fixture(scope="module")
def odd_lab(tmp_path_factory, serve):
    """Return the address of a JupyterLab with kernels of which something is wrong.

    The default one has ipykernel, but not this package; another has it in a version of its own.
    """
    folder = tmp_path_factory.mktemp("odd")
    # Python without its site module, on a folder with everything that is installed but this package.
    installed = folder / "installed"
    installed.mkdir()
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if not each.name.startswith("dlperf_widgets"):
            (installed / each.name).symlink_to(each)
    python, path = [sys.executable, "-S"], {"PYTHONPATH": str(installed)}
    imports = [*python, "-c", "import ipykernel, dlperf_widgets"]
    done = subprocess.run(imports, env=path, cwd=folder, capture_output=True, text=True)
    assert "No module named 'dlperf_widgets'" in done.stderr
    kernelspec(folder, "bare", [*python, "-m", "ipykernel_launcher"], env=path)
    old = "import dlperf_widgets, ipykernel.kernelapp as app; dlperf_widgets.__version__ = '0.0.1'"
    kernelspec(folder, "other", [sys.executable, "-c", f"{old}; app.launch_new_instance()"])
    return serve(folder, *JUPYTERLAB, "--MultiKernelManager.default_kernel_name=bare")


def test_a_kernel_without_the_package_says_what_to_do(page, odd_lab, shot):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{odd_lab}/lab?reset")
    card(page, "Layer explorer").click()
    error = page.locator(ERROR, has_text="dlperf_widgets is not installed in this kernel.")
    error.wait_for()
    assert "ModuleNotFoundError: No module named 'dlperf_widgets'" in error.text_content()
    shot(page, "panel_without_package")
    assert violations(page, ".dlp-ExplorerPanel") == []
    error.get_by_role("button", name="Copy").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "pip install --upgrade dlperf_widgets"

    error.get_by_role("combobox").select_option("other")
    page.wait_for_selector(DRAWN)
    notice = page.locator(".dlp-Notice")
    assert f"version {RECORDS['version']}, but the kernel has dlperf_widgets 0.0.1" in notice.inner_text()
    assert f"pip install dlperf_widgets=={RECORDS['version']}" in notice.inner_text()
    shot(page, "panel_other_version")
    notice.get_by_role("button", name="Dismiss").click()
    notice.wait_for(state="detached")
