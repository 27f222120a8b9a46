from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.reports.entry import Report, Together, mean_below
from pytest_bayesf1.stats.posterior import Draws, density_curve
from tests.unit.made_up import comparison, entry, error, estimate

WORSE = {"decision": Decision.MUCH_WORSE, "mean": -0.05, "hdi": (-0.07, -0.03)}


def judged(verdict="passed", *, policy="not_worse", p_below=0.1, **changes):
    return replace(entry(comparison(p_below_rope=p_below, **changes), verdict), policy=policy)


def test_what_is_expected_is_added_up():
    failed = [judged(verdict, p_below=p, **WORSE) for verdict, p in (("failed", 0.99), ("expected", 0.97))]
    others = [judged(verdict, p_below=p) for verdict, p in (("passed", 0.05), ("warned", 0.6), ("undecided", 0.2))]
    found = Together.of((*failed, *others))
    assert (found.n_failed, found.n_others) == (2, 3)
    assert [found.worse_failed, found.worse_others] == pytest.approx([1.96, 0.85])
    assert found.loss_others == pytest.approx(3 * mean_below(others[0].density, -0.01))


def test_only_policies_about_a_loss_count_and_only_comparisons():
    without = [
        judged("failed", policy="better"),
        judged(policy="equivalent"),
        judged("", policy=""),
        replace(entry(estimate()), policy="at_least"),
        error("no file"),
    ]
    assert Together.of(tuple(without)) == Together.of(())
    assert (
        Together.of(
            (judged("failed", policy="not_inferior"), judged("failed", policy="not_even_slightly_worse"))
        ).n_failed
        == 2
    )


def test_a_gate_that_failed_by_a_gap_between_slices_did_not_fail_by_a_loss():
    assert Together.of((judged("failed"),)).n_others == 1


def test_the_loss_of_a_measure_of_ones_own_has_another_unit():
    assert Together.of((judged(custom_measure=True, measure="cost"),)).loss_others == 0


@pytest.mark.parametrize("bound", [-0.03, -0.01, 0.0, 0.02])
def test_the_mean_loss_is_that_of_the_draws(bound):
    draws = np.random.default_rng(0).normal(-0.01, 0.01, 100_000)
    direct = np.maximum(bound - draws, 0).mean()
    assert mean_below(density_curve(Draws(draws)), bound) == pytest.approx(direct, rel=0.02, abs=2e-5)


def test_few_comparisons_speak_for_themselves():
    assert list(Together.of((judged(),) * 4).text()) == []


OF_FAILED = "Of 2 comparisons that failed, 2.0 are expected to be truly worse by more than you tolerate"
NONE_FAILED = "None of 5 comparisons failed; 0.5 of them are expected to be truly worse by more than you tolerate"
LOST = "with 0.3 points lost beyond that in all"
ALL_FAILED = "Of 5 comparisons that failed, 4.9 are expected to be truly worse by more than you tolerate."


@pytest.mark.parametrize(
    ("n_failed", "n_others", "told"),
    [
        (2, 5, f"{OF_FAILED}; of the 5 others 0.5 are, {LOST}."),
        (0, 5, f"{NONE_FAILED}, {LOST}."),
        (5, 0, ALL_FAILED),
    ],
)
def test_in_words(n_failed, n_others, told):
    failed, other = judged("failed", p_below=0.98, **WORSE), judged(p_below=0.1)
    assert list(Together.of((failed,) * n_failed + (other,) * n_others).text()) == [told]


def test_a_report_that_is_read_back_says_the_same():
    entries = [judged(p_below=0.1)] * 6
    assert Report.of(entries).together == Together.of(tuple(entries))
