import pytest

from pytest_bayesf1 import _util as text


@pytest.mark.parametrize(
    ("probability", "written"),
    [
        (0, "0%"),
        (0.0004, "<0.1%"),
        (0.001, "0.1%"),
        (0.0234, "2.34%"),
        (0.5, "50%"),
        (0.95, "95%"),
        (0.999, "99.9%"),
        (0.9996, ">99.9%"),
        (1, "100%"),
    ],
)
def test_a_probability_is_never_rounded_to_certainty(probability, written):
    assert text.percent(probability) == written


@pytest.mark.parametrize(
    ("value", "written"), [(0.0, "<0.001"), (0.00099, "<0.001"), (0.001, "0.001"), (0.0123, "0.012"), (0.75, "0.75")]
)
def test_a_p_value_is_never_rounded_to_impossibility(value, written):
    assert text.p_value(value) == written


@pytest.mark.parametrize(
    ("value", "mcse", "written"),
    [
        (0.012345, 0.00123, "0.0123 ± 0.001"),
        (3.14159, 0.0456, "3.14 ± 0.05"),
        (999, 12, "999 ± 10"),
        (1000, 0.3, "1,000 ± 0.3"),
        (1e6, 12_345, "1,000,000 ± 12,345"),
    ],
)
def test_a_bayes_factor_has_three_digits_and_its_error_one(value, mcse, written):
    assert text.factor(value, mcse) == written


@pytest.mark.parametrize(("value", "written"), [(0.0, "<0.001"), (5.8e-105, "<0.001"), (3e107, ">1,000,000")])
def test_an_extreme_bayes_factor_is_not_spelt_out(value, written):
    assert text.factor(value, value) == written


def test_a_bayes_factor_may_be_undefined():
    assert text.factor(float("nan"), float("nan")) == "undefined"


@pytest.mark.parametrize(
    ("number", "written"), [(7, "7"), (84, "84"), (1_234, "1,200"), (98_765, "99,000"), (75_310_000, "75,000,000")]
)
def test_an_estimated_number_has_two_digits(number, written):
    assert text.rounded(number) == written


def test_a_name_stays_on_one_line():
    assert text.one_line("two\nlines\tand\r\nmore") == "two lines and more"
    assert text.one_line(7) == "7"


def test_intervals_of_differences_and_of_scores():
    assert text.scores((0.01234, 0.5)) == "0.012 to 0.500"


def test_a_text_is_indented_and_wrapped_for_a_terminal():
    lines = text.indented("word " * 40).splitlines()
    assert len(lines) == 3
    assert all(line.startswith("  word") and len(line) <= 72 for line in lines)


def test_an_indented_line_such_as_a_command_stays_whole():
    command = f"    pytest '{'a b ' * 40}' --bayesf1-update=force"
    assert text.indented(f"To go on:\n{command}\nOr not.") == f"  To go on:\n  {command}\n  Or not."


def test_no_text_is_no_line():
    assert text.indented("") == ""
