import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import ClusterFigures, Convergence, JudgeFigures
from pytest_bayesf1.words.evidence import judge_errors
from pytest_bayesf1.words.notes import warnings_of
from pytest_bayesf1.words.results import computed, statistics, verdict_line
from tests.unit.made_up import comparison, estimate


def test_the_line_above_a_failure():
    worse = comparison(decision=Decision.MUCH_WORSE, mean=-0.07, hdi=(-0.081, -0.055), measure="f1[spam]")
    assert verdict_line(worse) == "≪ F1 of spam −7.0 points (you allow 1): 0.800 → 0.730"
    assert verdict_line(worse, "language=de").startswith("≪ language=de, F1 of spam −7.0 points ")
    assert len(verdict_line(worse, 1_000 * "long")) < 100


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"below_floor": True, "above_floor": False, "floor": 0.9}, "macro-F1 0.800 is below the floor of 0.9"),
        ({}, "macro-F1 0.800 is above the floor of 0.75"),
        ({"above_floor": False, "floor": 0.79}, "macro-F1 0.800 is not clearly below the floor of 0.79"),
    ],
)
def test_the_line_above_an_estimate(changes, told):
    assert verdict_line(estimate(**changes)) == told


@pytest.mark.parametrize("turn", [1, -1])
def test_the_side_with_fewer_clusters_of_one_size_is_named(turn):
    n, n_equal = (500, 25)[::turn], (400, 20)[::turn]
    clusters = ClusterFigures("documents", "spans", n, n_equal, (0, 0), (0, 0), 1.5, (-0.01, 0.02))
    (warning,) = warnings_of((), clusters, ())
    assert str(warning).startswith("25 documents are few (they tell as much as 20 of one size)")


def test_each_bayes_factor_has_its_own_error():
    assert dict(statistics(comparison()))["BF"] == "6.25 ± 0.03 inside the ROPE   7.5 ± 0.1 at 0"


def judged(*sides):
    """Return a judge that errs so much on each side, and passes so many of the answers that people fail."""
    errors, passed, failed = zip(*sides, strict=True)
    counts = {"passed": passed, "failed": failed} if all(failed) else {"passed": None, "failed": None}
    of_pair = {"corrected": None, "favour": None, "p_even": None, "p_random": None}
    scores = (0.5,) * len(sides)
    return JudgeFigures(n_human=20, checksum="", scores=scores, hdi=(0.0, 0.1), errors=errors, **counts, **of_pair)


def test_how_a_judge_errs_on_each_side():
    first = "2 of 9 answers of {} that people fail"
    both = comparison(judge=judged((0.1, 2, 9), (-0.2, 3, 8)))
    second = "3 of 8 answers of the candidate that people fail"
    assert judge_errors(both) == f"passes {first.format('the baseline')} and {second}"
    assert judge_errors(estimate(judge=judged((0.1, 2, 9)))) == f"passes {first.format('the candidate')}"
    told = "grades the baseline 0.100 higher and the candidate 0.200 lower than people"
    assert judge_errors(comparison(judge=judged((0.1, 0, 0), (-0.2, 0, 0)))) == told


def test_how_draws_were_made():
    chains = comparison(convergence=Convergence(1_800.0, n_chains=4, r_hat=1.002))
    assert "draws (4 chains, R-hat 1.002, ESS 1,800), " in computed(chains)
    assert "draws, " in computed(comparison())
