import re
from html import unescape
from html.parser import HTMLParser

import pytest

from pytest_bayesf1 import Decision, PairedCounts, compare
from pytest_bayesf1.comparison.result import ClassChange
from pytest_bayesf1.reports.escaping import escape_markdown, escape_summary
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.render import html
from pytest_bayesf1.reports.report import Report
from tests.unit.results import comparison, entry, estimate

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
    assert all(link.startswith("#") for link in links)
    assert not {"script", "link", "img", "iframe"} & set(outline.tags)


def test_every_link_of_the_html_leads_somewhere(report):
    outline = Outline(html(report))
    targets = [value for name, value in outline.attributes if name == "id"]
    links = {value[1:] for name, value in outline.attributes if name in {"href", "xlink:href"}}
    assert {"entry-1", "entry-2", "entry-3"} < links
    assert {targets.count(link) for link in links} == {1}


def test_html_counts_the_verdicts_and_tells_every_outcome(report):
    text = Outline(html(report)).text
    assert "1 failed, 0 warned, 1 passed, 1 without a gate" in text
    for made in report.entries:
        assert f"{made['headline']}." in text
        assert made["test"] in text
    assert "Find what changed." in text


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


def test_markdown_tells_the_frequentist_tests_of_a_comparison(report):
    lines = markdown(report).splitlines()
    assert lines.count("| p-test | accuracy as if unpaired | 2200 | 0.029 | &gt; |") == 2
    assert lines.count("| S-test | F1 of classes as if independent: whose is higher | 2 | 0.75 | \\~ |") == 2
    assert sum("not that the two are equivalent" in line for line in lines) == 2


@pytest.mark.parametrize("render", [html, markdown])
def test_every_frequentist_test_is_explained(render):
    joint = PairedCounts.from_predictions([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2], [0, 0, 1, 2, 2, 0])
    tests = compare(joint, rope=0.1, n_draws=1_000).companions
    text = unescape(render(Report.of([entry(comparison(companions=tests))])))
    assert [text.count(test.name) for test in tests] == [1, 1, 1, 1, 1]


@pytest.mark.parametrize("render", [html, markdown])
def test_an_undefined_bayes_factor_is_called_so(render):
    assert "undefined" in render(Report.of([entry(comparison(bayes_factor_sd=float("nan")))]))
    assert "undefined" not in render(Report.of([entry(comparison())]))


def test_html_shows_user_text_as_text(hostile):
    outline = Outline(html(hostile))
    assert "script" not in outline.tags
    assert outline.text.count(HOSTILE) >= 5
    assert outline.open == []


def test_a_run_without_comparisons_has_a_report_too():
    assert "No comparison was made in this run." in html(Report.of([]))
    assert "No comparison was made in this run." in markdown(Report.of([]))


@pytest.mark.parametrize(
    ("verdicts", "sign"), [(["failed", "warned"], "❌"), (["warned", "passed"], "⚠️"), (["passed", ""], "✅")]
)
def test_markdown_starts_with_the_outcome_of_the_run(verdicts, sign):
    report = Report.of(entry(comparison(), verdict) for verdict in verdicts)
    assert markdown(report).startswith(f"## {sign} Classifier comparisons: ")


def test_markdown_has_a_row_an_entry_in_order(report):
    rows = [line for line in markdown(report).splitlines() if line.startswith("| ")]
    overview = rows[2:5]
    assert rows[1].startswith("| --- | ")
    assert [row.split(" | ")[0] for row in overview] == ["| failed", "| –", "| passed"]
    assert [row.split(" | ")[-1] for row in overview] == [
        "tests/test\\_a.py::test\\_f1 |",
        "tests/test\\_c.py::test\\_look |",
        "tests/test\\_b.py::test\\_floor |",
    ]


def test_markdown_opens_what_failed_and_closes_the_rest(report):
    text = markdown(report)
    assert text.count("<details open>") == 1
    assert text.count("<details>") == 2
    assert text.count("</details>") == 3
    assert text.index("<details open>") < text.index("<details>")


def test_markdown_tells_what_to_do(report):
    assert "**What to do:** Find what changed." in markdown(report)


def test_markdown_shows_user_text_as_text(hostile):
    text = markdown(hostile)
    assert "<script>" not in text
    assert "@me" not in text
    assert "#1" not in text


def test_no_user_text_adds_a_cell_to_a_table_of_markdown(hostile):
    plain = markdown(Report.of([entry(worse(largest_drops=(ClassChange("spam", 0.9, 0.8),)), "failed", advice="Act.")]))

    def cells(text):
        return [len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("|")]

    assert cells(markdown(hostile)) == cells(plain)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("*bold* _italic_ `code` ~gone~", r"\*bold\* \_italic\_ \`code\` \~gone\~"),
        ("[text](address)", r"\[text\](address)"),
        ("back\\slash", r"back\\slash"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("one\ntwo\r\n\tthree\u2028four", "one two three four"),
        ("@name", "@\u200bname"),
        ("see #12", "see #\u200b12"),
        ("a @ b # c", "a @ b # c"),
        ("f1 ≪ späm 猫", "f1 ≪ späm 猫"),
        (12, "12"),
    ],
)
def test_markdown_escapes(text, escaped):
    assert escape_markdown(text) == escaped


def test_inside_an_html_element_backslashes_would_show():
    assert escape_summary("f1[a_b] <i> @me") == "f1[a_b] &lt;i&gt; @\u200bme"
