import json
from html import unescape

import pytest

from pytest_bayesf1.errors import UNREADABLE
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.reading import read_report
from pytest_bayesf1.reports.terminal import report_lines
from pytest_bayesf1.reports.wording import format_unsupported, incomplete_line
from pytest_bayesf1.results.comparison import Move, UnsupportedClass
from tests.unit.made_up import comparison, entry

HOSTILE = "test_a.py::test[<script>|@me\n*x*]"
TWELVE = [f"test_a.py::test[{number:02}]" for number in range(12)]


def test_a_report_is_complete_unless_something_is_missing():
    assert Report.of([]).complete
    assert not Report.of([], ["a"]).complete


def test_what_is_missing_is_sorted_and_named_once():
    assert Report.of([], ["b", "a", "b"]).missing == ("a", "b")


@pytest.mark.parametrize(("missing", "complete"), [([], True), (TWELVE, False)])
def test_json_names_everything_that_is_missing(missing, complete):
    document = json.loads(Report.of([], missing).to_json())
    assert (document["complete"], document["missing"]) == (complete, missing)


def test_the_line_names_every_test_of_a_few():
    assert incomplete_line(Report.of([], ["a"])) == "Incomplete: 1 test did not finish: a"
    assert incomplete_line(Report.of([], "cab")) == "Incomplete: 3 tests did not finish: a, b, c"
    assert incomplete_line(Report.of([], TWELVE[:10])).endswith(", test_a.py::test[09]")


def test_the_line_counts_the_rest_of_many():
    line = incomplete_line(Report.of([], TWELVE))
    assert line.startswith("Incomplete: 12 tests did not finish: test_a.py::test[00], ")
    assert line.endswith(", test_a.py::test[09] and 2 more")


def test_the_terminal_says_so_last_and_in_red():
    *_, (line, markup) = report_lines(Report.of([entry(comparison())], [HOSTILE]))
    assert line == "Incomplete: 1 test did not finish: test_a.py::test[<script>|@me *x*]"
    assert markup == {"red": True, "bold": True}


def test_html_says_so_in_the_title_and_below_the_heading():
    text = html(Report.of([entry(comparison())], [HOSTILE]))
    assert "<title>Incomplete: 0 failed" in text
    assert text.count("<script") == 1  # the page's own
    shown = text.split('<p class="notice failed" role="alert"><span class="name">')[1].split("</span>")[0]
    assert unescape(shown) == "Incomplete: 1 test did not finish: test_a.py::test[<script>|@me *x*]"


def test_markdown_says_so_first_and_shows_no_success():
    lines = markdown(Report.of([entry(comparison())], [HOSTILE])).splitlines()
    assert lines[0].startswith("## ⚠️ ")
    (line,) = (line for line in lines if "did not finish" in line)
    escaped = "test\\_a.py::test\\[&lt;script&gt;\\|@\u200bme \\*x\\*\\]"
    assert line == f"**Incomplete: 1 test did not finish: {escaped}**"
    assert lines.index(line) < next(number for number, text in enumerate(lines) if text.startswith("|"))


@pytest.mark.parametrize("render", [html, markdown])
def test_a_complete_report_does_not_speak_of_it(render):
    assert "ncomplete:" not in render(Report.of([entry(comparison())]))


STRAY = (UnsupportedClass("I cannot answer", (1, 0)), UnsupportedClass("d", (0, 0)))


def test_classes_that_are_never_true_stand_below_the_headline_once_for_each_gate():
    of_a_class = entry(comparison(unsupported=STRAY), part="class a")
    report = Report.of([entry(comparison(unsupported=STRAY)), of_a_class, entry(comparison(), test="t.py::other")])
    ((sentence, rows),) = format_unsupported(report)
    assert sentence == "Classes that the truth never has are in no average:"
    told = (
        "'I cannot answer': predicted 1 time by the baseline, never true: counted as wrong, in no average. "
        "'d': never predicted, never true: in no average."
    )
    assert rows == [(of_a_class.test, told)]
    for text in (html(report), markdown(report), "\n".join(line for line, _ in report_lines(report))):
        assert sentence in text
        assert text.count("predicted 1 time by the baseline, never true") >= 1


def test_of_many_gates_the_first_are_named():
    entries = [entry(comparison(unsupported=STRAY), test=f"t.py::test_{number}") for number in range(13)]
    ((_, rows),) = format_unsupported(Report.of(entries))
    assert len(rows) == 11
    assert rows[-1] == ("and 3 more", "see report.json")


def test_nothing_is_said_where_every_class_is_true():
    assert not list(format_unsupported(Report.of([entry(comparison())])))


def test_unreadable_answers_are_told_of_a_report_that_was_read_back():
    found = comparison(
        n_samples=(1_000, 1_000),
        unsupported=(UnsupportedClass(UNREADABLE, (24, 0)),),
        largest_moves=(Move("ham", UNREADABLE, 24, 0),),
    )
    report = read_report(Report.of([entry(found)]).to_json())
    (read,) = report.entries
    assert (read.unsupported, read.largest_moves) == (found.unsupported, found.largest_moves)
    ((_, ((_, notes),)),) = format_unsupported(report)
    assert notes == "2.4% of the baseline's answers could not be read: counted as wrong."


def test_of_no_unreadable_answer_nothing_is_said():
    none = comparison(unsupported=(UnsupportedClass(UNREADABLE, (0, 0)),))
    assert not list(format_unsupported(Report.of([entry(none)])))
