import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, PairedCounts, compare, score_gap
from pytest_bayesf1.comparison.breakdown import ScoreRange, breakdown
from pytest_bayesf1.comparison.subject import CLASS_DRAWS
from pytest_bayesf1.errors import InputError
from tests.unit.made_up import comparison

LABELS = ["ham", "spam", "eggs"]
BASELINE = ConfusionMatrix([[80, 10, 10], [5, 90, 5], [4, 6, 90]], LABELS)
CANDIDATE = ConfusionMatrix([[60, 25, 15], [5, 90, 5], [2, 6, 92]], LABELS)


def parts(*sides, **given):
    return breakdown(compare(*sides, rope=0.01, **given))


def error_of_few_draws(whole):
    return 6 * max(whole.mcse_hdi) * (whole.n_draws / CLASS_DRAWS) ** 0.5


@pytest.fixture(scope="module")
def found():
    return parts(BASELINE, CANDIDATE)


class TestBreakdown:
    """What is behind a comparison, against comparisons of each part."""

    @pytest.mark.slow
    def test_classes_agree_with_a_comparison_of_each(self, found):
        for each in found.classes:
            alone = compare(BASELINE, CANDIDATE, rope=0.01, measure=f"f1[{each.label}]")
            error = 5 * alone.std / CLASS_DRAWS**0.5
            assert each.mean == pytest.approx(alone.mean, abs=error)
            assert each.hdi == pytest.approx(alone.hdi, abs=error_of_few_draws(alone))
            assert (each.baseline, each.candidate) == pytest.approx((alone.baseline.observed, alone.candidate.observed))
            assert each.n_samples == (100, 100)

    def test_the_worst_class_comes_first(self, found):
        assert [each.mean for each in found.classes] == sorted(each.mean for each in found.classes)
        assert found.classes[0].label == "ham"

    def test_ranges_of_classes_hold_the_probability_that_is_asked_for(self, found):
        for narrow, wide in zip(parts(BASELINE, CANDIDATE, hdi_prob=0.5).classes, found.classes, strict=True):
            assert np.ptp(narrow.hdi) == pytest.approx(0.34 * np.ptp(wide.hdi), rel=0.15)

    def test_cells_are_those_that_changed(self, found):
        names = [each.label for each in found.classes]
        cells = {(names[true], names[predicted]): counts for true, predicted, *counts in found.cells}
        of_ham = {("ham", "ham"): [80, 60], ("ham", "spam"): [10, 25], ("ham", "eggs"): [10, 15]}
        assert cells == {**of_ham, ("eggs", "ham"): [4, 2], ("eggs", "eggs"): [90, 92]}

    def test_cells_of_a_class_without_examples_are_not_shown(self):
        """Nor is the class, which the candidate predicts."""
        strange = ConfusionMatrix([[70, 20, 10], [5, 95, 0], [0, 0, 0]], LABELS)
        found = parts(ConfusionMatrix([[80, 20, 0], [10, 90, 0], [0, 0, 0]], LABELS), strange)
        assert [each.label for each in found.classes] == ["ham", "spam"]
        assert sorted(found.cells) == [(0, 0, 80, 70), (1, 0, 10, 5), (1, 1, 90, 95)]

    def test_a_measure_of_one_class_has_no_classes_unless_there_are_but_two(self):
        assert parts(BASELINE, CANDIDATE, measure="f1[ham]") is None
        assert len(parts([[9, 1], [2, 8]], [[8, 2], [1, 9]], measure="f1[1]").classes) == 2


def compared(accuracy, candidate, n=400, seed=0, **arguments):
    """Compare two classifiers of these accuracies, right or wrong independently."""
    rng = np.random.default_rng([seed, n])
    truth = np.arange(n) % 2
    sides = [truth ^ (rng.random(n) >= right) for right in (accuracy, candidate)]
    arguments = {"measure": "accuracy", "rope": 0.02, **arguments}
    return compare(PairedCounts.from_predictions(truth, *sides), **arguments)


SLICES = {
    name: compared(0.9, right, seed=seed) for seed, (name, right) in enumerate([("de", 0.9), ("en", 0.88), ("fi", 0.7)])
}


class TestGap:
    def test_the_gap_is_that_between_the_best_and_the_worst_slice(self):
        gap = score_gap(SLICES, by="language")
        assert (gap.by, gap.best, gap.worst) == ("language", "de", "fi")
        assert (gap.limit, gap.p_value, gap.is_too_wide) == (None, None, False)

    def test_a_small_slice_is_the_best_where_it_is_surely_further_from_the_worst(self):
        sizes = {"a": (100, 0.99), "b": (2_000, 0.92), "c": (2_000, 0.7)}
        gap = score_gap({name: compared(0.9, right, n=n) for name, (n, right) in sizes.items()})
        assert (gap.best, gap.worst) == ("a", "c")

    def test_each_side_has_the_range_of_its_own_scores(self):
        slices = {name: each.without_draws() for name, each in SLICES.items()}
        for place, name in enumerate(SLICES):
            means = np.array([[0.9 - 0.1 * place], [0.6 + 0.05 * place]])
            draws = np.random.default_rng(place).normal(means, [[0.02], [0.01]], (2, 4_000))
            vars(slices[name]).update(score_draws=draws, hdi_prob=0.8)
        gap = score_gap(slices, limit=0.08)
        assert (gap.best, gap.worst) == ("fi", "de")
        for side, stored in enumerate((gap.baseline, gap.candidate)):
            alone = ScoreRange(np.stack([each.score_draws[side] for each in slices.values()]))
            assert stored.estimate == pytest.approx(alone.estimate, abs=0.002)
            assert stored.interval == pytest.approx(alone.interval(0.8), abs=0.003)
        assert gap.p_value == pytest.approx(alone.p_value(0.08), abs=0.02)

    def test_the_same_slice_twice_has_no_gap_and_two_names(self):
        gap = score_gap({"de": SLICES["de"], "at": SLICES["de"]})
        assert {gap.best, gap.worst} == {"de", "at"}
        assert gap.candidate.estimate == pytest.approx(0, abs=1e-6)

    def test_thinned_comparisons_serve_and_those_without_draws_do_not(self):
        thinned = {name: each.thinned(2_000) for name, each in SLICES.items()}
        assert {each.delta.size for each in thinned.values()} <= set(range(1_000, 2_001))
        whole, few = score_gap(SLICES), score_gap(thinned)
        assert few.candidate.estimate == pytest.approx(whole.candidate.estimate, abs=0.005)
        with pytest.raises(InputError, match="A comparison has no draws"):
            score_gap({name: each.without_draws() for name, each in SLICES.items()})

    def test_what_cannot_be_seen_together(self):
        one = comparison()
        with pytest.raises(InputError, match="expected at least two, got 1"):
            score_gap({"a": one})
        with pytest.raises(InputError, match=r"expected one hdi_prob, got 0\.9 and 0\.95"):
            score_gap({"a": one, "b": comparison(hdi_prob=0.9)})
