"""Comparisons and estimates of examples that belong to clusters."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, assert_at_least, compare
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.result import run_estimate
from pytest_bayesf1.errors import FewClustersWarning

N = 200
RNG = np.random.default_rng(2)
TRUE = RNG.integers(3, size=N)
BASELINE = np.where(RNG.random(N) < 0.8, TRUE, RNG.integers(3, size=N))
CANDIDATE = np.where(RNG.random(N) < 0.9, BASELINE, RNG.integers(3, size=N))
CLUSTER = np.arange(N) // 2
ASKED = {"rope": 0.01, "n_draws": 2_000}
NONE = "expected the cluster of every example, as {} has it, got none"


def sides(**given):
    return [ConfusionMatrix.from_predictions(TRUE, y_pred, **given) for y_pred in (BASELINE, CANDIDATE)]


def trainings(n):
    rng = np.random.default_rng(4)
    return np.stack([np.where(rng.random(N) < 0.5 + 0.08 * k, TRUE, 0) for k in range(n)], axis=1)


def test_a_result_names_its_units():
    found = compare(*sides(clusters=pd.Series(CLUSTER, name="doc_id")), **ASKED)
    clusters = found.clusters
    assert (clusters.noun, clusters.holding, clusters.n, clusters.runs, clusters.trainings) == (
        "clusters of doc_id",
        "examples",
        (100, 100),
        (1, 1),
        (0, 0),
    )
    note = found.notes()[0]
    assert note.startswith(
        f"100 clusters of doc_id, 200 examples, design effect {clusters.design_effect:.2g}: had every "
    )
    assert (found.classical_tests, found.paired_outcomes, found.prior) == ((), None, "hierarchical")


def test_the_design_effect_is_the_ratio_of_variances():
    copied = [np.repeat(each, 3) for each in (TRUE, BASELINE, CANDIDATE, np.arange(N))]
    thrice = [ConfusionMatrix.from_predictions(copied[0], y_pred, clusters=copied[3]) for y_pred in copied[1:3]]
    found = compare(*thrice, rope=0.01)
    # 3 but for the prior, which is worth as much beside clusters, makes 3.33; 4,000 draws know it to 2.4%
    assert found.clusters.design_effect == pytest.approx(3.33, rel=4 * 0.024)
    assert found.clusters.independent_hdi[1] - found.clusters.independent_hdi[0] < 0.7 * (found.hdi[1] - found.hdi[0])


def test_an_estimate_has_units_too():
    (side, _) = sides(clusters=CLUSTER)
    found = run_estimate(side, 0.5, n_draws=2_000)
    assert found.clusters.n == (100,)
    assert "100 clusters, 200 examples" in found.notes()[0]


def test_labels_have_units_too():
    indicators = np.eye(3, dtype=int)
    made = [
        MultilabelCounts.from_predictions(indicators[TRUE], indicators[y], clusters=CLUSTER) for y in (TRUE, BASELINE)
    ]
    assert compare(*made, **ASKED).clusters.n == (100, 100)


def test_two_test_sets_have_units_of_their_own():
    other = ConfusionMatrix.from_predictions(TRUE[:100], CANDIDATE[:100], clusters=CLUSTER[:100])
    found = compare(sides(clusters=CLUSTER)[0], other, model="independent", **ASKED)
    assert found.clusters.n == (100, 50)


def test_runs_are_told():
    many = ConfusionMatrix.from_predictions(TRUE, np.stack([BASELINE, CANDIDATE], axis=1), runs="samples")
    found = compare(many, sides()[1], **ASKED)
    assert found.clusters.runs == (2, 1)
    assert "200 examples, 2 and 1 predictions of each example" in found.notes()[0]
    assert found.baseline.observed == pytest.approx(
        float(compare(many, many, measure="f1_macro", **ASKED).baseline.observed)
    )


def test_trainings_of_a_recipe_add_their_own_spread():
    recipe = trainings(5)
    asked = {"measure": "accuracy", "rope": 0.01}
    one = compare(sides()[0], ConfusionMatrix.from_predictions(TRUE, recipe, runs="samples"), **asked)
    found = compare(sides()[0], ConfusionMatrix.from_predictions(TRUE, recipe, runs="seeds"), **asked)
    scores = (recipe == TRUE[:, None]).mean(axis=0)
    error = scores.std(ddof=1) / np.sqrt(5)
    # a t distribution of 4 degrees of freedom has twice its scale's variance
    np.testing.assert_allclose(found.std**2, one.std**2 + 2 * error**2, rtol=0.15)
    assert found.mean == pytest.approx(one.mean, abs=6 * found.mcse)
    assert found.clusters.trainings == (0, 5)


@pytest.mark.parametrize("n", [3, 4])
def test_few_trainings_warn(n):
    with pytest.warns(FewClustersWarning, match=f"{n} trainings hardly tell"):
        compare(sides()[0], ConfusionMatrix.from_predictions(TRUE, trainings(n), runs="seeds"), **ASKED)


def test_few_units_warn_and_fewer_are_refused():
    with pytest.warns(FewClustersWarning, match="20 clusters are few"):
        compare(*sides(clusters=CLUSTER % 20), **ASKED)
    big, small = np.zeros(100, int), np.arange(100)
    with pytest.warns(
        FewClustersWarning, match=r"101 clusters are few \(they tell as much as 4 of one size\): intervals of "
    ):
        compare(*sides(clusters=np.concatenate([big, small + 1])), **ASKED)
    with pytest.raises(InputError, match="clusters: expected at least 10 clusters, got 9 clusters"):
        compare(*sides(clusters=CLUSTER % 9), **ASKED)
    with pytest.warns(FewClustersWarning, match="20 clusters are few"):
        assert_at_least(sides(clusters=CLUSTER % 20)[0], 0.1)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"prior": "nested"}, "prior: expected one that serves clusters"),
        ({"engine": "pymc"}, "engine: expected 'exact' where examples belong to clusters, got 'pymc'"),
        ({"model": "same-set"}, "model: expected 'paired' or 'independent' where examples belong to clusters"),
    ],
)
def test_what_makes_no_sense_with_units_is_refused(asked, message):
    with pytest.raises(InputError, match=message):
        compare(*sides(clusters=CLUSTER), **ASKED | asked)


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (
            {"clusters": CLUSTER},
            {},
            f"candidate.clusters: {NONE.format('baseline')}",
        ),
        (
            {},
            {"clusters": CLUSTER},
            f"baseline.clusters: {NONE.format('candidate')}",
        ),
        (
            {"clusters": CLUSTER},
            {"clusters": np.roll(CLUSTER, 1)},
            r"the cluster that baseline has it in, got 100 examples in another, first at position 0 \(0 and 99\)",
        ),
    ],
)
def test_both_sides_have_to_agree_on_the_units(one, other, message):
    with pytest.raises(InputError, match=message):
        compare(sides(**one)[0], sides(**other)[1], **ASKED)


def test_the_posterior_of_units_is_a_prior_for_more_of_them():
    parts = [
        [
            ConfusionMatrix.from_predictions(TRUE[at], y_pred[at], clusters=CLUSTER[at], labels=[0, 1, 2])
            for y_pred in (BASELINE, CANDIDATE)
        ]
        for at in (slice(N // 2), slice(N // 2, N))
    ]
    first = compare(*parts[0], rope=0.01)
    both = compare(*parts[1], rope=0.01, prior=first.as_prior())
    whole = compare(*sides(clusters=CLUSTER), rope=0.01)
    assert abs(both.mean - whole.mean) < 6 * np.hypot(both.mcse, whole.mcse)
    np.testing.assert_allclose(both.std, whole.std, rtol=0.05)


def test_counts_with_units_of_which_nobody_knows_the_pairs_are_compared_as_independent():
    doc = np.arange(400) // 4
    table = pl.DataFrame({"y_true": doc % 3, "old": np.arange(400) // 3 % 3, "new": doc % 3, "doc": doc})
    sides = [ConfusionMatrix.from_frame(table, y_pred=name, clusters="doc") for name in ("old", "new")]
    result = run_comparison(*sides, rope=0.05, n_draws=1_000)
    assert (result.model, result.decision) == ("independent", ">>")
    assert result.model_reason == "examples belong to clusters, but which predictions pair up is unknown"
