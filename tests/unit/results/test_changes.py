import pytest

from pytest_bayesf1.results.comparison import ErrorChange, ExampleChange, ReportedChanges, Turn


@pytest.mark.parametrize(
    ("labels", "turn"),
    [("aab", Turn.BROKEN), ("aba", Turn.FIXED), ("abc", Turn.STILL_WRONG)],
)
def test_what_became_of_an_example(labels, turn):
    assert ExampleChange("id", *labels, 1.0, -0.01).turn is turn


def test_the_most_telling_error_goes_the_way_of_the_score():
    errors = (ErrorChange("a", "b", 5, 1, 0.02), ErrorChange("b", "a", 1, 5, -0.01))
    for change, expected in ((0.01, errors[0]), (-0.01, errors[1]), (0.0, None)):
        assert ReportedChanges(change, 0.0, errors, (), None, ()).most_telling is expected
