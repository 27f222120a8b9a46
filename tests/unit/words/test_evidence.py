import re
from dataclasses import fields, replace

import pytest

from pytest_bayesf1.reports.section import errors_table
from pytest_bayesf1.results.comparison import (
    NO_SPAN,
    ErrorChange,
    ExampleChange,
    NamedExample,
    ReportedChanges,
    SpanErrors,
)
from pytest_bayesf1.results.timeline import Trend, TrendPoint
from pytest_bayesf1.text import AS_THEY_ARE, POINTS
from pytest_bayesf1.words.evidence import (
    changed_examples,
    changes_headline,
    changes_note,
    error_counts,
    error_name,
    span_errors,
    trend_legend,
    trend_sentence,
)

WORSE = ErrorChange(
    "silver", "bronze", 176, 1_648, -0.03, (NamedExample("a"), NamedExample(7, ("text", "", "two\nlines")))
)
BETTER = ErrorChange("gold", "silver", 9, 4, 0.01)
POINTS_OF_TREND = tuple(
    TrendPoint(f"2026-05-{day:02}", "abc", score, (score - 0.01, score + 0.01))
    for day, score in ((1, 0.9), (2, 0.91), (3, 0.93))
)


def changes(change, *errors, rest=0.0):
    return ReportedChanges(change, rest, errors, (), None, ())


@pytest.mark.parametrize(
    ("found", "figures"),
    [
        (changes(-0.04, WORSE), ["fell 4.00 points", "3.00 points higher", "silver taken for bronze (176 → 1,648)"]),
        (changes(0.01, WORSE, BETTER), ["rose 1.00 point", "1.00 points lower", "gold taken for silver (9 → 4)"]),
        (changes(-0.04, BETTER), ["fell 4.00 points."]),
        (changes(0.00001, BETTER), ["the same"]),
    ],
)
def test_the_error_that_explains_most_is_named(found, figures):
    said = changes_headline(found, "macro-F1", POINTS)
    assert all(figure in said for figure in figures)


def test_an_error_is_shown_with_its_counts_and_what_undoing_it_does():
    found = ErrorChange("a\nb", 7, 1, 2 + 1 / 3, -0.01)
    assert (error_name(found), error_counts(found)) == ("a↵b taken for 7", "1 → 2.3")
    spans = [replace(found, predicted=NO_SPAN), replace(found, true=NO_SPAN)]
    assert [*map(error_name, spans)] == ["a↵b missed", "7 spurious"]
    both = changes(-0.04, WORSE, replace(WORSE, contribution=0.0))  # the second explains nothing
    _, (row,) = errors_table(both, AS_THEY_ARE, "example", excerpts=True).texts
    assert row[-1] == "a, 7: text: two lines"


def test_what_no_error_explains_is_told():
    assert "class shares" not in changes_note(changes(-0.04, WORSE, rest=-0.00001), POINTS)
    assert "−1.00 points" in changes_note(changes(-0.04, WORSE, rest=-0.01), POINTS)


def test_a_trend_names_both_ends_and_marks_new_test_sets():
    first, second, third = POINTS_OF_TREND
    trend = Trend("a.json", 0.02, 0.9, (first, replace(second, new_test_set=True), third))
    assert "0.900 on 2026-05-01 to 0.930 on 2026-05-03; the candidate 0.880" in trend_sentence(trend, 0.88)
    assert "old" not in trend_sentence(trend, 0.88)
    assert "32 days old" in trend_sentence(replace(trend, day="2026-06-04"), 0.88)
    assert "(0.880)" in trend_legend(trend)
    assert "new test set" in trend_legend(trend)
    assert trend_legend(Trend("a.json", None, None, POINTS_OF_TREND)) == "The dot is the candidate."


def test_examples_are_counted_that_got_worse_and_better_where_no_error_explains_it():
    examples = tuple(ExampleChange(f"q{n}", None, 1.0, 0.5, 1.0, gain) for n, gain in enumerate((-2, 3, -1, -1, -1)))
    found = ReportedChanges(-0.4, 0.0, (), (), None, examples)
    assert changed_examples(found) == "4 examples got worse: q0, q2, q3 and 1 more; 1 example got better"
    assert changed_examples(replace(found, examples=examples[1:2])) == "1 example got better"
    assert changed_examples(replace(found, errors=(WORSE,))) == changed_examples(None) == ""


def test_what_is_wrong_with_spans_before_and_now():
    names = [each.name for each in fields(SpanErrors)]
    before, now = (SpanErrors(**dict(zip(names, each, strict=True))) for each in (range(4), (0, 0, 7, 1_000)))
    counts = re.findall(r"[\d,]*\d → [\d,]*\d", span_errors((before, now)))
    assert counts == ["1 → 0", "2 → 7", "3 → 1,000"]
    assert span_errors(None) == ""
