"""The HTML report as a browser shows it."""

import pytest

from pytest_bayesf1.reports.plain_text import visible
from tests.browser.states import HOSTILE, STATES

OTHERS = [state for state in STATES if state != "typical"]
SMALL = [state for state in STATES if state not in ("many-gates", "large-matrix")]


@pytest.mark.parametrize("state", ["typical", *(pytest.param(state, marks=pytest.mark.long) for state in OTHERS)])
def test_asks_for_nothing_beside_itself_and_complains_of_nothing(opened, state):
    page = opened(state)
    assert [url for url in page.requests if not url.startswith("data:")] == [page.url]
    assert page.messages == []


@pytest.mark.long
@pytest.mark.parametrize("state", SMALL)
def test_nothing_is_wider_than_a_telephone(opened, keep, state):
    page = opened(state, width=320)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    keep(page, f"{state}-telephone")


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_reader(opened, keep, scheme):
    page = opened("typical", scheme=scheme)
    background = page.evaluate("getComputedStyle(document.querySelector('article')).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]
    curve = page.locator("figure svg path[style*='--curve']").first
    assert (
        curve.evaluate("each => getComputedStyle(each).fill")
        == {
            "light": "rgb(9, 105, 218)",
            "dark": "rgb(88, 166, 255)",
        }[scheme]
    )
    keep(page, f"typical-{scheme}", full_page=True)


@pytest.mark.long
@pytest.mark.parametrize("state", ["one", "large-matrix", "incomplete", "nothing", "hostile"])
def test_pictures_for_people(opened, keep, state):
    page = opened(state)
    keep(page, state, full_page=True)
    assert page.locator("h1").is_visible()


@pytest.mark.long
def test_failures_come_first(opened):
    articles = opened("typical").locator("article")
    verdicts = [name.split()[-1] for name in articles.evaluate_all("all => all.map(each => each.className)")]
    order = ["failed", "error", "warned", "undecided", "none", "passed"]
    assert verdicts == sorted(verdicts, key=order.index)


def test_hostile_names_are_text(opened):
    page = opened("hostile")
    assert page.locator("script, img").count() == 0
    shown = visible(HOSTILE)
    assert "\\u202e" in shown
    assert shown in " ".join(page.locator("article").first.text_content().split())
    assert page.locator("article").first.evaluate("each => getComputedStyle(each).display") == "block"


@pytest.mark.long
@pytest.mark.parametrize("verdict", ["failed", "passed", "error", "warned", "undecided", "none"])
def test_one_verdict_alone(opened, verdict):
    page = opened("typical")
    page.locator(f"#show-{verdict}").check()
    shown = page.locator("article:visible")
    assert shown.count() == page.locator(f"article.{verdict}").count() > 0
    assert page.locator(".overview tbody tr:visible").count() == shown.count()


@pytest.mark.long
def test_the_overview_leads_to_every_entry(opened):
    page = opened("typical")
    links = page.locator(".overview a").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    assert len(links) == page.locator("article").count()
    assert all(page.locator(link).count() == 1 for link in links)


@pytest.mark.long
def test_a_fold_opens_by_keyboard(opened):
    page = opened("typical")
    fold = page.locator("article.warned details").first
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert fold.evaluate("each => each.open")


@pytest.mark.long
def test_print_shows_what_is_folded(opened, keep):
    page = opened("one")
    page.emulate_media(media="print")
    assert all(page.locator("details").nth(i).locator(":scope > :not(summary)").last.is_visible() for i in range(4))
    assert not page.locator(".show").count() or not page.locator(".show").is_visible()
    assert page.pdf().startswith(b"%PDF")
    keep(page, "print", full_page=True)


@pytest.mark.long
def test_a_page_of_twenty_gates_of_twenty_classes_stays_below_a_megabyte(files):
    assert files("twenty-gates").stat().st_size < 1_000_000


@pytest.mark.long
def test_five_hundred_gates_open(opened):
    page = opened("many-gates")
    assert page.locator("article").count() == 500
    page.locator("#show-failed").check()
    shown = page.evaluate(
        "() => [...document.querySelectorAll('article')].filter(each => each.checkVisibility()).length"
    )
    assert shown == 100


@pytest.mark.long
def test_a_large_matrix_scrolls_in_its_own_frame(opened):
    page = opened("large-matrix")
    frame = page.locator("figure.map")
    assert frame.evaluate("each => each.scrollHeight > each.clientHeight")
    rows = page.locator("article .scroll").first
    assert rows.locator("tbody tr").count() == 200
    assert rows.evaluate("each => each.clientHeight") < 600
