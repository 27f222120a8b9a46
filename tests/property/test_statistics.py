import math

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from pytest_bayesf1 import ConfusionMatrix, Decision, InputError, PairedCounts, Prior
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.measures.formulas import ROWS, Data, Needs
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, batch_mcse, hdi, summarise_delta
from tests.property.strategies import PROBABILITIES, ROPES, confusion_matrices, examples, permutations_of, posteriors

FEW = 1_000
MODELS = st.sampled_from(["paired", "same-set", "independent"])
MEASURES = st.sampled_from(["accuracy", "f1_macro", "matthews_corrcoef", "f1_weighted"])
PRIORS = st.sampled_from(["hierarchical", "nested", "uniform", "jeffreys"])
STANDARD_ERRORS = 5  # of a hundred differences of means, one beyond it in twenty thousand runs


def run(*sides, **arguments):
    try:
        return run_comparison(*sides, rope=0.01, n_draws=FEW, **arguments)
    except InputError as error:
        if not error.where.startswith("measure ") and "weak_baseline" not in str(error):
            raise
        reject()  # the data leave the score undefined, or the classes look swapped


class TestComparisons:
    @pytest.mark.slow
    @settings(max_examples=25)
    @given(confusion_matrices(), st.sampled_from(["same-set", "independent"]), MEASURES)
    def test_a_classifier_is_no_better_than_itself(self, counts, model, measure):
        result = run(counts, counts, model=model, measure=measure)
        assert result.baseline.observed == result.candidate.observed
        assert abs(result.mean) < STANDARD_ERRORS * result.std / np.sqrt(FEW)
        assert "F1 falls in" not in str(result)

    @pytest.mark.slow
    @settings(max_examples=25)
    @given(confusion_matrices(), PRIORS)
    def test_scores_stay_in_their_range(self, counts, prior):
        result = run(ConfusionMatrix(counts), counts, measure="f1_macro", prior=prior)
        for side in (result.baseline, result.candidate):
            assert side.draws.min() >= 0
            assert side.draws.max() <= 1 + 1e-12
            assert side.std > 0


MIRROR = {"<<": ">>", "<": ">", "~": "~", ">": "<", ">>": "<<", "?": "?"}

SPELLINGS = ["<<", "<", "~", ">", ">>", "?", "≪", "≈", "≫"]

NUMBERS = st.one_of(st.floats(-1, 1), st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan]), st.integers(-2, 2))


class TestDecisions:
    @given(st.sampled_from(Decision), st.text(max_size=3).filter(lambda text: text not in SPELLINGS))
    def test_text_that_spells_no_decision_is_an_error(self, decision, text):
        for compare in (lambda: decision == text, lambda: decision != text, lambda: text == decision):
            with pytest.raises(InputError, match="decision: expected a comparison with one of"):
                compare()

    @given(st.sampled_from(Decision), st.sampled_from(SPELLINGS))
    def test_a_decision_equals_its_symbol_and_its_ascii_form_alone(self, decision, text):
        assert (decision == text) is (text in (str(decision), decision.ascii))
        assert (decision != text) is not (decision == text)
        assert (text == decision) is (decision == text)

    @given(st.sampled_from(Decision), st.sampled_from(Decision))
    def test_two_decisions_are_equal_when_they_are_the_same(self, one, other):
        assert (one == other) is (one is other)

    @given(NUMBERS, NUMBERS)
    def test_a_pair_is_a_rope_when_it_is_finite_and_in_order_and_holds_0(self, low, high):
        if math.isfinite(low) and math.isfinite(high) and low < high and low <= 0 <= high:
            assert Rope.of((low, high)) == Rope(low, high)
        else:
            with pytest.raises(InputError, match=r"^rope: expected"):
                Rope.of((low, high))

    @given(NUMBERS)
    def test_a_half_width_is_a_rope_when_it_is_finite_and_positive(self, half_width):
        if math.isfinite(half_width) and half_width > 0:
            assert Rope.of(half_width) == Rope(-half_width, half_width)
        else:
            with pytest.raises(InputError, match=r"^rope: expected"):
                Rope.of(half_width)

    @given(posteriors(), ROPES, PROBABILITIES)
    def test_probabilities_are_shared_out(self, draws, rope, prob):
        summary = summarise_delta(Draws(draws), Rope(*rope), prob)
        assert summary.p_below_rope + summary.p_in_rope + summary.p_above_rope == pytest.approx(1)
        assert summary.p_below_rope <= summary.p_worse
        assert summary.p_above_rope <= summary.p_better

    @given(posteriors(), ROPES, PROBABILITIES)
    def test_the_decision_follows_the_published_rules(self, draws, rope, prob):
        summary = summarise_delta(Draws(draws), Rope(*rope), prob)
        (low, high), (start, end) = rope, summary.hdi
        expected = "?"
        if end < low:
            expected = "<<"
        elif start > high:
            expected = ">>"
        elif low < start and end < high:
            expected = "~"
        elif summary.p_below_rope > 0.75:
            expected = "<"
        elif summary.p_above_rope > 0.75:
            expected = ">"
        assert summary.decision == expected

    @pytest.mark.slow
    @given(posteriors(), ROPES, PROBABILITIES)
    def test_swapping_the_sides_turns_the_summary_around(self, draws, rope, prob):
        one = summarise_delta(Draws(draws), Rope(*rope), prob)
        other = summarise_delta(Draws(-draws), Rope(-rope[1], -rope[0]), prob)
        assert other.mean == pytest.approx(-one.mean)
        assert other.std == pytest.approx(one.std)
        assert (other.p_worse, other.p_better) == (one.p_better, one.p_worse)
        assert (other.p_below_rope, other.p_above_rope) == (one.p_above_rope, one.p_below_rope)
        assert other.hdi == pytest.approx((-one.hdi[1], -one.hdi[0]), abs=4 * max(one.mcse_hdi))
        assume(one.settled)
        assert other.decision == MIRROR[one.decision.ascii]


def monte_carlo_error_of_the_width(draws, prob):
    return float(batch_mcse(draws, lambda batch: np.diff(hdi(batch, prob))[:, 0]))


class TestIntervals:
    @given(posteriors(), PROBABILITIES)
    def test_it_holds_its_mass(self, draws, prob):
        low, high = hdi(draws, prob)
        assert ((draws >= low) & (draws <= high)).mean() == pytest.approx(prob, abs=2 / draws.size)

    @given(posteriors(), PROBABILITIES)
    def test_it_is_no_wider_than_the_equal_tailed_interval(self, draws, prob):
        low, high = hdi(draws, prob)
        lower, upper = np.quantile(draws, [(1 - prob) / 2, (1 + prob) / 2])
        assert high - low <= upper - lower + 4 * monte_carlo_error_of_the_width(draws, prob)

    @given(posteriors(), PROBABILITIES, PROBABILITIES)
    def test_more_mass_takes_more_room(self, draws, one, other):
        less, more = sorted((one, other))
        error = 4 * monte_carlo_error_of_the_width(draws, more)
        assert np.diff(hdi(draws, less))[0] <= np.diff(hdi(draws, more))[0] + error

    @given(posteriors(), PROBABILITIES)
    def test_it_lies_within_the_draws(self, draws, prob):
        low, high = hdi(draws, prob)
        assert draws.min() <= low < high <= draws.max()

    @given(posteriors(), PROBABILITIES, st.floats(0.1, 10), st.floats(-1, 1))
    def test_it_follows_a_change_of_scale(self, draws, prob, scale, shift):
        expected = scale * hdi(draws, prob) + shift
        np.testing.assert_allclose(hdi(scale * draws + shift, prob), expected, atol=1e-6 * scale)

    @given(posteriors(), PROBABILITIES)
    def test_draws_turned_around_turn_the_interval_around(self, draws, prob):
        error = 4 * batch_mcse(draws, lambda batch: hdi(batch, prob)).max()
        np.testing.assert_allclose(-hdi(-draws, prob)[::-1], hdi(draws, prob), atol=error)


SYMMETRIC = [
    name
    for row in ROWS
    if Data.CLASSES in row.data and Needs.UNREADABLE not in row.needs
    for name in row.names[1:] or row.names
]


def score(name, counts):
    measure = parse_measure(name, tuple(range(len(counts))))
    return float(measure(Joint.observed(ConfusionMatrix(counts).table, measure.detail)))


class TestMeasures:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", SYMMETRIC)
    @given(counts=confusion_matrices(), data=st.data())
    def test_the_order_of_the_classes_does_not_matter(self, name, counts, data):
        order = data.draw(permutations_of(len(counts)))
        assert score(name, counts[np.ix_(order, order)]) == pytest.approx(score(name, counts), abs=1e-9)

    @given(confusion_matrices(), st.data())
    def test_precision_is_the_recall_of_truth_and_prediction_exchanged(self, counts, data):
        label = data.draw(st.integers(0, len(counts) - 1))
        assert score(f"precision[{label}]", counts) == pytest.approx(score(f"recall[{label}]", counts.T))
        assert score(f"f1[{label}]", counts) == pytest.approx(score(f"f1[{label}]", counts.T))

    @given(confusion_matrices(), st.data())
    def test_f1_lies_between_precision_and_recall_and_above_jaccard(self, counts, data):
        label = data.draw(st.integers(0, len(counts) - 1))
        names = ("f1", "precision", "recall", "jaccard")
        f1, precision, recall, jaccard = (score(f"{name}[{label}]", counts) for name in names)
        assert min(precision, recall) - 1e-12 <= f1 <= max(precision, recall) + 1e-12
        assert jaccard == pytest.approx(f1 / (2 - f1))

    @given(confusion_matrices())
    def test_micro_averages_of_one_label_an_example_are_accuracy(self, counts):
        accuracy = np.trace(counts) / counts.sum()
        for name in ("accuracy", "f1_micro", "precision_micro", "recall_micro", "fbeta_micro(3)"):
            assert score(name, counts) == pytest.approx(accuracy)

    @given(confusion_matrices(), st.integers(2, 9))
    def test_scores_are_about_proportions(self, counts, times):
        for name in ("f1_macro", "matthews_corrcoef", "g_mean"):
            assert score(name, counts * times) == pytest.approx(score(name, counts), abs=1e-9)


FEW_EXAMPLES = examples(max_size=16)
PRIORS_MEASURES = st.sampled_from(["accuracy", "f1_macro", "f1_weighted"])
WEIGHTS = st.floats(0.1, 20)


def priors_run(made, prior, **arguments):
    pairs = PairedCounts.from_predictions(*made.columns, labels=made.labels)
    return run_comparison(pairs, prior=prior, rope=0.01, n_draws=FEW, **arguments)


class TestPriors:
    @pytest.mark.slow
    @settings(max_examples=25)
    @given(examples(), MODELS, PRIORS_MEASURES, st.sampled_from(["nested", "uniform", "jeffreys"]), WEIGHTS)
    @pytest.mark.long
    def test_one_beta_is_the_same_beta_for_every_class(self, made, model, measure, name, beta):
        one, each = (
            priors_run(made, Prior.named(name, beta=given_beta), model=model, measure=measure)
            for given_beta in (beta, [beta] * len(made.labels))
        )
        np.testing.assert_array_equal(one.delta, each.delta)

    @pytest.mark.slow
    @settings(max_examples=25)
    @given(examples(), st.floats(1e4, 1e6), st.data())
    def test_a_heavy_beta_settles_the_class_proportions_in_its_own(self, made, scale, data):
        weights = np.array(data.draw(st.lists(st.floats(0.2, 5), min_size=len(made.labels), max_size=len(made.labels))))
        prior = Prior.named("uniform", beta=weights * scale)
        share = weights / weights.sum()

        def prevalence(p):
            return p[..., 0, :].sum(axis=-1)

        result = priors_run(made, prior, model="independent", measure=prevalence)
        # the data weigh at most 25 examples
        spread = 6 * np.sqrt(share[0] * (1 - share[0]) / (scale * weights.sum()))
        assert np.abs(result.score_draws[0] - share[0]).max() < spread + 25 / (scale * weights.sum())

    @pytest.mark.slow
    @settings(max_examples=15)
    @given(examples(), MODELS, PRIORS_MEASURES, st.sampled_from(["hierarchical", "nested", "uniform"]), st.data())
    def test_classes_and_their_betas_move_together(self, made, model, measure, name, data):
        betas = data.draw(st.lists(WEIGHTS, min_size=len(made.labels), max_size=len(made.labels)))
        order = data.draw(st.permutations(range(len(made.labels))))
        one = priors_run(made, Prior.named(name, beta=betas), model=model, measure=measure)
        turned = PairedCounts.from_predictions(*made.columns, labels=[made.labels[i] for i in order])
        prior = Prior.named(name, beta=[betas[i] for i in order])
        other = run_comparison(turned, prior=prior, model=model, measure=measure, rope=0.01, n_draws=FEW)
        error = np.sqrt((one.baseline.std**2 + other.baseline.std**2) / FEW)
        assert abs(one.baseline.mean - other.baseline.mean) < 5 * error

    @pytest.mark.slow
    @settings(max_examples=25)
    @given(FEW_EXAMPLES, FEW_EXAMPLES, MODELS, PRIORS_MEASURES, st.sampled_from(["hierarchical", "uniform"]))
    def test_a_set_that_comes_first_counts_as_much_as_one_that_comes_last(self, made, other, model, measure, name):
        """The other examples are told with the labels of these, as far as there are labels."""
        position = {label: made.labels[index % len(made.labels)] for index, label in enumerate(other.labels)}
        told = [[position[label] for label in column] for column in other.columns]
        together = [one + more for one, more in zip(made.columns, told, strict=True)]
        later, all_of_them = (PairedCounts.from_predictions(*each, labels=made.labels) for each in (told, together))
        prior = priors_run(made, name, model=model, measure=measure).as_prior()
        asked = {"measure": measure, "rope": 0.01, "n_draws": FEW}
        sequence = run_comparison(later, prior=prior, **asked)
        union = run_comparison(all_of_them, prior=name, model=model, **asked)
        np.testing.assert_array_equal(sequence.delta, union.delta)
