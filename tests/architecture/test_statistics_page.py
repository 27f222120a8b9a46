"""What the statistics say of prevalence: its code runs, and answers for the prevalence that it names."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

from pytest_bayesf1 import compare

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "limits.md").read_text("utf-8")


@pytest.fixture(scope="module")
def names():
    found = {}
    (block,) = (
        block for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL) if "one_in_twenty" in block
    )
    exec(block, found)  # noqa: S102
    return found


def f1_at(share, rows):
    """F1 of the first class from each side's share of examples found, and of false alarms."""
    found, false_alarms = rows
    return 2 * share * found / (share * (1 + found) + (1 - share) * false_alarms)


def test_the_two_verdicts_are_those_that_the_page_tells(names):
    told = re.search(r"```text\n(≫ .*F1 of fraud.*)\n(< .*)\n```", PAGE)
    assert told.groups() == (names["tested"].title, names["deployed"].title)


def test_delta_is_that_of_the_other_prevalence(names):
    """Rows of the uniform prior, drawn on their own, weighed by the prevalence that beta and the data make."""
    rng, deployed = np.random.default_rng(0), names["deployed"]
    fraud, legit = (rng.dirichlet(np.add(counts, 1), 100_000).T for counts in ([778, 22, 82, 118], [41, 9, 29, 921]))
    share = rng.dirichlet([51_000, 951_000], 100_000)[:, 0]
    # both find it, only the baseline, only the candidate, neither: of frauds, and of false alarms
    baseline, candidate = ((fraud[0] + fraud[one], legit[0] + legit[one]) for one in (1, 2))
    delta = f1_at(share, candidate) - f1_at(share, baseline)
    assert deployed.mean == pytest.approx(delta.mean(), abs=4 * (deployed.mcse + delta.std() / np.sqrt(delta.size)))
    assert deployed.std == pytest.approx(delta.std(), rel=0.03)


def test_all_that_is_counted_stays_that_of_the_test_set(names):
    tested, deployed = names["tested"], names["deployed"]
    for name in ("contingency", "classical_tests", "paired_outcomes", "n_samples"):
        assert getattr(tested, name) == getattr(deployed, name)
    assert tested.candidate.observed == deployed.candidate.observed != pytest.approx(deployed.candidate.mean, abs=0.2)


def test_recalls_do_not_depend_on_the_prevalence(names):
    pairs, prior = names["pairs"], names["one_in_twenty"]
    before, after = (compare(pairs, measure="recall[fraud]", rope=0.01, prior=each) for each in ("uniform", prior))
    assert after.mean == pytest.approx(before.mean, abs=4 * (before.mcse + after.mcse))
    assert after.std == pytest.approx(before.std, rel=0.05)


def test_scikit_learn_averages_a_class_that_is_never_true():
    """The page says what that does to macro-F1."""
    true, unexpected = ["ham", "ham", "spam", "spam"], ["ham", "ham", "spam", "N/A"]
    assert f1_score(true, unexpected, average="macro", zero_division=0) == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert f1_score(true, unexpected, average="macro", labels=["ham", "spam"]) == pytest.approx((1 + 2 / 3) / 2)
