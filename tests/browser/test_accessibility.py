"""The HTML report for those who do not see it, or who use no mouse."""

import pytest

from tests.browser.states import LARGE, STATES
from tests.node import FOLDER, node_command

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
