from dataclasses import replace

import pytest

from pytest_bayesf1._util import AS_THEY_ARE, POINTS
from pytest_bayesf1.reports.wording import ErrorText, changes_of, format_changes, format_error
from pytest_bayesf1.results.comparison import ErrorChange, NamedExample, ReportedChanges
from tests.unit.made_up import comparison, entry

WORSE = ErrorChange(
    "silver", "bronze", 176, 1_648, -0.03, (NamedExample("a"), NamedExample(7, ("text", "", "two\nlines")))
)
BETTER = ErrorChange("gold", "silver", 9, 4, 0.01)


def changes(change, *errors, rest=0.0):
    return ReportedChanges(change, rest, errors, (), None, ())


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (changes(-0.04, WORSE), "falls by 4.00 points, 75% of it by silver taken for bronze (176 → 1,648)."),
        (changes(0.01, WORSE, BETTER), "rises by 1.00 points, all of it by gold taken for silver (9 → 4)."),
        (changes(-0.04, BETTER), "falls by 4.00 points."),
        (changes(0.00001, BETTER), "is the same on both sides."),
    ],
)
def test_the_error_that_explains_most_is_named(found, sentence):
    assert format_changes(found, "macro-F1", POINTS).headline == f"The observed macro-F1 {sentence}"


def test_a_measure_of_the_user_s_own_has_no_points():
    told = format_changes(changes(-0.04, WORSE), "cost", AS_THEY_ARE)
    assert told.headline.startswith("The observed cost falls by 0.04, 75% of it")
    assert told.unit == "score"
    assert told.errors == [
        ErrorText(
            "silver taken for bronze",
            "176 → 1,648",
            "\N{MINUS SIGN}0.03",
            ("a", "7: text: two lines"),
            with_excerpts=True,
        ),
    ]


def test_names_stay_on_one_line_and_shares_of_examples_are_rounded():
    told = format_error(ErrorChange("a\nb", 7, 1, 2 + 1 / 3, -0.01), POINTS)
    assert (told.name, told.counts, told.adds) == ("a b taken for 7", "1 → 2.3", "\N{MINUS SIGN}1.00")


def test_what_no_error_explains_is_told():
    assert format_changes(changes(-0.04, WORSE), "F1", POINTS).note.endswith("the parts of all errors add up to it.")
    note = format_changes(changes(-0.04, WORSE, rest=-0.01), "F1", POINTS).note
    assert note.endswith("add up to it, but for \N{MINUS SIGN}1.00 points because the classes have other proportions.")


def test_where_nothing_is_known_nothing_is_told():
    known = entry(comparison())
    assert changes_of(replace(known, changes=None)) is None
    assert changes_of(replace(known, changes=changes(0.0))) is None
    assert changes_of(replace(known, changes=changes(-0.04, WORSE))).unit == "points"
