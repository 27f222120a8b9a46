"""What a gate says that did not plainly pass: short, the essential first, and in one unit."""

import re

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, Decision, compare
from pytest_bayesf1._util import WIDTH
from pytest_bayesf1.gates.policy import format_failure, format_others, shown
from pytest_bayesf1.results.comparison import ClassChange
from pytest_bayesf1.settings import Session, active
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, estimate, score

WORSE = {
    "decision": Decision.MUCH_WORSE,
    "mean": -0.07,
    "hdi": (-0.085, -0.055),
    "p_worse": 1.0,
    "baseline": score(0.982),
    "candidate": score(0.912),
}
DROPS = tuple(ClassChange(name, 0.9, 0.8) for name in ("spam", "ham", "news"))


def loss():
    """Return a comparison of named examples of which the candidate gets ten wrong that the baseline got right."""
    true = ["ham", "spam"] * 100
    ids = [f"mail {number}" for number in range(200)]
    lost = ["ham" if number in range(1, 60, 2) else label for number, label in enumerate(true)]
    baseline, candidate = (ConfusionMatrix.from_predictions(true, side, ids=ids) for side in (true, lost))
    return compare(baseline, candidate, measure="f1[spam]", rope=0.01, n_draws=2_000)


def test_first_what_happened_then_what_to_do_then_why():
    lines = format_failure(comparison(**WORSE, largest_drops=DROPS), "Do: this.").splitlines()
    assert lines == [
        "≪ macro-F1 −7.0 points (you tolerate 1): 0.982 → 0.912",
        "  Do: this.",
        "  decision    significantly worse: 95% HDI −8.5 to −5.5, P(worse) 100%",
        "  F1 falls in spam 0.900 → 0.800, ham 0.900 → 0.800, news 0.900 → 0.800",
        "  gate finds  losses of 3.5 points or more (2.8 in half of the test",
        "              sets); you tolerate 1",
    ]


def test_errors_that_explain_the_loss_are_told_with_examples():
    text = format_failure(loss(), "")
    assert "  errors      spam as ham 0 → 30 (mail 1, mail 3, mail 5, …)\n" in text


def test_what_is_demanded_and_what_would_settle_it_come_before_where_it_is():
    text = format_failure(comparison(examples_needed=340, largest_drops=DROPS), "", demanded="to be better")
    names = re.findall(r"^  (\S+(?: \S+)?)  ", text, flags=re.MULTILINE)
    assert names == ["demanded", "decision", "to settle"]
    assert "F1 falls in" in text
    assert "gate finds" not in text


def test_a_warning_tells_no_more_than_the_decision_and_what_would_settle_it():
    found = comparison(examples_needed=340, largest_drops=DROPS)
    assert len(format_failure(found, "", is_warning=True).splitlines()) == 4
    assert len(format_failure(comparison(largest_drops=DROPS), "", is_warning=True).splitlines()) == 2


def test_in_full_there_are_all_figures_and_notes():
    found = comparison(model="same-set", settled=False, largest_drops=DROPS)
    text = format_failure(found, "Do: this.", in_full=True)
    assert text.startswith("? macro-F1 +0.2 points (you tolerate 1): 0.800 → 0.802\n  Do: this.\n")
    assert text.endswith(str(found).partition("\n")[2])


def test_a_part_is_named_first():
    assert format_failure(comparison(**WORSE), "", part="class spam").startswith("≪ class spam, macro-F1 −7.0 points ")


def test_a_floor():
    found = estimate(floor=0.85, below_floor=True, above_floor=False, p_below_floor=0.999_95)
    assert format_failure(found, "Do: this.").splitlines() == [
        "macro-F1 0.800 is below the floor of 0.85",
        "  Do: this.",
        "  95% HDI     0.780 to 0.820, P(below the floor) >99.9%",
        "  observed    0.800 on 1,000 examples",
    ]


@pytest.mark.parametrize("in_full", [False, True])
def test_differences_are_told_in_points_alone(in_full):
    text = format_failure(comparison(**WORSE), "", in_full=in_full)
    assert "−7.0 points" in text
    assert not re.search(r"[-−]0\.0\d", text)


def test_a_measure_of_the_users_own_has_no_points():
    def profit(p):
        return 100 * np.trace(p, axis1=-2, axis2=-1)

    text = format_failure(compare([[48, 2], [3, 47]], [[40, 10], [10, 40]], measure=profit, rope=5, n_draws=2_000), "")
    assert re.match(r"≪ profit −14\.\d+ \(you tolerate 5\): 94\.\d+ → 79\.\d+\n", text)
    assert "point" not in text


@pytest.mark.parametrize("name", HOSTILE)
def test_lines_fit_whatever_the_names(name):
    drops = (ClassChange(name, 0.9, 0.8),) * 3
    result = comparison(**WORSE, measure=f"f1[{name}]", largest_drops=drops)
    text = format_failure(result, "Do: this.", part=f"class {name}")
    first, *others = text.splitlines()
    assert len(first) < 120
    assert max(map(len, others)) <= WIDTH


def test_the_others_are_few_and_counted():
    assert list(format_others([], most=5)) == []
    assert list(format_others(["a", "b"], most=5)) == ["  Also failed, the worst first:", "    a", "    b"]
    assert list(format_others(list("abcdefg"), most=5))[-2:] == ["    e", "    and 2 more"]


def test_the_session_knows_where_the_rest_is_and_which_characters_there_are():
    message = format_failure(comparison(**WORSE), "Do: this.")
    assert shown(message, leaves_out=True) == message
    with active(Session(more="out/report.html")):
        assert shown(message, leaves_out=True) == f"{message}\n  more        out/report.html"
        assert shown(message, leaves_out=False) == message
    with active(Session(ascii_only=True)):
        assert shown(message, leaves_out=True).isascii()
        assert shown(message, leaves_out=True).startswith("<< macro-F1 -7.0 points (you tolerate 1): 0.982 -> 0.912\n")
