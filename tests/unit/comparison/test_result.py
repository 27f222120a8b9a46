import numpy as np
import pytest
from scipy.stats import beta

from pytest_bayesf1 import (
    ConfusionMatrix,
    InputError,
    LeakageWarning,
    MultilabelCounts,
    Prior,
    Scores,
    assert_not_worse,
    compare,
)
from pytest_bayesf1.comparison.compare import can_fail, run_comparison, run_estimate
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.words.notes import caveats, data_warnings, surprises
from tests.unit.made_up import estimate, score

MOSTLY_RIGHT = [[40, 10], [5, 45]]
FEW = 2_000


def run(floor, matrix=MOSTLY_RIGHT, **arguments):
    return run_estimate(matrix, floor, **{"measure": "accuracy", "n_draws": FEW, **arguments})


class TestEstimate:
    @pytest.mark.parametrize(
        ("floor", "below", "above"),
        [(0.5, False, True), (0.85, False, False), (0.99, True, False), (0.01, False, True)],
    )
    def test_where_the_interval_lies(self, floor, below, above):
        result = run(floor)
        assert (result.below_floor, result.above_floor) == (below, above)
        assert result.p_below_floor == np.mean(result.score.draws < floor)

    @pytest.mark.parametrize(("offset", "settled"), [(0.0, False), (0.2, True)])
    @pytest.mark.parametrize("bound", [0, 1])
    def test_a_bound_close_to_the_floor_is_not_settled(self, bound, offset, settled):
        """The upper one decides whether it fails, the lower one whether it is proven."""
        assert run(run(0.5).score.hdi[bound] - offset).settled is settled

    @pytest.mark.parametrize("floor", [90, -5, 0])
    def test_a_floor_that_is_no_score(self, floor):
        with pytest.raises(InputError, match=r"floor: expected a score above 0 and below 1, such as 0.9 for 90%"):
            run(floor)

    def test_a_result_is_a_row_of_a_table(self):
        counts = [[3, 3, 0], [0, 4, 1], [1, 0, 8]]
        found = run(0.4, counts, measure="f1[0]", hdi_prob=0.8)
        low, high = found.score.hdi
        assert found.columns() == {
            "measure": ["f1[0]"],
            "score": [pytest.approx(0.6)],
            "hdi_low": [low],
            "hdi_high": [high],
            "floor": [0.4],
            "n_samples": [20],
            "p_below_floor": [np.mean(found.score.draws < 0.4)],
        }
        assert (found.n_of_class, low < found.score.mean < high) == (6, True)
        assert found.pull == pytest.approx((found.score.mean - 0.6) / found.score.std)

    def test_a_score_without_spread_has_no_pull(self):
        assert estimate(score=score(0.8, observed=0.8, std=0.0)).pull == 0
        assert "Above the floor" in str(run(0.4, measure=lambda p: 0 * p[..., 0, 0] + 0.5))


MANY = ["a", "b"] * 30
RARE = [*MANY, *"cde"], [*MANY, *"cde"], [*MANY, *"aab"]
SWAPPED = MANY[:10], MANY[:10], MANY[1:11]


def on_examples(true, before, after, **arguments):
    sides = (ConfusionMatrix.from_predictions(true, each, labels=sorted({*true})) for each in (before, after))
    return run_comparison(*sides, rope=0.01, **arguments)


class TestOutsideItsRange:
    """An observed change outside its own likely range looks like a mistake: the reason is the prior."""

    @pytest.mark.parametrize(
        ("examples", "given"),
        [(RARE, {}), (SWAPPED, {"prior": on_examples(MANY, MANY, MANY, measure="accuracy").as_prior()})],
        ids=["nested", "earlier"],
    )
    def test_the_prior_is_named(self, examples, given):
        result = on_examples(*examples, **{"measure": "f1_macro", **given})
        assert not result.hdi[0] <= result.change <= result.hdi[1]
        (sentence,) = surprises(result)
        assert "outside its likely range: the prior weighs much" in sentence
        assert result.notes().count(sentence) == caveats(result).count(sentence) == 1


class TestLeakage:
    """A candidate that is always right may have seen the answers."""

    @pytest.mark.parametrize("call", [compare, assert_not_worse])
    def test_compare_and_gates_warn(self, call):
        with pytest.warns(LeakageWarning, match="right on all 50 examples"):
            call([[23, 2], [3, 22]], [[25, 0], [0, 25]], measure="accuracy", rope=0.01)

    @pytest.mark.parametrize(
        ("baseline", "candidate"),
        [
            ([[22, 2], [3, 22]], [[24, 0], [0, 25]]),  # 49 examples
            ([[44, 4], [6, 44]], [[24, 0], [0, 25]]),  # and of another test set
            ([[30, 0], [0, 30]], [[30, 0], [0, 30]]),  # the baseline too
            ([[28, 2], [3, 27]], [[30, 0], [1, 29]]),  # one wrong
        ],
    )
    def test_others_are_not_suspected(self, baseline, candidate):
        found = run_comparison(baseline, candidate, measure="accuracy", rope=0.01)
        assert not any("leakage" in text for text in (*found.notes(), *map(str, data_warnings(found))))


@pytest.mark.parametrize(("candidate", "told"), [(MANY, True), ([*MANY[:-1], "a"], False)])
def test_identical_predictions_are_noted(candidate, told):
    notes = on_examples(MANY, MANY, candidate, measure="accuracy").notes()
    assert any("Identical predictions" in note for note in notes) is told


N = 1_000
TRUTH = np.arange(N) % 3


def answers(n_unreadable, answer=None):
    said = np.where(np.arange(N) % 7 == 0, 0, TRUTH).astype(object)
    said[:n_unreadable] = answer
    return said.tolist()


def side(n_unreadable):
    return ConfusionMatrix.from_predictions(TRUTH, answers(n_unreadable), invalid="wrong")


class TestUnreadable:
    def test_of_several_runs_the_share_is_that_of_all_answers(self):
        """One of 5,000 answers and 37 of them, though the one is no more than a fifth of an example."""
        said = np.repeat(np.array(answers(0), dtype=object)[:, None], 5, axis=1)
        one, other = said.copy(), said.copy()
        one[:1, :1], other[:37, :1] = None, None
        given = {"runs": "samples", "invalid": "wrong"}
        sides = (ConfusionMatrix.from_predictions(TRUTH, each, **given) for each in (one, other))
        result = run_comparison(*sides, rope=0.05, n_draws=1_000)
        assert result.unsupported[0].predicted == pytest.approx((0.2, 7.4))

    def test_answered_is_a_posterior_like_any_other(self):
        """Of one Dirichlet it is a beta distribution: 12 cells of 1, of which 3 are unreadable answers."""
        estimate = run_estimate(side(24), 0.9, measure="answered", prior=Prior.named("uniform", beta=4), n_draws=40_000)
        posterior = beta(N - 24 + 9, 24 + 3)
        assert estimate.score.observed == pytest.approx(0.976)
        assert estimate.score.mean == pytest.approx(posterior.mean(), abs=4 * posterior.std() / 200)
        assert estimate.score.std == pytest.approx(posterior.std(), rel=0.03)

    def test_without_such_answers_it_is_no_measure(self):
        plain = ConfusionMatrix.from_predictions(TRUTH, TRUTH)
        with pytest.raises(InputError, match="is the share of readable answers, and here all are"):
            compare(plain, plain, measure="answered", rope=0.01)
        labels = MultilabelCounts.from_predictions([{"a"}, set()], [{"a"}, {"a"}])
        with pytest.raises(InputError, match="do not exclude one another"):
            compare(labels, labels, measure="answered", rope=0.01)


COUNTS = [[80, 20], [20, 80]]
LABELS = ("ham", "spam")
SIGNS = np.random.default_rng(0).normal(size=4_000)


class TestWideRope:
    @pytest.mark.parametrize("rope", [0.11, 0.5, (-0.4, 0.01), (-0.01, 0.2)])
    def test_a_wide_rope_is_declared(self, rope):
        with pytest.raises(InputError, match=r"rope: expected a difference of at most 0\.1, or .* the word wide"):
            compare(COUNTS, COUNTS, rope=rope)

    @pytest.mark.parametrize(
        "rope", [0.1, (-0.1, 0.1), (-0.05, 0.1), (0.3, "wide"), (-0.3, 0.01, "wide"), [0.3, "wide"]]
    )
    def test_what_is_narrow_or_confirmed_is_taken_in_silence(self, rope):
        assert compare(COUNTS, COUNTS, rope=rope, n_draws=1_000).rope[1] > 0  # the suite makes errors of warnings

    def test_a_measure_of_the_users_own_has_no_limit(self):
        compare(COUNTS, COUNTS, rope=5, measure=lambda p: 100 * p[..., 0, 0], n_draws=1_000)

    def test_only_where_all_grades_are_right_or_wrong_their_mean_has_one(self):
        right, grades = (Scores.from_values(np.arange(60) % n) for n in (2, 3))
        asked = {"measure": "mean", "model": "independent", "rope": 1.5, "n_draws": 1_000}
        for sides in ((right, grades), (grades, right)):
            assert run_comparison(*sides, **asked).rope == (-1.5, 1.5)
        with pytest.raises(InputError, match="rope: expected a difference of scores"):
            run_comparison(right, right, **asked)

    @pytest.mark.parametrize("rope", [1, 5, (-0.01, 1.0), (5, "wide")])
    def test_what_no_difference_of_scores_can_leave_is_refused_even_when_confirmed(self, rope):
        with pytest.raises(InputError, match=r"rope: expected a difference of scores, such as 0\.01 for one point"):
            compare(COUNTS, COUNTS, rope=rope)

    @pytest.mark.parametrize("value", [("wide",), (0.3, "Wide"), (0.3, "wide", 0.3), (1, 2, 3, "wide")])
    def test_the_word_stands_behind_one_or_two_numbers(self, value):
        with pytest.raises(InputError, match=r"rope: expected a half-width such as 0\.01, or"):
            Rope.of(value)

    # What no candidate can fail.

    @pytest.mark.parametrize(
        ("measure", "mean", "low", "expected"),
        [
            ("f1_macro", 0.6, -0.3, True),
            ("f1_macro", 0.6, -0.55, True),  # all but 0.6% of the draws lie above 0.55
            ("f1_macro", 0.6, -0.57, False),  # 93% do
            ("matthews_corrcoef", 0.6, -0.9, True),
            ("cohen_kappa", -0.5, -0.55, False),
        ],
    )
    def test_a_rope_that_leaves_no_room_below(self, measure, mean, low, expected):
        draws = mean + 0.02 * SIGNS
        assert can_fail(draws, Rope(low, 0.01), 0.95, parse_measure(measure, LABELS)) is expected

    def test_nothing_is_said_of_a_measure_of_the_users_own(self):
        assert can_fail(SIGNS, Rope(-99, 99), 0.95, parse_measure(lambda p: p[..., 0, 0], LABELS))

    def test_the_lowest_score_is_the_measures_own(self):
        wrong = [[20, 30], [30, 20]]
        asked = {"measure": "matthews_corrcoef", "rope": (-0.99, 0.01, "wide"), "weak_baseline": True}
        found = compare(wrong, wrong, **asked)
        said = "you allow a range of −99 to +1 points, and the baseline scores only −0.200"
        assert any(said in note for note in found.notes())
