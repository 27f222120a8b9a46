"""The HTML report as a browser shows it."""

import re
from io import BytesIO
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
from matplotlib.image import imread

from pytest_bayesf1.reports.page import FILE
from pytest_bayesf1.text import flowed
from tests.browser.screenshots import DEFICIENCIES
from tests.browser.states import HOSTILE, LARGE, STATES, typical

OTHERS = [state for state in STATES if state != "typical"]
WIDE_NAMES = {"hostile", "typical", "long-names", "slices"}
SMALL = [
    state if state in WIDE_NAMES else pytest.param(state, marks=pytest.mark.long)
    for state in STATES
    if state not in LARGE - {"twenty-gates"}
]
EVERY = ["typical", *(pytest.param(state, marks=pytest.mark.long) for state in OTHERS)]
OPEN_ALL = "document.querySelectorAll('details').forEach(each => each.open = true)"

COLLISIONS = """() => {
  const found = [];
  for (const figure of document.querySelectorAll(".plot, .dots li, .strip")) {
    const box = figure.getBoundingClientRect();
    if (!box.width) continue;
    const texts = [...figure.querySelectorAll("span, text")]
      .filter(each => each.textContent && !each.matches(".unseen") && !each.querySelector("span, text"))
      .map(each => ({ text: each.textContent, box: each.getBoundingClientRect() }));
    texts.forEach((one, place) => {
      if (one.box.left < box.left - 6 || one.box.right > box.right + 6) found.push("cut off: " + one.text);
      for (const other of texts.slice(place + 1)) {
        const [a, b] = [one.box, other.box];
        const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        if (!apart) found.push(one.text + " on " + other.text);
      }
    });
  }
  return found;
}"""

SMALLEST = """() => Math.min(...[...document.querySelectorAll("body *")]
  .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()))
  .filter(each => each.checkVisibility())
  .map(each => parseFloat(getComputedStyle(each).fontSize)))"""


@pytest.mark.parametrize("state", EVERY)
def test_asks_for_nothing_beside_itself_and_complains_of_nothing(opened, state):
    page = opened(state)
    assert [url for url in page.requests if not url.startswith("data:")] == [page.url]
    assert page.messages == []


@pytest.mark.parametrize("state", EVERY)
def test_no_text_of_a_figure_lies_on_another_or_is_cut_off(opened, state):
    page = opened(state)
    for width in (1_000, 360):
        page.set_viewport_size({"width": width, "height": 900})
        if state not in LARGE:
            page.evaluate(OPEN_ALL)
        assert page.evaluate(COLLISIONS) == []


@pytest.mark.parametrize("state", SMALL)
def test_nothing_is_wider_than_the_window_or_scrolls_and_no_text_is_tiny(opened, state):
    page = opened(state)
    page.evaluate(OPEN_ALL)
    for width in (320, 768, 1_280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALLEST) >= 12
    page.set_viewport_size({"width": 700, "height": 900})
    boxes = "all => all.filter(each => /auto|scroll/.test(getComputedStyle(each).overflow)).length"
    assert page.locator("main *").evaluate_all(boxes) == 0


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_reader(opened, scheme):
    page = opened("typical", scheme=scheme)
    background = page.evaluate("getComputedStyle(document.querySelector('article')).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]
    curve = page.locator("path.hill").first.evaluate("each => getComputedStyle(each).stroke")
    assert curve == {"light": "rgb(9, 105, 218)", "dark": "rgb(88, 166, 255)"}[scheme]


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["none", *DEFICIENCIES, "achromatopsia"])
def test_verdicts_differ_for_those_who_see_other_colours(opened, kind, scheme):
    page = opened("typical", scheme=scheme)
    page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
    page.locator("summary", has_text="passed").click()
    page.evaluate("document.querySelectorAll('.tile').forEach(each => each.textContent = '')")  # without its symbol

    def seen(verdict):
        picture = page.locator(f".forest .{verdict} .tile").first.screenshot()
        return imread(BytesIO(picture))[2:20, 2:20, :3].mean(axis=2)

    tiles = {verdict: seen(verdict) for verdict in ("failed", "warned", "passed")}
    for one, other in combinations(tiles, 2):
        assert np.abs(tiles[one] - tiles[other]).mean() > 0.05, (one, other)
    difference = tiles["failed"].mean() - tiles["passed"].mean()
    assert abs(difference) > 0.2


def test_hostile_names_are_text(opened):
    page = opened("hostile")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    shown = flowed(HOSTILE)
    assert "\\u202e" in shown
    assert shown in " ".join(page.locator("article").first.text_content().split())
    assert page.locator("article").first.evaluate("each => getComputedStyle(each).display") == "block"


@pytest.mark.long
@pytest.mark.parametrize("verdict", ["failed", "passed", "error", "warned", "undecided", "none"])
def test_one_verdict_alone(opened, verdict):
    page = opened("typical")
    page.get_by_label("Show").select_option(verdict)
    shown = page.locator("article:visible")
    assert shown.count() == page.locator(f"article.{verdict}").count() > 0
    assert page.locator(".forest tbody tr:visible").count() == shown.count()
    assert page.locator("#found").text_content() == f"{shown.count()} found"


def test_search_finds_rows_and_articles_and_opens_what_passed(opened):
    page = opened("typical")
    page.get_by_label("Search").fill("Profit")
    assert page.locator(".forest tbody tr:visible").count() == page.locator("article:visible").count() == 1
    page.get_by_label("Search").fill("")
    assert page.locator("article:visible").count() == 9


@pytest.mark.long
def test_rows_are_put_in_order(opened):
    page = opened("typical")
    open_gates = page.locator(".forest").first

    def names():
        return open_gates.locator("tbody th .name").all_text_contents()

    worst_first = names()
    page.get_by_role("button", name="gate").first.click()
    assert names() == sorted(worst_first)
    assert page.url.endswith("#all&by=name")
    page.get_by_role("button", name="change").first.click()
    changes = open_gates.locator("[data-is=change] b").all_text_contents()
    assert changes == sorted(changes, key=lambda text: float(text.replace("−", "-")))
    page.get_by_role("button", name="change").first.click()
    assert names() == worst_first


def test_what_is_chosen_stands_in_the_address(opened):
    page = opened("typical")
    page.goto(f"{page.url}#warned&q=topics")
    assert page.get_by_label("Search").input_value() == "topics"
    assert page.locator(".forest tbody tr:visible").count() == page.locator("article:visible").count() == 1
    page.get_by_label("Search").fill("")
    assert page.url.endswith("#warned")


WORDS_IN_PIECES = """() => {
  const found = [], range = document.createRange();
  for (const name of document.querySelectorAll("table .name")) {
    const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); ) {
      for (const word of text.data.matchAll(/[^\\s._\\/:,=-]+/g)) {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(each => Math.round(each.top))).size > 1) found.push(word[0]);
      }
    }
  }
  return found;
}"""


STRIPS_WITHOUT_SCALE = """() => [...document.querySelectorAll("tr:has(> td.strip > svg)")].filter(row => {
  const strip = row.querySelector("td.strip > svg");
  const scale = row.closest("table").querySelector("thead th.strip > svg");
  const [one, other] = [strip, scale].map(each => each.getBoundingClientRect());
  return row.checkVisibility() && !(scale.checkVisibility() && one.left === other.left && one.width === other.width);
}).length"""

STICKS_OUT = """() => [...document.querySelectorAll("article table, article pre, .advice code")]
  .filter(each => each.checkVisibility())
  .filter(each => each.getBoundingClientRect().right > each.parentElement.getBoundingClientRect().right + 1)
  .map(each => each.textContent.slice(0, 60))"""


@pytest.mark.parametrize("state", ["slices", pytest.param("typical", marks=pytest.mark.long)])
def test_every_interval_lies_below_its_scale_and_nothing_sticks_out_of_its_card(opened, state):
    page = opened(state)
    page.evaluate(OPEN_ALL)
    for width in (360, 820, 1_280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator("td.strip > svg").count() > 3
        assert page.evaluate(STRIPS_WITHOUT_SCALE) == 0
        assert page.evaluate(STICKS_OUT) == []


def test_names_break_between_words(opened):
    page = opened("class-names")
    page.evaluate(OPEN_ALL)
    for width in (360, 768, 1_100, 1_280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(WORDS_IN_PIECES) == []


def test_a_gate_of_twenty_classes_is_short(opened):
    page = opened("one", width=1_280)
    assert page.evaluate("document.documentElement.scrollHeight") < 4_000


def test_both_answers_stand_beside_an_example(opened):
    page = opened("long-names")
    table = page.locator("table.examples").first
    heads = [text.strip() for text in table.locator("thead th").all_text_contents()]
    assert heads == ["example", "truth", "old answer", "new answer"]
    row = table.locator("tbody tr").first
    assert "商品が届きません" in row.locator("th").text_content()
    assert [text[0] for text in row.locator("td").all_text_contents()[1:]] == ["✓", "✗"]
    texts = page.locator("article").first.locator("th").all_text_contents()
    assert sum(text.strip() == row.locator("th").text_content().strip() for text in texts) == 1


@pytest.mark.long
@pytest.mark.parametrize(("verdict", "at"), [("failed", 0), ("failed", 60)])
def test_the_way_back_leads_to_the_row_that_was_left(opened, verdict, at):
    page = opened("many-gates")
    page.get_by_label("Show").select_option(verdict)
    link = page.locator(".forest tbody tr:visible a").nth(at)
    link.scroll_into_view_if_needed()
    before = link.bounding_box()["y"]
    link.click()
    target = page.locator(link.get_attribute("href"))
    page.wait_for_function("each => Math.abs(each.getBoundingClientRect().top) < 300", arg=target.element_handle())
    page.go_back()
    page.wait_for_function(f"Math.abs(document.activeElement.getBoundingClientRect().top - {before}) < 900")
    assert link.evaluate("each => each === document.activeElement")
    assert page.get_by_label("Show").input_value() == verdict
    page.reload()
    assert page.get_by_label("Show").input_value() == verdict


@pytest.mark.long
def test_without_its_script_everything_is_readable(opened):
    page = opened("typical", java_script_enabled=False)
    assert page.locator("article:visible").count() == 9
    assert not page.locator(".choose").is_visible()
    assert page.locator(".plot path").count() > 30


@pytest.mark.long
def test_a_pointer_tells_how_much_of_a_density_lies_below_it(opened):
    page = opened("one")
    box = page.locator(".plot[data-low]").first.bounding_box()
    mean = page.locator(".plot .mean").first.bounding_box()
    page.mouse.move(mean["x"] + mean["width"] / 2, box["y"] + 20)
    told = page.locator(".tip").text_content()
    value, share = re.fullmatch(r"−([\d.]+) points: ([\d.]+)% lies below", told).groups()
    assert float(value) == pytest.approx(10.6, abs=0.2)
    result = typical()[0]
    below = NormalDist(result.mean, result.std).cdf(result.change)  # the bar's dot is what was observed
    assert float(share) == pytest.approx(100 * below, abs=3)
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 20)
    assert page.locator(".tip").text_content().endswith(">99.9% lies below")
    page.evaluate(OPEN_ALL)
    page.locator(".heat td[class*=worse]").first.hover()
    assert re.fullmatch(r"class \d+ predicted as class \d+: [−+][\d.]+ points", page.locator(".tip").text_content())


@pytest.mark.long
def test_print_shows_what_failed_unfolded_on_two_pages(opened):
    page = opened("one")
    page.emulate_media(media="print")
    folds = page.locator("article details:not(.more)")
    assert all(folds.nth(i).locator(":scope > :not(summary)").last.is_visible() for i in range(folds.count()))
    assert not page.locator("details.more tbody").first.is_visible()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 2


@pytest.mark.long
def test_print_leaves_out_what_did_not_fail(opened):
    page = opened("typical")
    page.emulate_media(media="print")
    printed = page.locator("article:visible").evaluate_all("all => all.map(each => each.className)")
    assert set(printed) == {"card failed", "card error"}
    assert not page.locator(".choose").is_visible()


@pytest.mark.long
def test_five_hundred_gates_open_and_are_searched_at_once(opened, files):
    assert files("many-gates").stat().st_size < 1_000_000
    page = opened("many-gates")
    loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert loaded < 3_000  # a second on a machine that does nothing else
    assert page.locator("*").count() < 30_000
    took = page.evaluate("""() => {
      const [find, begin] = [document.getElementById("find"), performance.now()];
      find.value = "gate-49";
      find.dispatchEvent(new Event("input", { bubbles: true }));
      document.body.offsetHeight;
      return performance.now() - begin;
    }""")
    assert took < 1_000
    assert page.locator(".forest tbody tr:visible").count() == 11
    page.get_by_label("Search").fill("")
    page.get_by_label("Show").select_option("failed")
    assert page.locator("article:visible").count() == 100
    assert page.locator("article:has(.plot)").count() == FILE.in_full


@pytest.mark.long
def test_five_thousand_gates_open_and_rows_are_rendered_when_they_come_into_view(opened):
    page = opened("very-many-gates")
    loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert loaded < 6_000  # half of it on a machine that does nothing else
    assert page.messages == []
    rows = page.locator(".forest tbody")
    assert rows.count() == 200
    assert page.locator(".further").first.text_content() == "4800 more gates"
    page.locator(".further").first.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelectorAll('.forest tbody').length >= 400")
    page.get_by_label("Search").fill("gate-49-7")
    assert page.locator("#found").text_content() == "1 found"
    assert rows.count() == 1


@pytest.mark.long
def test_a_heat_map_of_many_classes_fits_and_says_what_it_shows(opened):
    page = opened("large-matrix")
    heat = page.locator(".heat")
    assert heat.locator("tbody tr").count() == 20
    assert heat.bounding_box()["width"] <= page.locator("article").bounding_box()["width"]
    assert "the 20 of 200 classes whose errors moved most" in page.locator("article").text_content()
    assert page.locator(".legend i").count() == 9
