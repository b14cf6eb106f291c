"""A person finds GPUs, terms and explorers in the sidebar, without a kernel."""

import pytest
from steps import DRAWN, RECORDS, choose_theme, kernels, violations

pytestmark = pytest.mark.e2e


@pytest.fixture
def sidebar(page, lab):
    """Return the sidebar, opened in an empty workspace."""
    page.goto(f"{lab}/lab?reset")
    page.locator('.lm-TabBar-tab[data-id="dlperf-sidebar"]').click()
    return page.locator(".dlp-Sidebar")


def opened(sidebar, title):
    """Open a section and return it."""
    section = sidebar.locator("details", has=sidebar.page.get_by_role("heading", name=title, exact=True))
    if section.get_attribute("open") is None:
        section.locator("summary").click()
    return section


def test_the_table_of_gpus_is_searched_and_shows_peaks_ratios_and_sources(page, lab, sidebar, shot):
    before = kernels(lab)
    gpus = opened(sidebar, "GPUs")
    rows = gpus.locator("tbody tr:not([hidden])")
    assert rows.count() == len(RECORDS["gpus"])
    gpus.get_by_label("Search GPUs").fill("sxm hopper")
    assert gpus.get_by_role("status").inner_text() == f"2 of {len(RECORDS['gpus'])}"
    gpus.get_by_label("Search GPUs").fill("a100 sxm4 80")
    cells = rows.locator("td").all_inner_texts()
    assert cells == ["80 GiB", "2.04 TB/s", "312 TFLOPS", "153"]  # 312 / 2.039 = 153.0
    gpus.get_by_label("Number format").select_option("FP64")
    assert rows.locator("td").all_inner_texts()[2:] == ["19.5 TFLOPS", "10"]  # 19.5 / 2.039 = 9.6
    rows.get_by_role("button").click()
    details = gpus.locator("td[colspan]")
    assert "TF32: 156 TFLOPS (Tensor Cores), 76.5 FLOPS/byte" in details.inner_text()
    assert details.get_by_role("link").first.get_attribute("href").startswith("https://")
    shot(page, "sidebar_gpus")
    assert kernels(lab) == before

    details.get_by_role("button", name="Explore a layer on it").click()
    page.wait_for_selector(DRAWN)
    page.wait_for_function("document.querySelector('.dlp-verdict').textContent.includes('A100 SXM4 80GB')")
    assert page.errors == []


def test_a_term_is_found_in_either_language_and_leads_to_its_explorer(page, sidebar, shot):
    glossary = opened(sidebar, "Glossary")
    search = glossary.get_by_label("Search terms")
    for query in ("运算字节比", "ops:byte ratio"):
        search.fill(query)
        assert glossary.get_by_role("heading", name="ops:byte ratio").is_visible()
    search.fill("wave quantization")
    (term,) = [term for term in RECORDS["terms"] if term["name"] == "wave quantization"]
    item = glossary.get_by_role("listitem").filter(has_text=term["zh"])
    assert term["meaning"] in item.inner_text()
    assert item.get_by_role("link").get_attribute("href") == term["source"]["address"]
    shot(page, "sidebar_glossary")
    search.fill("roofline")
    glossary.get_by_role("button", name="Show in: Layer explorer").first.click()
    page.wait_for_selector(DRAWN)


def test_explorers_open_and_lessons_are_listed_or_said_to_be_missing(page, sidebar):
    lessons = opened(sidebar, "Lessons")
    if RECORDS["lessons"]:
        lessons.get_by_role("button", name=RECORDS["lessons"][0]["title"]).click()
        page.wait_for_selector(".jp-Notebook .jp-Cell")
    else:
        assert "brings no lessons" in lessons.inner_text()
    explorers = opened(sidebar, "Explorers").get_by_role("button")
    assert explorers.all_inner_texts() == [explorer["title"] for explorer in RECORDS["explorers"]]
    explorers.first.click()
    page.wait_for_selector(DRAWN)


def test_it_is_accessible_in_both_themes(page, sidebar, shot):
    for title in ("GPUs", "Glossary"):
        opened(sidebar, title)
    sidebar.locator(".dlp-Reveal").first.click()
    assert violations(page, ".dlp-Sidebar") == []
    choose_theme(page, "JupyterLab Dark")
    shot(page, "sidebar_dark")
    assert violations(page, ".dlp-Sidebar") == []
    choose_theme(page, "JupyterLab Light")
