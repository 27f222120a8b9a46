import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import pytest

from pytest_bayesf1 import Decision, PairedCounts, compare
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.results.comparison import ClassChange
from tests.unit.made_up import comparison, entry, estimate
from tests.unit.reports.golden_report import group

DOCUMENTATION = "https://github.com/pytest-bayesf1/pytest-bayesf1/tree/main/docs"
HOSTILE = '<script>alert("x")</script>'
VOID = {"meta", "br", "img", "link", "input", "hr", "path", "use", "rect"}


class Outline(HTMLParser):
    """Collects tags and attributes, and checks that elements are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.text = [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.extend(attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.extend(attrs)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def text_of(page):
    """Return a page without its style and its script."""
    return re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)


def worse(**changes):
    return comparison(decision=Decision.MUCH_WORSE, mean=-0.0521, hdi=(-0.07, -0.03), **changes)


@pytest.fixture
def report():
    return Report.of(
        [
            entry(estimate(floor=0.75), "passed", test="tests/test_b.py::test_floor", gate="assert_at_least"),
            entry(comparison(), "", test="tests/test_c.py::test_look", gate="compare"),
            entry(worse(), "failed", test="tests/test_a.py::test_f1", advice="Find what changed."),
        ]
    )


@pytest.fixture
def hostile():
    drops = (ClassChange(f"{HOSTILE} | @me #1", 0.9, 0.8),)
    made = worse(measure=f"f1[{HOSTILE}|]", largest_drops=drops, model_reason=HOSTILE)
    return Report.of([entry(made, "failed", test=f"test[{HOSTILE}\n|@me]", advice=HOSTILE)])


def test_html_is_well_formed_and_has_one_heading_and_an_article_an_entry(report):
    outline = Outline(html(report))
    assert outline.open == []
    assert outline.tags.count("h1") == 1
    assert outline.tags.count("article") == 3


def test_html_loads_nothing_from_elsewhere(report):
    outline = Outline(html(report))
    links = [value for name, value in outline.attributes if name in {"href", "src", "xlink:href", "action"}]
    assert links
    assert {link for link in links if not link.startswith("#")} == {DOCUMENTATION}  # which is asked for on a click
    assert not {"link", "img", "iframe"} & set(outline.tags)


def test_the_policy_allows_the_page_s_own_script_and_no_other(report):
    page = html(report)
    policy = dict(Outline(page).attributes)["content"]
    (script,) = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    own = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{own}'" in page
    assert "unsafe-inline" not in page.partition("script-src")[2].partition(";")[0][:100]
    assert policy


def test_every_link_of_the_html_leads_somewhere(report):
    outline = Outline(html(report))
    targets = [value for name, value in outline.attributes if name == "id"]
    links = {value[1:] for name, value in outline.attributes if name == "href" and value != DOCUMENTATION}
    assert {"entry-1", "entry-2", "entry-3"} < links
    assert {targets.count(link) for link in links} == {1}


def test_html_counts_the_verdicts_and_tells_every_outcome(report):
    text = Outline(html(report)).text
    assert "1 failed, 0 warned, 1 passed, 1 without a gate" in text
    for made in report.entries:
        assert f"{made.headline}." in text
        assert made.test in text
    assert "Find what changed." in text


def test_html_tells_what_the_data_cannot_tell_from_what_passed():
    entries = [entry(comparison(), verdict, test=verdict) for verdict in ("passed", "undecided", "undecided")]
    outline = Outline(html(Report.of(entries)))
    assert "1 comparison passed, 2 could not tell." in outline.text
    assert "2 undecided" in " ".join(outline.text.split())
    assert ("value", "undecided") in outline.attributes
    assert outline.attributes.count(("class", "undecided")) == 2
    assert outline.attributes.count(("class", "card undecided")) == 3  # one of them is the first thing to be seen


def test_html_tells_the_figures(report):
    text = Outline(html(report)).text
    for figure in (
        "−5.2",
        "95% HDI",
        "−7.0 to −3.0",
        "12%, 67%, 21%",
        "6.25 ± 0.03 for a difference inside the ROPE",
        "20,000 by the exact engine",
        "0.75",
    ):
        assert figure in text


def test_html_tells_the_frequentist_tests_of_a_comparison(report):
    outline = Outline(html(report))
    assert outline.text.count("Frequentist tests") == 2
    row = " ".join(outline.text[outline.text.index("p-test") :].split("\n")[0].split())
    assert row == "p-testaccuracy as if unpaired2,2000.029>"
    assert outline.text.count("not that the two are equivalent") == 2


@pytest.mark.parametrize("render", [html, markdown])
def test_every_frequentist_test_is_explained(render):
    joint = PairedCounts.from_predictions([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2], [0, 0, 1, 2, 2, 0])
    tests = compare(joint, rope=0.1, n_draws=1_000).classical_tests
    text = unescape(render(Report.of([entry(comparison(classical_tests=tests))])))
    assert [text.count(test.name) for test in tests] == [1, 1, 1, 1, 1]


@pytest.mark.parametrize("render", [html, markdown])
def test_p_tests_say_of_what_they_are(render):
    joint = PairedCounts.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0])
    text = unescape(render(Report.of([entry(compare(joint, measure="f1", rope=0.1, n_draws=1_000))])))
    assert [text.count(f"{of} as if unpaired") for of in ("accuracy", "recall", "precision")] == [1, 1, 1]


@pytest.mark.parametrize("render", [html, markdown])
def test_paired_outcomes_are_told_where_data_are_paired(render):
    text = unescape(render(Report.of([entry(comparison(), "failed")])))
    for figure in ("P(π₁ > π₂) = 97.8%", "E(π₁ − π₂) = +0.0200", "E(ln π₁/π₂) = +0.41"):
        assert figure in text.replace("\\", "")
    assert "π₁" not in render(Report.of([entry(comparison(model="same-set"), "failed")]))


@pytest.mark.parametrize("render", [html, markdown])
def test_an_undefined_bayes_factor_is_called_so(render):
    assert "undefined" in render(Report.of([entry(comparison(bayes_factor_sd=float("nan")))]))
    assert "undefined" not in text_of(render(Report.of([entry(comparison())])))


def test_html_shows_user_text_as_text(hostile):
    outline = Outline(html(hostile))
    assert outline.tags.count("script") == 1
    assert outline.text.count(HOSTILE) >= 5
    assert outline.open == []


def test_a_run_without_comparisons_has_a_report_too():
    assert "No gate ran: no comparison was made in this run." in html(Report.of([]))
    assert markdown(Report.of([])).startswith("## ⚠️ No gate ran\n")


def test_html_shows_the_parts_of_a_group_alone_and_shrunk():
    made = replace(entry(comparison(), "failed"), groups=(group("language", "language=fi", f"language={HOSTILE}"),))
    page = html(Report.of([made]))
    text = " ".join(Outline(page).text.split())
    assert "By language, together – 2 parts, shrunk toward each other" in text
    assert "−5.0 (−8.0 to −2.0)" in text
    assert "−4.0 (−6.0 to −2.0)" in text
    assert HOSTILE in text
    assert HOSTILE not in page
    assert page.count('<div class="shrunk">') == 2


def test_html_sees_many_comparisons_together():
    judged = [replace(entry(comparison(), test=f"test_{number}"), policy="not_worse") for number in range(5)]
    assert "None of 5 comparisons failed; 0.6 of them are expected" in html(Report.of(judged))
