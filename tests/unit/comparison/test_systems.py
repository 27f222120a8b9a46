"""Every kind of data that is compared is ranked too."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, Scores, SpanCounts, rank
from pytest_bayesf1.errors import FewClustersWarning
from tests.unit.ranked import predictions, systems

N = 200
TRUE, PREDICTED = predictions(N, (0.6, 0.7, 0.8))
NAMES = ("a", "b", "c")


def ranked(given, measure):
    return rank(dict(zip(NAMES, given, strict=True)), measure=measure, rope=0.02, n_draws=1_000)


def test_labels_that_do_not_exclude_one_another():
    rng = np.random.default_rng(0)
    true = rng.random((N, 4)) < 0.3
    given = [
        MultilabelCounts.from_predictions(true, true ^ (rng.random(true.shape) < error)) for error in (0.3, 0.2, 0.05)
    ]
    ranking = ranked(given, "f1_macro")
    assert ranking.rank_hdi == {"c": (1, 1), "b": (2, 2), "a": (3, 3)}
    assert ranking.n_samples == N


def test_spans():
    gold = [[(5 * place, 5 * place + 2, "PER") for place in range(6)] for _ in range(60)]
    found = [[spans[:kept] for spans in gold] for kept in (2, 4, 6)]
    ranking = ranked([SpanCounts.from_spans(gold, each) for each in found], "f1_micro")
    assert ranking.rank_hdi == {"c": (1, 1), "b": (2, 2), "a": (3, 3)}
    assert "60 documents were drawn, with all their spans." in ranking.notes()
    assert ranking.computed().startswith("360 spans of 1 type, ROPE 0.02")


def scores(seed=0):
    rng = np.random.default_rng(seed)
    binary, noise = TRUE > 0, rng.normal(size=N)
    return [Scores.from_predictions(binary, gain * binary + noise + rng.normal(size=N)) for gain in (0.3, 1.5, 4)]


@pytest.mark.parametrize(("measure", "prior"), [("roc_auc", "bootstrap"), ("f1@0.5", "jeffreys")])
def test_scores_by_their_own_measures_and_from_a_threshold(measure, prior):
    ranking = ranked(scores(), measure)
    assert ranking.prior == prior
    assert [each.name for each in ranking.systems] == ["c", "b", "a"]


def test_a_system_that_gives_no_scores():
    with pytest.raises(InputError, match=r"c: expected Scores, as a, got ConfusionMatrix\. Build all"):
        ranked([*scores()[:2], systems()["c"]], "roc_auc")


def test_units_warn_where_they_are_few():
    clusters = np.repeat(np.arange(20), N // 20)
    given = [ConfusionMatrix.from_predictions(TRUE, each, clusters=clusters) for each in PREDICTED]
    with pytest.warns(FewClustersWarning, match="20 clusters are few"):
        ranking = ranked(given, "f1_macro")
    assert "20 clusters were drawn, with all their examples." in ranking.notes()
    few = [ConfusionMatrix.from_predictions(TRUE, each, clusters=clusters // 4) for each in PREDICTED]
    with pytest.raises(InputError, match="at least 10 clusters"):
        ranked(few, "f1_macro")


def test_several_predictions_of_an_example():
    def ranking_of(runs):
        rng, given = np.random.default_rng(0), []
        for n_runs, each in zip((5, 6, 7), PREDICTED, strict=True):
            noise = rng.random((N, n_runs)) < np.linspace(0, 0.3, n_runs)
            columns = np.where(noise, rng.integers(3, size=noise.shape), each[:, None])
            given.append(ConfusionMatrix.from_predictions(TRUE, columns, runs=runs))
        return ranked(given, "accuracy")

    samples, seeds = ranking_of("samples"), ranking_of("seeds")
    assert [each.name for each in samples.systems] == ["c", "b", "a"]
    for name in NAMES:
        assert samples[name].observed == pytest.approx(seeds[name].observed)
        assert samples[name].std < seeds[name].std  # trainings of a recipe vary, too
