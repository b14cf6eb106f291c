"""A saved page in a real browser: a picture first, then the explorer, and no server but the page's own."""

import statistics
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace

import pytest
from steps import AXE

import dlperf_widgets as dp
from dlperf_widgets.page import runtime

START = 120_000  # ms: Python starts in 5 s on a quiet machine
MOVES = 15
SLIDER = 'input[type="range"][aria-label="Batch size"]'

# One step of the slider, and how long until the point of the chart stands elsewhere; then a rest.
STEP = """slider => new Promise(done => {
  const place = () => document.querySelector(".dlp-live-dot").getAttribute("transform");
  const before = place();
  const watch = new MutationObserver(() => {
    if (place() === before) return;
    watch.disconnect();
    const took = performance.now() - start;
    setTimeout(() => done(took), 200);
  });
  watch.observe(document.querySelector(".dlp-live"), { subtree: true, attributes: true, childList: true });
  slider.value = Number(slider.value) + 7;
  const start = performance.now();
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with pages, which a server has under ``/some/place``."""
    try:
        runtime.files()
    except OSError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("pages")
    asked = dp.Scenario(dp.layers.Linear(768, 512, 2048), dp.gpus.A100_SXM4_80GB, dp.dtypes.FP16)
    explorer = dp.LayerExplorer(asked)
    explorer.save_html(folder / "some" / "place" / "layer")
    alone = explorer.save_html(folder / "alone", single_file=True)
    lesson = f"<!doctype html><h1>A lesson</h1>{alone.iframe('alone.html', height=300)}<p>goes on"
    (folder / "lesson.html").write_text(lesson, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def site(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def is_live(where):
    where.wait_for_selector("html[data-live]", state="attached", timeout=START)
    assert where.get_attribute("html", "data-live") == "yes", where.inner_text("#dlperf-status")


@pytest.fixture(scope="module")
def live(browser, site):
    """Return a page that was watched from its first picture until it answered."""
    page = browser.new_page(viewport={"width": 1300, "height": 1000}, color_scheme="light")
    page.set_default_timeout(60_000)
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(f"{site}/some/place/layer.html")
    still = page.locator("#dlperf-still .dlperf-chart svg")
    still.wait_for()
    was_live = page.get_attribute("html", "data-live")
    picture, words = still.bounding_box(), page.inner_text("#dlperf-still .dlp-verdict")
    is_live(page)
    seen = {"picture": picture, "words": words, "was_live": was_live}
    yield SimpleNamespace(page=page, site=site, requests=requests, errors=errors, **seen)
    page.close()


def test_the_picture_is_there_before_python_and_the_explorer_takes_its_place(live, shot):
    assert live.was_live is None
    assert live.page.locator("#dlperf-still").count() == 0
    assert live.page.inner_text("#dlperf-explorer .dlp-verdict") == live.words
    chart = live.page.locator("#dlperf-explorer .dlp-live").bounding_box()
    assert chart["y"] == pytest.approx(live.picture["y"], abs=25)
    assert chart["height"] == pytest.approx(live.picture["height"], abs=25)
    marks = "performance.getEntriesByType('mark').map(mark => [mark.name, Math.round(mark.startTime)])"
    times = dict(live.page.evaluate(marks))
    print(times)
    assert times["dlperf-drawn"] < times["dlperf-python"] < times["dlperf-live"]
    shot(live.page, "live-page")


def test_a_slider_moves_the_chart_and_python_answers(live):
    page = live.page
    page.locator(".dlp-button[data-key=undo]:disabled").wait_for()
    before = page.inner_text(".dlp-verdict")
    times = [page.eval_on_selector(SLIDER, STEP) for _ in range(MOVES)]
    print(f"slider to picture: median {statistics.median(times):.0f} ms of {MOVES}")
    page.wait_for_function("was => document.querySelector('.dlp-verdict').textContent !== was", arg=before)
    page.locator(".dlp-button[data-key=reset]").click()
    page.wait_for_function("was => document.querySelector('.dlp-verdict').textContent === was", arg=before)


def test_numbers_and_marks_say_why(live):
    page = live.page
    page.locator(".dlp-readout", has_text="intensity").click()
    page.locator(".dlp-why .dlp-formula", has_text="/").wait_for()
    page.locator(".dlp-live-dot").first.hover()
    page.locator(".dlp-live-tip:visible", has_text="fprop").wait_for()


def test_another_layer_has_other_sizes_and_undo_brings_back_the_first(live):
    page = live.page
    page.locator('select[aria-label="Layer"]').select_option("Conv2d")
    page.locator('input[type="range"][aria-label="Input channels"]').wait_for()
    page.locator(".dlp-button[data-key=undo]:enabled").click()
    page.locator('input[type="range"][aria-label="Inputs"]').wait_for()


def test_both_looks_are_readable(live, shot):
    page = live.page
    page.add_script_tag(path=AXE)
    grounds = []
    for look in ("light", "dark"):
        assert page.get_attribute("html", "data-theme") == look
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        found = page.evaluate("axe.run(document, { runOnly: ['color-contrast'] })")
        assert [node["html"] for each in found["violations"] for node in each["nodes"]] == []
        shot(page, f"live-page-{look}")
        page.locator("#dlperf-theme").click()
    assert grounds[0] != grounds[1]


def test_nothing_was_asked_of_any_other_server(live):
    assert [url for url in live.requests if not url.startswith((f"{live.site}/some/place/", "blob:"))] == []
    assert live.errors == []


def test_from_a_disk_within_a_lesson_it_answers_and_tells_its_height(page, folder):
    page.goto((folder / "lesson.html").as_uri())
    page.locator("iframe").scroll_into_view_if_needed()
    frame = next(each for each in page.frames if each.url.endswith("alone.html"))
    is_live(frame)
    needed = frame.evaluate("document.getElementById('dlperf-page').scrollHeight")
    page.wait_for_function("least => document.querySelector('iframe').clientHeight >= least", arg=needed)
    before = frame.inner_text(".dlp-verdict")
    frame.locator(SLIDER).press("PageDown")
    frame.wait_for_function("was => document.querySelector('.dlp-verdict').textContent !== was", arg=before)


def test_where_python_cannot_run_the_picture_stays_and_says_so(page, site):
    page.route("**/dlperf-live/page-*.js", lambda route: route.abort())
    page.goto(f"{site}/some/place/layer.html")
    page.locator("#dlperf-status", has_text="stays a picture").wait_for()
    page.unroute_all()
    page.add_init_script("delete window.WebAssembly")
    page.reload()
    page.wait_for_selector("html[data-live=no]", state="attached")
    assert "stays a picture" in page.inner_text("#dlperf-status")
    assert "WebAssembly" in page.inner_text("#dlperf-status")
    assert page.locator("#dlperf-still .dlperf-chart svg").is_visible()
