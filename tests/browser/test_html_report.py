"""The HTML report as a browser shows it."""

import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

from pytest_bayesf1 import ConfusionMatrix, compare
from pytest_bayesf1.reports.files import write_report
from pytest_bayesf1.reports.report import Report
from tests.unit.results import entry

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
HOSTILE = "<script>alert(1)</script> \"quoted\" | 'x' & \u202eabc"


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs Chromium for this test")
        pytest.skip("needs Chromium")
    labels = [HOSTILE, "ham", "spam"]
    baseline = ConfusionMatrix([[50, 5, 5], [4, 60, 6], [3, 2, 70]], labels)
    candidate = ConfusionMatrix([[20, 25, 15], [14, 50, 6], [3, 2, 70]], labels)
    entries = [
        entry(
            compare(*pair, rope=0.01, measure=measure, n_draws=2_000),
            verdict,
            test=f"test_{verdict}.py::test[{HOSTILE}]",
            advice="x",
        )
        for verdict, measure, pair in (
            ("failed", "f1_macro", (baseline, candidate)),
            ("passed", f"f1[{HOSTILE}]", (candidate, baseline)),
        )
    ]
    path = write_report(Report.of(entries), tmp_path_factory.mktemp("report"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.messages, page.requests = [], []
        page.on("console", lambda message: page.messages.append(message.text))
        page.on("pageerror", lambda error: page.messages.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(path.as_uri())
        yield page
        browser.close()


@pytest.fixture
def page(opened):
    opened.set_viewport_size({"width": 1000, "height": 800})
    return opened


def test_asks_for_nothing_beside_itself(page):
    assert len(page.requests) == 1
    assert page.messages == []


def test_shows_hostile_names_as_text(page):
    assert page.locator("script").count() == 0
    assert HOSTILE in page.locator("table.overview").text_content()


def test_has_one_figure_for_each_comparison_with_a_text_alternative(page):
    figures = page.locator("article figure[role=img]")
    assert figures.count() == 2
    assert "significantly worse" in figures.first.get_attribute("aria-label")
    assert all(figures.nth(i).locator("svg").bounding_box()["width"] > 300 for i in range(2))


def test_failures_come_first(page):
    assert page.locator("article").first.get_attribute("class") == "failed"


def test_nothing_is_wider_than_a_telephone(page):
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
