from dataclasses import dataclass, replace

import numpy as np
import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.comparison.arguments import CompareOptions, Options
from pytest_bayesf1.comparison.design import design_comparison
from pytest_bayesf1.comparison.sampling import draw_delta, draw_until_settled
from pytest_bayesf1.comparison.subject import OutcomeSubject, prior_deltas
from pytest_bayesf1.data.outcomes import CommonShares
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.results.comparison import Convergence
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.stats.posterior import Draws

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
    ("rope", "decision", "goes_on"),
    [
        ((-0.9, 0.0586), "?", False),  # might be ≈
        ((-0.9, 0.0616), "≈", True),  # might be ?
        ((-0.1185, 0.9), "?", True),  # might be no worse, or might not
    ],
    ids=["undecided", "equivalent", "no worse"],
)
def test_an_undecided_comparison_gets_no_draws_that_could_only_improve_it(rope, decision, goes_on):
    found = compare([[45, 5], [5, 45]], [[42, 8], [5, 45]], measure="accuracy", rope=(*rope, "wide"), seed=7)
    assert (str(found.decision), found.settled, found.n_draws == 100_000) == (decision, False, goes_on)


class Replayed:
    """A subject of which the same draws are made again and again."""

    def __init__(self, seed):
        scores = SUBJECT.sampler([ACCURACY], Options.resolve(seed=seed)).draw(ExactEngine.most_draws)
        self._scores, self._made = scores - np.array([0.0, 0.5])[:, None, None], 0  # the candidate is far worse
        self.delta = Draws(self._scores[1, :, 0] - self._scores[0, :, 0])

    def decided(self, rope, n_draws=None):
        """Return how many draws there were, and what a gate may read off them."""
        options = CompareOptions.resolve(rope=rope, n_draws=n_draws)
        (drawn,) = draw_delta(self, options, (ACCURACY,))
        found = drawn.summary
        return drawn.quantity.values.size, found.settled, (found.decision, found.hdi[0] > options.rope.low)

    def sampler(self, *_):
        self._made = 0
        return self

    def draw(self, n):
        self._made += n
        return self._scores[:, self._made - n : self._made]

    def convergence(self, values):
        return Convergence(ess=values.size)

    def observed(self, measure):
        return SUBJECT.observed(measure)


EDGES = {  # the value of the ROPE's low end at which another conclusion begins
    "≪ or <": lambda delta: delta.hdi(0.95)[1],
    "< or ?": lambda delta: float(np.quantile(delta.values, 0.75)),
    "no worse or ?": lambda delta: delta.hdi(0.95)[0],
}


@pytest.mark.slow
@pytest.mark.parametrize("edge", EDGES.values(), ids=EDGES)
def test_fewer_draws_decide_as_all_do(edge):
    first, second = Replayed(0), Replayed(1)
    ends = edge(first.delta) - first.delta.std * np.linspace(-0.06, 0.06, 61)
    ropes = [(float(end), 0.9, "wide") for end in ends]
    most, disagree, disagree_in_full, early = ExactEngine.most_draws, 0, 0, 0
    for rope in ropes:
        n_draws, settled, found = first.decided(rope)
        _, _, of_all = first.decided(rope, most)
        _, _, of_others = second.decided(rope, most)
        assert settled or n_draws == most or found == (Decision.UNDECIDED, True)
        assert not settled or found == of_all
        early += n_draws < most
        disagree += found != of_others
        disagree_in_full += of_all != of_others
    assert early > 5
    assert disagree <= disagree_in_full


@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
def test_before_data_the_sides_are_alike(model):
    experiment = type(EXPERIMENT).before_data(model, 3)
    delta = prior_deltas(experiment, (parse_measure("f1_macro", (0, 1, 2)),), Options.resolve())[0].values
    assert abs(delta.mean()) < 4 * delta.std() / np.sqrt(delta.size)
    assert delta.std() > 0.05


@pytest.mark.parametrize(
    ("population", "square"), [(CommonShares(shares=((0, 0.9), (1, 0.1))), 0.9**2 + 0.1**2), (None, 2 / 3)]
)
def test_draws_from_before_the_data_are_of_the_class_shares_that_are_scored(population, square):
    """Both recalls of each side are uniform, and so is the share of a class where it is not known."""
    experiment = replace(type(EXPERIMENT).before_data("independent", 2), population=population)
    delta = prior_deltas(experiment, (ACCURACY,), Options.resolve(prior="uniform"))[0].values
    assert delta.var() == pytest.approx(2 * square / 12, rel=0.05)


def test_draws_from_before_the_data_do_not_depend_on_the_data():
    other = design_comparison([[4, 1], [5, 4]], [[3, 2], [5, 4]], "auto").experiment
    options = Options.resolve()
    np.testing.assert_array_equal(
        prior_deltas(EXPERIMENT, (ACCURACY,), options)[0].values, prior_deltas(other, (ACCURACY,), options)[0].values
    )


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
