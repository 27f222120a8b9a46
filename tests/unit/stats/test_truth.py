"""Populations near what was seen: their differences and variances, against closed forms."""

import numpy as np
import pytest

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.power import Alternative, find_root

LABELS = (0, 1, 2)
N = 3_000_000  # so many that one pseudo-observation of each class does not tell
RNG = np.random.default_rng(0)
JOINT = RNG.dirichlet(np.ones(27)).reshape(3, 3, 3) / 2 + np.einsum("jk,jl->jkl", np.eye(3), np.eye(3)) / 6


def table(joint, n=N):
    cells = np.nonzero(joint)
    return OutcomeTable.tally(joint.shape[-1], *cells, weight=n * joint[cells])


PAIRED = Experiment(Model.PAIRED, (table(JOINT),))
MARGINS = JOINT.sum(axis=2), JOINT.sum(axis=1)


def of_two(model, n=(N, N)):
    return Experiment(model, tuple(map(table, MARGINS, n)))


def truth(experiment=PAIRED, measure="accuracy"):
    return Alternative.seen(experiment, parse_measure(measure, LABELS))


def accuracy(matrix):
    return np.trace(matrix)


def test_delta_is_the_one_that_was_seen():
    assert truth().delta == pytest.approx(accuracy(MARGINS[1]) - accuracy(MARGINS[0]), abs=1e-6)


def test_the_variance_of_paired_accuracies_is_mcnemars():
    right = np.eye(3)[:, :, None], np.eye(3)[:, None, :]
    gains, losses = JOINT[(right[1] > right[0])].sum(), JOINT[(right[0] > right[1])].sum()
    assert truth().variance == pytest.approx((gains + losses - (gains - losses) ** 2) / N, rel=1e-5)


def test_the_variance_of_independent_accuracies_is_the_sum_of_theirs():
    shares = np.array([accuracy(matrix) for matrix in MARGINS])
    expected = (shares * (1 - shares) / [N, N / 2]).sum()
    assert truth(of_two(Model.INDEPENDENT, (N, N / 2))).variance == pytest.approx(expected, rel=1e-5)


def test_the_variance_on_the_same_set_is_that_of_sides_that_err_independently():
    class_shares = JOINT.sum(axis=(1, 2))
    independent = np.einsum("j,jk,jl->jkl", 1 / class_shares, *MARGINS)
    paired = truth(Experiment(Model.PAIRED, (table(independent),)), "f1_macro")
    assert truth(of_two(Model.SAME_SET), "f1_macro").variance == pytest.approx(paired.variance, rel=1e-5)


@pytest.mark.parametrize(
    "measure", ["f1_macro", "matthews_corrcoef", "f1[1]", lambda p: np.einsum("...jj->...", p) ** 2]
)
@pytest.mark.parametrize("model", [Model.PAIRED, Model.SAME_SET, Model.INDEPENDENT])
def test_a_candidate_that_differs_by_so_much(model, measure):
    seen = truth(PAIRED if model == Model.PAIRED else of_two(model), measure)
    for delta in (-0.2, 0.0, 0.02):
        assert seen.with_delta(delta).delta == pytest.approx(delta, abs=1e-7)


def test_the_classes_and_the_baseline_stay_as_they_are():
    before, after = truth().experiment.tables[0], truth().with_delta(-0.1).experiment.tables[0]
    for of in (lambda each: each.side(0).count, lambda each: each.row_totals):
        assert of(after) == pytest.approx(of(before))
    assert after.n_samples == N


def test_the_odds_of_losing_what_the_baseline_gets_right_have_one_factor():
    before, after = (each.experiment.tables[0] for each in (truth(), truth().with_delta(-0.1)))

    def odds(outcomes, label):
        given = (outcomes.true == label) & (outcomes.predicted[0] == label)
        wrong = given & (outcomes.predicted[1] != label)
        return outcomes.count[wrong].sum() / outcomes.count[given & ~wrong].sum()

    factors = [odds(after, label) / odds(before, label) for label in LABELS]
    assert factors == pytest.approx([factors[0]] * 3)
    assert factors[0] > 1


@pytest.mark.parametrize("delta", [-0.1, -0.01, 0.02])
def test_one_side_alone_is_right_as_often_as_it_was_seen_to_be(delta):
    before, after = (each.experiment.tables[0] for each in (truth(), truth().with_delta(delta)))
    alone = [outcomes.group_counts[:, 1:3].sum() for outcomes in (before, after)]
    assert alone[1] == pytest.approx(alone[0])


def test_where_a_loss_needs_it_the_sides_agree_less():
    most = truth().with_delta(-0.5).experiment.tables[0]
    assert most.group_counts[:, 2].sum() == pytest.approx(0, abs=1e-3)
    assert most.group_counts[:, 1].sum() == pytest.approx(0.5 * N, rel=1e-5)


def test_no_candidate_loses_more_than_there_is_to_lose():
    assert truth().with_delta(-0.99) is None


def test_sides_that_agree_on_everything_may_differ_in_truth():
    agreed = PairedCounts.from_cells([0, 0, 1], [0, 1, 1], [0, 1, 1], [45, 5, 50], labels=[0, 1]).table
    lost = Alternative.seen(Experiment(Model.PAIRED, (agreed,)), parse_measure("f1", (0, 1))).with_delta(-0.1)
    assert lost.delta == pytest.approx(-0.1, abs=1e-7)
    assert lost.variance > 0


def test_near_enough_takes_fewer_steps():
    found = truth().with_delta(-0.1, close=0.01)
    assert abs(found.delta + 0.1) <= 0.01


@pytest.mark.parametrize("loss", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("experiment", [PAIRED, of_two(Model.SAME_SET)], ids=["paired", "bare"])
def test_the_first_guess_is_right_about_accuracy(monkeypatch, experiment, loss):
    tried = []

    def counted(function, *given):
        return find_root(lambda at: tried.append(at) or function(at), *given)

    monkeypatch.setattr("pytest_bayesf1.stats.power.find_root", counted)
    seen = truth(experiment)
    assert seen.with_delta(seen.delta - loss, close=0.05 * loss).delta == pytest.approx(
        seen.delta - loss, abs=0.05 * loss
    )
    assert len(tried) == 1
