"""The comment as a telephone shows it: a narrow window, and the sizes that GitHub gives text and tables."""

from dataclasses import replace

import pytest

from pytest_bayesf1.github.api import Draft, body
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit
from tests.action.github_markdown import as_github_shows
from tests.browser.states import STATES, classifiers, entry, settled, twenty_gates

pytestmark = pytest.mark.long

WIDTH, HEIGHT = 360, 780
MOST_SCREENS = 3
STYLE = """
body { margin: 0; padding: 16px; font: 14px/1.5 sans-serif; overflow-wrap: break-word }
p, ul, table, pre, details { margin: 0 0 16px } ul { padding-left: 2em } pre { overflow: auto }
h2 { font-size: 1.5em; line-height: 1.25; margin: 0 0 16px } sub { font-size: 75% }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse }
td, th { padding: 6px 13px; border: 1px solid #d1d9e0 }
"""
ORIGIN = (
    SourceCommit("https://github.com/octo/spam", "0123456789abcdef" * 2 + "01234567"),
    "https://github.com/octo/spam/actions/runs/1",
    "https://github.com/octo/spam/artifacts/2",
)


def gates(number, n_failed):
    failed = twenty_gates()[0]
    passed = replace(entry(settled(*classifiers(losing=0.0)), "passed", "x"), file="bayesf1.yaml")
    return Report.of(
        replace(failed if place < n_failed else passed, test=f"bayesf1.yaml::topics-{place:03}")
        for place in range(number)
    )


REPORTS = {
    "20 gates, 6 failed": lambda: gates(20, 6),
    "500 gates, 38 failed": lambda: gates(500, 38),
    "500 gates, all failed": lambda: gates(500, 500),
    **{name: STATES[name] for name in ("typical", "one", "twenty-gates", "many-gates", "incomplete", "nothing")},
}


def shown(name):
    return as_github_shows(body(Draft(1, REPORTS[name](), "default", "1.1", *ORIGIN)))


@pytest.fixture
def page(chromium):
    """Open pages of a telephone's size."""
    context = chromium.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", REPORTS)
def test_a_telephone_shows_all_but_folds_on_three_screens(page, name):
    page.set_content(f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>{shown(name)}')
    assert page.evaluate("document.documentElement.scrollHeight") <= MOST_SCREENS * HEIGHT
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    assert page.locator("h2").bounding_box()["y"] < HEIGHT / 10


def test_most_of_500_failures_are_counted_and_the_worst_explained(page):
    page.set_content(shown("500 gates, 38 failed"))
    assert page.locator("summary", has_text="❌ topics").count() == 8
    assert page.locator("summary", has_text="30 more gates").count() == 1
    assert page.get_by_text("462 passed", exact=False).count() >= 1
