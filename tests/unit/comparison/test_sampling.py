from dataclasses import dataclass, replace

import numpy as np
import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.comparison.arguments import Options
from pytest_bayesf1.comparison.design import design_comparison
from pytest_bayesf1.comparison.sampling import draw_until_settled
from pytest_bayesf1.comparison.subject import OutcomeSubject, prior_deltas
from pytest_bayesf1.data.outcomes import CommonShares
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.results.comparison import Convergence

SUBJECT = design_comparison([[40, 10], [5, 45]], [[35, 15], [5, 45]], "auto")
EXPERIMENT = SUBJECT.experiment
ACCURACY = parse_measure("accuracy", (0, 1))


@dataclass
class Settled:
    settled: bool


def draw(settled_from, **options):
    """Draw, with a summary that is settled from this many draws on; return how many there were at each look."""
    looks = []

    def summarise(draws):
        looks.append(draws.values.size)
        return Settled(draws.values.size >= settled_from)

    (drawn,) = draw_until_settled(SUBJECT, Options.resolve(**options), (ACCURACY,), summarise)
    assert drawn.scores.shape == (2, looks[-1])
    np.testing.assert_array_equal(drawn.quantity.values, drawn.scores[1] - drawn.scores[0])
    assert drawn.convergence == Convergence(ess=looks[-1])
    return looks, drawn.summary.settled


@pytest.mark.parametrize(
    ("settled_from", "n_draws", "looks"),
    [
        (0, None, [10_000]),
        (40_000, None, [10_000, 20_000, 40_000]),
        (10**9, None, [10_000, 20_000, 40_000, 50_000]),
        (10**9, 3_000, [3_000]),
    ],
    ids=["settled at once", "until it is settled", "up to the limit", "as many as were asked for"],
)
def test_draws_double_until_the_summary_is_settled(monkeypatch, settled_from, n_draws, looks):
    monkeypatch.setattr(ExactEngine, "most_draws", 50_000)
    assert draw(settled_from, n_draws=n_draws) == (looks, settled_from < 10**9)


@pytest.mark.parametrize(
    ("n_right", "rope", "decision", "goes_on"),
    [
        (42, (-0.9, 0.0586), "?", False),  # might be ≈
        (42, (-0.9, 0.0616), "≈", True),  # might be ?
        (42, (-0.1185, 0.9), "?", True),  # might be no worse, or might not
        (38, (-0.0364, 0.9), "?", True),  # might be <
    ],
    ids=["undecided", "equivalent", "no worse", "worse"],
)
def test_an_undecided_comparison_gets_no_draws_that_could_only_improve_it(n_right, rope, decision, goes_on):
    candidate = [[n_right, 50 - n_right], [5, 45]]
    found = compare([[45, 5], [5, 45]], candidate, measure="accuracy", rope=(*rope, "wide"), seed=7)
    assert (str(found.decision), found.settled, found.n_draws == 100_000) == (decision, False, goes_on)


@pytest.mark.parametrize(
    ("population", "square"), [(CommonShares(shares=((0, 0.9), (1, 0.1))), 0.9**2 + 0.1**2), (None, 2 / 3)]
)
def test_draws_from_before_the_data_are_of_the_class_shares_that_are_scored(population, square):
    """Both recalls of each side are uniform, and so is the share of a class where it is not known."""
    experiment = replace(type(EXPERIMENT).before_data("independent", 2), population=population)
    delta = prior_deltas(experiment, (ACCURACY,), Options.resolve(prior="uniform"))[0].values
    assert delta.var() == pytest.approx(2 * square / 12, rel=0.05)


def test_draws_from_before_the_data_are_others_than_the_posterior_s():
    before = type(EXPERIMENT).before_data("independent", 2)  # without data the two have the same distribution
    options = Options.resolve()
    subject = OutcomeSubject(before, (0, 1), "")
    (drawn,) = draw_until_settled(subject, options, (ACCURACY,), lambda _: Settled(settled=True))
    prior = prior_deltas(before, (ACCURACY,), options)[0].values[: drawn.quantity.values.size]
    assert abs(np.corrcoef(prior, drawn.quantity.values)[0, 1]) < 4 / np.sqrt(drawn.quantity.values.size)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_prior_alone_leans_to_no_side(swapped):
    few, many = [[95, 5, 0], [5, 95, 0], [2, 1, 0]], [[95, 5, 0], [5, 95, 0], [80, 60, 0]]  # none of class 2 is found
    sides = (many, few) if swapped else (few, many)
    comparison = compare(*sides, measure="f1[2]", rope=0.01, prior="uniform", weak_baseline=True)
    assert max(comparison.p_below_rope, comparison.p_above_rope) > 0.75
    assert (comparison.baseline.observed, comparison.candidate.observed) == (0, 0)
    assert comparison.decision == "?"


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
def test_a_prior_of_earlier_examples_is_evidence():
    earlier = compare([[80, 20], [20, 80]], [[84, 16], [16, 84]], rope=0.01, measure="accuracy", model="independent")
    assert earlier.decision == ">"
    again = compare([[4, 1], [1, 4]], [[4, 1], [1, 4]], rope=0.01, measure="accuracy", prior=earlier.as_prior())
    assert again.decision == ">"


@pytest.mark.parametrize("measure", ["accuracy", "f1_micro"])
def test_accuracy_of_many_classes_needs_no_classes(measure):
    """Its posterior is the Dirichlet of what one side alone has right, with half an example each."""
    true = np.arange(300) % 5
    baseline, candidate = np.where(np.arange(300) < 30, (true + 1) % 5, true), np.where(np.arange(300) > 280, 0, true)
    found = compare(true, baseline, candidate, measure=measure, rope=0.01)
    n_worse, n_better = (
        np.sum((baseline == true) & (candidate != true)),
        np.sum((baseline != true) & (candidate == true)),
    )
    shares = np.random.default_rng(1).dirichlet([n_worse + 0.5, n_better + 0.5, 300 - n_worse - n_better + 1], 100_000)
    delta = shares[:, 1] - shares[:, 0]
    assert found.prior == "jeffreys"
    assert found.mean == pytest.approx(delta.mean(), abs=0.001)
    assert found.std == pytest.approx(delta.std(), rel=0.03)
