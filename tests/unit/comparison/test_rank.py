import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, UnexpectedPredictionsWarning, compare, rank
from tests.unit.ranked import predictions, systems


def test_two_systems_are_ranked_by_the_draws_of_their_comparison():
    two = systems(accuracies=(0.7, 0.65))
    ranking, comparison = rank(two, rope=0.02), compare(two["a"], two["b"], rope=0.02)
    (pair,) = ranking.pairs
    assert (pair.baseline, pair.candidate) == ("a", "b")
    np.testing.assert_array_equal(ranking.draws["b"] - ranking.draws["a"], comparison.delta)
    assert (pair.hdi, pair.mean, pair.decision) == (comparison.hdi, comparison.mean, comparison.decision)
    assert (ranking.prior, ranking.n_draws) == (comparison.prior, comparison.n_draws)
    assert ranking.p_best == {"a": comparison.p_worse, "b": comparison.p_better}
    assert ranking.expected_loss["a"] == pytest.approx(np.maximum(comparison.delta, 0).mean())


def test_figures_come_by_name_in_the_order_of_the_scores():
    ranking = rank(systems(), measure="accuracy", rope=0.02, n_draws=4_000)
    assert [each.name for each in ranking.systems] == ["c", "b", "a"]
    for figures in (ranking.p_best, ranking.rank_hdi, ranking.expected_rank, ranking.expected_loss, ranking.ties):
        assert list(figures) == ["c", "b", "a"]
    assert ranking.rank_hdi == {"c": (1, 1), "b": (2, 2), "a": (3, 3)}
    assert sum(ranking.p_best.values()) == pytest.approx(1)
    assert list(ranking.expected_loss.values()) == sorted(ranking.expected_loss.values())
    assert ranking["c"].observed == pytest.approx(np.trace(systems()["c"].counts) / 400)


def test_systems_that_predict_the_same_share_their_ranks_and_are_tied():
    given = systems(accuracies=(0.5, 0.8), n_examples=1_000)
    ranking = rank(
        {"one": given["b"], "low": given["a"], "other": given["b"]}, measure="accuracy", rope=0.02, n_draws=4_000
    )
    assert ranking.groups == (tuple(each.name for each in ranking.systems[:2]),)
    assert set(ranking.groups[0]) == {"one", "other"}
    assert (ranking.ties["one"], ranking.ties["low"]) == (("other",), ())
    assert ranking.rank_hdi["one"] == ranking.rank_hdi["other"] == (1, 2)
    assert ranking.p_best["one"] == pytest.approx(0.5, abs=0.04)


def test_draws_are_added_until_the_first_is_settled():
    given = systems(accuracies=(0.6, 0.64, 0.66), n_examples=800)
    ranking = rank(given, measure="accuracy", rope=0.02)
    first = ranking.systems[0].name
    assert ranking.settled == all(pair.settled for pair in ranking.pairs if pair.baseline == first)
    assert ranking.n_draws >= 20_000
    assert rank(given, measure="accuracy", rope=0.02, n_draws=3_000).n_draws == 3_000


def test_the_same_input_gives_the_same_output():
    one, same, other = (rank(systems(), rope=0.02, seed=seed, n_draws=2_000) for seed in (0, 0, 1))
    assert one.to_dict() == same.to_dict()
    assert one["a"].mean != other["a"].mean


def test_every_system_has_the_labels_of_all():
    true, predicted = predictions(200, (0.6, 0.7, 0.8))
    named = [np.array(["x", "y", "z"])[each] for each in predicted]
    named[1] = np.where(named[1] == "z", "new", named[1])
    given = {
        str(place): ConfusionMatrix.from_predictions(np.array(["x", "y", "z"])[true], each)
        for place, each in enumerate(named)
    }
    with pytest.warns(UnexpectedPredictionsWarning, match="of what 1 predicts .* 'new'"):
        ranking = rank(given, measure="accuracy", rope=0.02, n_draws=2_000)
    assert ranking.n_classes == 3
    assert ranking.unsupported[0].label == "new"
    assert any("'new': predicted" in note and "by 1, never true" in note for note in ranking.notes())


def test_examples_are_matched_by_id():
    true, predicted = predictions(300, (0.6, 0.7, 0.8))
    rng, ids = np.random.default_rng(0), np.arange(300)
    given = {}
    for place, each in enumerate(predicted):
        order = rng.permutation(300)
        given[str(place)] = ConfusionMatrix.from_predictions(true[order], each[order], ids=ids[order])
    in_order = {str(place): ConfusionMatrix.from_predictions(true, each) for place, each in enumerate(predicted)}
    found, expected = (rank(each, rope=0.02, n_draws=2_000).to_dict() for each in (given, in_order))
    assert found == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "systems: expected a dictionary of two systems or more by name, got 0 of them"),
        ({"a": systems()["a"]}, "got 1 of them"),
        ([systems()["a"]] * 2, "got list"),
        ({1: systems()["a"], 2: systems()["b"]}, "got 2 of them"),
    ],
)
def test_what_cannot_be_ranked(given, message):
    with pytest.raises(InputError, match=message):
        rank(given, rope=0.02)


@pytest.mark.parametrize("names", [("first", "second"), ("first", "second", "third")])
def test_errors_call_systems_by_their_names(names):
    true, predicted = predictions(100, [0.7] * len(names))
    given = {name: ConfusionMatrix.from_predictions(true, each) for name, each in zip(names, predicted, strict=True)}
    bare = given | {names[-1]: given[names[-1]].counts}
    with pytest.raises(InputError, match=f"{names[-1]}: expected predictions to pair, got bare counts"):
        rank(bare, rope=0.02)
    other_truth = ConfusionMatrix.from_predictions((true + 1) % 3, predicted[-1])
    with pytest.raises(InputError, match=f"{names[-1]}.y_true: expected the y_true of first") as found:
        rank(given | {names[-1]: other_truth}, rope=0.02)
    assert "Systems are ranked on the same examples." in str(found.value)
    assert "model=" not in str(found.value)


def test_a_rope_is_a_half_width():
    with pytest.raises(InputError, match="rope: expected a half-width: none of the systems is the baseline"):
        rank(systems(), rope=(-0.02, 0.01))


def test_an_undefined_score_names_the_system():
    true, predicted = predictions(100, (0.6, 0.7, 0.8))
    predicted[1] = np.where(predicted[1] == 2, 0, predicted[1])
    given = {
        f"s{place}": ConfusionMatrix.from_predictions(true, each, labels=range(3))
        for place, each in enumerate(predicted)
    }
    with pytest.raises(InputError, match="none of class 2 by s1"):
        rank(given, measure="precision_macro", rope=0.02)
