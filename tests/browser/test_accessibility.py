"""The HTML report for those who do not see it, or who use no mouse."""

import pytest

from pytest_bayesf1.reports.html import sheet
from pytest_bayesf1.reports.sheets import history_blocks, ranking_blocks
from pytest_bayesf1.systems import rank
from tests.browser.states import LARGE, STATES
from tests.node import FOLDER, node_command
from tests.unit.ranked import systems
from tests.unit.reports.test_sheets import FIRST, WORSE, history

pytestmark = pytest.mark.long

LAY_OUT_ALL = "document.styleSheets[0].insertRule('article { content-visibility: visible !important }', 0)"
AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture
def violations():
    node_command("")  # skips, or fails in CI, where axe-core is not installed

    def violations(page):
        page.evaluate(LAY_OUT_ALL)  # axe looks at places, which move when an article is laid out later
        page.evaluate(AXE.read_text("utf-8"))  # a script element would not pass the page's own policy
        found = page.evaluate("axe.run()")
        return [(each["id"], each["nodes"][0]["html"][:200]) for each in found["violations"]]

    return violations


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", [state for state in STATES if state not in LARGE])
def test_axe_finds_nothing(opened, violations, state, scheme):
    page = opened(state, scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert violations(page) == []


def test_axe_finds_nothing_on_pages_of_histories_and_rankings(chromium, violations):
    page = chromium.new_page()
    ranking = rank(systems(), measure="accuracy", rope=0.02)
    for blocks in (history_blocks([history(FIRST, WORSE)]), ranking_blocks(ranking)):
        page.set_content(sheet("A sheet", blocks))
        assert violations(page) == []
        for width in (360, 768, 1_280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_every_figure_has_its_numbers_as_text(opened):
    page = opened("typical")
    names = page.locator("[role=img]").evaluate_all("all => all.map(each => each.getAttribute('aria-label'))")
    assert names
    assert all(any(sign.isdigit() for sign in name) for name in names)


def test_everything_is_reached_by_keyboard(opened):
    page = opened("slices")
    wanted = page.locator("a:visible, input:visible, select:visible, summary:visible").count()
    reached = set()
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)"))
    assert len(reached) >= wanted
