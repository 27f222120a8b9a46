"""What a page shows, in which order, and how much of it."""

import re
from dataclasses import replace

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import MOST_IN_FULL, Page, html
from tests.unit.made_up import comparison, entry, error, estimate
from tests.unit.reports.golden_report import breakdown


def gate(name, verdict="passed", mean=0.0, part="", **changes):
    made = comparison(mean=mean, hdi=(mean - 0.01, mean + 0.01), decision=Decision.MUCH_WORSE, **changes)
    return replace(entry(made, verdict, test=f"bayesf1.yaml::{name}", part=part), policy="not_worse")


def articles(page):
    return re.findall(r"<article.*?</article>", page, flags=re.DOTALL)


def heading(page):
    return re.search(r"<h1[^>]*>(.*?)</h1>", page, flags=re.DOTALL)[1]


def test_the_worst_gate_is_the_first_thing_to_be_seen():
    entries = [gate("a", "failed", -0.055), gate("b"), gate("c", "failed", -0.081), gate("d", "warned", -0.2)]
    page = Page(Report.of(entries))
    assert page.top.entry.test == "bayesf1.yaml::c"
    text = html(page.report)
    assert heading(text).startswith("Worse: ")
    assert text.index("bayesf1.yaml::c") < text.index("bayesf1.yaml::a")


def test_one_gate_is_told_once():
    text = html(Report.of([gate("a", "failed", -0.05)]))
    assert text.count("Worse: ") == 1
    assert len(articles(text)) == 1
    assert 'id="overview"' not in text


def test_parts_stand_under_their_gate_and_what_passed_in_a_fold():
    entries = [gate("a", "failed", -0.05), gate("a", "failed", -0.09, "class x"), gate("a", part="class y"), gate("b")]
    page = Page(Report.of(entries))
    assert [[card.entry.part for card in each] for each in page.open_gates] == [["", "class x"]]
    assert [[card.entry.name for card in each] for each in page.passed_gates] == [
        ["bayesf1.yaml::a class y"],
        ["bayesf1.yaml::b"],
    ]
    text = html(page.report)
    assert text.count('class="failed part"') == 1
    assert text.index("class x</a>") < text.index("<summary>2 more passed</summary>") < text.index("a class y")


def test_a_gate_that_passed_stands_above_its_parts_that_did_not():
    page = Page(Report.of([gate("a"), gate("a", "failed", -0.05, "class x"), gate("a", part="class y")]))
    assert [[card.entry.part for card in each] for each in page.open_gates] == [["", "class x"]]
    assert [[card.entry.part for card in each] for each in page.passed_gates] == [["class y"]]


def test_no_gate_and_a_run_without_all_of_its_tests_are_no_green_page():
    text = html(Report.of([entry(comparison(), "")]))
    assert heading(text) == "No gate ran"
    assert "What to do:</strong> No gate ran, so nothing can have failed" in text
    assert '<section class="card warned">' in text
    incomplete = html(Report.of([gate("a")], missing=["test_x"]))
    assert heading(incomplete) == "Incomplete"
    assert '<section class="card error">' in incomplete


def test_where_all_passed_that_is_said_first():
    text = html(Report.of([gate("a"), gate("b")]))
    assert heading(text) == "All 2 comparisons passed"
    assert '<details class="passed-gates" open>' in text


def test_an_expected_failure_is_no_failure():
    text = html(Report.of([gate("a", "failed", -0.05).of_expected_failure()]))
    assert 'class="card expected"' in text
    assert '"card failed"' not in text
    assert "Expected failure</b>" in text


def test_an_error_shows_its_message():
    text = html(Report.of([error("x.yaml:3: no <baseline>", test="x.yaml::spam")]))
    assert heading(text) == "No answer"
    assert "<pre>x.yaml:3: no &lt;baseline&gt;</pre>" in text


def test_of_many_entries_those_that_need_somebody_are_told_in_full_and_what_passed_has_a_row():
    entries = [gate(f"passed-{number}") for number in range(30)]
    entries += [gate(f"failed-{number}", "failed", -0.05) for number in range(MOST_IN_FULL + 5)]
    page = Page(Report.of(entries))
    assert [card.in_full for card in page.cards] == [True] * MOST_IN_FULL + [False] * 35
    text = html(page.report)
    assert len(articles(text)) == MOST_IN_FULL + 5
    assert text.count("In full, by itself: <code>bayesf1 gate bayesf1.yaml --gate failed-") == 5
    assert text.count("<tr class=") == 30 + MOST_IN_FULL + 5


def test_five_hundred_gates_fit_into_a_megabyte():
    made = replace(gate("a", mean=-0.05), breakdown=breakdown(*(f"class {number}" for number in range(20))))
    verdicts = ("failed", "warned", "undecided", "passed", "passed")
    entries = [replace(made, test=f"bayesf1.yaml::{n}", verdict=verdicts[n % 5]) for n in range(500)]
    assert len(html(Report.of(entries)).encode()) < 1_000_000


def test_long_tables_are_folded_after_ten_rows():
    made = replace(gate("a", "failed", -0.05), breakdown=breakdown(*(f"class {number}" for number in range(25))))
    text = html(Report.of([made]))
    assert "and 15 more rows" in text
    before, _, after = text.partition('<details class="more">')
    assert (before.count("class 0<"), before.count("class 9<"), after.count("class 10<")) == (2, 1, 1)


def test_what_is_tolerated_of_a_measure_of_one_s_own_is_not_drawn_for_classes():
    own = {"measure": "profit", "custom_measure": True, "rope": (-10.0, 10.0)}
    made = replace(entry(comparison(**own), "failed"), breakdown=breakdown("ham", "spam"))
    text = html(Report.of([made]))
    table = re.search(r'<table class="rows " aria-label="Change of F1 by class".*?</table>', text, flags=re.DOTALL)[0]
    assert "rope" not in table
    assert "tolerated" not in table
    assert "tolerate 10" in text


def test_one_figure_is_written_the_same_everywhere():
    made = replace(gate("a", "failed", -0.05, p_in_rope=0.0004, p_better=0.0), policy="not_worse")
    text = html(Report.of([made]))
    assert "&lt;0.1%" in text
    assert ">0.1%" not in text
    assert not re.search(r">-\d", text.partition("</style>")[2].partition("<script>")[0])  # a hyphen for a minus


def test_a_floor_has_its_own_words():
    text = html(Report.of([entry(estimate(p_below_floor=0.9999, below_floor=True, above_floor=False), "failed")]))
    assert heading(text) == "Below the floor of 0.75: 0.800"
    assert "Below the floor with a probability of &gt;99.9%" in text
