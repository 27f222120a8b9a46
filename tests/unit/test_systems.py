import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, Scores, SpanCounts, compare, rank
from pytest_bayesf1.errors import FewClustersWarning, InputError, UnexpectedPredictionsWarning, WeakBaselineWarning
from pytest_bayesf1.text import one_line
from tests.unit.ranked import predictions, systems


class TestRank:
    def test_every_pair_is_the_comparison_of_the_two(self):
        given = systems(accuracies=(0.7, 0.65, 0.66))
        ranking = rank(given, rope=0.02)
        for pair in ranking.pairs:
            comparison = compare(given[pair.baseline], given[pair.candidate], rope=0.02)
            assert (pair.hdi, pair.mean, pair.decision) == (comparison.hdi, comparison.mean, comparison.decision)
            assert ranking.prior == comparison.prior
            assert ranking[pair.baseline].mean > ranking[pair.candidate].mean
        behind = [pair.p_better for pair in ranking.pairs if pair.baseline == "a"]
        assert ranking["a"].expected_rank == pytest.approx(1 + sum(behind), abs=0.001)

    def test_ranks_are_those_that_no_comparison_excludes(self):
        ranking = rank(systems(accuracies=(0.6, 0.8, 0.61, 0.81)), measure="accuracy", rope=0.02)
        sure = {each.name: 0 for each in ranking.systems}, {each.name: 0 for each in ranking.systems}
        for pair in ranking.pairs:
            sure[0][pair.candidate] += pair.p_worse > 0.975
            sure[1][pair.baseline] += pair.p_worse > 0.975
        for each in ranking.systems:
            assert each.rank_hdi == (1 + sure[0][each.name], 4 - sure[1][each.name])
        assert [each.rank_hdi for each in ranking.systems] == [(1, 2), (1, 2), (3, 4), (3, 4)]
        assert len(ranking.may_be_best) == 2

    def test_figures_come_by_name_in_the_order_of_the_scores(self):
        ranking = rank(systems(), measure="accuracy", rope=0.02, n_draws=4_000)
        assert [(each.name, each.rank_hdi) for each in ranking.systems] == [("c", (1, 1)), ("b", (2, 2)), ("a", (3, 3))]
        assert ranking.may_be_best == ("c",)
        assert ranking["c"].observed == pytest.approx(np.trace(systems()["c"].counts) / 400)

    def test_systems_that_predict_the_same_share_their_ranks_and_are_tied(self):
        given = systems(accuracies=(0.5, 0.8), n_examples=1_000)
        ranking = rank(
            {"one": given["b"], "low": given["a"], "other": given["b"]}, measure="accuracy", rope=0.02, n_draws=4_000
        )
        assert ranking.groups == (tuple(each.name for each in ranking.systems[:2]),)
        assert set(ranking.groups[0]) == {"one", "other"}
        assert (ranking["one"].ties, ranking["low"].ties) == (("other",), ())
        assert ranking["one"].rank_hdi == ranking["other"].rank_hdi == (1, 2)
        assert set(ranking.may_be_best) == {"one", "other"}

    def test_the_same_input_gives_the_same_output(self):
        one, same, other = (rank(systems(), rope=0.02, seed=seed, n_draws=2_000) for seed in (0, 0, 1))
        assert one.to_dict() == same.to_dict()
        assert one["a"].mean != other["a"].mean

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.WeakBaselineWarning")
    def test_answers_that_are_no_class_are_told_of_the_system(self):
        true, predicted = predictions(200, (0.6, 0.7, 0.8))
        named = [np.array(["x", "y", "z"])[each] for each in predicted]
        named[1] = np.where(named[1] == "z", "new", named[1])
        given = {
            str(place): ConfusionMatrix.from_predictions(np.array(["x", "y", "z"])[true], each)
            for place, each in enumerate(named)
        }
        with pytest.warns(UnexpectedPredictionsWarning, match="answers of 1 are no class: 'new'"):
            ranking = rank(given, measure="accuracy", rope=0.02, n_draws=2_000)
        assert ranking.n_classes == 3
        assert ranking.unsupported[0].label == "new"
        assert any("answers of 1 are no class: 'new'" in note for note in ranking.notes())

    def test_examples_are_matched_by_id(self):
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
            ({}, "systems: expected two or more by name, got 0 of them"),
            ({"a": systems()["a"]}, "got 1 of them"),
            ([systems()["a"]] * 2, "got list"),
            ({str(name): systems()["a"] for name in range(51)}, "at most 50, got 51 of them"),
            ({1: systems()["a"], 2: systems()["b"]}, "got 2 of them"),
        ],
    )
    def test_what_cannot_be_ranked(self, given, message):
        with pytest.raises(InputError, match=message):
            rank(given, rope=0.02)

    def test_arrays_are_counted_first(self):
        true, predicted = predictions(100, [0.7, 0.8])
        with pytest.raises(InputError, match=r"systems: One dictionary is expected.* Count each system's arrays first"):
            rank(true, *predicted, rope=0.02)

    def test_a_rope_is_a_half_width(self):
        with pytest.raises(InputError, match="rope: expected a half-width, as none of the systems is the baseline"):
            rank(systems(), rope=(-0.02, 0.01))

    def test_a_system_that_knows_nothing_is_a_warning(self):
        given = systems()
        true, (answers,) = predictions(400, [0.1])
        given["d"] = ConfusionMatrix.from_predictions(true, (true + 1 + answers % 2) % 3)
        with pytest.warns(WeakBaselineWarning, match=r"^d may be misread\. None of its answers is right"):
            assert rank(given, rope=0.02, n_draws=2_000)["d"].rank_hdi == (4, 4)

    def test_an_undefined_score_names_the_system(self):
        true, predicted = predictions(100, (0.6, 0.7, 0.8))
        predicted[1] = np.where(predicted[1] == 2, 0, predicted[1])
        given = {
            f"s{place}": ConfusionMatrix.from_predictions(true, each, labels=range(3))
            for place, each in enumerate(predicted)
        }
        with pytest.raises(InputError, match=r"^s1, .* none of class 2"):
            rank(given, measure="precision_macro", rope=0.02)


@pytest.fixture(scope="module")
def ranking():
    given = systems(accuracies=(0.6, 0.8, 0.8), n_examples=600)
    names = {"<low>": given["a"], "b\nroken": given["b"], "same": given["b"]}
    return rank(names, measure="accuracy", rope=0.02, n_draws=4_000)


class TestRanking:
    def test_it_tells_who_leads_and_who_is_tied(self, ranking):
        lines = str(ranking).splitlines()
        first, second = (one_line(each.name) for each in ranking.systems[:2])
        assert lines[0].startswith(f"{first} leads with accuracy 0.")
        assert lines[0].endswith(f"2 of 3 may be the best: {first}, {second}.")
        assert "may be best" in lines[1]
        assert [line.count(" yes ") for line in lines[2:5]] == [1, 1, 0]
        assert [line.split("  ")[1] for line in lines[2:5]] == [first, second, "<low>"]
        assert "≈" in lines[3]
        assert "≪ −" in lines[4]
        assert any(line.strip().startswith("Tied, any two within the ROPE:") for line in lines)
        said = " ".join(str(ranking).split())
        assert said.endswith("600 examples of 3 classes, ROPE 0.02, jeffreys prior, 4,000 draws, seed 0.")
        assert repr(ranking).startswith("<Ranking accuracy: ")

    def test_decisions_hold_in_either_direction(self, ranking):
        assert ranking.decision("<low>", "same") == ">>"
        assert ranking.decision("same", "<low>") == "<<"
        assert ranking.decision("same", "b\nroken") == ranking.decision("b\nroken", "same") == "~"

    def test_all_systems_as_a_frame(self, ranking):
        frame = ranking.to_frame()
        assert isinstance(frame, pd.DataFrame)
        assert frame["system"].tolist() == [each.name for each in ranking.systems]
        assert frame["may_be_best"].tolist() == [True, True, False]
        assert frame["against_first"].tolist() == ["", "≈", "≪"]


N = 200
TRUE, PREDICTED = predictions(N, (0.6, 0.7, 0.8))
NAMES = ("a", "b", "c")


def ranked(given, measure):
    return rank(dict(zip(NAMES, given, strict=True)), measure=measure, rope=0.02, n_draws=1_000)


def scores(seed=0):
    rng = np.random.default_rng(seed)
    binary, noise = TRUE > 0, rng.normal(size=N)
    given = [gain * binary + noise + rng.normal(size=N) for gain in (0.8, 1.5, 4)]
    return [Scores.from_predictions(binary, expit(each)) for each in given]


class TestSystems:
    def test_labels_that_do_not_exclude_one_another(self):
        rng = np.random.default_rng(0)
        true = rng.random((N, 4)) < 0.3
        given = [
            MultilabelCounts.from_predictions(true, true ^ (rng.random(true.shape) < error))
            for error in (0.3, 0.2, 0.05)
        ]
        ranking = ranked(given, "f1_macro")
        assert [(each.name, each.rank_hdi) for each in ranking.systems] == [("c", (1, 1)), ("b", (2, 2)), ("a", (3, 3))]
        assert ranking.n_samples == N

    def test_spans(self):
        gold = [[(5 * place, 5 * place + 2, "PER") for place in range(6)] for _ in range(60)]
        found = [[spans[:kept] for spans in gold] for kept in (2, 4, 6)]
        ranking = ranked([SpanCounts.from_spans(gold, each) for each in found], "f1_micro")
        assert [(each.name, each.rank_hdi) for each in ranking.systems] == [("c", (1, 1)), ("b", (2, 2)), ("a", (3, 3))]
        assert "The sample is of 60 documents, with all their spans." in ranking.notes()
        assert ranking.computed().startswith("360 spans of 1 type, ROPE 0.02")

    @pytest.mark.parametrize(("measure", "prior"), [("roc_auc", "bootstrap"), ("f1@0.5", "jeffreys")])
    def test_scores_by_their_own_measures_and_from_a_threshold(self, measure, prior):
        ranking = ranked(scores(), measure)
        assert ranking.prior == prior

    def test_a_system_that_gives_no_scores(self):
        with pytest.raises(InputError, match=r"c: expected Scores, as a, got ConfusionMatrix\. Build all"):
            ranked([*scores()[:2], systems()["c"]], "roc_auc")

    def test_units_warn_where_they_are_few(self):
        clusters = np.repeat(np.arange(20), N // 20)
        given = [ConfusionMatrix.from_predictions(TRUE, each, clusters=clusters) for each in PREDICTED]
        with pytest.warns(FewClustersWarning, match="20 clusters are few"):
            ranking = ranked(given, "f1_macro")
        assert "The sample is of 20 clusters, with all their examples." in ranking.notes()
        few = [ConfusionMatrix.from_predictions(TRUE, each, clusters=clusters // 4) for each in PREDICTED]
        with pytest.raises(InputError, match="at least 10 clusters"):
            ranked(few, "f1_macro")

    def test_several_predictions_of_an_example(self):
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
