import pytest

from pytest_bayesf1.reports.changes_told import changes_headline, error_name
from pytest_bayesf1.results.changes import ErrorChange, ReportedChanges
from pytest_bayesf1.text import AS_THEY_ARE, POINTS

WORSE = ErrorChange("silver", "bronze", 176, 1_648, -0.03)
BETTER = ErrorChange("gold", "silver", 9, 4, 0.01)


def told(change, *errors):
    return ReportedChanges(change, 0.0, errors, (), None, ())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (told(-0.04, WORSE), "falls by 4.00 points, 75% of it by silver taken for bronze (176 → 1,648)"),
        (told(0.01, WORSE, BETTER), "rises by 1.00 points, 100% of it by gold taken for silver (9 → 4)"),
        (told(-0.04, BETTER), "falls by 4.00 points"),
        (told(0.00001, BETTER), "is the same on both sides"),
    ],
)
def test_the_error_that_explains_most_is_named(changes, sentence):
    assert changes_headline(changes, "macro-F1", POINTS) == f"The observed macro-F1 {sentence}"


def test_a_measure_of_the_user_s_own_has_no_points():
    assert changes_headline(told(-0.04), "cost", AS_THEY_ARE) == "The observed cost falls by 0.04"


def test_names_stay_on_one_line():
    assert error_name(ErrorChange("a\nb", 7, 1, 2, 0.0)) == "a b taken for 7"
