import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, Scores, SpanCounts, rank
from pytest_bayesf1.comparison.compare import run_comparison, run_estimate
from pytest_bayesf1.errors import FewClustersWarning, InputError
from pytest_bayesf1.systems import _sides
from tests.unit.ranked import predictions, systems


class TestRank:
    @pytest.mark.parametrize(
        ("hdi_prob", "ranks"), [(0.95, [(1, 2), (1, 2), (3, 4), (3, 4)]), (0.8, [(1, 1), (2, 2), (3, 4), (3, 4)])]
    )
    def test_ranks_are_those_that_no_comparison_excludes(self, hdi_prob, ranks):
        """The best two are in their order with 94%."""
        given = systems(accuracies=(0.6, 0.8, 0.61, 0.81))
        ranking = rank(given, measure="accuracy", rope=0.02, hdi_prob=hdi_prob)
        assert [each.rank_hdi for each in ranking.systems] == ranks
        assert len(ranking.may_be_best) == ranks[0][1]
        first, second = ranking.systems[:2]
        assert 0.9 < ranking.against_first[second.name].p_worse < 0.975
        assert (first.name, second.name, ranking.prior) == ("d", "b", "jeffreys")

    def test_how_many_examples_all_have_is_told_of_those_that_any_has(self):
        held = (range(280), range(20, 300), range(10, 290))
        given = {
            name: ConfusionMatrix.from_predictions([n % 2 for n in ids], [n % 2 * (n % 9 > 0) for n in ids], ids=ids)
            for name, ids in zip("abc", held, strict=True)
        }
        found = rank(given, measure="accuracy", rope=0.02, n_draws=1_000)
        assert "260 of 300 examples are in all test sets; the ranking uses these." in found.data_notes

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({}, "systems: expected two or more by name, got 0 of them"),
            ({"a": systems()["a"]}, "got 1 of them"),
            ([systems()["a"]] * 2, "got list"),
            ({str(name): systems()["a"] for name in range(51)}, "at most 50, got 51 of them"),
            ({"a": systems()["a"], 2: systems()["b"]}, "got 2 of them"),
            ({**systems(), "b": ConfusionMatrix(systems()["b"].counts)}, "b .candidate.*: Bare counts do not pair up"),
        ],
    )
    def test_what_cannot_be_ranked(self, given, message):
        with pytest.raises(InputError, match=message):
            rank(given, rope=0.02)

    def test_fifty_are_not_too_many(self):
        assert len(_sides({str(number): systems()["a"] for number in range(50)})) == 50

    @pytest.mark.parametrize("measure", ["accuracy", "f1_macro"])
    def test_each_is_as_it_is_alone_and_each_two_as_they_are_compared(self, measure):
        given = systems(accuracies=(0.7, 0.8, 0.6))
        asked = {"measure": measure, "hdi_prob": 0.8, "seed": 7, "n_draws": 2_000, "prevalence": {0: 0.5}}
        ranking = rank(given, rope=0.02, **asked)
        assert [each.name for each in ranking.systems] == ["b", "a", "c"]
        for each in ranking.systems:
            alone = run_estimate(given[each.name], **asked).score
            assert (each.observed, each.mean, each.std, each.hdi) == (alone.observed, alone.mean, alone.std, alone.hdi)
            assert each.ties == ()
        for pair in ranking.pairs:
            two = run_comparison(given[pair.baseline], given[pair.candidate], rope=0.02, **asked)
            names = ("mean", "hdi", "p_worse", "p_better", "decision", "settled")
            assert [getattr(pair, name) for name in names] == [getattr(two, name) for name in names]
        assert [(pair.baseline, pair.candidate) for pair in ranking.pairs] == [("b", "a"), ("b", "c"), ("a", "c")]
        assert ranking.against_first == {"a": ranking.pairs[0], "c": ranking.pairs[1]}
        for name in ("measure_words", "rope", "hdi_prob", "prevalence", "prior", "seed", "n_draws", "n_classes"):
            assert getattr(ranking, name) == getattr(two, name)
        assert ranking.n_samples == 400

    def test_the_best_is_the_one_whose_score_is_expected_to_be_highest(self):
        """Of three examples of a rare class all or none right tells little."""
        true, place = np.repeat([0, 1, 2], [40, 40, 3]), np.r_[:40, :40, :3]
        wrong = {"more observed": (8, 8, 0), "more expected": (2, 2, 1)}
        sides = {
            name: ConfusionMatrix.from_predictions(
                true, np.where(place < np.array(n)[true], (true + 1) % 2, true), labels=range(3)
            )
            for name, n in wrong.items()
        }
        first, second = rank(sides, measure="recall_macro", rope=0.02).systems
        assert (first.name, first.mean > second.mean, first.observed > second.observed) == (
            "more expected",
            True,
            False,
        )

    def test_a_rope_of_grades_is_as_wide_as_their_scale(self):
        right, grades = np.arange(100) % 3 > 0, np.arange(100) % 7
        with pytest.raises(InputError, match="rope: expected a difference of scores"):
            rank({"a": Scores.from_values(right), "b": Scores.from_values(right[::-1])}, measure="mean", rope=1)
        sides = {"a": Scores.from_values(grades), "b": Scores.from_values(grades[::-1])}
        assert rank(sides, measure="mean", rope=1, n_draws=1_000).rope == (-1, 1)

    def test_arrays_are_counted_first(self):
        true, predicted = predictions(100, [0.7, 0.8])
        with pytest.raises(InputError, match=r"systems: One dictionary is expected.* Count each system's arrays first"):
            rank(true, *predicted, rope=0.02)

    def test_a_rope_is_a_half_width(self):
        with pytest.raises(InputError, match="rope: expected a half-width, as none of the systems is the baseline"):
            rank(systems(), rope=(-0.02, 0.01))

    def test_systems_that_nothing_tells_apart_share_the_ranks(self):
        ranking = rank(systems(), measure=lambda p: 0 * p[..., 0, 0] + 0.5, rope=0.02, n_draws=1_000)
        assert [each.expected_rank for each in ranking.systems] == [2, 2, 2]

    def test_an_undefined_score_names_the_system(self):
        true, predicted = predictions(100, (0.6, 0.7, 0.8))
        predicted[1] = np.where(predicted[1] == 2, 0, predicted[1])
        given = {
            f"s{place}": ConfusionMatrix.from_predictions(true, each, labels=range(3))
            for place, each in enumerate(predicted)
        }
        with pytest.raises(InputError, match=r"^s1, .* 0 / 0 for class 2"):
            rank(given, measure="precision_macro", rope=0.02)


@pytest.fixture(scope="module")
def ranking():
    given = systems(accuracies=(0.6, 0.8, 0.8), n_examples=600)
    names = {"<low>": given["a"], "b\nroken": given["b"], "same": given["b"]}
    return rank(names, measure="accuracy", rope=0.02, n_draws=4_000)


class TestRanking:
    def test_decisions_hold_in_either_direction(self, ranking):
        assert ranking.decision("<low>", "same") == ">>"
        assert ranking.decision("same", "<low>") == "<<"
        assert ranking.decision("same", "b\nroken") == ranking.decision("b\nroken", "same") == "~"

    def test_all_systems_by_columns(self, ranking):
        columns = ranking.columns()
        assert columns.pop("against_first") == ["", "≈", "≪"]
        for names, name in ((("hdi_low", "hdi_high"), "hdi"), (("rank_low", "rank_high"), "rank_hdi")):
            both = zip(*(columns.pop(each) for each in names), strict=True)
            assert [*both] == [getattr(each, name) for each in ranking.systems]
        columns["name"] = columns.pop("system")
        for name, values in columns.items():
            assert values == [getattr(each, name) for each in ranking.systems]
        assert columns["may_be_best"] == [True, True, False]

    def test_a_name_that_is_none(self, ranking):
        assert ranking["same"].name == "same"
        for ask in (lambda: ranking["b"], lambda: ranking.decision("same", "b"), lambda: ranking.decision("b", "same")):
            with pytest.raises(InputError, match="'<low>'"):
                ask()
        with pytest.raises(InputError, match="got 'same', 'same'"):
            ranking.decision("same", "same")

    def test_every_system_has_a_row_in_a_notebook_and_in_a_terminal(self, ranking):
        html, (title, _, *rows) = ranking._repr_html_(), str(ranking).splitlines()
        assert (html.count("<tr>"), "<low>" in html) == (4, False)
        assert "2 of 3 may be the best" in title
        assert [row.split()[0] for row in rows[:3]] == ["b↵roken", "same", "<low>"]
        assert "≪ −" in rows[2]
        assert f"<td style='text-align:left'>{ranking['<low>'].observed:.3f}</td>" in html.split("<tr>")[4]


def test_ties_are_no_equivalence():
    """Each is wrong about one example in a hundred more than the one before, and the last two alike."""
    wrong = {"d": 60, "a": 30, "e": 60, "c": 50, "b": 40}
    true, place = np.tile([0, 1], 2_000), np.arange(4_000)
    given = {name: ConfusionMatrix.from_predictions(true, (true + (place < 4 * n)) % 2) for name, n in wrong.items()}
    ranking = rank(given, measure="accuracy", rope=0.015, n_draws=1_000)
    assert ranking.groups == (("a", "b"), ("b", "c"), ("c", "d", "e"))
    assert {each.name: {*each.ties} for each in ranking.systems} == {
        "a": {"b"},
        "b": {"a", "c"},
        "c": {"b", "d", "e"},
        "d": {"c", "e"},
        "e": {"c", "d"},
    }
    assert [note for note in ranking.notes() if "Tied" in note][2].endswith("c, d, e.")


def test_a_group_holds_no_two_that_are_tied_with_a_third_alone():
    """Both differ from the first about other examples, and so from each other about twice as many."""
    true, place = np.tile([0, 1], 2_000), np.arange(4_000)
    wrong = {"a": place < 400, "b": (place >= 150) & (place < 552)}
    wrong["c"] = (place < 250) | ((place >= 1_000) & (place < 1_156))
    given = {name: ConfusionMatrix.from_predictions(true, (true + each) % 2) for name, each in wrong.items()}
    ranking = rank(given, measure="accuracy", rope=0.0115, n_draws=4_000)
    assert [{*each.ties} for each in ranking.systems] == [{"b", "c"}, {"a"}, {"a"}]
    assert ranking.groups == (("a", "b"),)


N = 200
TRUE, PREDICTED = predictions(N, (0.6, 0.7, 0.8))
NAMES = ("a", "b", "c")


def ranked(given, measure):
    return rank(dict(zip(NAMES, given, strict=True)), measure=measure, rope=0.02, n_draws=1_000)


class TestSystems:
    def test_spans(self):
        gold = [[(5 * place, 5 * place + 2, "PER") for place in range(6)] for _ in range(60)]
        found = [[spans[:kept] for spans in gold] for kept in (2, 4, 6)]
        ranking = ranked([SpanCounts.from_spans(gold, each) for each in found], "f1_micro")
        assert [(each.name, each.rank_hdi) for each in ranking.systems] == [("c", (1, 1)), ("b", (2, 2)), ("a", (3, 3))]
        assert "The sample is of 60 documents, with all their spans." in ranking.notes()
        assert ranking.computed().startswith("360 spans of 1 type, ROPE 0.02")

    def test_a_system_that_gives_no_scores(self):
        given = [Scores.from_predictions(TRUE > 0, each) for each in np.random.default_rng(0).random((2, N))]
        with pytest.raises(InputError, match=r"c: expected Scores, as a, got ConfusionMatrix\. Build all"):
            ranked([*given, systems()["c"]], "roc_auc")

    def test_units_warn_where_they_are_few(self):
        clusters = np.r_[np.repeat(np.arange(10), 15), np.repeat(np.arange(10, 20), 5)]
        given = [ConfusionMatrix.from_predictions(TRUE, each, clusters=clusters) for each in PREDICTED]
        with pytest.warns(FewClustersWarning, match="20 clusters are few"):
            ranking = ranked(given, "f1_macro")
        n = N**2 / (10 * 15**2 + 10 * 5**2)  # of one size that would tell as much
        assert (ranking.clusters.n, ranking.clusters.n_equal) == ((20,) * 3, (round(n),) * 3)
        assert "The sample is of 20 clusters, with all their examples." in ranking.notes()
